//! Calls run while the reply that asks for them still streams.
//!
//! Proved by a reply that does not end, so no clock is asked. Not here: how long it takes
//! (`benches/streaming.rs`).

use serde_json::{Value, json};

use super::MODELS;
use super::site::Site;

/// A tool of the settings that takes its time; two calls of it may overlap.
const TOOL: &str = r#"{"tools": {"ponder": {
    "description": "Ponders.",
    "input_schema": {"type": "object", "properties": {"n": {"type": "integer"}}},
    "command": ["sh", "-c", "cat > /dev/null; sleep 0.05; echo pondered"],
    "groups": "independent"
}}}"#;

fn wait() -> Value {
    json!({"tool": "wait", "arguments": {"seconds": 0.05}})
}

fn ponder() -> Value {
    json!({"tool": "ponder", "arguments": {"n": 1}})
}

fn site(call: &Value, ends_at_ms: u64) -> Site {
    let site = Site::new(&json!([
        {"when": {"replies": 0}, "say": [
            {"thinking": "Both."},
            {"call": call, "at_ms": 20},
            {"call": call, "at_ms": 40},
            {"text": "Both are asked for.", "at_ms": ends_at_ms},
        ]},
        {"say": [{"text": "Of no request's number."}]},
        {"say": [{"text": "Both are done."}]},
    ]));
    site.settings(TOOL);
    site
}

#[test]
fn a_call_starts_and_ends_while_the_reply_streams() {
    for (model, call) in MODELS.into_iter().flat_map(|model| [(model, wait()), (model, ponder())]) {
        let site = site(&call, 600_000);
        let mut working = site.start(&["--model", model, "go"]);
        working.until_call("c1", "ended");
        working.until_call("c2", "ended");
        working.interrupt();
        let turn = working.end();
        assert_eq!(turn.code, Some(130), "{model}: {}", turn.stderr);
        // The session is sound: what ended while it streamed goes back to the model.
        let turn = site.turn(&["--model", model, "--session", "last", "and?"]);
        site.provider.refused_nothing();
        turn.answered("Both are done.");
    }
}

#[test]
fn both_results_are_in_the_next_request() {
    for (model, call) in MODELS.into_iter().flat_map(|model| [(model, wait()), (model, ponder())]) {
        let site = Site::new(&json!([
            {"say": [{"call": call, "at_ms": 10}, {"call": call, "at_ms": 20}, {"text": "Both.", "at_ms": 100}]},
            {"say": [{"text": "Both are done."}]},
        ]));
        site.settings(TOOL);
        let turn = site.turn(&["--model", model, "go"]);
        site.provider.refused_nothing();
        turn.answered("Both are done.");
        assert_eq!(turn.statuses(), ["c1 ok", "c2 ok"], "{model}");
        let requests = site.provider.requests();
        assert_eq!(requests.len(), 2, "{model}");
        let results = if call == ponder() { "pondered" } else { "waited" };
        assert_eq!(requests[1].body.matches(results).count(), 2, "{model}: {}", requests[1].body);
    }
}
