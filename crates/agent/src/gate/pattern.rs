//! What a rule's pattern matches: the words of a shell command, or the path of a claim.
//!
//! A pattern is read both ways, for only the call tells which it needs. What cannot be read the way
//! it is needed matches no allow and every ask and deny.

mod paths;
mod words;

use std::fmt;
use std::str::FromStr;

use fanfold_schedule::{Footprint, Resource};
use fanfold_transcript::{Command, Line, Subject, Word};

use paths::Paths;
use words::Words;

pub use paths::Folders;
pub(super) use words::quoted;

/// The text in the parentheses of a rule.
#[derive(Clone, Debug)]
pub(super) struct Pattern {
    text: Box<str>,
    words: Option<Words>,
    paths: Option<Paths>,
}

/// A text that is no pattern, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct BadPattern(pub(super) &'static str);

/// One thing that a call would do, for a pattern to match.
#[derive(Clone, Copy, Debug)]
pub(super) enum Thing<'a> {
    /// It runs these words.
    Words(&'a [Word]),
    /// It does something that no pattern can allow.
    Change,
    /// It touches this path.
    Path(&'a str),
}

/// All that a call would do; `None` where nobody can tell.
pub(super) fn things<'a>(subject: &'a Subject, footprint: &'a Footprint) -> Option<Vec<Thing<'a>>> {
    let things: Vec<Thing<'_>> = match subject {
        Subject::Line(Line::Unparsable) => return None,
        Subject::Line(Line::Commands(commands)) => commands
            .iter()
            .map(|command| match command {
                Command::Run(words) => Thing::Words(words),
                Command::Change(_) => Thing::Change,
            })
            .collect(),
        Subject::Opaque => footprint
            .claims
            .iter()
            .filter_map(|claim| match &claim.resource {
                Resource::Path(path) => Some(Thing::Path(path)),
                Resource::Named(_) => None,
            })
            .collect(),
    };
    (!things.is_empty()).then_some(things)
}

impl FromStr for Pattern {
    type Err = BadPattern;

    fn from_str(text: &str) -> Result<Self, BadPattern> {
        if text.trim().is_empty() {
            return Err(BadPattern(
                "the pattern is empty; leave out the parentheses for all calls",
            ));
        }
        let (words, paths) = (Words::parse(text).ok(), Paths::parse(text).ok());
        if words.is_none() && paths.is_none() {
            return Err(BadPattern("the pattern is neither words with closed quotes nor a path"));
        }
        Ok(Self { text: text.into(), words, paths })
    }
}

impl PartialEq for Pattern {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

impl Eq for Pattern {}

impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl Pattern {
    /// Whether it matches for certain: what an allow needs.
    pub(super) fn covers(&self, thing: Thing<'_>, folders: &Folders) -> bool {
        match thing {
            Thing::Words(words) => self.words.as_ref().is_some_and(|own| own.cover(words)),
            Thing::Change => false,
            Thing::Path(path) => self.paths.as_ref().is_some_and(|own| own.cover(path, folders)),
        }
    }

    /// Whether it may match: enough for an ask or a deny.
    pub(super) fn may_cover(&self, thing: Thing<'_>, folders: &Folders) -> bool {
        match thing {
            Thing::Words(words) => self.words.as_ref().is_none_or(|own| own.may_cover(words)),
            Thing::Change => false,
            Thing::Path(path) => self.paths.as_ref().is_none_or(|own| own.may_cover(path, folders)),
        }
    }
}
