//! Output, bounded while it is made: the head and the tail of each stream are kept, the middle is
//! counted.
//!
//! Not here: who writes into it (`process.rs`, the tools) and where every byte is kept (`copy.rs` says
//! what is asked of that).

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

pub use fanfold_transcript::Stream;
use fanfold_transcript::{Cut, Recorded};

pub use self::copy::{CopyTo, ReadRecords};
use self::plain::Parser;
pub(crate) use self::plain::PlainReader;

mod copy;
mod plain;

/// Takes the output of one call, and can be read from outside at any time.
///
/// Memory is bounded by the [`Limits`], whatever is written.
#[derive(Clone, Debug)]
pub struct Sink(Arc<Mutex<Streams>>);

/// How many bytes of each stream are kept. A stream that fits into both together is kept whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bytes from the beginning.
    pub head_bytes: usize,
    /// Bytes from the end.
    pub tail_bytes: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { head_bytes: 16 * 1024, tail_bytes: 16 * 1024 }
    }
}

/// What is kept of one stream, as the model reads it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Captured {
    /// Valid text without escape sequences: invalid UTF-8 is replaced, NUL is written `\0`. Where
    /// something is left out, a line of its own says how much, and where all of it can be read.
    pub text: String,
    /// Bytes written in all.
    pub bytes: u64,
    /// Lines written in all; a last line without its end counts.
    pub lines: u64,
    /// The counts again, when something is left out of the text.
    pub cut: Option<Cut>,
}

impl Sink {
    /// An empty sink.
    #[must_use]
    pub fn new(limits: Limits) -> Self {
        Self::with(limits, None)
    }

    /// An empty sink that gives every byte to `copy` too.
    #[must_use]
    pub fn with_copy(limits: Limits, copy: Arc<dyn CopyTo>) -> Self {
        Self::with(limits, Some(copy))
    }

    fn with(limits: Limits, copy: Option<Arc<dyn CopyTo>>) -> Self {
        let streams = Streams { stdout: Kept::new(limits), stderr: Kept::new(limits), copy };
        Self(Arc::new(Mutex::new(streams)))
    }

    /// Adds bytes to a stream, in pieces of any size.
    pub fn write(&self, stream: Stream, bytes: &[u8]) {
        let mut streams = self.lock();
        if let Some(copy) = &streams.copy {
            copy.write(stream, bytes);
        }
        streams.of(stream).push(bytes);
    }

    /// What is kept of a stream so far.
    #[must_use]
    pub fn captured(&self, stream: Stream) -> Captured {
        let mut streams = self.lock();
        let recorded = streams.copy.as_ref().and_then(|copy| copy.recorded(stream));
        streams.of(stream).render(stream, recorded)
    }

    /// The lines of a stream from its byte `from` on that have come to their end, as far as they are
    /// kept, and where they end. Asked again from there, no line comes twice.
    #[must_use]
    pub fn lines_since(&self, stream: Stream, from: u64) -> (String, u64) {
        self.lock().of(stream).since(from)
    }

    /// Bytes written to both streams.
    #[must_use]
    pub fn total_bytes(&self) -> u64 {
        let streams = self.lock();
        streams.stdout.bytes.saturating_add(streams.stderr.bytes)
    }

    fn lock(&self) -> MutexGuard<'_, Streams> {
        // Each write leaves the counts consistent, so a panic elsewhere spoils nothing.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[derive(Debug)]
struct Streams {
    stdout: Kept,
    stderr: Kept,
    copy: Option<Arc<dyn CopyTo>>,
}

impl Streams {
    const fn of(&mut self, stream: Stream) -> &mut Kept {
        match stream {
            Stream::Stdout => &mut self.stdout,
            Stream::Stderr => &mut self.stderr,
        }
    }
}

/// The kept parts of one stream.
#[derive(Debug)]
struct Kept {
    limits: Limits,
    head: Vec<u8>,
    tail: VecDeque<u8>,
    /// Where the parser stands after everything before the tail, so that an escape sequence cut by
    /// the tail's beginning is still known as one.
    border: Parser,
    bytes: u64,
    line_ends: u64,
    /// Whether the last line has no end yet. Its last byte need not be kept.
    unfinished: bool,
}

impl Kept {
    const fn new(limits: Limits) -> Self {
        Self {
            limits,
            head: Vec::new(),
            tail: VecDeque::new(),
            border: Parser::START,
            bytes: 0,
            line_ends: 0,
            unfinished: false,
        }
    }

    fn push(&mut self, bytes: &[u8]) {
        self.bytes = self.bytes.saturating_add(count(bytes.len()));
        self.line_ends = self.line_ends.saturating_add(line_ends(bytes));
        self.unfinished = bytes.last().map_or(self.unfinished, |&byte| byte != b'\n');
        let room = self.limits.head_bytes - self.head.len();
        let (head, rest) = bytes.split_at(room.min(bytes.len()));
        self.head.extend_from_slice(head);
        self.border = self.border.after(head);

        let excess = (self.tail.len() + rest.len()).saturating_sub(self.limits.tail_bytes);
        let oldest = excess.min(self.tail.len());
        let (dropped, rest) = rest.split_at(excess - oldest);
        let (front, back) = self.tail.as_slices();
        let from_front = oldest.min(front.len());
        let leaving = self.border.after(&front[..from_front]).after(&back[..oldest - from_front]);
        self.border = leaving.after(dropped);
        self.tail.drain(..oldest);
        self.tail.extend(rest);
    }

    fn since(&self, from: u64) -> (String, u64) {
        let tail_at = self.bytes - count(self.tail.len());
        let skipped =
            |start: u64| usize::try_from(from.saturating_sub(start)).unwrap_or(usize::MAX);
        let head = self.head.get(skipped(0)..).unwrap_or_default();
        let tail = self.tail.iter().skip(skipped(tail_at));
        let kept: Vec<u8> = head.iter().chain(tail).copied().collect();
        match kept.iter().rposition(|&byte| byte == b'\n') {
            Some(last) => {
                let unfinished = count(kept.len() - last - 1);
                (plain::text(&Parser::START.strip(&kept[..=last])), self.bytes - unfinished)
            }
            None => (String::new(), from),
        }
    }

    fn render(&self, stream: Stream, recorded: Option<Recorded>) -> Captured {
        let tail: Vec<u8> = self.tail.iter().copied().collect();
        let left_out = self.bytes - count(self.head.len()) - count(tail.len());
        let lines = self.line_ends + u64::from(self.unfinished);
        let (bytes, cut) = (self.bytes, Cut { bytes: self.bytes, lines });
        if left_out == 0 {
            let whole = Parser::START.strip(&[&*self.head, &*tail].concat());
            return Captured { text: plain::text(&whole), bytes, lines, cut: None };
        }
        let head = Parser::START.strip(&self.head);
        let tail_plain = self.border.strip(&tail);
        let (head, head_split) = plain::without_split_end(&head);
        let (rest, tail_split) = plain::without_split_start(&tail_plain);
        let left_out = left_out + count(head_split + tail_split);
        let lines_out = self.line_ends - line_ends(&self.head) - line_ends(&tail);
        let mut text = plain::text(head);
        if !text.is_empty() && !text.ends_with('\n') {
            text.push('\n');
        }
        let handle = recorded.map(|recorded| format!("; full output: {recorded}"));
        let handle = handle.unwrap_or_default();
        let marker = format!(
            "[{stream}: {left_out} bytes and {lines_out} line ends left out here, of {bytes} bytes \
             in {lines} lines{handle}]\n"
        );
        text += &marker;
        text += &plain::text(rest);
        Captured { text, bytes, lines, cut: Some(cut) }
    }
}

fn count(length: usize) -> u64 {
    u64::try_from(length).unwrap_or(u64::MAX)
}

fn line_ends(bytes: &[u8]) -> u64 {
    // Of a huge line nearly every piece has none: one fast search.
    if !bytes.contains(&b'\n') {
        return 0;
    }
    count(bytes.iter().filter(|&&byte| byte == b'\n').count())
}

#[cfg(test)]
mod tests;
