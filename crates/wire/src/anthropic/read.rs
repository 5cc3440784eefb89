//! A whole message, as it came or as it was put together from a stream.

use fanfold_transcript::{
    Assistant, Block, BlockBody, Call, Content, Json, Source, Stop, Usage, Wire,
};
use serde_json::value::RawValue;

use crate::arguments::{self, End, Place, Sent};
use crate::error::DecodeError;
use crate::live::CallIds;
use crate::raw::{self, RawObject};

/// Keys that are read, or that every message has: the rest is kept as extras.
const KNOWN: [&str; 8] =
    ["id", "type", "role", "model", "content", "stop_reason", "stop_sequence", "usage"];

/// A content block with the text of its `input`, where it arrived as text.
#[derive(Debug)]
pub(super) struct Piece {
    pub(super) block: Box<RawValue>,
    pub(super) input: Option<String>,
    /// The stream did not say that the block is complete.
    pub(super) open: bool,
}

/// A message as a provider sends it whole.
pub(crate) fn read(message: &RawObject, ids: CallIds) -> Result<Assistant, DecodeError> {
    let expected = "a message with `content` blocks";
    let missing = DecodeError::NoReply { wire: Wire::Anthropic, expected };
    let content = message.array("content").ok_or(missing)?;
    read_pieces(message, whole(content), Stop::Finished, ids)
}

/// The content blocks of a message without the message.
pub(crate) fn read_blocks(
    content: Vec<Box<RawValue>>,
    ids: CallIds,
) -> Result<Assistant, DecodeError> {
    read_pieces(&RawObject::default(), whole(content), Stop::Finished, ids)
}

fn whole(content: Vec<Box<RawValue>>) -> Vec<Piece> {
    content.into_iter().map(|block| Piece { block, input: None, open: false }).collect()
}

/// A message whose content is given apart; `silent` is its stop when it names none.
pub(super) fn read_pieces(
    message: &RawObject,
    pieces: Vec<Piece>,
    silent: Stop,
    ids: CallIds,
) -> Result<Assistant, DecodeError> {
    let stop = stop(message).unwrap_or(silent);
    let blocks = read_all(pieces, End::of(&stop), ids)?;
    let extras = message.without(&KNOWN);
    let source = Source {
        asked: None,
        wire: Wire::Anthropic,
        model: message.word("model"),
        response_id: message.word("id"),
        extras: (!extras.is_empty()).then(|| raw::json(&extras)),
    };
    Ok(Assistant { blocks, source, stop, usage: usage(message) })
}

/// The blocks of a reply that ended so, or of a part of one.
pub(super) fn read_all(
    pieces: Vec<Piece>,
    end: End,
    mut ids: CallIds,
) -> Result<Vec<Block>, DecodeError> {
    let count = pieces.len();
    let mut blocks = Vec::with_capacity(count);
    for (index, piece) in pieces.into_iter().enumerate() {
        let place = Place::new(piece.open || index + 1 == count);
        blocks.push(read_block(piece, place, end, &mut ids)?);
    }
    Ok(blocks)
}

fn read_block(
    piece: Piece,
    place: Place,
    end: End,
    ids: &mut CallIds,
) -> Result<Block, DecodeError> {
    let object = raw::object(&piece.block).unwrap_or_default();
    let text = |key| object.string(key).unwrap_or_default().into_boxed_str();
    let mut signature = None;
    let body = match object.string("type").as_deref() {
        Some("text") => BlockBody::Content(Content::Text(text("text"))),
        Some("thinking") => {
            signature = object.word("signature");
            BlockBody::Thinking(text("thinking"))
        }
        Some("redacted_thinking") => {
            signature = object.word("data");
            BlockBody::Thinking("".into())
        }
        Some("tool_use") => {
            let sent = match piece.input {
                Some(text) => Sent::new(text, place, end),
                None => Sent::closed(arguments::text(&object, "input"), place, end),
            };
            BlockBody::Call(call(ids, &object, sent)?)
        }
        _ => BlockBody::Content(Content::Opaque(Json::from(piece.block.clone()))),
    };
    Ok(Block { body, signature, original: Some(Json::from(piece.block)) })
}

/// The call of a `tool_use` block.
fn call(ids: &mut CallIds, block: &RawObject, sent: Sent) -> Result<Call, DecodeError> {
    let tool = block.string("name").unwrap_or_default();
    Ok(arguments::call(ids.next()?, block.word("id"), &tool, sent))
}

/// Why the message says that it stopped. A message in a conversation says nothing.
pub(super) fn stop(message: &RawObject) -> Option<Stop> {
    Some(match &*message.word("stop_reason")? {
        "max_tokens" | "model_context_window_exceeded" => Stop::OutputLimit,
        "refusal" => Stop::Refused,
        "end_turn" | "tool_use" | "stop_sequence" => Stop::Finished,
        other => Stop::Other(other.into()),
    })
}

fn usage(message: &RawObject) -> Usage {
    let usage = message.object("usage").unwrap_or_default();
    let details = usage.object("output_tokens_details").unwrap_or_default();
    Usage {
        input: usage.number("input_tokens"),
        cache_read: usage.number("cache_read_input_tokens"),
        cache_write: usage.number("cache_creation_input_tokens"),
        output: usage.number("output_tokens"),
        reasoning: details.number("thinking_tokens"),
    }
}
