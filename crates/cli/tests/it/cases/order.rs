//! Results and questions keep to the order of the calls, whichever was ready first.
//!
//! Not here: what waits for what (`batch.rs`).

use serde_json::{Value, json};

use super::{Batch, anthropic, declare_held, release};
use crate::approvals::at_a_terminal;
use crate::{Run, field, parse, text};

// https://github.com/anthropics/claude-code/issues/21906
#[test]
fn the_first_call_has_the_first_result_also_when_it_ends_last() {
    let run = Run::new();
    declare_held(&run, &["slow"]);
    let reply = anthropic(&[
        ("toolu_a", "slow", json!({})),
        ("toolu_b", "Ls", json!({})),
        ("toolu_c", "Glob", json!({"pattern": "*"})),
    ]);
    let mut batch = Batch::start(&run, &reply, &[]);
    batch.until_ended(&["c2", "c3"]);
    release(&run, "slow");
    let results = parse(&batch.finish().stdout);
    assert_eq!(field(&results["content"], "tool_use_id"), ["toolu_a", "toolu_b", "toolu_c"]);
    assert_eq!(results["content"][0]["content"], "slow was released\n");
}

// https://github.com/langchain-ai/open-swe/pull/2198
#[test]
fn the_message_is_the_same_to_the_byte_whichever_call_ended_first() {
    let reply = anthropic(&[("toolu_a", "one", json!({})), ("toolu_b", "two", json!({}))]);
    let answered = |order: [(&str, &str); 2]| {
        let run = Run::new();
        declare_held(&run, &["one", "two"]);
        let mut batch = Batch::start(&run, &reply, &[]);
        for (tool, call) in order {
            release(&run, tool);
            batch.until_ended(&[call]);
        }
        text(&batch.finish().stdout)
    };
    let forwards = answered([("one", "c1"), ("two", "c2")]);
    assert!(forwards.contains("two was released"), "{forwards}");
    assert_eq!(answered([("two", "c2"), ("one", "c1")]), forwards);
}

// https://github.com/earendil-works/pi/issues/3468
#[test]
fn a_refusal_at_once_does_not_overtake_a_result_that_takes_long() {
    let run = Run::new();
    declare_held(&run, &["slow"]);
    let reply = anthropic(&[("toolu_a", "slow", json!({})), ("toolu_b", "Ls", json!({}))]);
    let mut batch = Batch::start(&run, &reply, &["--deny", "Ls"]);
    batch.until_ended(&["c2"]);
    release(&run, "slow");
    let results = parse(&batch.finish().stdout);
    assert_eq!(field(&results["content"], "tool_use_id"), ["toolu_a", "toolu_b"]);
    assert_eq!(results["content"][0]["content"], "slow was released\n");
    let refusal = results["content"][1]["content"].as_str().unwrap();
    assert!(refusal.starts_with("[declined: denied_by_rule]"), "{refusal}");
}

// https://github.com/iOfficeAI/AionUi/pull/1614
#[test]
fn two_questions_under_one_id_are_both_asked_and_answered_apart() {
    let run = Run::new();
    let shell = |command: &str| ("toolu_x", "Shell", json!({"command": command}));
    let reply = anthropic(&[shell("touch first"), shell("touch second")]);
    let (shown, results) = at_a_terminal(&run, &reply, "n\ny\n");
    assert_eq!(shown.matches("allow it?").count(), 2, "{shown}");
    let made = |name: &str| run.path().join(name).exists();
    assert_eq!((made("first"), made("second")), (false, true), "{shown}");
    let results = &results["content"];
    assert_eq!((&results[0]["is_error"], &results[1]["is_error"]), (&json!(true), &Value::Null));
    assert_ne!(results[0]["tool_use_id"], results[1]["tool_use_id"]);
}
