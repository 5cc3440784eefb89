//! A reply and its results as messages of the next request.

use std::collections::BTreeMap;

use fanfold_transcript::{
    Assistant, Block, BlockBody, Call, CallId, Content, Media, MediaSource, OpenCalls,
};
use serde_json::value::RawValue;
use serde_json::{Value, json};

use crate::original::Original;
use crate::raw::{self, RawObject};
use crate::results::{self, Answer};
use crate::{arguments, ids};

/// The assistant message.
pub(crate) fn write(reply: &Assistant) -> Box<RawValue> {
    let ids = ids::wire_ids(reply);
    let content: Vec<_> =
        reply.blocks.iter().filter_map(|block| write_block(block, &ids)).collect();
    let mut message = RawObject::default();
    message.set("role", raw::of(&"assistant"));
    message.set("content", raw::of(&content));
    raw::of(&message)
}

fn write_block(block: &Block, ids: &BTreeMap<CallId, String>) -> Option<Box<RawValue>> {
    match &block.body {
        // The API refuses blank text, which a stream that breaks can leave behind.
        BlockBody::Content(Content::Text(text)) if text.trim().is_empty() => None,
        // Thinking that was cut before its seal came.
        BlockBody::Thinking(_) if is_unsealed(block) => None,
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

fn is_unsealed(block: &Block) -> bool {
    let original = Original::of(block);
    block.signature.is_none() && original.object().string("signature").is_some()
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
    let ids = ids::wire_ids(reply);
    let result = |answer: &Answer<'_>| {
        let mut result = json!({
            "type": "tool_result",
            "tool_use_id": ids[&answer.call.id],
            "content": content(answer),
        });
        if !answer.is_ok {
            result["is_error"] = Value::Bool(true);
        }
        result
    };
    let results: Vec<Value> = results::answers(reply)?.iter().map(result).collect();
    Ok(raw::of(&json!({ "role": "user", "content": results })))
}

/// One text where there is nothing but text.
fn content(answer: &Answer<'_>) -> Value {
    let media: Vec<Value> = answer.media.iter().filter_map(|media| write_content(media)).collect();
    if media.is_empty() {
        return Value::from(&*answer.text);
    }
    let text = (!answer.text.is_empty()).then(|| json!({ "type": "text", "text": answer.text }));
    text.into_iter().chain(media).collect()
}

fn write_content(content: &Content) -> Option<Value> {
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
