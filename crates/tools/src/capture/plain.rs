//! From the bytes of a terminal to plain text: escape sequences out, invalid UTF-8 replaced.
//!
//! Not here: what is kept and what is cut. The parser can stop and go on anywhere, so a cut need not
//! respect sequences.

use std::io::{self, Read};

const ESCAPE: u8 = 0x1b;
const BELL: u8 = 0x07;

/// Where a reader stands within or between escape sequences (ECMA-48, in their 7-bit form).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Parser {
    /// Between sequences.
    Text,
    /// After the escape character.
    Escape,
    /// After the escape character and intermediate bytes, such as `ESC (` of a character set.
    Intermediate,
    /// In a control sequence, `ESC [`, until its final byte.
    Control,
    /// In a string such as a window title, `ESC ]`, until BEL or the two-byte sequence `ESC \`.
    String,
}

impl Parser {
    /// The beginning of a stream.
    pub(super) const START: Self = Self::Text;

    /// Where the reader stands after these bytes.
    pub(super) fn after(self, bytes: &[u8]) -> Self {
        if self.has_only_text(bytes) {
            return Self::Text;
        }
        bytes.iter().fold(self, |parser, &byte| parser.step(byte).0)
    }

    /// Whether these bytes touch no sequence. Nearly all output is so, and one fast search tells.
    fn has_only_text(self, bytes: &[u8]) -> bool {
        self == Self::Text && !bytes.contains(&ESCAPE)
    }

    /// The bytes that belong to no sequence, read from here.
    pub(super) fn strip(self, bytes: &[u8]) -> Vec<u8> {
        let mut parser = self;
        let plain = bytes.iter().copied().filter(|&byte| {
            let (next, keep) = parser.step(byte);
            parser = next;
            keep
        });
        plain.collect()
    }

    /// One byte on, and whether that byte is text.
    ///
    /// A byte that cannot be part of a sequence ends it and is text. So a line end ends even a string
    /// that never closes: it hides the rest of its line, not the rest of the output.
    const fn step(self, byte: u8) -> (Self, bool) {
        match (self, byte) {
            (_, ESCAPE) => (Self::Escape, false),
            (Self::Escape, b'[') => (Self::Control, false),
            (Self::Escape, b']' | b'P' | b'X' | b'^' | b'_') => (Self::String, false),
            (Self::Escape | Self::Intermediate, 0x20..=0x2f) => (Self::Intermediate, false),
            (Self::Control, 0x20..=0x3f) => (Self::Control, false),
            (Self::String, 0x20..) => (Self::String, false),
            (Self::Escape | Self::Intermediate, 0x30..=0x7e)
            | (Self::Control, 0x40..=0x7e)
            | (Self::String, BELL) => (Self::Text, false),
            (Self::Text | Self::Escape | Self::Intermediate | Self::Control | Self::String, _) => {
                (Self::Text, true)
            }
        }
    }
}

/// A reader of the bytes that belong to no sequence.
#[derive(Debug)]
pub(crate) struct PlainReader<R> {
    reader: R,
    parser: Parser,
}

impl<R> PlainReader<R> {
    /// Reads from the beginning of a stream.
    pub(crate) const fn new(reader: R) -> Self {
        Self { reader, parser: Parser::START }
    }
}

impl<R: Read> Read for PlainReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let length = self.reader.read(buffer)?;
            if length == 0 {
                // The end, also inside a sequence that nobody will finish.
                return Ok(0);
            }
            let read = &buffer[..length];
            let at_start = self.parser;
            self.parser = at_start.after(read);
            if at_start.has_only_text(read) {
                return Ok(length);
            }
            let plain = at_start.strip(read);
            buffer[..plain.len()].copy_from_slice(&plain);
            // Nothing but sequences is not the end.
            if !plain.is_empty() {
                return Ok(plain.len());
            }
        }
    }
}

/// Valid text: invalid UTF-8 replaced, NUL written `\0`.
pub(super) fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).replace('\0', "\\0")
}

/// The bytes without a character that a cut split at their end, and how long that piece is.
pub(super) fn without_split_end(bytes: &[u8]) -> (&[u8], usize) {
    // The longest character has four bytes: a piece of one has at most three.
    let longest = bytes.len().min(3);
    let split = (1..=longest).find(|&length| {
        let piece = &bytes[bytes.len() - length..];
        str::from_utf8(piece)
            .is_err_and(|error| error.valid_up_to() == 0 && error.error_len().is_none())
    });
    let length = split.unwrap_or(0);
    (&bytes[..bytes.len() - length], length)
}

/// The bytes without the rest of a character that a cut split at their start, and its length.
pub(super) fn without_split_start(bytes: &[u8]) -> (&[u8], usize) {
    let continuation = |&&byte: &&u8| (0x80..0xc0).contains(&byte);
    let length = bytes.iter().take(3).take_while(continuation).count();
    (&bytes[length..], length)
}
