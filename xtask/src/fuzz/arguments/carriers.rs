//! Replies whose only call has a given text as its arguments, one for each way of carrying it.
//!
//! Not here: providers that send arguments as JSON instead of text; they close it themselves.

use serde_json::{Value, json};

/// How the reply ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ending {
    /// By itself.
    Complete,
    /// At the output limit.
    Limit,
    /// The stream stops; a document says that it is incomplete.
    Torn,
}

/// Makes a reply of the arguments' text.
type Carrier = fn(&str, Ending) -> String;

pub(super) const CARRIERS: [(&str, Carrier); 5] = [
    ("a chat completion", chat_document),
    ("a stream of chat chunks", chat_stream),
    ("a stream of messages", anthropic_stream),
    ("a response", responses_document),
    ("a stream of Converse", bedrock_stream),
];

fn chat_document(text: &str, ending: Ending) -> String {
    let finish = match ending {
        Ending::Complete => "tool_calls",
        Ending::Limit | Ending::Torn => "length",
    };
    let function = json!({ "name": "Ls", "arguments": text });
    let call = json!({ "id": "a", "type": "function", "function": function });
    let message = json!({ "role": "assistant", "content": null, "tool_calls": [call] });
    json!({ "choices": [{ "index": 0, "message": message, "finish_reason": finish }] }).to_string()
}

fn chat_stream(text: &str, ending: Ending) -> String {
    let chunk = |delta: Value, finish: Option<&str>| {
        let choice = json!({ "index": 0, "delta": delta, "finish_reason": finish });
        json!({ "object": "chat.completion.chunk", "choices": [choice] })
    };
    let open = json!({ "index": 0, "id": "a", "type": "function", "function": { "name": "Ls", "arguments": "" } });
    let mut events = vec![chunk(json!({ "role": "assistant", "tool_calls": [open] }), None)];
    events.extend(halves(text).map(|half| {
        let call = json!({ "index": 0, "function": { "arguments": half } });
        chunk(json!({ "tool_calls": [call] }), None)
    }));
    match ending {
        Ending::Complete => events.push(chunk(json!({}), Some("tool_calls"))),
        Ending::Limit => events.push(chunk(json!({}), Some("length"))),
        Ending::Torn => {}
    }
    server_sent(&events)
}

fn anthropic_stream(text: &str, ending: Ending) -> String {
    let block = json!({ "type": "tool_use", "id": "a", "name": "Ls", "input": {} });
    let mut events = vec![
        json!({ "type": "message_start", "message": { "type": "message", "role": "assistant", "content": [] } }),
        json!({ "type": "content_block_start", "index": 0, "content_block": block }),
    ];
    events.extend(halves(text).map(|half| {
        let delta = json!({ "type": "input_json_delta", "partial_json": half });
        json!({ "type": "content_block_delta", "index": 0, "delta": delta })
    }));
    let end = |stop: &str| {
        [
            json!({ "type": "content_block_stop", "index": 0 }),
            json!({ "type": "message_delta", "delta": { "stop_reason": stop } }),
            json!({ "type": "message_stop" }),
        ]
    };
    match ending {
        Ending::Complete => events.extend(end("tool_use")),
        Ending::Limit => events.extend(end("max_tokens")),
        Ending::Torn => {}
    }
    server_sent(&events)
}

fn responses_document(text: &str, ending: Ending) -> String {
    let (status, details) = match ending {
        Ending::Complete => ("completed", Value::Null),
        Ending::Limit | Ending::Torn => ("incomplete", json!({ "reason": "max_output_tokens" })),
    };
    let call = json!({
        "type": "function_call", "id": "fc_1", "call_id": "a", "name": "Ls", "arguments": text,
        "status": status,
    });
    json!({ "object": "response", "status": status, "incomplete_details": details, "output": [call] })
        .to_string()
}

fn bedrock_stream(text: &str, ending: Ending) -> String {
    let tool = json!({ "toolUse": { "toolUseId": "a", "name": "Ls" } });
    let mut events = vec![
        json!({ "messageStart": { "role": "assistant" } }),
        json!({ "contentBlockStart": { "contentBlockIndex": 0, "start": tool } }),
    ];
    events.extend(halves(text).map(|half| {
        let delta = json!({ "toolUse": { "input": half } });
        json!({ "contentBlockDelta": { "contentBlockIndex": 0, "delta": delta } })
    }));
    let end = |stop: &str| {
        [
            json!({ "contentBlockStop": { "contentBlockIndex": 0 } }),
            json!({ "messageStop": { "stopReason": stop } }),
        ]
    };
    match ending {
        Ending::Complete => events.extend(end("tool_use")),
        Ending::Limit => events.extend(end("max_tokens")),
        Ending::Torn => {}
    }
    let lines: Vec<String> = events.iter().map(Value::to_string).collect();
    lines.join("\n")
}

/// A text in two pieces.
fn halves(text: &str) -> impl Iterator<Item = &str> {
    let middle = text.len() / 2;
    let at = (middle..=text.len()).find(|at| text.is_char_boundary(*at)).unwrap_or(text.len());
    let (first, second) = text.split_at(at);
    [first, second].into_iter()
}

fn server_sent(events: &[Value]) -> String {
    events.iter().map(|event| format!("data: {event}\n\n")).collect()
}
