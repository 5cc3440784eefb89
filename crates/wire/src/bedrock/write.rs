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
    let original = block.original.as_ref();
    match &block.body {
        // The API refuses blank text, which a stream that breaks can leave behind.
        BlockBody::Content(Content::Text(text)) if text.trim().is_empty() => None,
        BlockBody::Call(call) => Some(write_call(call, Original::of(block), &ids[&call.id])),
        BlockBody::Content(_) | BlockBody::Thinking(_) if original.is_some() => {
            original.map(|json| json.raw().to_owned())
        }
        BlockBody::Content(Content::Opaque(json)) => Some(json.raw().to_owned()),
        BlockBody::Content(content) => Some(raw::of(&json!({ "text": content.as_text()? }))),
        // Reasoning counts only as the block that the model made.
        BlockBody::Thinking(_) => None,
    }
}

/// The call as it came, but with an id, a name and an input that the API accepts.
fn write_call(call: &Call, mut block: Original, id: &str) -> Box<RawValue> {
    let mut tool_use = block.nested("toolUse");
    tool_use.set_word("toolUseId", id);
    tool_use.set_word("name", ids::name(call));
    tool_use.set("input", arguments::written(call));
    block.set("toolUse", tool_use.write());
    block.write()
}

/// The user message with the results.
pub(crate) fn write_results(reply: &Assistant) -> Result<Box<RawValue>, OpenCalls> {
    let ids = ids::wire_ids(reply);
    let result = |answer: &Answer<'_>| {
        let status = if answer.is_ok { "success" } else { "error" };
        let mut result = RawObject::default();
        result.set("toolUseId", raw::of(&ids[&answer.call.id]));
        result.set("content", raw::of(&content(answer)));
        result.set("status", raw::of(&status));
        BTreeMap::from([("toolResult", result)])
    };
    let results: Vec<_> = results::answers(reply)?.iter().map(result).collect();
    let mut message = RawObject::default();
    message.set("role", raw::of(&"user"));
    message.set("content", raw::of(&results));
    Ok(raw::of(&message))
}

/// A JSON object stays one; else text, media behind it. The API takes nothing for no output.
fn content(answer: &Answer<'_>) -> Vec<Box<RawValue>> {
    if let [Content::Json(json)] = &*answer.outcome.content
        && answer.text == json.text()
        && raw::object(json.raw()).is_some()
    {
        return vec![raw::of(&BTreeMap::from([("json", json.raw())]))];
    }
    let text = (!answer.text.trim().is_empty()).then(|| json!({ "text": answer.text }));
    let media = answer
        .media
        .iter()
        .map(|media| write_media(media).or_else(|| Some(json!({ "text": results::note(media)? }))));
    text.into_iter().chain(media.flatten()).map(|part| raw::of(&part)).collect()
}

/// Only what is sent inline, in a format that the API names.
fn write_media(content: &Content) -> Option<Value> {
    let part = |media: &Media| match &media.source {
        MediaSource::Inline { base64 } => {
            let format = media.media_type.rsplit('/').next().unwrap_or_default().to_owned();
            Some(json!({ "format": format, "source": { "bytes": base64 } }))
        }
        MediaSource::Link { .. } | MediaSource::Stored { .. } => None,
    };
    match content {
        Content::Image(media) => Some(json!({ "image": part(media)? })),
        Content::Document(media) => {
            let mut document = part(media)?;
            document["name"] = Value::from("document");
            Some(json!({ "document": document }))
        }
        Content::Text(_) | Content::Json(_) | Content::Opaque(_) => None,
    }
}
