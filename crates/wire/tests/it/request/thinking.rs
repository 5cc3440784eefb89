//! How much the model is to think, and when a request does not ask for it.

use fanfold_wire::{Effort, Endpoint, Thinking};
use serde_json::{Value, json};

use super::{Asking, Talk, asking};

fn head(talk: &Talk, ask: Asking) -> Value {
    talk.request(&ask).head()
}

#[test]
fn anthropic_thinks_adaptively_or_by_budget() {
    let mut talk = Talk::default();
    talk.user("Hi.");
    let adaptive = |effort| Thinking::Adaptive { effort };
    let budget = |tokens| Thinking::Budget { tokens };
    let none = Value::Null;
    let table = [
        (Endpoint::Anthropic, Thinking::Off, none.clone(), none.clone()),
        (Endpoint::Anthropic, adaptive(None), json!({"type": "adaptive"}), none.clone()),
        (
            Endpoint::Anthropic,
            adaptive(Some(Effort::Max)),
            json!({"type": "adaptive"}),
            json!({"effort": "max"}),
        ),
        (
            Endpoint::Anthropic,
            Thinking::Effort(Effort::Minimal),
            none.clone(),
            json!({"effort": "low"}),
        ),
        (
            Endpoint::Anthropic,
            budget(4000),
            json!({"type": "enabled", "budget_tokens": 4000}),
            none.clone(),
        ),
        (
            Endpoint::Anthropic,
            budget(10),
            json!({"type": "enabled", "budget_tokens": 1024}),
            none.clone(),
        ),
        (
            Endpoint::Anthropic,
            budget(90_000),
            json!({"type": "enabled", "budget_tokens": 31_999}),
            none,
        ),
    ];
    for (endpoint, thinking, expected, effort) in table {
        let head = head(&talk, Asking { thinking, ..asking(endpoint) });
        assert_eq!(head.get("thinking").unwrap_or(&Value::Null), &expected, "{thinking:?}");
        assert_eq!(head.get("output_config").unwrap_or(&Value::Null), &effort, "{thinking:?}");
    }
    let small =
        Asking { max_output: Some(1024), thinking: budget(1024), ..asking(Endpoint::Anthropic) };
    assert!(head(&talk, small).get("thinking").is_none(), "no room for a budget");
}

#[test]
fn openai_and_gemini_have_their_own_words() {
    let mut talk = Talk::default();
    talk.user("Hi.");
    let adaptive = |effort| Thinking::Adaptive { effort };
    let table = [
        (
            Endpoint::OpenaiResponses,
            "/reasoning",
            Thinking::Effort(Effort::Xhigh),
            json!({"effort": "xhigh"}),
        ),
        (
            Endpoint::OpenaiResponses,
            "/include",
            adaptive(None),
            json!(["reasoning.encrypted_content"]),
        ),
        (Endpoint::OpenaiChat, "/reasoning_effort", Thinking::Effort(Effort::Low), json!("low")),
        (
            Endpoint::Gemini,
            "/generationConfig/thinkingConfig",
            adaptive(None),
            json!({"includeThoughts": true}),
        ),
        (
            Endpoint::Gemini,
            "/generationConfig/thinkingConfig",
            Thinking::Effort(Effort::Max),
            json!({"includeThoughts": true, "thinkingLevel": "high"}),
        ),
        (
            Endpoint::Gemini,
            "/generationConfig/thinkingConfig",
            Thinking::Budget { tokens: 0 },
            json!({"includeThoughts": true, "thinkingBudget": 0}),
        ),
    ];
    for (endpoint, pointer, thinking, expected) in table {
        let set = head(&talk, Asking { thinking, ..asking(endpoint) });
        assert_eq!(set.pointer(pointer), Some(&expected), "{endpoint:?} {thinking:?}");
        assert!(head(&talk, asking(endpoint)).pointer(pointer).is_none(), "{endpoint:?}");
    }
}

#[test]
fn openai_takes_tools_in_chat_only_without_thinking() {
    let mut talk = Talk::default();
    talk.user("Hi.");
    let table = [
        ("openai-chat/gpt-5.5", 1, "none"),
        ("openai-chat/gpt-5.5", 0, "medium"),
        ("openai-chat/gpt-5-mini", 1, "medium"),
        ("groq/gpt-oss", 1, "medium"),
    ];
    for (asked, tool_count, expected) in table {
        let thinking = Thinking::Effort(Effort::Medium);
        let ask = Asking { asked, tool_count, thinking, ..asking(Endpoint::OpenaiChat) };
        assert_eq!(head(&talk, ask)["reasoning_effort"], expected, "{asked}, {tool_count} tools");
    }
}

/// Steps of a talk with Anthropic, and whether the request after them asks for thinking: adaptive,
/// then by budget. `own` is a reply that thinks and calls, `bare` calls without thinking, `other` is
/// of another model, `end` answers without thinking; `nothing` and `blank` leave no message.
const TALKS: &str = "
user > yes yes
user own > yes yes
user own own > yes yes
user bare > yes no
user own bare > yes no
user other > no no
user other own > no no
user other user > no no
user other end user > yes yes
user bare end user > yes yes
user other end user own > yes yes
user other nothing user > no no
user other end blank own > no no
";

#[test]
fn thinking_is_off_while_the_tool_loop_has_lost_some() {
    let bare = json!({"type": "message", "role": "assistant", "content": [
        {"type": "tool_use", "id": "a", "name": "Ls", "input": {}}]});
    let nothing = json!({"type": "message", "role": "assistant", "content": []});
    let end = json!({"type": "message", "role": "assistant", "content": [{"type": "text", "text": "Done."}]});
    for line in TALKS.lines().filter(|line| !line.is_empty()) {
        let (steps, expected) = line.split_once(" > ").unwrap();
        let mut talk = Talk::default();
        for step in steps.split(' ') {
            match step {
                "user" => talk.user("Go."),
                "blank" => talk.user(" "),
                "nothing" => talk.written(&nothing, Some("p/m-1")),
                "own" => talk.recorded("anthropic/stream.sse", Some("p/m-1")),
                "bare" => talk.written(&bare, Some("p/m-1")),
                "other" => talk.recorded("gemini/stream.sse", Some("p/m-2")),
                "end" => talk.written(&end, Some("p/m-1")),
                _ => panic!("{step}"),
            };
        }
        let asks = |thinking| {
            let head = head(&talk, Asking { thinking, ..asking(Endpoint::Anthropic) });
            if head.get("thinking").is_some() { "yes" } else { "no" }
        };
        let found =
            [asks(Thinking::Adaptive { effort: None }), asks(Thinking::Budget { tokens: 2000 })];
        assert_eq!(found.join(" "), expected, "{steps}");
    }
}

#[test]
fn what_reasoning_models_are_asked_to_include_does_not_change_with_a_lost_block() {
    let mut talk = Talk::default();
    talk.user("Go.").recorded("gemini/stream.sse", Some("p/m-2"));
    let thinking = Thinking::Effort(Effort::High);
    let head = head(&talk, Asking { thinking, ..asking(Endpoint::OpenaiResponses) });
    assert_eq!(head["include"], json!(["reasoning.encrypted_content"]));
    assert!(head.get("reasoning").is_none());
}
