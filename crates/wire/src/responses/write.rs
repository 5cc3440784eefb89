//! A reply and its results as items of the next request.

use fanfold_transcript::{Assistant, Block, BlockBody, Call, Content, MediaSource, OpenCalls};
use serde_json::value::RawValue;
use serde_json::{Value, json};

use crate::ids::{self, WireIds};
use crate::media::address;
use crate::original::Original;
use crate::results::{self, Answer};
use crate::{arguments, raw};

/// The items.
pub(crate) fn write(reply: &Assistant) -> Box<RawValue> {
    raw::of(&items(reply, &ids::wire_ids(reply)))
}

pub(super) fn items(reply: &Assistant, ids: &WireIds) -> Vec<Box<RawValue>> {
    reply.blocks.iter().filter_map(|block| write_block(block, ids)).collect()
}

fn write_block(block: &Block, ids: &WireIds) -> Option<Box<RawValue>> {
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

pub(super) fn is_incomplete(block: &Block) -> bool {
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
    Ok(raw::of(&results(&results::answers(reply)?, &ids::wire_ids(reply))))
}

pub(super) fn results(answers: &[Answer<'_>], ids: &WireIds) -> Vec<Box<RawValue>> {
    let result = |answer: &Answer<'_>| {
        raw::of(&json!({
            "type": "function_call_output",
            "call_id": ids[&answer.call.id],
            "output": output(answer),
        }))
    };
    answers.iter().map(result).collect()
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

pub(super) fn write_media(content: &Content) -> Option<Value> {
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
