//! The parts of a reply, as they came or as they were put together from a stream.

use fanfold_transcript::{Arguments, Block, BlockBody, Call, CallId, Content, Json, Stop, Usage};
use serde_json::value::RawValue;

use crate::arguments::{self, End, Place, Sent};
use crate::error::DecodeError;
use crate::live::CallIds;
use crate::raw::{self, RawObject};

/// A part of the reply.
#[derive(Debug)]
pub(super) struct Part {
    pub(super) raw: Box<RawValue>,
    /// Its arguments, if they came in pieces.
    pub(super) arguments: Option<Arguments>,
}

pub(super) fn read_part(part: Part, ids: &mut CallIds) -> Result<Block, DecodeError> {
    let object = raw::object(&part.raw).unwrap_or_default();
    let body = if let Some(function) = object.object("functionCall") {
        BlockBody::Call(call(ids.next()?, &function, part.arguments))
    } else if let Some(text) = object.string("text") {
        if object.is_true("thought") {
            BlockBody::Thinking(text.into())
        } else {
            BlockBody::Content(Content::text(text))
        }
    } else {
        BlockBody::Content(Content::Opaque(Json::from(part.raw.clone())))
    };
    let signature = object.word("thoughtSignature");
    Ok(Block { body, signature, original: Some(Json::from(part.raw)) })
}

/// The call of a `functionCall`, whose arguments may be known already.
pub(super) fn call(id: CallId, function: &RawObject, arguments: Option<Arguments>) -> Call {
    let text = arguments::text(function, "args");
    let sent = match arguments {
        Some(arguments) => Sent { text, arguments },
        None => Sent::new(text, Place::Inner, End::Complete),
    };
    let tool = function.string("name").unwrap_or_default();
    arguments::call(id, function.word("id"), &tool, sent)
}

/// Why a candidate says that it stopped.
pub(super) fn stop(candidate: &RawObject) -> Option<Stop> {
    Some(match &*candidate.word("finishReason")? {
        "FINISH_REASON_UNSPECIFIED" => return None,
        "STOP" => Stop::Finished,
        "MAX_TOKENS" => Stop::OutputLimit,
        "SAFETY" | "RECITATION" | "BLOCKLIST" | "PROHIBITED_CONTENT" | "SPII" | "IMAGE_SAFETY" => {
            Stop::Refused
        }
        other => Stop::Other(other.into()),
    })
}

/// The prompt is counted with its cached part, which is taken off; thoughts are output.
pub(super) fn usage(usage: &RawObject) -> Usage {
    let cache_read = usage.number("cachedContentTokenCount");
    let reasoning = usage.number("thoughtsTokenCount");
    let candidates = usage.number("candidatesTokenCount");
    let output = || Some(candidates.unwrap_or(0).saturating_add(reasoning.unwrap_or(0)));
    Usage {
        input: usage
            .number("promptTokenCount")
            .map(|all| all.saturating_sub(cache_read.unwrap_or(0))),
        cache_read,
        cache_write: None,
        output: candidates.or(reasoning).and_then(|_| output()),
        reasoning,
    }
}
