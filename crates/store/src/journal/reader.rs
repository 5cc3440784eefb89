//! A journal, read: every line that can be kept, and what is wrong with the others.
//!
//! No bytes make it panic, and it takes linear time. Not here: the conversation (`fold.rs`).

use std::io;
use std::path::{Path, PathBuf};

use fanfold_transcript::Fact;
use serde_json::value::RawValue;

use super::line::{self, Line, LineBody, Unreadable};
use super::problem::{Damage, Problem};
use super::writer::Position;
use crate::files;

/// What a journal holds.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Journaled {
    /// The lines that can be read, in the order of the file.
    pub lines: Vec<Line>,
    /// What is wrong with the others.
    pub problems: Vec<Problem>,
    /// The bytes of a last line that was not written to its end: nobody was told that it is there.
    pub torn: Option<u64>,
    /// The bytes before a torn line: all of them when there is none.
    pub good_bytes: u64,
    last_seq: u64,
}

/// A journal that cannot be read at all.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// It comes from a newer Fanfold.
    #[error(
        "line {line} is of journal version {version}, and this Fanfold reads up to 1; use a newer one"
    )]
    NewerVersion {
        /// Its version.
        version: u64,
        /// The first line of that version, from 1.
        line: u64,
    },
    /// The system says no.
    #[error("cannot read the journal {path}: {source}")]
    Io {
        /// The file.
        path: PathBuf,
        /// What it says.
        source: io::Error,
    },
}

impl Journaled {
    /// Reads a journal. It needs no lock: lines are only ever added, and half a one is left out.
    ///
    /// # Errors
    /// When the file cannot be read, is a link, or holds a line of a newer version.
    pub fn read(path: &Path) -> Result<Self, ReadError> {
        let bytes = files::read(path);
        let bytes = bytes.map_err(|source| ReadError::Io { path: path.to_owned(), source })?;
        Self::parse(&bytes)
    }

    /// Reads the bytes of a journal.
    ///
    /// # Errors
    /// When a line is of a newer version.
    pub fn parse(bytes: &[u8]) -> Result<Self, ReadError> {
        let mut journaled = Self { good_bytes: length(bytes), ..Self::default() };
        let mut rest = bytes.split_inclusive(|&byte| byte == b'\n').peekable();
        let mut number = 0;
        while let Some(text) = rest.next() {
            number += 1;
            if rest.peek().is_none() && is_torn(text) {
                journaled.torn = Some(length(text));
                journaled.good_bytes -= length(text);
            } else {
                journaled.take_line(text, number)?;
            }
        }
        journaled.look_at_the_beginning();
        Ok(journaled)
    }

    /// Where the next line belongs. A torn one is cut off there.
    #[must_use]
    pub const fn end(&self) -> Position {
        Position { seq: self.last_seq, bytes: self.good_bytes }
    }

    fn take_line(&mut self, text: &[u8], number: u64) -> Result<(), ReadError> {
        let read = match std::str::from_utf8(text) {
            Ok(text) => line::read(text, number).or_else(|why| self.take_glued(text, number, why)),
            Err(error) => Err(Unreadable::Damaged(error.to_string())),
        };
        match read {
            Ok(line) => self.keep(line),
            Err(Unreadable::Newer(version)) => {
                return Err(ReadError::NewerVersion { version, line: number });
            }
            Err(Unreadable::Damaged(why)) => {
                // It had a number of its own; the next line must not seem to follow the last one.
                self.last_seq += 1;
                self.problem(number, Damage::Unreadable(why));
            }
        }
        Ok(())
    }

    /// Looks for complete records in a row on a line that is not one. All but the last are kept at once.
    fn take_glued(&mut self, text: &str, number: u64, why: Unreadable) -> Result<Line, Unreadable> {
        let records = serde_json::Deserializer::from_str(text).into_iter::<&RawValue>();
        let records: Vec<&RawValue> = records.map_while(Result::ok).collect();
        let is_one = records.first().is_none_or(|first| first.get().len() == text.trim().len());
        if is_one {
            return Err(why);
        }
        let mut lines = Vec::new();
        for record in records {
            match line::read(record.get(), number) {
                Ok(line) => lines.push(line),
                Err(Unreadable::Newer(version)) => return Err(Unreadable::Newer(version)),
                Err(Unreadable::Damaged(_)) => {}
            }
        }
        let last = lines.pop().ok_or(why)?;
        self.problem(number, Damage::Glued { kept: lines.len() + 1 });
        lines.into_iter().for_each(|line| self.keep(line));
        Ok(last)
    }

    fn keep(&mut self, line: Line) {
        if line.seq <= self.last_seq {
            let what = Damage::OutOfOrder { seq: line.seq, after: self.last_seq };
            self.problem(line.number, what);
        }
        self.last_seq = self.last_seq.max(line.seq);
        self.lines.push(line);
    }

    fn look_at_the_beginning(&mut self) {
        let begins = |line: &Line| matches!(&line.body, LineBody::Fact(Fact::Session(_)));
        let what = match self.lines.first() {
            Some(first) if first.number == 1 && begins(first) => return,
            None if self.good_bytes == 0 => Damage::Empty,
            Some(_) | None => Damage::NoSession,
        };
        self.problems.insert(0, Problem { line: 1, what });
    }

    fn problem(&mut self, line: u64, what: Damage) {
        self.problems.push(Problem { line, what });
    }
}

/// Whether the last line of a file was not written to its end. A line break alone proves nothing: a
/// system that loses power may have written the end of a group and not what is before it.
fn is_torn(text: &[u8]) -> bool {
    let first = serde_json::Deserializer::from_slice(text).into_iter::<&RawValue>().next();
    let begins_well = matches!(first, Some(Ok(record)) if record.get().starts_with('{'));
    !text.ends_with(b"\n") || !begins_well
}

fn length(bytes: &[u8]) -> u64 {
    u64::try_from(bytes.len()).unwrap_or(u64::MAX)
}
