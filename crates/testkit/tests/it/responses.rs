//! The rules of OpenAI Responses.

use fanfold_transcript::Wire;
use serde_json::{Value, json};

use crate::support::{self, ask, drop_item, put_item};

fn conversation() -> Value {
    let mut request = json!({
        "model": "gpt-5.2",
        "stream": true,
        "store": false,
        "include": ["reasoning.encrypted_content"],
        "instructions": "Be brief.",
        "prompt_cache_key": "s1",
        "tools": [{"type": "function", "name": "Ls", "parameters": {}}],
        "input": [{"role": "user", "content": [{"type": "input_text", "text": "Look around."}]}],
    });
    let seal = ask(Wire::OpenaiResponses, &request).unwrap().seal("First the list.");
    let call = |id: &str| {
        let item = format!("fc_{id}");
        json!({"type": "function_call", "id": item, "call_id": id, "name": "Ls", "arguments": "{}"})
    };
    let output = |id: &str| json!({"type": "function_call_output", "call_id": id, "output": "a"});
    let said = json!([{"type": "output_text", "text": "Two.", "annotations": []}]);
    let summary = json!([{"type": "summary_text", "text": "First the list."}]);
    let more = [
        json!({"type": "reasoning", "id": "rs_1", "summary": summary, "encrypted_content": seal}),
        call("c1"),
        call("c2"),
        output("c1"),
        output("c2"),
        json!({"type": "message", "id": "msg_1", "role": "assistant", "content": said}),
        json!({"role": "user", "content": "Thanks."}),
    ];
    request["input"].as_array_mut().unwrap().extend(more);
    request
}

fn refused(changes: &[(&str, &str, support::Change)]) {
    support::refused(Wire::OpenaiResponses, &conversation(), changes);
}

#[test]
fn the_request() {
    support::accepted(
        Wire::OpenaiResponses,
        &conversation(),
        &[|r| r["input"] = json!("Hi"), |r| r["max_output_tokens"] = json!(16)],
    );
    refused(&[
        ("model", "Field required", |r| r["model"] = Value::Null),
        ("messages", "Unknown parameter: 'messages'", |r| r["messages"] = json!([])),
        ("max_output_tokens", "below minimum", |r| r["max_output_tokens"] = json!(15)),
        ("previous_response_id", "not found", |r| r["previous_response_id"] = json!("resp_1")),
        ("tools.0.name", "does not match pattern", |r| r["tools"][0]["name"] = json!("a.b")),
        ("input", "at least one item", |r| r["input"] = json!([])),
    ]);
}

#[test]
fn items() {
    refused(&[
        ("input.5", "Invalid value: 'tool_result'", |r| {
            r["input"][5]["type"] = json!("tool_result");
        }),
        ("input.2.id", "begins with 'fc'", |r| r["input"][2]["id"] = json!("call_1")),
        ("input.6.id", "begins with 'msg'", |r| r["input"][6]["id"] = json!("m_1")),
        ("input.2.call_id", "too long", |r| r["input"][2]["call_id"] = json!("x".repeat(65))),
        ("input.2.arguments", "valid string", |r| r["input"][2]["arguments"] = json!({})),
        ("input.2.arguments", "not valid JSON", |r| r["input"][2]["arguments"] = json!("{")),
        ("input.2.name", "does not match pattern", |r| r["input"][2]["name"] = json!("")),
        ("input.4.output", "Invalid type", |r| r["input"][4]["output"] = json!({})),
        ("input.0.content.0", "Supported values are", |r| {
            r["input"][0]["content"][0]["type"] = json!("output_text");
        }),
        ("input.6.content.0", "Supported values are", |r| {
            r["input"][6]["content"][0]["type"] = json!("input_text");
        }),
        ("input.7.role", "Invalid value: 'tool'", |r| r["input"][7]["role"] = json!("tool")),
    ]);
}

#[test]
fn pairs() {
    support::accepted(
        Wire::OpenaiResponses,
        &conversation(),
        // Outputs may come in any order, and behind something else.
        &[|r| {
            let output = r["input"][4].take();
            drop_item(&mut r["input"], 4);
            put_item(&mut r["input"], 6, output);
        }],
    );
    refused(&[
        ("input", "No tool output found for function call c2", |r| drop_item(&mut r["input"], 5)),
        ("input.3", "No tool call found", |r| drop_item(&mut r["input"], 2)),
        ("input.5", "No tool call found", |r| r["input"][5]["call_id"] = json!("c1")),
        ("input.3", "Duplicate 'call_id'", |r| r["input"][3]["call_id"] = json!("c1")),
        ("input.1", "No tool call found", |r| {
            let output = r["input"][4].take();
            drop_item(&mut r["input"], 4);
            put_item(&mut r["input"], 1, output);
        }),
    ]);
}

#[test]
fn reasoning() {
    support::accepted(
        Wire::OpenaiResponses,
        &conversation(),
        &[|r| drop_item(&mut r["input"], 1), |r| r["input"][1]["id"] = Value::Null],
    );
    refused(&[
        ("input.1", "'rs_1' not found", |r| r["input"][1]["encrypted_content"] = Value::Null),
        ("input.1.encrypted_content", "could not be verified", |r| {
            r["input"][1]["encrypted_content"] = json!("gAAAA");
        }),
        ("input.1.encrypted_content", "could not be verified", |r| {
            r["input"][1]["summary"][0]["text"] = json!("Never mind.");
        }),
        ("input.1.summary", "Field required", |r| r["input"][1]["summary"] = Value::Null),
        ("input.6", "without its required following item", |r| {
            let reasoning = r["input"][1].take();
            drop_item(&mut r["input"], 1);
            put_item(&mut r["input"], 6, reasoning);
        }),
    ]);
}
