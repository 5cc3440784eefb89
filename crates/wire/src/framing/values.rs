//! JSON objects in a row, a line each or not, or as the elements of one array.
//!
//! Not here: whether the first object is an event or the whole reply. Until that is known
//! nothing is thrown away.

use super::{Frame, text};
use crate::error::DecodeError;
use crate::scan::Scanner;

/// Splits objects.
#[derive(Debug, Default)]
pub(crate) struct Values {
    buffer: Vec<u8>,
    /// Where the present object begins, and how far it was scanned.
    start: Option<usize>,
    scanned: usize,
    scanner: Scanner,
    /// The present object was left open by a line that ends within a string.
    torn_line: bool,
    streaming: bool,
}

impl Values {
    pub(super) fn push(&mut self, bytes: &[u8]) {
        self.buffer.extend_from_slice(bytes);
    }

    pub(super) fn next(&mut self) -> Result<Option<Frame>, DecodeError> {
        while let Some(&byte) = self.buffer.get(self.scanned) {
            self.scanned += 1;
            let Some(start) = self.start else {
                match byte {
                    b'{' => {
                        self.start = Some(self.scanned - 1);
                        self.scanner.push(byte);
                    }
                    b'[' | b']' | b',' => {}
                    _ if byte.is_ascii_whitespace() => {}
                    _ if self.streaming => return Err(self.stray()),
                    // No stream starts like this; the document is read at its end.
                    _ => {}
                }
                continue;
            };
            if byte == b'\n' && self.scanner.is_in_string() {
                self.torn_line = true;
            }
            let broken = self.torn_line || self.breaks_off(start, byte);
            if broken && !byte.is_ascii_whitespace() {
                if byte != b'{' || !self.is_spare(start) {
                    return self.unclosed(start).map(Some);
                }
                self.start = Some(self.scanned - 1);
                self.scanner = Scanner::default();
                self.torn_line = false;
            }
            if self.scanner.push(byte) {
                self.start = None;
                let text = text(&self.buffer[start..self.scanned]);
                return Ok(Some(Frame::Event { text, torn: false }));
            }
        }
        Ok(None)
    }

    /// Whether `byte` begins a new object in a new line, though the one before was never closed: in
    /// JSON an object can follow only an opening bracket, a comma or a colon.
    fn breaks_off(&self, start: usize, byte: u8) -> bool {
        let before = &self.buffer[start..self.scanned - 1];
        byte == b'{'
            && !self.scanner.is_in_string()
            && before.ends_with(b"\n")
            && !before
                .trim_ascii_end()
                .last()
                .is_some_and(|byte| matches!(byte, b'{' | b'[' | b',' | b':'))
    }

    /// Whether the damaged object that begins at `start` only announced a reply: nothing of the reply
    /// is lost with it, and the last event of the stream says the same again.
    fn is_spare(&self, start: usize) -> bool {
        const ANNOUNCEMENT: &[u8] = b"{\"type\":\"response.created\"";
        !self.streaming && self.buffer[start..].starts_with(ANNOUNCEMENT)
    }

    /// A damaged line with others behind it. To pass it over would lose a part of the reply, and
    /// nobody would know. Only the last line may be torn: there the recording ends.
    fn unclosed(&self, start: usize) -> Result<Frame, DecodeError> {
        let line = self.buffer[start..].split(|&byte| byte == b'\n').next().unwrap_or_default();
        let line = text(line);
        if !self.streaming {
            // No event, so that the input is read as a document, which tells what is wrong where.
            return Ok(Frame::Event { text: line, torn: false });
        }
        let line: String = line.chars().take(80).collect();
        let place = "an event of the stream".to_owned();
        Err(DecodeError::NotJson { place, problem: format!("unclosed: {line:?}") })
    }

    pub(super) fn is_stream(&mut self) {
        self.streaming = true;
    }

    pub(super) fn take(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.buffer)
    }

    pub(super) fn compact(&mut self) {
        if self.streaming {
            let done = self.start.unwrap_or(self.scanned);
            self.buffer.drain(..done);
            self.scanned -= done;
            self.start = self.start.map(|_| 0);
        }
    }

    fn stray(&self) -> DecodeError {
        // As few bytes as name the trouble, so that the message does not hang on how they arrived.
        let found = text(&self.buffer[self.scanned - 1..self.scanned]);
        let problem = format!("expected a JSON object, found {found:?}");
        DecodeError::NotJson { place: "the text between two events".into(), problem }
    }
}
