//! One page of lines out of a stream of bytes, in memory that does not grow with the stream.
//!
//! Not here: opening files and refusing what is no text (`read_file.rs`).

use std::io::{self, BufRead, ErrorKind};

use crate::place::grouped;

/// Bytes of one page; the first line is shown even when it is longer than the rest of the page.
pub(super) const PAGE_BYTES: usize = 32 * 1024;

/// Bytes of one line that are kept.
pub(super) const LINE_BYTES: usize = 16 * 1024;

/// Bytes after the page, or of one line, that are read only to be counted.
pub(super) const COUNTED_BYTES: u64 = 64 * 1024 * 1024;

/// Which lines are asked for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Window {
    /// The first, counted from 1.
    pub(super) first: u64,
    /// How many at most.
    pub(super) lines_max: u64,
}

/// Lines with their numbers, and what is known of the lines around them.
#[derive(Debug)]
pub(super) struct Page {
    text: String,
    window: Window,
    shown: u64,
    shown_crlf: u64,
    lines: Count,
}

/// How many lines there are.
#[derive(Clone, Copy, Debug)]
enum Count {
    Exactly(u64),
    MoreThan(u64),
}

impl Page {
    /// Reads the page, and goes on only to count the lines after it.
    ///
    /// # Errors
    /// Those of the reader.
    pub(super) fn read(reader: &mut impl BufRead, window: Window) -> io::Result<Self> {
        let mut page =
            Self { text: String::new(), window, shown: 0, shown_crlf: 0, lines: Count::Exactly(0) };
        let before = window.first.saturating_sub(1);
        let skipped = skip_lines(reader, before)?;
        if skipped < before {
            page.lines = Count::Exactly(skipped);
            return Ok(page);
        }
        let mut line = Line::default();
        while page.shown < window.lines_max {
            if !line.read(reader)? {
                page.lines = Count::Exactly(before + page.shown);
                return Ok(page);
            }
            let row = page.row(&line);
            if page.shown > 0 && page.text.len() + row.len() > PAGE_BYTES {
                page.lines = if line.endless {
                    Count::MoreThan(before + page.shown)
                } else {
                    count_rest(reader, before + page.shown + 1)?
                };
                return Ok(page);
            }
            page.text.push_str(&row);
            page.shown += 1;
            page.shown_crlf += u64::from(line.is_crlf());
            if line.endless {
                page.lines = Count::MoreThan(before + page.shown);
                return Ok(page);
            }
        }
        page.lines = count_rest(reader, before + page.shown)?;
        Ok(page)
    }

    /// Whether the first line asked for does not exist.
    pub(super) const fn is_past_the_end(&self) -> bool {
        self.shown == 0
    }

    /// Whether every line is shown.
    pub(super) fn is_whole(&self) -> bool {
        self.window.first <= 1 && matches!(self.lines, Count::Exactly(lines) if lines == self.shown)
    }

    /// How many lines there are at least.
    pub(super) const fn lines_seen(&self) -> u64 {
        match self.lines {
            Count::Exactly(lines) | Count::MoreThan(lines) => lines,
        }
    }

    /// The rows, and after them what is to be said of the page.
    pub(super) fn into_text(self) -> String {
        let notes: Vec<String> = self.place_in_file().into_iter().chain(self.line_ends()).collect();
        let mut text = self.text;
        if notes.is_empty() {
            text.pop();
        } else {
            text.extend(["(", &notes.join("; "), ")"]);
        }
        text
    }

    fn row(&self, line: &Line) -> String {
        let number = self.window.first + self.shown;
        let (text, cut) = (line.text(), line.cut_note());
        format!("{number:>6}\t{text}{cut}\n")
    }

    fn place_in_file(&self) -> Option<String> {
        let last = self.window.first + self.shown - 1;
        let range = format!("lines {}-{}", grouped(self.window.first), grouped(last));
        let go_on = format!("go on with offset {}", last + 1);
        match self.lines {
            Count::Exactly(lines) if lines > last => {
                Some(format!("{range} of {}; {go_on}", grouped(lines)))
            }
            Count::Exactly(lines) => {
                (self.window.first > 1).then(|| format!("{range} of {}", grouped(lines)))
            }
            Count::MoreThan(lines) => {
                Some(format!("{range} of more than {}; {go_on}", grouped(lines)))
            }
        }
    }

    fn line_ends(&self) -> Option<String> {
        match self.shown_crlf {
            0 => None,
            all if all == self.shown => Some("lines end with CR LF".to_owned()),
            _ => Some("some lines end with CR LF".to_owned()),
        }
    }
}

/// One line as far as it is kept.
#[derive(Debug, Default)]
struct Line {
    kept: Vec<u8>,
    bytes: u64,
    last: [u8; 2],
    /// Whether it is so long that its end was not looked for.
    endless: bool,
}

impl Line {
    /// Reads the next line; false at the end of the stream.
    fn read(&mut self, reader: &mut impl BufRead) -> io::Result<bool> {
        *self = Self { kept: std::mem::take(&mut self.kept), ..Self::default() };
        self.kept.clear();
        loop {
            let buffer = fill(reader)?;
            if buffer.is_empty() {
                return Ok(self.bytes > 0);
            }
            let end = buffer.iter().position(|&byte| byte == b'\n');
            let piece = &buffer[..end.map_or(buffer.len(), |end| end + 1)];
            let room = LINE_BYTES - self.kept.len();
            self.kept.extend_from_slice(&piece[..piece.len().min(room)]);
            self.bytes += length(piece);
            for &byte in &piece[piece.len().saturating_sub(2)..] {
                self.last = [self.last[1], byte];
            }
            let taken = piece.len();
            reader.consume(taken);
            self.endless = end.is_none() && self.bytes > COUNTED_BYTES;
            if end.is_some() || self.endless {
                return Ok(true);
            }
        }
    }

    fn is_crlf(&self) -> bool {
        self.last == *b"\r\n"
    }

    /// Bytes without the line end.
    fn length(&self) -> u64 {
        let end = if self.is_crlf() { 2 } else { u64::from(self.last[1] == b'\n') };
        self.bytes - end
    }

    /// The kept bytes without the line end, or up to the last whole character.
    fn content(&self) -> &[u8] {
        let length = usize::try_from(self.length()).unwrap_or(usize::MAX);
        if length <= self.kept.len() {
            return &self.kept[..length];
        }
        let whole = match self.kept.utf8_chunks().last() {
            // At the end of what was kept, an incomplete character is one that the cut made.
            Some(chunk) if is_incomplete(chunk.invalid()) => chunk.invalid().len(),
            Some(_) | None => 0,
        };
        &self.kept[..self.kept.len() - whole]
    }

    fn text(&self) -> String {
        String::from_utf8_lossy(self.content()).replace('\0', "\\0")
    }

    fn cut_note(&self) -> String {
        let (shown, all) = (length(self.content()), self.length());
        if shown == all {
            return String::new();
        }
        let more = if self.endless { "more than " } else { "" };
        format!("… (line cut: {} of its {more}{} bytes shown)", grouped(shown), grouped(all))
    }
}

/// Whether these bytes are the beginning of a character and nothing else.
fn is_incomplete(bytes: &[u8]) -> bool {
    std::str::from_utf8(bytes).is_err_and(|error| error.error_len().is_none())
}

/// Passes over lines; gives how many there were, at most `lines`.
fn skip_lines(reader: &mut impl BufRead, lines: u64) -> io::Result<u64> {
    let (mut skipped, mut within) = (0, false);
    while skipped < lines {
        let buffer = fill(reader)?;
        if buffer.is_empty() {
            return Ok(skipped + u64::from(within));
        }
        let end = buffer.iter().position(|&byte| byte == b'\n');
        let taken = end.map_or(buffer.len(), |end| end + 1);
        within = end.is_none();
        skipped += u64::from(!within);
        reader.consume(taken);
    }
    Ok(lines)
}

/// Counts the lines that follow, as far as [`COUNTED_BYTES`] go, and adds those `before`.
fn count_rest(reader: &mut impl BufRead, before: u64) -> io::Result<Count> {
    let (mut lines, mut read, mut last) = (before, 0, b'\n');
    loop {
        let buffer = fill(reader)?;
        let Some(&end) = buffer.last() else {
            return Ok(Count::Exactly(lines + u64::from(last != b'\n')));
        };
        if read >= COUNTED_BYTES {
            return Ok(Count::MoreThan(lines));
        }
        lines += buffer.iter().map(|&byte| u64::from(byte == b'\n')).sum::<u64>();
        (read, last) = (read + length(buffer), end);
        let taken = buffer.len();
        reader.consume(taken);
    }
}

fn fill(reader: &mut impl BufRead) -> io::Result<&[u8]> {
    loop {
        match reader.fill_buf() {
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Ok(_) => return reader.fill_buf(),
            Err(error) => return Err(error),
        }
    }
}

fn length(items: &[u8]) -> u64 {
    u64::try_from(items.len()).unwrap_or(u64::MAX)
}
