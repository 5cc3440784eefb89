//! What the searcher finds in one file, as rows.
//!
//! Not here: which files are searched (`grep.rs`).

use std::io;

use grep_matcher::Matcher as _;
use grep_regex::RegexMatcher;
use grep_searcher::{Searcher, Sink, SinkContext, SinkMatch};

use super::excerpt::excerpt;
use super::{COUNTED_ROWS, OutputMode};
use crate::place::{Rows, grouped};

/// The matches of one file.
pub(super) struct Matches<'a> {
    path: String,
    mode: OutputMode,
    matcher: &'a RegexMatcher,
    rows: &'a mut Rows,
    /// Lines that match.
    lines: u64,
    /// Whether the next row does not follow the one before.
    gap: bool,
}

impl<'a> Matches<'a> {
    /// No matches yet.
    pub(super) const fn new(
        path: String,
        mode: OutputMode,
        matcher: &'a RegexMatcher,
        rows: &'a mut Rows,
    ) -> Self {
        Self { path, mode, matcher, rows, lines: 0, gap: false }
    }

    /// Adds the row of the whole file, where the mode has one.
    pub(super) fn finish(self) {
        if self.lines == 0 {
            return;
        }
        match self.mode {
            OutputMode::Content => {}
            OutputMode::Files => self.rows.push(&self.path),
            OutputMode::Count => {
                self.rows.push(&format!("{}:{}", self.path, grouped(self.lines)));
            }
        }
    }

    fn row(&mut self, sign: char, number: Option<u64>, line: &[u8], at: usize) {
        if self.rows.is_full() {
            self.rows.leave_out(1);
            return;
        }
        let gap = if self.gap && !self.rows.is_empty() { "--\n" } else { "" };
        let (path, number, text) = (&self.path, number.unwrap_or_default(), excerpt(line, at));
        self.rows.push(&format!("{gap}{path}{sign}{number}{sign}{text}"));
        self.gap = false;
    }

    fn wants_more(&self) -> bool {
        self.rows.left_out() < COUNTED_ROWS
    }
}

impl Sink for Matches<'_> {
    type Error = io::Error;

    fn begin(&mut self, searcher: &Searcher) -> io::Result<bool> {
        self.gap = searcher.before_context() > 0;
        Ok(true)
    }

    fn matched(&mut self, _: &Searcher, found: &SinkMatch<'_>) -> io::Result<bool> {
        let first = self.matcher.find(found.bytes())?.map_or(0, |at| at.start());
        let (mut passed, mut number) = (0, found.line_number());
        for line in found.lines() {
            self.lines += 1;
            if self.mode == OutputMode::Content {
                let at = first.checked_sub(passed).filter(|&at| at < line.len()).unwrap_or(0);
                self.row(':', number, line, at);
            }
            passed += line.len();
            number = number.map(|number| number + 1);
        }
        Ok(self.mode != OutputMode::Files && self.wants_more())
    }

    fn context(&mut self, _: &Searcher, context: &SinkContext<'_>) -> io::Result<bool> {
        self.row('-', context.line_number(), context.bytes(), 0);
        Ok(self.wants_more())
    }

    fn context_break(&mut self, _: &Searcher) -> io::Result<bool> {
        self.gap = true;
        Ok(true)
    }
}
