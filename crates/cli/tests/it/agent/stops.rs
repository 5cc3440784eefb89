//! Ctrl-C in every phase of a turn over HTTP: the session stays valid for its provider.
//!
//! Not here: approvals, a second Ctrl-C and slow readers (`run_stop.rs`).

use serde_json::{Value, json};

use super::MODELS;
use super::site::{Site, Working, processes_of};

/// Stops a turn in some phase.
struct Phase {
    /// The reply to the words that begin the turn.
    reply: Value,
    /// Waits until the phase is reached.
    reach: fn(&Site, &mut Working),
}

fn phases() -> [Phase; 5] {
    let shell = |line: &str| json!({"call": {"tool": "Shell", "arguments": {"command": line}}});
    let late = json!({"text": "Never.", "at_ms": 600_000});
    [
        // The model has said nothing yet.
        Phase {
            reply: json!({"faults": [{"silent_ms": 600_000}]}),
            reach: |site, _| site.provider.until_requests(1),
        },
        // It is thinking; nothing of it can be kept.
        Phase {
            reply: json!({"say": [{"thinking": "Hm.", "at_ms": 1}, late]}),
            reach: |_, working| working.until(|event| event["type"] == "thinking"),
        },
        // It has thought, spoken and asked for a call that ended.
        Phase {
            reply: json!({"say": [{"thinking": "Hm."}, {"text": "Look."}, {"call": {"tool": "Ls"}}, late]}),
            reach: |_, working| working.until_call("c1", "ended"),
        },
        // A call runs, what it started runs beside it, and another one waits.
        Phase {
            reply: json!({"say": [
                {"thinking": "Sleep."}, {"call": {"tool": "Ls"}},
                shell("(setsid sleep 300 > /dev/null 2>&1 &); touch up; sleep 300"),
                shell("touch never"),
            ]}),
            reach: |site, _| crate::stop::until_exists(&site.file("up")),
        },
        // It was refused and is to be asked again in a minute.
        Phase {
            reply: json!({"faults": [{"status": 429, "retry_after_s": 60}], "say": [{"text": "Never."}]}),
            reach: |_, working| {
                working.until(|event| {
                    event["text"].as_str().is_some_and(|text| text.contains("asking again"))
                });
            },
        },
    ]
}

#[test]
fn a_stop_in_any_phase_leaves_a_session_that_goes_on() {
    for model in MODELS {
        for (n, Phase { mut reply, reach }) in phases().into_iter().enumerate() {
            reply["when"] = json!({"last_contains": "begin"});
            let site = Site::new(&json!([
                reply,
                {"when": {"last_contains": "go on"}, "say": [{"thinking": "Well."}, {"text": "Here again."}]},
            ]));
            let mut working = site.start(&["--model", model, "begin"]);
            reach(&site, &mut working);
            working.interrupt();
            let turn = working.end();
            assert_eq!(turn.code, Some(130), "{model}, phase {n}: {}", turn.stderr);
            let last = turn.events.last().unwrap();
            assert_eq!((&last["type"], &last["ended"]), (&json!("final"), &json!("stopped")));
            assert_eq!(processes_of(&site.session()), [""; 0], "{model}, phase {n}");
            let turn = site.turn(&["--session", "last", "--model", model, "go on"]);
            site.provider.refused_nothing();
            turn.answered("Here again.");
            assert!(!site.file("never").exists());
        }
    }
}
