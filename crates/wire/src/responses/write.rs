//! A reply and its results as items of the next request.

use std::collections::BTreeMap;

use fanfold_transcript::{
    Assistant, Block, BlockBody, Call, CallId, Content, Media, MediaSource, OpenCalls,
};
use serde_json::value::RawValue;
use serde_json::{Value, json};

use crate::original::Original;
use crate::raw;
use crate::results::{self, Answer};
use crate::{arguments, ids};

/// The items.
pub(crate) fn write(reply: &Assistant) -> Box<RawValue> {
    let ids = ids::wire_ids(reply);
    let items = reply.blocks.iter().filter_map(|block| write_block(block, &ids));
    raw::of(&items.collect::<Vec<_>>())
}

fn write_block(block: &Block, ids: &BTreeMap<CallId, String>) -> Option<Box<RawValue>> {
    let original = block.original.as_ref();
    match &block.body {
        // Reasoning that was cut is refused.
        BlockBody::Thinking(_) if is_incomplete(block) => None,
        BlockBody::Call(call) => Some(write_call(call, Original::of(block), &ids[&call.id])),
        BlockBody::Content(_) | BlockBody::Thinking(_) if original.is_some() => {
            original.map(|json| json.raw().to_owned())
        }
        BlockBody::Content(Content::Opaque(json)) => Some(json.raw().to_owned()),
        BlockBody::Content(content) => {
            let part =
                json!({"type": "output_text", "text": content.as_text()?, "annotations": []});
            Some(raw::of(&json!({ "type": "message", "role": "assistant", "content": [part] })))
        }
        // Reasoning counts only as the item that the provider made.
        BlockBody::Thinking(_) => None,
    }
}

fn is_incomplete(block: &Block) -> bool {
    Original::of(block).object().string("status").as_deref() == Some("incomplete")
}

/// The call as it came, but with an id, a name and arguments that the API accepts.
fn write_call(call: &Call, mut item: Original, id: &str) -> Box<RawValue> {
    item.set_word("type", "function_call");
    item.set_word("call_id", id);
    item.set_word("name", ids::name(call));
    arguments::write_text(call, &mut item, "arguments");
    item.write()
}

/// One `function_call_output` item a call.
pub(crate) fn write_results(reply: &Assistant) -> Result<Box<RawValue>, OpenCalls> {
    let ids = ids::wire_ids(reply);
    let result = |answer: &Answer<'_>| {
        json!({
            "type": "function_call_output",
            "call_id": ids[&answer.call.id],
            "output": output(answer),
        })
    };
    Ok(raw::of(&results::answers(reply)?.iter().map(result).collect::<Vec<_>>()))
}

/// One text where there is nothing but text.
fn output(answer: &Answer<'_>) -> Value {
    let media: Vec<Value> = answer.media.iter().filter_map(|media| write_media(media)).collect();
    if media.is_empty() {
        return Value::from(&*answer.text);
    }
    let text =
        (!answer.text.is_empty()).then(|| json!({"type": "input_text", "text": answer.text}));
    text.into_iter().chain(media).collect()
}

fn write_media(content: &Content) -> Option<Value> {
    match content {
        Content::Image(media) => {
            Some(json!({ "type": "input_image", "image_url": address(media)? }))
        }
        Content::Document(media) => Some(match &media.source {
            MediaSource::Link { url } => json!({ "type": "input_file", "file_url": url }),
            MediaSource::Inline { .. } | MediaSource::Stored { .. } => {
                json!({"type": "input_file", "filename": "document", "file_data": address(media)?})
            }
        }),
        Content::Text(_) | Content::Json(_) | Content::Opaque(_) => None,
    }
}

fn address(media: &Media) -> Option<String> {
    match &media.source {
        MediaSource::Inline { base64 } => {
            Some(format!("data:{};base64,{base64}", media.media_type))
        }
        MediaSource::Link { url } => Some(url.to_string()),
        MediaSource::Stored { .. } => None,
    }
}
