//! Providers that are busy, break off or say nothing; and models that put calls where none belong.
//!
//! Not here: when a model is asked again (`fanfold-agent`).

use serde_json::{Value, json};

use super::{MODEL, answer, call, say};
use crate::agent::MODELS;
use crate::agent::site::Site;

fn append(line: &str) -> Value {
    super::shell(&format!("echo {line} >> log"))
}

// https://github.com/openai/codex/issues/26787
#[test]
fn a_provider_that_was_busy_for_a_turn_does_not_end_the_session() {
    for model in MODELS {
        let busy = json!({"status": 503, "retry_after_s": 0});
        let cut = json!({"broken": {"after": 0, "mid_piece": true}});
        let site = Site::new(&json!([
            {"faults": [busy, cut, busy, cut], "say": [{"text": "At last."}]},
            answer("And on."),
        ]));
        site.settings(&json!({"limits": {"model_attempts": 2}}).to_string());
        for _ in 0..2 {
            let go_on: &[&str] =
                if site.sessions().is_empty() { &[] } else { &["--session", "last"] };
            let turn = site.turn(&[&["--model", model], go_on, &["go"]].concat());
            assert_eq!(turn.code, Some(1), "{model}: {}", turn.stderr);
        }
        site.turn(&["--model", model, "--session", "last", "and now?"]).answered("At last.");
        site.turn(&["--session", "last", "and on?"]).answered("And on.");
        site.provider.refused_nothing();
    }
}

// https://github.com/earendil-works/pi/issues/5930
#[test]
fn a_prompt_that_is_too_long_is_not_sent_again_as_it_was() {
    for model in MODELS {
        let site = Site::new(&json!([
            {"faults": [{"prompt_too_long": {"above_tokens": 1}}], "say": [{"text": "Never."}]},
        ]));
        let turn = site.turn(&["--model", model, "go"]);
        assert_eq!(turn.code, Some(1), "{model}: {}", turn.stderr);
        assert_eq!(site.provider.requests().len(), 1, "{model}");
    }
}

// https://github.com/openai/codex/issues/22467
#[test]
fn a_call_that_ran_before_its_stream_broke_is_neither_lost_nor_run_twice() {
    for model in MODELS {
        let site = Site::new(&json!([
            {"faults": [{"broken": {"after": 2}}], "say": [append("ran"), append("next"), {"text": "Both."}]},
            {"say": [{"text": "I see."}]},
        ]));
        site.settings(r#"{"limits": {"model_attempts": 4}}"#);
        let turn = site.turn(&["--model", model, "go"]);
        site.provider.refused_nothing();
        assert_eq!(turn.code, Some(0), "{model}: {}", turn.stderr);
        let log = site.read("log");
        assert_eq!(log.matches("ran").count(), 1, "{model}: {log}");
        assert!(log.matches("next").count() <= 1, "{model}: {log}");
    }
}

// https://github.com/sipeed/picoclaw/pull/2104
#[test]
fn calls_written_as_text_run_only_where_that_is_the_protocol() {
    let written =
        "[{\"tool_name\": \"Ls\", \"tool_args\": {}}, {\"tool_name\": \"Ls\", \"tool_args\": {}}]";
    for (protocol, calls) in [("native", 0), ("plain", 2)] {
        let site = Site::new(&json!([answer(written), answer("Listed.")]));
        let turn = site.turn(&["--model", MODEL, "--protocol", protocol, "go"]);
        site.provider.refused_nothing();
        assert_eq!((turn.code, turn.statuses().len()), (Some(0), calls), "{protocol}");
    }
}

// https://github.com/anthropics/claude-code/issues/14030
#[test]
fn thinking_goes_back_as_it_came_or_not_at_all() {
    let think = |text: &str, more: Value| say(&[json!({"thinking": text, "chunks": 3}), more]);
    for model in MODELS {
        let site = Site::new(&json!([
            think("First, look.", call("Ls", json!({}))),
            think("Then look again.", call("Ls", json!({}))),
            think("Enough.", json!({"text": "Seen."})),
            think("Still enough.", json!({"text": "Yes."})),
        ]));
        site.turn(&["--model", model, "go"]).answered("Seen.");
        site.turn(&["--session", "last", "sure?"]).answered("Yes.");
        // Each seal is checked with all that it was made for.
        site.provider.refused_nothing();
    }
}
