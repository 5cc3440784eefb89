//! Questions while an agent works: each is about one call, and the others go on.
//!
//! Not here: how they look (`interactive.rs`).

use serde_json::{Value, json};

use super::{answer, call, say, shell};
use crate::Run;
use crate::run::{ended, script};
use crate::terminal::Seat;
use crate::writing::settings;

/// Sits at a turn in which these replies are played.
fn seat(run: &Run, replies: &Value) -> Seat {
    let model = script(run, replies);
    Seat::take(run.command(&["run", "--model", &model, "go"]), 80)
}

// https://github.com/anthropics/claude-code/issues/75702
#[test]
fn a_question_holds_up_its_own_call_only() {
    let run = Run::new();
    let tool = json!({"description": "Asks first.", "command": ["touch", "asked"], "groups": "independent"});
    settings(&run, &json!({"tools": {"ask": tool}}));
    let calls = [call("ask", json!({})), call("Ls", json!({}))];
    let mut seat = seat(&run, &json!([say(&calls), answer("Both.")]));
    seat.until("allow it?").until("c2   Ls ok");
    assert!(!run.path().join("asked").exists());
    seat.line("y").until("c1   ask ok").until("Both.");
    let (status, shown) = seat.end();
    assert_eq!(status.code(), Some(0), "{shown}");
}

// https://github.com/langchain-ai/langgraph/issues/6624
// https://github.com/xenodium/agent-shell/issues/387
#[test]
fn each_call_has_a_question_of_its_own_also_when_they_are_alike() {
    let run = Run::new();
    let again = shell("echo x >> log");
    let mut seat =
        seat(&run, &json!([say(&[again.clone(), again.clone(), again]), answer("Two.")]));
    for key in ["y", "n", "y"] {
        seat.until("allow it?").line(key);
    }
    seat.until("Two.");
    let (status, shown) = seat.end();
    assert_eq!(status.code(), Some(0), "{shown}");
    assert_eq!(shown.matches("allow it?").count(), 3, "{shown}");
    assert_eq!(std::fs::read_to_string(run.path().join("log")).unwrap(), "x\nx\n");
}

// https://github.com/MoonshotAI/kimi-cli/pull/1724
#[test]
fn where_nobody_can_answer_a_question_is_no_hang() {
    let run = Run::new();
    let model = script(
        &run,
        &json!([
            say(&[shell("touch one"), call("Ls", json!({})), shell("touch two")]),
            {"when": {"last_contains": "nobody_to_ask"}, "say": [{"text": "Nobody is there."}]},
        ]),
    );
    let (code, stdout, stderr) = ended(&run.with(&["run", "--model", &model, "go"], b""));
    assert_eq!((code, &*stdout), (0, "Nobody is there.\n"), "{stderr}");
    assert!(!run.path().join("one").exists() && !run.path().join("two").exists());
}
