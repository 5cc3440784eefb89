//! How large a piece of a conversation is, counted and not estimated.
//!
//! Not here: tokens. An estimate of tokens is a judgement and belongs to `fanfold-compact`.

use std::ops::{Add, AddAssign};

use crate::content::Content;
use crate::entry::{Block, BlockBody, Body, Entry};
use crate::outcome::Outcome;

/// Counts over a piece of a conversation, as the model is shown it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Size {
    /// Bytes of text in UTF-8.
    pub bytes: u64,
    /// Characters of text.
    pub chars: u64,
    /// Images and documents.
    pub media: u64,
}

impl Size {
    /// The size of a text.
    #[must_use]
    pub fn of_text(text: &str) -> Self {
        let count = |n: usize| u64::try_from(n).unwrap_or(u64::MAX);
        Self { bytes: count(text.len()), chars: count(text.chars().count()), media: 0 }
    }

    /// The size of one piece of content.
    #[must_use]
    pub fn of_content(content: &Content) -> Self {
        match content {
            Content::Text(text) => Self::of_text(text),
            Content::Json(json) | Content::Opaque(json) => Self::of_text(json.text()),
            Content::Image(_) | Content::Document(_) => Self { media: 1, ..Self::default() },
        }
    }

    /// The size of an outcome's content.
    #[must_use]
    pub fn of_outcome(outcome: &Outcome) -> Self {
        outcome.content.iter().map(Self::of_content).fold(Self::default(), Add::add)
    }

    /// The size of a block; a call counts its name, its arguments and its outcome.
    #[must_use]
    pub fn of_block(block: &Block) -> Self {
        let sealed = block.signature.as_deref().map(Self::of_text).unwrap_or_default();
        let body = match &block.body {
            BlockBody::Content(content) => Self::of_content(content),
            BlockBody::Thinking(text) => Self::of_text(text),
            BlockBody::Call(call) => {
                let outcome = call.outcome().map(Self::of_outcome).unwrap_or_default();
                Self::of_text(&call.tool) + Self::of_text(&call.sent) + outcome
            }
        };
        sealed + body
    }

    /// The size of an entry, results included.
    #[must_use]
    pub fn of_entry(entry: &Entry) -> Self {
        match &entry.body {
            Body::User(user) => {
                user.content.iter().map(Self::of_content).fold(Self::default(), Add::add)
            }
            Body::Assistant(reply) => {
                reply.blocks.iter().map(Self::of_block).fold(Self::default(), Add::add)
            }
        }
    }
}

impl Add for Size {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            bytes: self.bytes.saturating_add(other.bytes),
            chars: self.chars.saturating_add(other.chars),
            media: self.media.saturating_add(other.media),
        }
    }
}

impl AddAssign for Size {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_are_not_bytes() {
        assert_eq!(Size::of_text("né 語"), Size { bytes: 7, chars: 4, media: 0 });
    }
}
