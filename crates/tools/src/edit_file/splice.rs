//! Parts of a content replaced, so that its line ends stay what they are.
//!
//! Not here: finding the parts (`edit_file.rs`, `find_and_edit.rs`).

use std::borrow::Cow;
use std::ops::Range;

use crate::place::{FILE_BYTES_MAX, FileError};

/// Changes that are kept to be shown.
const CHANGES_KEPT: usize = 100;

/// A content in which parts can be replaced, seen so that each line ends with a line feed alone.
#[derive(Debug)]
pub(crate) struct Spliced<'a> {
    original: &'a [u8],
    seen: Cow<'a, [u8]>,
    /// The line feeds in `seen` before which a carriage return is left out.
    left_out: Vec<usize>,
    line_ends: LineEnds,
}

/// What becomes of line feeds in a replacement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum LineEnds {
    /// They stay.
    Verbatim,
    /// They become what lines end with at that place.
    AsAround,
}

/// A content with parts replaced.
#[derive(Debug)]
pub(crate) struct Edited {
    /// The new content.
    pub(crate) content: Vec<u8>,
    /// How many parts were replaced.
    pub(crate) count: u64,
    /// Where: the first of them, in order.
    pub(crate) changes: Vec<Change>,
}

/// Bytes of the old content, and those of the new one in their place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Change {
    /// In the old content.
    pub(crate) old: Range<usize>,
    /// In the new content.
    pub(crate) new: Range<usize>,
}

impl<'a> Spliced<'a> {
    /// Seen as it is; replacements go in as they are.
    pub(crate) fn verbatim(original: &'a [u8]) -> Self {
        let seen = Cow::Borrowed(original);
        Self { original, seen, left_out: Vec::new(), line_ends: LineEnds::Verbatim }
    }

    /// Seen without the carriage return of each CR LF; a replacement ends its lines with what ends
    /// the line around it.
    pub(crate) fn by_lines(original: &'a [u8]) -> Self {
        if !original.contains(&b'\r') {
            return Self { line_ends: LineEnds::AsAround, ..Self::verbatim(original) };
        }
        let (mut seen, mut left_out) = (Vec::with_capacity(original.len()), Vec::new());
        for (at, &byte) in original.iter().enumerate() {
            if byte == b'\r' && original.get(at + 1) == Some(&b'\n') {
                left_out.push(seen.len());
            } else {
                seen.push(byte);
            }
        }
        Self { original, seen: seen.into(), left_out, line_ends: LineEnds::AsAround }
    }

    /// The content in which to look for the parts.
    pub(crate) fn seen(&self) -> &[u8] {
        &self.seen
    }

    /// The content with these parts of `seen` replaced. They must be in order and not overlap.
    ///
    /// # Errors
    /// When it would be larger than a file that is edited may be.
    pub(crate) fn edited<'b>(
        &self,
        parts: impl Iterator<Item = (Range<usize>, Cow<'b, [u8]>)>,
    ) -> Result<Edited, FileError> {
        let mut edited = Edited { content: Vec::new(), count: 0, changes: Vec::new() };
        let mut around = Around { original: self.original, next: 0, is_crlf: false };
        let mut copied = 0;
        for (part, replacement) in parts {
            let old = self.in_original(part.start)..self.in_original(part.end);
            let crlf = self.line_ends == LineEnds::AsAround && around.is_crlf(old.start);
            let replacement = if crlf { with_crlf(&replacement) } else { replacement };
            edited.content.extend_from_slice(&self.original[copied..old.start]);
            let start = edited.content.len();
            edited.content.extend_from_slice(&replacement);
            copied = old.end;
            edited.count += 1;
            let rest = self.original.len() - copied;
            if edited.content.len().saturating_add(rest) > FILE_BYTES_MAX {
                let bytes = edited.content.len().saturating_add(rest);
                return Err(FileError::TooLarge(u64::try_from(bytes).unwrap_or(u64::MAX)));
            }
            if edited.changes.len() < CHANGES_KEPT {
                edited.changes.push(Change { old, new: start..edited.content.len() });
            }
        }
        edited.content.extend_from_slice(&self.original[copied..]);
        Ok(edited)
    }

    /// Where something that was seen begins: before the carriage return, if it is a line end.
    fn in_original(&self, at: usize) -> usize {
        at + self.left_out.partition_point(|&line_feed| line_feed < at)
    }
}

/// What lines end with, asked at places further and further back in a content.
struct Around<'a> {
    original: &'a [u8],
    /// Behind the line end that was found last; past the end when there is no more.
    next: usize,
    is_crlf: bool,
}

impl Around<'_> {
    /// Whether the first line end from here on, or else the last one of all, is CR LF.
    fn is_crlf(&mut self, at: usize) -> bool {
        while self.next <= at && self.next < self.original.len() {
            let rest = &self.original[self.next..];
            let Some(end) = rest.iter().position(|&byte| byte == b'\n') else {
                self.next = self.original.len();
                break;
            };
            let end = self.next + end;
            self.is_crlf = end > 0 && self.original[end - 1] == b'\r';
            self.next = end + 1;
        }
        self.is_crlf
    }
}

/// Every line feed that stands alone gets a carriage return.
fn with_crlf(text: &[u8]) -> Cow<'static, [u8]> {
    let mut converted = Vec::with_capacity(text.len());
    for &byte in text {
        if byte == b'\n' && converted.last() != Some(&b'\r') {
            converted.push(b'\r');
        }
        converted.push(byte);
    }
    converted.into()
}
