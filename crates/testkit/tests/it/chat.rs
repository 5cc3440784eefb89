//! The rules of OpenAI Chat Completions.

use fanfold_transcript::Wire;
use serde_json::{Value, json};

use crate::support::{self, drop_item, put_item};

fn conversation() -> Value {
    let call = |id: &str| json!({"id": id, "type": "function", "function": {"name": "Ls", "arguments": "{}"}});
    json!({
        "model": "gpt-5.2",
        "stream": true,
        "stream_options": {"include_usage": true},
        "tools": [{"type": "function", "function": {"name": "Ls", "parameters": {}}}],
        "messages": [
            {"role": "system", "content": "Be brief."},
            {"role": "user", "content": [{"type": "text", "text": "Look around."}]},
            {"role": "assistant", "content": null, "tool_calls": [call("c1"), call("c2")]},
            {"role": "tool", "tool_call_id": "c2", "content": "b.txt"},
            {"role": "tool", "tool_call_id": "c1", "content": "a.txt"},
            {"role": "assistant", "content": "Once more.", "tool_calls": [call("c1")]},
            {"role": "tool", "tool_call_id": "c1", "content": "a.txt"},
        ],
    })
}

fn refused(changes: &[(&str, &str, support::Change)]) {
    support::refused(Wire::OpenaiChat, &conversation(), changes);
}

#[test]
fn the_request() {
    support::accepted(
        Wire::OpenaiChat,
        &conversation(),
        &[|r| r["prompt_cache_key"] = json!("s1"), |r| r["some_server_s_own"] = json!(true)],
    );
    refused(&[
        ("model", "Field required", |r| r["model"] = Value::Null),
        ("", "Unrecognized request argument", |r| r["instructions"] = json!("Be brief.")),
        ("", "only allowed when 'stream'", |r| r["stream"] = json!(false)),
        ("", "too short", |r| r["tools"] = json!([])),
        ("tools.0.function.name", "does not match pattern", |r| {
            r["tools"][0]["function"]["name"] = json!("a.b");
        }),
        ("tools.1.function.name", "must be unique", |r| {
            let again = r["tools"][0].clone();
            put_item(&mut r["tools"], 1, again);
        }),
        ("messages", "too short", |r| r["messages"] = json!([])),
    ]);
}

#[test]
fn messages() {
    refused(&[
        ("messages.1.role", "Supported values are", |r| r["messages"][1]["role"] = json!("human")),
        ("messages.1.content", "Field required", |r| r["messages"][1]["content"] = Value::Null),
        ("messages.1.content.0", "Supported values are", |r| {
            r["messages"][1]["content"][0]["type"] = json!("input_text");
        }),
        ("messages.1.id", "Extra inputs", |r| r["messages"][1]["id"] = json!("m1")),
        ("messages.7", "expected a string, got null", |r| {
            put_item(&mut r["messages"], 7, json!({"role": "assistant", "content": null}));
        }),
        ("messages.2", "too short", |r| r["messages"][2]["tool_calls"] = json!([])),
        ("messages.2.tool_calls.0.function.arguments", "valid string", |r| {
            r["messages"][2]["tool_calls"][0]["function"]["arguments"] = json!({});
        }),
        ("messages.2.tool_calls.0.function.arguments", "not valid JSON", |r| {
            r["messages"][2]["tool_calls"][0]["function"]["arguments"] = json!("{\"a\":");
        }),
        ("messages.2.tool_calls.0.function.name", "does not match pattern", |r| {
            r["messages"][2]["tool_calls"][0]["function"]["name"] = json!("");
        }),
        ("messages.2.tool_calls.0.id", "too long", |r| {
            r["messages"][2]["tool_calls"][0]["id"] = json!("x".repeat(41));
        }),
        ("messages.2.tool_calls.0", "Invalid value for 'type'", |r| {
            r["messages"][2]["tool_calls"][0]["type"] = Value::Null;
        }),
    ]);
}

#[test]
fn pairs() {
    refused(&[
        ("messages.4", "did not have response messages: c1", |r| drop_item(&mut r["messages"], 4)),
        ("messages", "did not have response messages: c1", |r| drop_item(&mut r["messages"], 6)),
        ("messages.3", "did not have response messages: c1, c2", |r| {
            put_item(&mut r["messages"], 3, json!({"role": "user", "content": "Hurry."}));
        }),
        ("messages.4", "must be a response to a preceeding message", |r| {
            r["messages"][4]["tool_call_id"] = json!("c2");
        }),
        ("messages.2", "must be a response to a preceeding message", |r| {
            drop_item(&mut r["messages"], 2);
        }),
        ("messages.2.tool_calls.1.id", "Duplicate value", |r| {
            r["messages"][2]["tool_calls"][1]["id"] = json!("c1");
        }),
        ("messages.3.content", "text only", |r| {
            r["messages"][3]["content"] = json!([{"type": "image_url", "image_url": {}}]);
        }),
    ]);
}
