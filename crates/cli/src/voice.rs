//! Where lines for the user go, and what a text of others may hold when it is shown.
//!
//! Not here: which lines there are.

use std::io::{self, IsTerminal as _, Write as _};

use indicatif::{MultiProgress, ProgressDrawTarget};

use crate::interactive::Above;

/// Says lines to the user, from anywhere.
#[derive(Clone, Debug)]
pub(crate) enum Voice {
    /// Nobody wants to hear them.
    Silent,
    /// To stderr.
    Plain,
    /// To stderr, above live rows.
    Rows(MultiProgress),
    /// Above the line that is being typed.
    Above(Above),
}

impl Voice {
    /// With live rows if stderr is a terminal.
    pub(crate) fn to_stderr() -> Self {
        if io::stderr().is_terminal() { Self::Rows(MultiProgress::new()) } else { Self::Plain }
    }

    /// Says these lines.
    pub(crate) fn say(&self, text: &str) {
        match self {
            Self::Silent => {}
            Self::Plain => say(text),
            Self::Rows(rows) => rows.suspend(|| say(text)),
            Self::Above(above) => above.say(text),
        }
    }

    /// Does this while no live row is in the way.
    pub(crate) fn aside<T>(&self, act: impl FnOnce() -> T) -> T {
        match self {
            Self::Rows(rows) => rows.suspend(act),
            Self::Silent | Self::Plain | Self::Above(_) => act(),
        }
    }

    /// Keeps the live rows still, so that somebody can type, until they are let go.
    pub(crate) fn stillness(&self) -> Stillness {
        Stillness(self.rows().cloned())
    }

    /// The live rows, where there are some.
    pub(crate) const fn rows(&self) -> Option<&MultiProgress> {
        match self {
            Self::Rows(rows) => Some(rows),
            Self::Silent | Self::Plain | Self::Above(_) => None,
        }
    }
}

/// Live rows that can be kept still, from anywhere.
#[derive(Clone, Debug)]
pub(crate) struct Stillness(Option<MultiProgress>);

impl Stillness {
    /// Nothing is redrawn from now on.
    pub(crate) fn begin(&self) {
        if let Some(live) = &self.0 {
            live.clear().ok();
            live.set_draw_target(ProgressDrawTarget::hidden());
        }
    }

    /// The rows are drawn again.
    pub(crate) fn end(&self) {
        if let Some(live) = &self.0 {
            live.set_draw_target(ProgressDrawTarget::stderr());
        }
    }
}

/// Lines to stderr. That stderr is closed is no reason to fail. What is quoted from others, such as a
/// settings file, cannot write to the terminal.
pub(crate) fn say(text: &str) {
    writeln!(io::stderr().lock(), "{}", clean_lines(text)).ok();
}

/// A text of others in one line, without control characters, at most `max` characters long.
pub(crate) fn clean(text: &str, max: usize) -> String {
    let mut cleaned: String = text.chars().take(max).map(harmless).collect();
    if text.chars().count() > max {
        cleaned.pop();
        cleaned.push('…');
    }
    cleaned
}

/// A text of others without control characters but the ends of its lines and tabs.
pub(crate) fn clean_lines(text: &str) -> String {
    let shown = |c: char| match c {
        '\n' | '\t' => Some(c),
        // It stands before the end of a line, or would write over the line.
        '\r' => None,
        _ => Some(harmless(c)),
    };
    text.chars().filter_map(shown).collect()
}

fn harmless(c: char) -> char {
    if c.is_control() || is_direction(c) { '\u{fffd}' } else { c }
}

/// Whether this character turns the direction of those after it, also of ours.
const fn is_direction(c: char) -> bool {
    matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_model_cannot_write_to_the_terminal() {
        assert_eq!(clean("a\x1b[2Jb\nc", 20), "a\u{fffd}[2Jb\u{fffd}c");
        assert_eq!(clean("a\u{202e}b\u{9b}c", 20), "a\u{fffd}b\u{fffd}c");
        assert_eq!(clean("abcdef", 4), "abc…");
        assert_eq!(clean("abcd", 4), "abcd");
        assert_eq!(clean_lines("a\r\n\tb\rc\x1b[1m\u{7}"), "a\n\tbc\u{fffd}[1m\u{fffd}");
    }
}
