//! Server-sent events, pushed in.
//!
//! Lines end with LF, CR LF or CR; a line that is itself a JSON object is an event of its own. The
//! event's name is not used: every provider repeats it inside the data.

use super::{Frame, text};

/// Splits lines and gathers the data of an event.
#[derive(Debug, Default)]
pub(crate) struct Lines {
    buffer: Vec<u8>,
    /// Where the present line begins, and how far it was searched for its end.
    line: usize,
    searched: usize,
    /// The last line ended with CR: an LF right behind belongs to it.
    after_cr: bool,
    data: Option<String>,
}

impl Lines {
    pub(super) fn push(&mut self, bytes: &[u8]) {
        self.buffer.extend_from_slice(bytes);
    }

    pub(super) fn next(&mut self) -> Option<Frame> {
        loop {
            if self.after_cr
                && let Some(&byte) = self.buffer.get(self.line)
            {
                self.after_cr = false;
                if byte == b'\n' {
                    self.line += 1;
                    self.searched = self.line;
                }
            }
            let rest = &self.buffer[self.searched..];
            let Some(end) = rest.iter().position(|byte| matches!(byte, b'\n' | b'\r')) else {
                self.searched = self.buffer.len();
                return None;
            };
            let end = self.searched + end;
            let line = text(&self.buffer[self.line..end]);
            self.after_cr = self.buffer[end] == b'\r';
            self.line = end + 1;
            self.searched = self.line;
            if let Some(frame) = self.take(&line) {
                return Some(frame);
            }
        }
    }

    /// The event that the end of the input leaves unfinished: a recording often lacks the blank line.
    pub(super) fn rest(&mut self) -> Option<Frame> {
        let line = text(&self.buffer[self.line..]);
        self.line = self.buffer.len();
        match self.take(&line).or_else(|| self.event())? {
            Frame::Event { text, .. } => Some(Frame::Event { text, torn: true }),
            Frame::Done => Some(Frame::Done),
        }
    }

    pub(super) fn compact(&mut self) {
        self.buffer.drain(..self.line);
        self.searched -= self.line;
        self.line = 0;
    }

    fn take(&mut self, line: &str) -> Option<Frame> {
        if line.is_empty() {
            return self.event();
        }
        if line.starts_with('{') {
            return Some(Frame::Event { text: line.to_owned(), torn: false });
        }
        let piece = line.strip_prefix("data:")?;
        let piece = piece.strip_prefix(' ').unwrap_or(piece);
        match &mut self.data {
            Some(data) => {
                data.push('\n');
                data.push_str(piece);
            }
            None => self.data = Some(piece.to_owned()),
        }
        None
    }

    fn event(&mut self) -> Option<Frame> {
        let data = self.data.take().filter(|data| !data.trim().is_empty())?;
        let done = data.trim() == "[DONE]";
        Some(if done { Frame::Done } else { Frame::Event { text: data, torn: false } })
    }
}
