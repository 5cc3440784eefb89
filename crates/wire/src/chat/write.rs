//! A reply and its results as messages of the next request.

use fanfold_transcript::{Assistant, Block, BlockBody, Call, CallId, OpenCalls};
use serde_json::json;
use serde_json::value::RawValue;

use super::THINKING;
use crate::arguments;
use crate::ids::{self, WireIds};
use crate::original::Original;
use crate::raw::{self, RawObject};
use crate::results::{self, Answer};

/// The assistant message. Its keys come in one order, whatever the order of the server.
pub(crate) fn write(reply: &Assistant) -> Box<RawValue> {
    message(reply, &ids::wire_ids(reply))
}

pub(super) fn message(reply: &Assistant, ids: &WireIds) -> Box<RawValue> {
    let extras = reply.source.extras.as_ref().and_then(|extras| raw::object(extras.raw()));
    let extras = extras.unwrap_or_default();
    let mut message = RawObject::default();
    message.set("role", raw::of(&"assistant"));
    let content = content(reply).or_else(|| extras.raw("content").map(ToOwned::to_owned));
    // Only a message with calls may lack its content.
    let content = content.or_else(|| reply.calls().next().is_none().then(|| raw::of(&"")));
    if let Some(content) = content {
        message.set("content", content);
    }
    let mut calls = Vec::new();
    for block in &reply.blocks {
        let original = Original::of(block);
        match &block.body {
            BlockBody::Thinking(_) => {
                for (key, value) in original.object().entries() {
                    if THINKING.contains(&key) {
                        message.set(key, value.to_owned());
                    }
                }
            }
            BlockBody::Call(call) if is_legacy(block) => {
                message
                    .set("function_call", write_function(call, original.nested("function_call")));
            }
            BlockBody::Call(call) => calls.push(write_call(call, original, &ids[&call.id])),
            BlockBody::Content(_) => {}
        }
    }
    for (key, value) in extras.entries().filter(|(key, _)| *key != "content") {
        message.push(key, value.to_owned());
    }
    if !calls.is_empty() {
        message.set("tool_calls", raw::of(&calls));
    }
    raw::of(&message)
}

/// Whether the block is the one call of the older form, which has no id.
fn is_legacy(block: &Block) -> bool {
    Original::of(block).object().has("function_call")
}

/// The content as it came: one text, or parts.
fn content(reply: &Assistant) -> Option<Box<RawValue>> {
    let (mut parts, mut texts, mut whole) = (Vec::new(), Vec::new(), Vec::new());
    for block in &reply.blocks {
        let original = Original::of(block);
        let original = original.object();
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

fn write_call(call: &Call, mut original: Original, id: &str) -> Box<RawValue> {
    // Some servers leave the type out and get it back so.
    if original.object().is_empty() {
        original.set_word("type", "function");
    }
    original.set_word("id", id);
    original.set("function", write_function(call, original.nested("function")));
    original.write()
}

/// The function as it came, but with a name and arguments that every server accepts.
fn write_function(call: &Call, mut function: Original) -> Box<RawValue> {
    function.set_word("name", ids::name(call));
    arguments::write_text(call, &mut function, "arguments");
    function.write()
}

/// One `tool` message a call. Results are text only: of media a line remains.
pub(crate) fn write_results(reply: &Assistant) -> Result<Box<RawValue>, OpenCalls> {
    Ok(raw::of(&results(reply, &results::answers(reply)?, &ids::wire_ids(reply))))
}

pub(super) fn results(
    reply: &Assistant,
    answers: &[Answer<'_>],
    ids: &WireIds,
) -> Vec<Box<RawValue>> {
    let legacy: Vec<CallId> = reply
        .blocks
        .iter()
        .filter(|block| is_legacy(block))
        .filter_map(|block| Some(block.as_call()?.id))
        .collect();
    let message = |answer: &Answer<'_>| {
        let (call, content) = (answer.call, answer.text_only());
        if legacy.contains(&call.id) {
            let name = ids::name(call);
            return raw::of(&json!({ "role": "function", "name": name, "content": content }));
        }
        raw::of(&json!({ "role": "tool", "tool_call_id": ids[&call.id], "content": content }))
    };
    answers.iter().map(message).collect()
}
