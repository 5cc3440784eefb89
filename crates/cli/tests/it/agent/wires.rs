//! One conversation on all four wires: the same calls, the same answer, nothing refused.
//!
//! Not here: going from one wire to another (`resume.rs`).

use std::thread;

use serde_json::{Value, json};

use super::MODELS;
use super::site::Site;

/// Thinking, parallel reads, an edit and a read of the same file, a failing call, a cut one.
fn replies() -> Value {
    let call =
        |tool: &str, arguments: Value| json!({"call": {"tool": tool, "arguments": arguments}});
    let cut = json!("{\"file_path\": \"c.txt\", \"content\": \"Once upon");
    json!([
        {"say": [
            {"thinking": "Both files at once.", "chunks": 3, "at_ms": 5},
            {"text": "I read both.", "chunks": 4, "at_ms": 10},
            call("ReadFile", json!({"file_path": "a.txt"})),
            call("ReadFile", json!({"file_path": "b.txt"})),
        ]},
        {"say": [
            {"thinking": "Change one of them, look, and try a third."},
            call("EditFile", json!({"file_path": "a.txt", "old_string": "alpha", "new_string": "gamma"})),
            call("ReadFile", json!({"file_path": "a.txt"})),
            call("ReadFile", json!({"file_path": "none.txt"})),
        ]},
        {
            "say": [{"thinking": "Write."}, call("Ls", json!({})), call("WriteFile", cut)],
            "stop": "output_limit",
        },
        {"say": [{"thinking": "That is all."}, {"text": "All is said.", "chunks": 2}]},
    ])
}

#[test]
fn every_wire_leads_to_the_same_end() {
    for model in MODELS {
        let site = Site::new(&replies());
        site.write("a.txt", "alpha\n");
        site.write("b.txt", "beta\n");
        let turn = site.turn(&["--model", model, "go"]);
        site.provider.refused_nothing();
        turn.answered("All is said.");
        let expected = ["c1 ok", "c2 ok", "c3 ok", "c4 ok", "c5 failed", "c6 ok", "c7 declined"];
        assert_eq!(turn.statuses(), expected, "{model}");
        let usage = turn.of("usage");
        assert_eq!(usage.len(), 4, "{model}");
        assert!(usage.iter().all(|usage| usage["model"] == model && usage["output"].is_u64()));
        let thinking: String =
            turn.of("thinking").iter().filter_map(|event| event["text"].as_str()).collect();
        assert!(thinking.contains("Both files at once."), "{model}: {thinking}");
        let requests = site.provider.requests();
        assert_eq!(requests.len(), 4, "{model}");
        assert!(
            !requests[1].body.contains("gamma") && requests[2].body.contains("1\\tgamma"),
            "{model}"
        );
        assert_eq!((site.read("a.txt"), site.read("c.txt")), ("gamma\n".into(), String::new()));
        assert_eq!(site.shown()["problems"], json!([]));
    }
}

#[test]
fn what_goes_wrong_on_the_way_is_tried_again_on_every_wire() {
    let faults =
        json!([{"status": 429, "retry_after_s": 0}, {"broken": {"after": 1, "mid_piece": true}}]);
    let glob = json!({"call": {"tool": "Glob", "arguments": {"pattern": "*"}}});
    let say = json!([{"thinking": "Look."}, {"text": "I look."}, {"call": {"tool": "Ls"}}, glob]);
    let replies = json!([{"faults": faults, "say": say}, {"say": [{"text": "It is empty."}]}]);
    let goes_well = |model: &str| {
        let site = Site::new(&replies);
        let turn = site.turn(&["--model", model, "go"]);
        site.provider.refused_nothing();
        turn.answered("It is empty.");
        assert_eq!(turn.statuses(), ["c1 ok", "c2 ok"], "{model}");
        assert_eq!(site.provider.requests().len(), 4, "{model}");
    };
    // At once, because each waits before it asks again.
    let goes_well = &goes_well;
    thread::scope(|scope| {
        for model in MODELS {
            scope.spawn(move || goes_well(model));
        }
    });
}
