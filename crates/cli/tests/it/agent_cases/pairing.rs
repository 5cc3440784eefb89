//! Every call has one result in the next request, whatever happened to it.
//!
//! The provider refuses any other request. Not here: results that a damaged journal has lost
//! (`journals.rs`).

use serde_json::{Value, json};

use super::{MODEL, answer, call, messages, results, say, shell};
use crate::agent::MODELS;
use crate::agent::site::Site;
use crate::stop::until_exists;

fn sleep(mark: &str) -> Value {
    shell(&format!("touch {mark}; sleep 600"))
}

// https://github.com/anthropics/claude-code/issues/1776
#[test]
fn after_three_stops_in_a_row_the_session_goes_on() {
    for model in MODELS {
        let stopped =
            |mark: &str| say(&[call("Ls", json!({})), sleep(mark), call("Ls", json!({}))]);
        let site =
            Site::new(&json!([stopped("one"), stopped("two"), stopped("three"), answer("Here.")]));
        for mark in ["one", "two", "three"] {
            let go_on: &[&str] = if mark == "one" { &[] } else { &["--session", "last"] };
            let working = site.start(&[&["--model", model], go_on, &["go"]].concat());
            until_exists(&site.file(mark));
            working.interrupt();
            let turn = working.end();
            assert_eq!(turn.code, Some(130), "{model}: {}", turn.stderr);
        }
        site.turn(&["--model", model, "--session", "last", "and?"]).answered("Here.");
        site.provider.refused_nothing();
    }
}

// https://github.com/letta-ai/letta-code/issues/578
#[test]
fn who_stops_a_batch_and_says_something_else_sends_all_its_results() {
    let site = Site::new(&json!([
        say(&[shell("echo one"), shell("echo two"), sleep("up")]),
        answer("As you wish."),
    ]));
    let working = site.start(&["--model", MODEL, "go"]);
    until_exists(&site.file("up"));
    working.interrupt();
    working.end();
    site.turn(&["--model", MODEL, "--session", "last", "rather this"]).answered("As you wish.");
    site.provider.refused_nothing();
    let messages = messages(&site, 1);
    let results = results(&messages[2]);
    assert_eq!(results[..2], ["Exit code: 0\none\n", "Exit code: 0\ntwo\n"]);
    assert!(results[2].starts_with("[interrupted: stopped]"), "{results:?}");
    assert_eq!(results.len(), 3);
}

// https://github.com/LionSR/TeXRA/issues/7163
#[test]
fn calls_that_never_started_are_answered_in_the_next_request() {
    for model in MODELS {
        let site = Site::new(&json!([
            say(&[sleep("up"), shell("a"), shell("a"), shell("b")]),
            answer("So.")
        ]));
        let working = site.start(&["--model", model, "--max-parallel", "1", "go"]);
        until_exists(&site.file("up"));
        working.interrupt();
        let turn = working.end();
        let expected = ["c1 interrupted", "c2 skipped", "c3 skipped", "c4 skipped"];
        assert_eq!(turn.statuses(), expected, "{model}");
        site.turn(&["--model", model, "--session", "last", "and?"]).answered("So.");
        site.provider.refused_nothing();
    }
}

// https://github.com/google-gemini/gemini-cli/issues/6379
// https://github.com/vybestack/llxprt-code/issues/194
#[test]
fn a_refusal_a_failure_and_a_success_are_answered_together_on_geminis_wire() {
    let site = Site::new(&json!([
        say(&[
            shell("echo denied"),
            call("ReadFile", json!({"file_path": "none"})),
            call("NoSuchTool", json!({})),
            call("Ls", json!({})),
        ]),
        answer("Three of four failed."),
    ]));
    let turn = site.turn(&["--model", MODELS[3], "--deny", "Shell", "go"]);
    site.provider.refused_nothing();
    turn.answered("Three of four failed.");
    assert_eq!(turn.statuses(), ["c1 declined", "c2 failed", "c3 declined", "c4 ok"]);
    let body: Value = serde_json::from_str(&site.provider.requests()[1].body).unwrap();
    let contents = body["contents"].as_array().unwrap();
    assert_eq!(contents.len(), 3, "{body}");
    let parts = contents[2]["parts"].as_array().unwrap();
    let names: Vec<&Value> = parts.iter().map(|part| &part["functionResponse"]["name"]).collect();
    assert_eq!(names, ["Shell", "ReadFile", "NoSuchTool", "Ls"]);
}

// https://github.com/zhukunpenglinyutong/jetbrains-cc-gui/pull/1342
#[test]
fn all_results_of_a_batch_are_one_message() {
    let looks =
        [call("Ls", json!({})), call("Glob", json!({"pattern": "*"})), call("Ls", json!({}))];
    let site = Site::new(&json!([say(&looks), answer("Empty.")]));
    site.turn(&["--model", MODEL, "go"]).answered("Empty.");
    let messages = messages(&site, 1);
    let roles: Vec<&Value> = messages.iter().map(|message| &message["role"]).collect();
    assert_eq!(roles, ["user", "assistant", "user"]);
    assert_eq!(results(&messages[2]).len(), 3);
}

// https://github.com/langchain-ai/open-swe/pull/2198
#[test]
fn a_resumed_session_repeats_its_past_to_the_byte_whichever_call_ended_first() {
    for (first, second) in [(0.1, 0.0), (0.0, 0.1)] {
        let wait = |seconds: f64| call("wait", json!({"seconds": seconds}));
        let site = Site::new(&json!([
            say(&[json!({"thinking": "Both."}), wait(first), wait(second)]),
            answer("Done."),
            answer("Still here."),
        ]));
        site.turn(&["--model", MODEL, "go"]).answered("Done.");
        site.turn(&["--session", "last", "and now?"]).answered("Still here.");
        site.provider.refused_nothing();
        let text = |request| {
            let unmarked = |mut message: Value| {
                for block in message["content"].as_array_mut().unwrap() {
                    block.as_object_mut().unwrap().remove("cache_control");
                }
                message.to_string()
            };
            messages(&site, request).into_iter().map(unmarked).collect::<Vec<_>>()
        };
        let (live, resumed) = (text(1), text(2));
        assert_eq!(resumed[..live.len()], live);
    }
}

// https://github.com/bosun-ai/swiftide
#[test]
fn a_tool_that_does_not_exist_has_a_result_too() {
    for model in MODELS {
        let site = Site::new(&json!([
            say(&[call("NoSuchTool", json!({}))]),
            {"when": {"last_contains": "unknown_tool"}, "say": [{"text": "I see."}]},
        ]));
        site.turn(&["--model", model, "go"]).answered("I see.");
        site.provider.refused_nothing();
    }
}
