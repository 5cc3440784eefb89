//! Sessions that go from wire to wire, between turns and in the middle of one.
//!
//! Every request meets a provider that wants its past back byte for byte and its thinking unharmed.
//! Not here: kills at any moment (`crash.rs`).

use serde_json::{Value, json};

use super::MODELS;
use super::site::{Site, processes_of};

fn think_and(thinking: &str, more: &[Value]) -> Value {
    let thinking = json!({"thinking": thinking});
    json!({"say": ([&[thinking], more].concat())})
}

fn ls() -> Value {
    json!({"call": {"tool": "Ls", "arguments": {}}})
}

/// A turn of a call and an answer.
fn turn_of(n: usize) -> [Value; 2] {
    [
        think_and(&format!("Turn {n}."), &[json!({"text": "Looking."}), ls(), ls()]),
        think_and("Enough.", &[json!({"text": format!("Answer {n}.")})]),
    ]
}

#[test]
fn a_session_goes_from_wire_to_wire_and_back() {
    let route = [0, 1, 3, 0, 2, 1, 0];
    let replies: Vec<Value> = (0..route.len()).flat_map(turn_of).collect();
    let site = Site::new(&json!(replies));
    for (n, model) in route.into_iter().map(|at| MODELS[at]).enumerate() {
        let go_on: &[&str] = if n == 0 { &[] } else { &["--session", "last"] };
        let turn = site.turn(&[&["--model", model], go_on, &["go on"]].concat());
        site.provider.refused_nothing();
        turn.answered(&format!("Answer {n}."));
    }
    assert_eq!(site.provider.requests().len(), 2 * route.len());
    assert_eq!(site.shown()["problems"], json!([]));
}

/// Every pair of wires; the model that is left, and the one that goes on.
fn pairs() -> impl Iterator<Item = (&'static str, &'static str)> {
    MODELS.into_iter().flat_map(|from| MODELS.map(|to| (from, to)))
}

#[test]
fn a_crash_in_the_middle_of_a_tool_loop_is_gone_on_with_on_any_wire() {
    for (from, to) in pairs() {
        let wait = json!({"call": {"tool": "wait", "arguments": {"seconds": 600}}});
        let site = Site::new(&json!([
            think_and("First a look.", &[ls()]),
            think_and("Now wait.", &[json!({"text": "Waiting."}), ls(), wait]),
            think_and("It was cut short.", &[ls()]),
            think_and("Enough.", &[json!({"text": "Here I am."})]),
            think_and("Again.", &[json!({"text": "And here."})]),
        ]));
        let mut working = site.start(&["--model", from, "go"]);
        working.until_call("c3", "started");
        // That it ended is told before it is on disk.
        site.until_journaled(&["\"settled\"", "\"c2\""]);
        working.kill();
        let session = site.session();
        let turn = site.turn(&["--session", &session, "--model", to]);
        site.provider.refused_nothing();
        turn.answered("Here I am.");
        let statuses: Vec<Value> = calls(&site.shown());
        assert_eq!(statuses, ["ok", "ok", "interrupted", "ok"], "{from} to {to}");
        // And back where it came from.
        let turn = site.turn(&["--session", &session, "--model", from, "and now?"]);
        site.provider.refused_nothing();
        turn.answered("And here.");
        assert_eq!(processes_of(&session), [""; 0]);
    }
}

#[test]
fn a_crash_between_the_results_and_the_reply_asks_the_same_again() {
    for (from, to) in pairs() {
        let site = Site::new(&json!([
            think_and("First a look.", &[ls()]),
            {"when": {"replies": 1}, "say": [{"thinking": "So."}, {"text": "Never", "at_ms": 600_000}]},
            think_and("So.", &[json!({"text": "Here I am."})]),
        ]));
        let working = site.start(&["--model", from, "go"]);
        site.provider.until_requests(2);
        working.kill();
        let turn = site.turn(&["--session", "last", "--model", to]);
        site.provider.refused_nothing();
        turn.answered("Here I am.");
        assert_eq!(calls(&site.shown()), ["ok"], "{from} to {to}");
        let requests = site.provider.requests();
        assert_eq!(requests.len(), 3, "{from} to {to}");
        if from == to {
            assert_eq!(requests[1].body, requests[2].body, "{from}");
        }
    }
}

/// The status of every call of a shown session.
fn calls(shown: &Value) -> Vec<Value> {
    let entries = shown["entries"].as_array().unwrap().iter();
    let calls = entries.filter_map(|entry| entry["calls"].as_array()).flatten();
    calls.map(|call| call["status"].clone()).collect()
}
