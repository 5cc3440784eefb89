//! A reply and its results as messages of the next request.

use fanfold_transcript::{
    Assistant, Block, BlockBody, Call, Content, Media, MediaSource, OpenCalls,
};
use serde_json::value::RawValue;
use serde_json::{Value, json};

use crate::arguments;
use crate::ids::{self, WireIds};
use crate::original::Original;
use crate::raw::{self, RawObject};
use crate::results::{self, Answer};

/// The assistant message.
pub(crate) fn write(reply: &Assistant) -> Box<RawValue> {
    message("assistant", &blocks(reply, &ids::wire_ids(reply)))
}

pub(super) fn message(role: &str, content: &[Box<RawValue>]) -> Box<RawValue> {
    let mut message = RawObject::default();
    message.set("role", raw::of(&role));
    message.set("content", raw::of(&content));
    raw::of(&message)
}

/// The content blocks of the reply.
pub(super) fn blocks(reply: &Assistant, ids: &WireIds) -> Vec<Box<RawValue>> {
    reply.blocks.iter().filter_map(|block| write_block(block, ids)).collect()
}

fn write_block(block: &Block, ids: &WireIds) -> Option<Box<RawValue>> {
    match &block.body {
        // The API refuses blank text, which a stream that breaks can leave behind.
        BlockBody::Content(Content::Text(text)) if text.trim().is_empty() => None,
        BlockBody::Thinking(_) if is_lost(block) => None,
        BlockBody::Call(call) => Some(write_call(call, Original::of(block), &ids[&call.id])),
        BlockBody::Content(_) | BlockBody::Thinking(_) if block.original.is_some() => {
            block.original.as_ref().map(|json| json.raw().to_owned())
        }
        BlockBody::Content(Content::Opaque(json)) => Some(json.raw().to_owned()),
        BlockBody::Content(content) => write_content(content).map(|block| raw::of(&block)),
        BlockBody::Thinking(text) => {
            let signature = block.signature.as_deref()?;
            let thinking = json!({ "type": "thinking", "thinking": text, "signature": signature });
            Some(raw::of(&thinking))
        }
    }
}

/// Whether this is thinking that cannot go back: it was cut before its seal came.
pub(super) fn is_lost(block: &Block) -> bool {
    let original = Original::of(block);
    let has_place = original.object().string("signature").is_some();
    block.signature.is_none() && (has_place || block.original.is_none())
}

/// The call as it came, but with an id and an input that the API accepts.
fn write_call(call: &Call, mut block: Original, id: &str) -> Box<RawValue> {
    block.set_word("type", "tool_use");
    block.set_word("id", id);
    block.set_word("name", ids::name(call));
    block.set("input", arguments::written(call));
    block.write()
}

/// The user message with the results.
pub(crate) fn write_results(reply: &Assistant) -> Result<Box<RawValue>, OpenCalls> {
    Ok(message("user", &results(&results::answers(reply)?, &ids::wire_ids(reply))))
}

/// One `tool_result` block a call.
pub(super) fn results(answers: &[Answer<'_>], ids: &WireIds) -> Vec<Box<RawValue>> {
    let result = |answer: &Answer<'_>| {
        let mut result = json!({
            "type": "tool_result",
            "tool_use_id": ids[&answer.call.id],
            "content": content(answer),
        });
        if !answer.is_ok {
            result["is_error"] = Value::Bool(true);
        }
        raw::of(&result)
    };
    answers.iter().map(result).collect()
}

/// One text where there is nothing but text.
fn content(answer: &Answer<'_>) -> Value {
    let media: Vec<Value> = answer.media.iter().filter_map(|media| write_content(media)).collect();
    if media.is_empty() {
        return Value::from(&*answer.text);
    }
    // The API refuses blank text.
    let has_text = !answer.text.trim().is_empty();
    let text = has_text.then(|| json!({ "type": "text", "text": answer.text }));
    text.into_iter().chain(media).collect()
}

/// A block of text or media.
pub(super) fn write_content(content: &Content) -> Option<Value> {
    match content {
        Content::Image(media) => Some(json!({ "type": "image", "source": source(media)? })),
        Content::Document(media) => Some(json!({ "type": "document", "source": source(media)? })),
        Content::Text(_) | Content::Json(_) => {
            content.as_text().map(|text| json!({ "type": "text", "text": text }))
        }
        Content::Opaque(_) => None,
    }
}

fn source(media: &Media) -> Option<Value> {
    match &media.source {
        MediaSource::Inline { base64 } => {
            Some(json!({ "type": "base64", "media_type": media.media_type, "data": base64 }))
        }
        MediaSource::Link { url } => Some(json!({ "type": "url", "url": url })),
        MediaSource::Stored { .. } => None,
    }
}
