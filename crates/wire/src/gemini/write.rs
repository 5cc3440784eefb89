//! A reply and its results as contents of the next request.

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

/// The key of a part's seal.
pub(crate) const SIGNATURE: &str = "thoughtSignature";

/// What the API takes for the seal of a call that it did not make, or that is not as it made it.
/// Without a seal on the first call of a step Gemini 3 refuses the request.
///
/// Source: ai.google.dev, "Thought Signatures", on history of another model.
pub(crate) const STAND_IN: &str = "skip_thought_signature_validator";

/// The model's content.
pub(crate) fn write(reply: &Assistant) -> Box<RawValue> {
    content("model", &parts(reply, &ids::wire_ids(reply)))
}

pub(super) fn content(role: &str, parts: &[Box<RawValue>]) -> Box<RawValue> {
    let mut content = RawObject::default();
    content.set("role", raw::of(&role));
    content.set("parts", raw::of(&parts));
    raw::of(&content)
}

pub(super) fn parts(reply: &Assistant, ids: &WireIds) -> Vec<Box<RawValue>> {
    reply.blocks.iter().filter_map(|block| write_block(block, ids)).collect()
}

fn write_block(block: &Block, ids: &WireIds) -> Option<Box<RawValue>> {
    let original = block.original.as_ref();
    match &block.body {
        BlockBody::Call(call) => Some(write_call(call, Original::of(block), &ids[&call.id])),
        BlockBody::Content(_) | BlockBody::Thinking(_) if original.is_some() => {
            original.map(|json| json.raw().to_owned())
        }
        BlockBody::Content(Content::Opaque(json)) => Some(json.raw().to_owned()),
        BlockBody::Content(content) => Some(raw::of(&json!({ "text": content.as_text()? }))),
        BlockBody::Thinking(text) => Some(raw::of(&json!({ "text": text, "thought": true }))),
    }
}

/// The call as it came, but with an id, a name and arguments that the API accepts.
fn write_call(call: &Call, mut part: Original, id: &str) -> Box<RawValue> {
    let mut function = part.nested("functionCall");
    function.set_word("name", ids::name(call));
    let arguments = arguments::written(call);
    // Without any, the key may stay away.
    if arguments.get() != "{}" || function.object().has("args") {
        function.set("args", arguments);
    }
    let is_mended = !function.is_as_sent();
    match call.wire_id {
        Some(_) => function.set_word("id", id),
        // An empty one, which the result will not have.
        None => function.remove("id"),
    }
    part.set("functionCall", function.write());
    if is_mended && part.object().has(SIGNATURE) {
        // A seal on what is not there any more would be refused.
        part.set_word(SIGNATURE, STAND_IN);
    }
    part.write()
}

/// The user's content with one `functionResponse` a call; an id only where the call had one. Media
/// follow the responses.
pub(crate) fn write_results(reply: &Assistant) -> Result<Box<RawValue>, OpenCalls> {
    Ok(content("user", &results(&results::answers(reply)?, &ids::wire_ids(reply))))
}

pub(super) fn results(answers: &[Answer<'_>], ids: &WireIds) -> Vec<Box<RawValue>> {
    let responses = answers.iter().map(|answer| {
        let key = if answer.is_ok { "output" } else { "error" };
        let mut response = json!({
            "name": ids::name(answer.call),
            "response": { key: answer.text },
        });
        if answer.call.wire_id.is_some() {
            response["id"] = Value::from(&*ids[&answer.call.id]);
        }
        json!({ "functionResponse": response })
    });
    let media = answers.iter().flat_map(|answer| &answer.media).filter_map(|one| write_media(one));
    responses.chain(media).map(|part| raw::of(&part)).collect()
}

pub(super) fn write_media(content: &Content) -> Option<Value> {
    let part = |Media { media_type, source }: &Media| match source {
        MediaSource::Inline { base64 } => {
            Some(json!({ "inlineData": { "mimeType": media_type, "data": base64 } }))
        }
        MediaSource::Link { url } => {
            Some(json!({ "fileData": { "mimeType": media_type, "fileUri": url } }))
        }
        MediaSource::Stored { .. } => None,
    };
    match content {
        Content::Image(media) | Content::Document(media) => part(media),
        Content::Text(_) | Content::Json(_) | Content::Opaque(_) => None,
    }
}
