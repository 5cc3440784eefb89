//! What went wrong elsewhere while an agent worked, and was told in public: the shortest session that
//! shows it, end to end.
//!
//! Each test names its source. Not here: what one batch shows (`cases.rs`).

mod approvals;
mod failures;
mod ids;
mod journals;
mod pairing;
mod processes;
mod providers;

use serde_json::{Value, json};

use crate::agent::site::Site;

/// A call of a scripted reply.
fn call(tool: &str, arguments: Value) -> Value {
    json!({"call": {"tool": tool, "arguments": arguments}})
}

fn shell(line: &str) -> Value {
    call("Shell", json!({"command": line}))
}

fn edit(file: &str, old: &str, new: &str) -> Value {
    call("EditFile", json!({"file_path": file, "old_string": old, "new_string": new}))
}

/// A reply of these pieces.
fn say(pieces: &[Value]) -> Value {
    json!({"say": pieces})
}

fn answer(text: &str) -> Value {
    say(&[json!({"text": text})])
}

/// The messages of a request in Anthropic's form.
fn messages(site: &Site, request: usize) -> Vec<Value> {
    let requests = site.provider.requests();
    let body: Value = serde_json::from_str(&requests[request].body).unwrap();
    body["messages"].as_array().unwrap().clone()
}

/// The results in a message of Anthropic's form, each as its text.
fn results(message: &Value) -> Vec<&str> {
    let blocks = message["content"].as_array().unwrap().iter();
    let results = blocks.filter(|block| block["type"] == "tool_result");
    results.map(|result| result["content"].as_str().unwrap_or("-")).collect()
}

/// The model of most tests: how providers differ is no matter to them.
const MODEL: &str = crate::agent::MODELS[0];
