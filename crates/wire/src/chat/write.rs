//! A reply and its results as messages of the next request.

use std::collections::BTreeMap;

use fanfold_transcript::{Assistant, Block, BlockBody, Call, CallId, OpenCalls};
use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::THINKING;
use crate::raw::{self, RawObject};
use crate::results::{self, Answer};
use crate::{arguments, ids};

/// The assistant message. Its keys come in one order, whatever the order of the server.
pub(crate) fn write(reply: &Assistant) -> Box<RawValue> {
    let ids = ids::wire_ids(reply);
    let extras = reply.source.extras.as_ref().and_then(|extras| raw::object(extras.raw()));
    let extras = extras.unwrap_or_default();
    let mut message = RawObject::default();
    message.set("role", raw::of(&"assistant"));
    if let Some(content) = content(reply).or_else(|| extras.raw("content").map(ToOwned::to_owned)) {
        message.set("content", content);
    }
    let mut calls = Vec::new();
    for block in &reply.blocks {
        let mut original = original(block);
        match &block.body {
            BlockBody::Thinking(_) => {
                if let Some((key, value)) = key_of(&original, &THINKING) {
                    message.set(&key, value);
                }
            }
            BlockBody::Call(call) if original.has("function_call") => {
                let mut function = original.object("function_call").unwrap_or_default();
                write_function(call, &mut function);
                message.set("function_call", raw::of(&function));
            }
            BlockBody::Call(call) => calls.push(write_call(call, &mut original, &ids)),
            BlockBody::Content(_) => {}
        }
    }
    for (key, value) in extras.entries().filter(|(key, _)| *key != "content") {
        message.set(key, value.to_owned());
    }
    if !calls.is_empty() {
        message.set("tool_calls", raw::of(&calls));
    } else if message.raw("content").is_none() {
        message.set("content", raw::of(&""));
    }
    raw::of(&message)
}

fn original(block: &Block) -> RawObject {
    block.original.as_ref().and_then(|json| raw::object(json.raw())).unwrap_or_default()
}

fn key_of(original: &RawObject, keys: &[&str]) -> Option<(String, Box<RawValue>)> {
    let found = original.entries().find(|(key, _)| keys.contains(key))?;
    Some((found.0.to_owned(), found.1.to_owned()))
}

/// The content as it came: one text, or parts.
fn content(reply: &Assistant) -> Option<Box<RawValue>> {
    let (mut parts, mut texts, mut whole) = (Vec::new(), Vec::new(), Vec::new());
    for block in &reply.blocks {
        let original = original(block);
        match &block.body {
            BlockBody::Call(_) => continue,
            _ if original.has("type") => parts.extend(block.original.as_ref().map(|o| o.raw())),
            BlockBody::Content(content) => {
                whole.extend(original.raw("content").map(ToOwned::to_owned));
                texts.extend(content.as_text());
            }
            BlockBody::Thinking(_) => continue,
        }
    }
    if !parts.is_empty() {
        let texts = texts.iter().map(|text| raw::of(&json!({ "type": "text", "text": text })));
        let parts = parts.into_iter().map(ToOwned::to_owned);
        return Some(raw::of(&parts.chain(texts).collect::<Vec<_>>()));
    }
    match (whole.pop(), &*texts) {
        (_, []) => None,
        (Some(content), [_]) => Some(content),
        (_, texts) => Some(raw::of(&texts.concat())),
    }
}

fn write_call(
    call: &Call,
    original: &mut RawObject,
    ids: &BTreeMap<CallId, String>,
) -> Box<RawValue> {
    if original.is_empty() {
        original.set("type", raw::of(&"function"));
    }
    let id = &ids[&call.id];
    if original.string("id").as_ref() != Some(id) {
        original.set("id", raw::of(id));
    }
    let mut function = original.object("function").unwrap_or_default();
    if write_function(call, &mut function) {
        original.set("function", raw::of(&function));
    }
    raw::of(original)
}

/// Replaces what a server would refuse; false when nothing had to be.
fn write_function(call: &Call, function: &mut RawObject) -> bool {
    let mut changed = false;
    if function.word("name").is_none() {
        function.set("name", raw::of(&ids::name(call)));
        changed = true;
    }
    let replacement = arguments::replacement(call).map(|object| Value::Object(object).to_string());
    let missing = || (!function.has("arguments")).then(|| call.sent.to_string());
    if let Some(text) = replacement.or_else(missing) {
        function.set("arguments", raw::of(&text));
        changed = true;
    }
    changed
}

/// One `tool` message a call. Results are text only: of media a line remains.
pub(crate) fn write_results(reply: &Assistant) -> Result<Box<RawValue>, OpenCalls> {
    let ids = ids::wire_ids(reply);
    let legacy: Vec<CallId> = reply
        .blocks
        .iter()
        .filter(|block| original(block).has("function_call"))
        .filter_map(|block| Some(block.as_call()?.id))
        .collect();
    let message = |answer: &Answer<'_>| {
        let (call, content) = (answer.call, answer.text_only());
        if legacy.contains(&call.id) {
            return json!({ "role": "function", "name": ids::name(call), "content": content });
        }
        json!({ "role": "tool", "tool_call_id": ids[&call.id], "content": content })
    };
    let messages: Vec<Value> = results::answers(reply)?.iter().map(message).collect();
    Ok(raw::of(&messages))
}
