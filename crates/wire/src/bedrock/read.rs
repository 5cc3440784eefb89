//! A whole reply, as it came or as it was put together from a stream.

use fanfold_transcript::{Assistant, Block, BlockBody, Content, Json, Source, Stop, Usage, Wire};
use serde_json::value::RawValue;

use crate::arguments::{self, End, Place, Sent};
use crate::error::DecodeError;
use crate::live::CallIds;
use crate::raw::{self, RawObject};

/// A content block with the text of its input, where it arrived as text.
#[derive(Debug)]
pub(super) struct Piece {
    pub(super) block: Box<RawValue>,
    pub(super) input: Option<String>,
    /// The stream did not say that the block is complete.
    pub(super) open: bool,
}

/// A whole reply, or a bare message.
pub(crate) fn read(reply: &RawObject, ids: CallIds) -> Result<Assistant, DecodeError> {
    let output = reply.object("output").unwrap_or_default();
    let message = output.object("message").unwrap_or_else(|| reply.clone());
    let missing =
        DecodeError::NoReply { wire: Wire::Bedrock, expected: "a message with `content`" };
    let content = message.array("content").ok_or(missing)?;
    let whole = |block| Piece { block, input: None, open: false };
    read_pieces(reply, content.into_iter().map(whole).collect(), Stop::Finished, ids)
}

/// A reply whose content is given apart; `silent` is its stop when `head` names none.
pub(super) fn read_pieces(
    head: &RawObject,
    pieces: Vec<Piece>,
    silent: Stop,
    ids: CallIds,
) -> Result<Assistant, DecodeError> {
    let stop = stop(head).unwrap_or(silent);
    let blocks = read_all(pieces, End::of(&stop), ids)?;
    Ok(Assistant { blocks, source: Source::new(Wire::Bedrock), stop, usage: usage(head) })
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
    let block = raw::object(&piece.block).unwrap_or_default();
    let mut signature = None;
    let body = if let Some(tool_use) = block.object("toolUse") {
        let sent = match piece.input {
            Some(text) => Sent::new(text, place, end),
            None => Sent::closed(arguments::text(&tool_use, "input"), place, end),
        };
        let tool = tool_use.string("name").unwrap_or_default();
        BlockBody::Call(arguments::call(ids.next()?, tool_use.word("toolUseId"), &tool, sent))
    } else if let Some(reasoning) = block.object("reasoningContent") {
        let text = reasoning.object("reasoningText").unwrap_or_default();
        signature = text.word("signature").or_else(|| reasoning.word("redactedContent"));
        BlockBody::Thinking(text.string("text").unwrap_or_default().into())
    } else if let Some(text) = block.string("text") {
        BlockBody::Content(Content::text(text))
    } else {
        BlockBody::Content(Content::Opaque(Json::from(piece.block.clone())))
    };
    Ok(Block { body, signature, original: Some(Json::from(piece.block)) })
}

/// Why the reply says that it stopped.
pub(super) fn stop(head: &RawObject) -> Option<Stop> {
    Some(match &*head.word("stopReason")? {
        "end_turn" | "tool_use" | "stop_sequence" => Stop::Finished,
        "max_tokens" | "model_context_window_exceeded" => Stop::OutputLimit,
        "guardrail_intervened" | "content_filtered" => Stop::Refused,
        other => Stop::Other(other.into()),
    })
}

fn usage(head: &RawObject) -> Usage {
    let usage = head.object("usage").unwrap_or_default();
    Usage {
        input: usage.number("inputTokens"),
        cache_read: usage.number("cacheReadInputTokens"),
        cache_write: usage.number("cacheWriteInputTokens"),
        output: usage.number("outputTokens"),
        reasoning: None,
    }
}
