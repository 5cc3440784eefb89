//! A whole input that is no stream: one reply of a provider, or plain calls.
//!
//! Not here: a bare reply of Gemini. It has the shape of a chunk and is read as a stream of one.

use fanfold_transcript::{Assistant, Wire};

use crate::error::DecodeError;
use crate::literal::{self, Literal, NoLiteral};
use crate::live::CallIds;
use crate::raw::{self, RawObject};
use crate::{
    anthropic, arguments, bedrock, call_text, chat, cohere, detect, gemini, plain, responses,
};

/// Reads the document.
pub(crate) fn read(
    text: &str,
    asked: Option<Wire>,
    ids: CallIds,
) -> Result<Assistant, DecodeError> {
    if text.trim().is_empty() {
        return Err(DecodeError::Empty);
    }
    let literal = match literal::find(text) {
        Ok(literal) => literal,
        Err(NoLiteral::Several) => return Err(DecodeError::SeveralReplies),
        Err(NoLiteral::NotJson(problem)) => {
            call_text::find(text).ok_or_else(|| not_json(text, &problem))?
        }
    };
    let mut reply = match raw::object(&literal.value) {
        Some(object) => read_object(&object, &literal, asked, ids),
        None => read_array(&literal, asked, ids),
    }?;
    // Whatever was wrapped around the reply was wrapped around each of its calls.
    for call in reply.calls_mut() {
        arguments::note(call, literal.reading);
    }
    Ok(reply)
}

fn read_array(
    literal: &Literal,
    asked: Option<Wire>,
    ids: CallIds,
) -> Result<Assistant, DecodeError> {
    let elements = raw::array(&literal.value).unwrap_or_default();
    let Some(found) = detect::array(&elements, asked) else {
        if let [only] = &*elements
            && let Some(error) = raw::object(only).and_then(|o| detect::provider_error(&o))
        {
            return Err(DecodeError::Provider(error));
        }
        return read_plain(literal, asked, ids);
    };
    detect::agree(asked, found)?;
    if found == Wire::Anthropic {
        anthropic::read_blocks(elements, ids)
    } else {
        responses::read_items(elements, ids)
    }
}

fn read_object(
    reply: &RawObject,
    literal: &Literal,
    asked: Option<Wire>,
    ids: CallIds,
) -> Result<Assistant, DecodeError> {
    let Some(found) = detect::object(reply, asked) else {
        return match detect::provider_error(reply) {
            Some(error) => Err(DecodeError::Provider(error)),
            None => read_plain(literal, asked, ids),
        };
    };
    if asked == Some(Wire::Plain) {
        return plain::read(literal, ids)
            .map_err(|_| DecodeError::WrongWire { asked: Wire::Plain, found });
    }
    detect::agree(asked, found)?;
    match found {
        Wire::Anthropic => anthropic::read(reply, ids),
        Wire::OpenaiChat => chat::read(reply, ids),
        Wire::OpenaiResponses => responses::read(reply, ids),
        Wire::Gemini => gemini::Stream::whole(reply, ids),
        Wire::Bedrock => bedrock::read(reply, ids),
        Wire::Cohere => cohere::read(reply, ids),
        Wire::Plain => plain::read(literal, ids),
    }
}

fn read_plain(
    literal: &Literal,
    asked: Option<Wire>,
    ids: CallIds,
) -> Result<Assistant, DecodeError> {
    let reply = plain::read(literal, ids);
    match asked {
        None | Some(Wire::Plain) => reply,
        Some(asked) if reply.is_ok() => Err(DecodeError::WrongWire { asked, found: Wire::Plain }),
        Some(wire) => Err(DecodeError::NoReply { wire, expected: expected(wire) }),
    }
}

const fn expected(wire: Wire) -> &'static str {
    match wire {
        Wire::Anthropic => "a message with `content` blocks",
        Wire::OpenaiChat => "an object with `choices`",
        Wire::OpenaiResponses => "an object with an `output` array",
        Wire::Gemini => "an object with `candidates`",
        Wire::Bedrock => "an object with `output`",
        Wire::Cohere => "an object with a `message`",
        Wire::Plain => "calls as JSON",
    }
}

fn not_json(text: &str, problem: &str) -> DecodeError {
    let text = text.trim_start();
    let start: String = text.chars().take(80).collect();
    let mut problem = format!("{problem} in {start:?}");
    if !text.starts_with('{') {
        problem = format!("{problem}; {}", call_text::FORMS);
    }
    DecodeError::NotJson { place: "the input".into(), problem }
}
