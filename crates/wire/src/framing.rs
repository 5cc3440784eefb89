//! From bytes, cut anywhere, to the events of a stream: server-sent events, JSON a line, or an
//! array of JSON objects.
//!
//! What is none of these is kept as text. Every byte is looked at once, however it arrives. Not
//! here: what an event means, and the limit on bytes (`decoder.rs`).

mod lines;
mod values;

use crate::error::DecodeError;
use lines::Lines;
use values::Values;

/// One event of a stream.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Frame {
    /// The text of an event, which ought to be JSON.
    Event {
        text: String,
        /// The input ended within it.
        torn: bool,
    },
    /// `[DONE]`.
    Done,
}

/// Splits the input into events, one at a time, so that the first may decide how to go on.
#[derive(Debug)]
pub(crate) enum Framing {
    /// Too little is known yet.
    Unknown(Vec<u8>),
    /// Server-sent events.
    Lines(Lines),
    /// JSON objects in a row or in an array; perhaps just one, the whole reply.
    Values(Values),
    /// No stream.
    Text(Vec<u8>),
}

/// What a line of server-sent events begins with.
const FIELDS: [&[u8]; 5] = [b"data:", b"event:", b"id:", b"retry:", b":"];

impl Framing {
    pub(crate) fn push(&mut self, bytes: &[u8]) {
        match self {
            Self::Unknown(start) => {
                start.extend_from_slice(bytes);
                if let Some(known) = recognise(start) {
                    *self = known;
                }
            }
            Self::Lines(lines) => lines.push(bytes),
            Self::Values(values) => values.push(bytes),
            Self::Text(text) => text.extend_from_slice(bytes),
        }
    }

    /// The next complete event.
    pub(crate) fn next(&mut self) -> Result<Option<Frame>, DecodeError> {
        match self {
            Self::Lines(lines) => Ok(lines.next()),
            Self::Values(values) => values.next(),
            Self::Unknown(_) | Self::Text(_) => Ok(None),
        }
    }

    /// No more bytes come: what is left of the last event.
    pub(crate) fn rest(&mut self) -> Option<Frame> {
        match self {
            Self::Lines(lines) => lines.rest(),
            Self::Unknown(_) | Self::Values(_) | Self::Text(_) => None,
        }
    }

    /// The values seen are events of a stream: the bytes behind are not needed again.
    pub(crate) fn is_stream(&mut self) {
        if let Self::Values(values) = self {
            values.is_stream();
        }
    }

    /// The input is one document: it is kept whole.
    pub(crate) fn is_document(&mut self) {
        if let Self::Values(values) = self {
            *self = Self::Text(values.take());
        }
    }

    /// Lets go of the bytes that became events.
    pub(crate) fn compact(&mut self) {
        match self {
            Self::Lines(lines) => lines.compact(),
            Self::Values(values) => values.compact(),
            Self::Unknown(_) | Self::Text(_) => {}
        }
    }

    /// The whole input, where it is no stream.
    pub(crate) fn into_document(self) -> Option<String> {
        match self {
            Self::Unknown(bytes) | Self::Text(bytes) => Some(text(&bytes)),
            Self::Values(mut values) => Some(text(&values.take())),
            Self::Lines(_) => None,
        }
    }
}

/// Looks at the first bytes; `None` as long as they may still become several things.
fn recognise(start: &mut Vec<u8>) -> Option<Framing> {
    const MARK: &[u8] = "\u{feff}".as_bytes();
    let mut rest = start.trim_ascii_start();
    while let Some(after) = rest.strip_prefix(MARK) {
        rest = after.trim_ascii_start();
    }
    if rest.len() < MARK.len() && MARK.starts_with(rest) {
        return None;
    }
    start.drain(..start.len() - rest.len());
    let start = &*start;
    if start.starts_with(b"{") || start.starts_with(b"[") {
        let mut values = Values::default();
        values.push(start);
        return Some(Framing::Values(values));
    }
    if FIELDS.iter().any(|field| start.starts_with(field)) {
        let mut lines = Lines::default();
        lines.push(start);
        return Some(Framing::Lines(lines));
    }
    let undecided = FIELDS.iter().any(|field| field.starts_with(start));
    (!undecided).then(|| Framing::Text(start.clone()))
}

/// Bytes of a whole line or value as text. What is not UTF-8 becomes U+FFFD.
fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[cfg(test)]
mod tests;
