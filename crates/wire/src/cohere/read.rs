//! A whole reply, as it came or as it was put together from a stream.

use fanfold_transcript::{Assistant, Stop, Usage, Wire};

use crate::chat;
use crate::error::DecodeError;
use crate::live::CallIds;
use crate::raw::RawObject;

/// A whole reply, or a bare message.
pub(crate) fn read(reply: &RawObject, ids: CallIds) -> Result<Assistant, DecodeError> {
    let message = reply.object("message").unwrap_or_else(|| reply.clone());
    read_message(reply, &message, Stop::Finished, ids)
}

/// A message; `silent` is its stop when `head` names none.
pub(super) fn read_message(
    head: &RawObject,
    message: &RawObject,
    silent: Stop,
    ids: CallIds,
) -> Result<Assistant, DecodeError> {
    let stop = stop(head).unwrap_or(silent);
    let mut reply = chat::read_message(head, message, stop, ids)?;
    reply.source.wire = Wire::Cohere;
    reply.usage = usage(head);
    Ok(reply)
}

/// Why the reply says that it stopped.
fn stop(head: &RawObject) -> Option<Stop> {
    Some(match &*head.word("finish_reason")? {
        "COMPLETE" | "STOP_SEQUENCE" | "TOOL_CALL" => Stop::Finished,
        "MAX_TOKENS" => Stop::OutputLimit,
        // The service broke off by itself.
        "ERROR" | "TIMEOUT" => Stop::Unfinished,
        other => Stop::Other(other.into()),
    })
}

/// The input is counted with its cached part, which is taken off here.
fn usage(head: &RawObject) -> Usage {
    let usage = head.object("usage").unwrap_or_default();
    let tokens = usage.object("tokens").unwrap_or_default();
    let cache_read = usage.number("cached_tokens");
    let all = tokens.number("input_tokens");
    Usage {
        input: all.map(|all| all.saturating_sub(cache_read.unwrap_or(0))),
        cache_read,
        cache_write: None,
        output: tokens.number("output_tokens"),
        reasoning: None,
    }
}
