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
            if byte == b'{' && self.breaks_off(start) {
                return self.next_line(start).map(Some);
            }
            if self.scanner.push(byte) {
                self.start = None;
                let text = text(&self.buffer[start..self.scanned]);
                return Ok(Some(Frame::Event { text, torn: false }));
            }
        }
        Ok(None)
    }

    /// Whether the present line begins a new object, though the one before was never closed: in
    /// JSON an object can follow only an opening bracket, a comma or a colon.
    fn breaks_off(&self, start: usize) -> bool {
        let before = &self.buffer[start..self.scanned - 1];
        let follows = before.trim_ascii_end().last();
        !self.scanner.is_in_string()
            && before.ends_with(b"\n")
            && !follows.is_some_and(|byte| matches!(byte, b'{' | b'[' | b',' | b':'))
    }

    /// Goes on with the object of the new line. In front of a stream a damaged line does no harm;
    /// later its loss would go unnoticed.
    fn next_line(&mut self, start: usize) -> Result<Frame, DecodeError> {
        let begin = self.scanned - 1;
        let text = text(self.buffer[start..begin].trim_ascii_end());
        if self.streaming {
            let start: String = text.chars().take(80).collect();
            let place = "an event of the stream".to_owned();
            return Err(DecodeError::NotJson { place, problem: format!("unclosed: {start:?}") });
        }
        self.start = Some(begin);
        self.scanner = Scanner::default();
        self.scanner.push(b'{');
        Ok(Frame::Event { text, torn: true })
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
