//! Anthropic's rules.

use fanfold_transcript::Wire;
use serde_json::{Value, json};

use crate::support::{self, ask, drop_item, put_item};

/// A tool loop of two steps, with thinking, that goes on after an answer.
fn conversation() -> Value {
    let mut request = json!({
        "model": "claude-opus-4-6",
        "max_tokens": 4096,
        "system": [{"type": "text", "text": "Be brief."}],
        "thinking": {"type": "adaptive"},
        "tools": [{"name": "Ls", "input_schema": {"type": "object"}}],
        "messages": [{"role": "user", "content": "Look around."}],
    });
    let call = |id: &str| json!({"type": "tool_use", "id": id, "name": "Ls", "input": {}});
    let result = |id: &str| json!({"type": "tool_result", "tool_use_id": id, "content": "a.txt"});
    say(&mut request, "First the list.", &[call("t1"), call("t2")]);
    hear(&mut request, &[result("t1"), result("t2"), json!({"type": "text", "text": "Go on."})]);
    say(&mut request, "Once more.", &[call("t3")]);
    hear(&mut request, &[result("t3")]);
    request
}

/// The model answers: sealed thinking, then these blocks.
fn say(request: &mut Value, thinking: &str, blocks: &[Value]) {
    let signature = ask(Wire::Anthropic, request).unwrap().seal(thinking);
    let thinking = json!({"type": "thinking", "thinking": thinking, "signature": signature});
    let content: Vec<_> = [thinking].iter().chain(blocks).cloned().collect();
    let messages = request["messages"].as_array_mut().unwrap();
    messages.push(json!({"role": "assistant", "content": content}));
}

fn hear(request: &mut Value, blocks: &[Value]) {
    let messages = request["messages"].as_array_mut().unwrap();
    messages.push(json!({"role": "user", "content": blocks}));
}

fn accepted(changes: &[support::Change]) {
    support::accepted(Wire::Anthropic, &conversation(), changes);
}

fn refused(changes: &[(&str, &str, support::Change)]) {
    support::refused(Wire::Anthropic, &conversation(), changes);
}

#[test]
fn the_request() {
    accepted(&[
        |r| r["cache_control"] = json!({"type": "ephemeral"}),
        |r| r["tools"][0]["cache_control"] = json!({"type": "ephemeral"}),
    ]);
    refused(&[
        ("seed", "Extra inputs are not permitted", |r| r["seed"] = json!(1)),
        ("model", "Field required", |r| r["model"] = Value::Null),
        ("max_tokens", "Field required", |r| r["max_tokens"] = Value::Null),
        ("max_tokens", "greater than 0", |r| r["max_tokens"] = json!(0)),
        ("messages", "at least one message", |r| r["messages"] = json!([])),
        ("tools.0.name", "should match pattern", |r| r["tools"][0]["name"] = json!("no space")),
        ("tools.0.input_schema", "Field required", |r| r["tools"][0]["input_schema"] = Value::Null),
        ("tools.1.name", "must be unique", |r| {
            let again = r["tools"][0].clone();
            put_item(&mut r["tools"], 1, again);
        }),
        ("system.0", "non-whitespace", |r| r["system"][0]["text"] = json!(" \n")),
    ]);
}

#[test]
fn messages() {
    refused(&[
        ("messages.0", "first message must use", |r| drop_item(&mut r["messages"], 0)),
        ("messages.2.role", "should be 'user'", |r| r["messages"][2]["role"] = json!("system")),
        ("messages.0.content", "must be non-empty", |r| r["messages"][0]["content"] = json!("")),
        ("messages.0.content", "non-whitespace", |r| r["messages"][0]["content"] = json!("\n")),
        ("messages.0.content", "non-empty content", |r| r["messages"][0]["content"] = json!([])),
        ("messages.0.id", "Extra inputs", |r| r["messages"][0]["id"] = json!("m1")),
        ("messages.2.content.2", "must be non-empty", |r| {
            r["messages"][2]["content"][2]["text"] = json!("");
        }),
        ("messages.2.content.2", "does not match any", |r| {
            r["messages"][2]["content"][2]["type"] = json!("tool_use");
        }),
        ("messages.2.content.0.content", "if `is_error`", |r| {
            let result = &mut r["messages"][2]["content"][0];
            result["is_error"] = json!(true);
            result["content"] = json!([{"type": "image", "source": {}}]);
        }),
        ("messages.1.content.1.input", "valid dictionary", |r| {
            r["messages"][1]["content"][1]["input"] = json!("{}");
        }),
    ]);
}

#[test]
fn a_reply_that_the_caller_begins() {
    let begun = |r: &mut Value, model: &str, text: &str| {
        r["model"] = json!(model);
        r["thinking"] = json!({"type": "disabled"});
        r["messages"] = json!([
            {"role": "user", "content": "Hi"},
            {"role": "assistant", "content": text},
        ]);
    };
    let mut old = conversation();
    begun(&mut old, "claude-haiku-4-5-20251001", "Well,");
    ask(Wire::Anthropic, &old).unwrap();
    for (model, text, said) in [
        ("claude-haiku-4-5-20251001", "Well, ", "trailing whitespace"),
        ("claude-opus-4-6", "Well,", "does not support assistant message prefill"),
        ("somebody-else", "Well,", "does not support assistant message prefill"),
    ] {
        let mut request = conversation();
        begun(&mut request, model, text);
        let refusal = ask(Wire::Anthropic, &request).unwrap_err();
        assert!(refusal.said.contains(said), "{refusal}");
    }
}

#[test]
fn pairs() {
    refused(&[
        ("messages.2", "found without `tool_result` blocks immediately after: t2", |r| {
            drop_item(&mut r["messages"][2]["content"], 1);
        }),
        ("messages.2", "found without `tool_result` blocks", |r| {
            drop_item(&mut r["messages"], 2);
        }),
        ("messages", "found without `tool_result` blocks", |r| {
            drop_item(&mut r["messages"], 4);
            r["model"] = json!("claude-opus-4-5");
            r["thinking"] = Value::Null;
        }),
        ("messages.4.content.0", "unexpected `tool_use_id`", |r| {
            r["messages"][4]["content"][0]["tool_use_id"] = json!("t1");
        }),
        ("messages.2.content.2", "must have a single result", |r| {
            let again = r["messages"][2]["content"][0].clone();
            put_item(&mut r["messages"][2]["content"], 2, again);
        }),
        ("messages.2.content.1", "before all other content", |r| {
            let text = r["messages"][2]["content"][2].clone();
            put_item(&mut r["messages"][2]["content"], 0, text);
        }),
        ("messages.3.content.1", "ids must be unique", |r| {
            r["messages"][3]["content"][1]["id"] = json!("t1");
        }),
        ("messages.1.content.1.id", "should match pattern", |r| {
            r["messages"][1]["content"][1]["id"] = json!("Ls:0");
        }),
        ("messages.1.content.1.name", "should match pattern", |r| {
            r["messages"][1]["content"][1]["name"] = json!("a.b");
        }),
    ]);
}

#[test]
fn cache_marks() {
    let mark = |r: &mut Value, count: usize| {
        r["system"] = (0..count)
            .map(|n| json!({"type": "text", "text": n.to_string(), "cache_control": {}}))
            .collect();
        r["messages"] = json!([{"role": "user", "content": "Hi"}]);
    };
    let (mut four, mut five) = (conversation(), conversation());
    mark(&mut four, 4);
    ask(Wire::Anthropic, &four).unwrap();
    mark(&mut five, 5);
    let refusal = ask(Wire::Anthropic, &five).unwrap_err();
    assert!(refusal.said.contains("Found 5"), "{refusal}");
    refused(&[("messages.1.content.0.cache_control", "Extra inputs", |r| {
        r["messages"][1]["content"][0]["cache_control"] = json!({});
    })]);
}

#[test]
fn how_thinking_is_asked_for() {
    let manual = |model: &str, thinking: Value| {
        json!({
            "model": model,
            "max_tokens": 2048,
            "thinking": thinking,
            "messages": [{"role": "user", "content": "Hi"}],
        })
    };
    let budget = |tokens: u64| json!({"type": "enabled", "budget_tokens": tokens});
    let good = manual("claude-sonnet-4-5", budget(1024));
    support::refused(
        Wire::Anthropic,
        &good,
        &[
            ("thinking.budget_tokens", "must be greater than", |r| {
                r["thinking"]["budget_tokens"] = json!(2048);
            }),
            ("thinking.budget_tokens", "or equal to 1024", |r| {
                r["thinking"]["budget_tokens"] = json!(1023);
            }),
            ("tool_choice", "forces tool use", |r| r["tool_choice"] = json!({"type": "any"})),
            ("temperature", "set to 1", |r| r["temperature"] = json!(0.5)),
            ("thinking", "is not supported", |r| r["model"] = json!("claude-opus-4-8")),
            ("thinking", "is not supported", |r| r["thinking"] = json!({"type": "adaptive"})),
            ("thinking", "should be", |r| r["thinking"] = json!({"type": "on"})),
        ],
    );
}

#[test]
fn manual_thinking_begins_the_reply_whose_calls_are_answered() {
    let mut request = conversation();
    request["thinking"] = json!({"type": "enabled", "budget_tokens": 1024});
    ask(Wire::Anthropic, &request).unwrap();
    // In a reply that is over, thinking may be missing.
    drop_item(&mut request["messages"][3]["content"], 0);
    let refusal = ask(Wire::Anthropic, &request).unwrap_err();
    assert_eq!(refusal.at, "messages.3.content.0");
    assert!(refusal.said.contains("must start with a thinking block"), "{refusal}");
}

#[test]
fn thinking_comes_back_as_it_was_behind_what_it_was_made_behind() {
    accepted(&[
        // The first thinking may be left out; a mark on the prefix is none of it.
        |r| drop_item(&mut r["messages"][1]["content"], 0),
        |r| r["system"][0]["cache_control"] = json!({"type": "ephemeral"}),
        |r| {
            for message in [1, 3] {
                drop_item(&mut r["messages"][message]["content"], 0);
            }
            r["system"] = json!("Something else.");
        },
    ]);
    refused(&[
        ("messages.3.content.0", "in the latest assistant message cannot be modified", |r| {
            r["messages"][3]["content"][0]["thinking"] = json!("Never mind.");
        }),
        ("messages.1.content.0", "Invalid `signature` in `thinking` block", |r| {
            r["messages"][1]["content"][0]["thinking"] = json!("Never mind.");
        }),
        ("messages.1.content.0", "Invalid `signature`", |r| {
            r["messages"][1]["content"][0]["signature"] = json!("bm8=");
        }),
        ("messages.1.content.0.signature", "Field required", |r| {
            r["messages"][1]["content"][0]["signature"] = Value::Null;
        }),
        ("messages.1.content.0", "bound to a different conversation", |r| {
            r["messages"][0]["content"] = json!("Look about.");
        }),
        ("messages.1.content.0", "bound to a different conversation", |r| {
            r["system"][0]["text"] = json!("Be very brief.");
        }),
        ("messages.1.content.0", "bound to a different conversation", |r| {
            r["tools"][0]["description"] = json!("Lists.");
        }),
        ("messages.3.content.0", "bound to a different conversation", |r| {
            r["messages"][2]["content"][0]["content"] = json!("b.txt");
        }),
    ]);
}

#[test]
fn thinking_between_others_may_not_be_left_out() {
    let mut request = conversation();
    let call = json!({"type": "tool_use", "id": "t4", "name": "Ls", "input": {}});
    say(&mut request, "A third time.", &[call]);
    hear(&mut request, &[json!({"type": "tool_result", "tool_use_id": "t4"})]);
    ask(Wire::Anthropic, &request).unwrap();
    drop_item(&mut request["messages"][3]["content"], 0);
    let refusal = ask(Wire::Anthropic, &request).unwrap_err();
    assert_eq!(refusal.at, "messages.5.content.0");
    assert!(refusal.said.contains("left out or moved"), "{refusal}");
}
