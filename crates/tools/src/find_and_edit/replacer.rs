//! A pattern and what takes the place of its matches.
//!
//! Not here: files (`find_and_edit.rs`).

use std::borrow::Cow;
use std::ops::Range;

use regex::bytes::{Regex, RegexBuilder};

use crate::edit_file::splice::{Edited, Spliced};
use crate::place::FileError;
use crate::quote::shortened;

/// Bytes that a compiled expression may take.
const REGEX_BYTES: usize = 10 * 1024 * 1024;

/// Replaces every match in a content.
#[derive(Debug)]
pub(super) struct Replacer {
    regex: Regex,
    replacement: Replacement,
    span: Span,
    /// Whether the pattern names carriage returns, so that none may be left out.
    names_cr: bool,
}

/// Why there can be no such replacer. The text is for the model.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Unfit {
    /// The arguments do not fit together.
    Arguments(String),
    /// The pattern is no regular expression.
    Pattern(String),
}

#[derive(Debug)]
enum Replacement {
    Text(Vec<u8>),
    /// With references to groups.
    Template(Vec<u8>),
}

/// How far a match may reach.
#[derive(Clone, Copy, Debug)]
enum Span {
    Line,
    File,
}

impl Replacer {
    /// Replaces a text by another.
    ///
    /// # Errors
    /// When the text is empty or too long to look for.
    pub(super) fn literal(pattern: &str, replacement: &str) -> Result<Self, Unfit> {
        let replacement = Replacement::Text(replacement.into());
        Self::new(pattern, &regex::escape(pattern), replacement)
    }

    /// Replaces the matches of a regular expression by a template.
    ///
    /// # Errors
    /// When the pattern cannot be read, or the template names a group that it does not have: it
    /// would silently be replaced by nothing.
    pub(super) fn regex(pattern: &str, template: &str) -> Result<Self, Unfit> {
        let replacer = Self::new(pattern, pattern, Replacement::Template(template.into()))?;
        let missing = references(template).find(|name| !has_group(&replacer.regex, name));
        match missing {
            Some(name) => Err(Unfit::Arguments(format!(
                "`replacement`: the pattern has no group {:?}; write ${{1}} to end a name, $$ for a \
                 dollar sign, or set `literal`",
                shortened(name)
            ))),
            None => Ok(replacer),
        }
    }

    fn new(pattern: &str, expression: &str, replacement: Replacement) -> Result<Self, Unfit> {
        if pattern.is_empty() {
            return Err(Unfit::Arguments("`pattern` is empty".to_owned()));
        }
        let mut builder = RegexBuilder::new(expression);
        builder.multi_line(true).size_limit(REGEX_BYTES).dfa_size_limit(REGEX_BYTES);
        let regex = builder.build().map_err(|error| {
            Unfit::Pattern(format!("bad pattern: {}", shortened(&error.to_string())))
        })?;
        let names = |escape: &str, character: char| {
            let escaped = matches!(replacement, Replacement::Template(_));
            pattern.contains(character) || escaped && pattern.contains(escape)
        };
        let span = if names(r"\n", '\n') { Span::File } else { Span::Line };
        Ok(Self { names_cr: names(r"\r", '\r'), regex, replacement, span })
    }

    /// The content with every match replaced.
    ///
    /// # Errors
    /// When it would become too large.
    pub(super) fn edited(&self, content: &[u8]) -> Result<Edited, FileError> {
        let spliced =
            if self.names_cr { Spliced::verbatim(content) } else { Spliced::by_lines(content) };
        let seen = spliced.seen();
        match self.span {
            Span::File => spliced.edited(self.parts(0, seen)),
            Span::Line => {
                let lines = seen.split_inclusive(|&byte| byte == b'\n').scan(0, |at, line| {
                    let start = *at;
                    *at += line.len();
                    Some((start, line.strip_suffix(b"\n").unwrap_or(line)))
                });
                let matching = lines.filter(|(_, line)| self.regex.is_match(line));
                spliced.edited(matching.flat_map(|(start, line)| self.parts(start, line)))
            }
        }
    }

    /// The matches in a text that begins at `start`, and what takes their places.
    fn parts<'a>(
        &'a self,
        start: usize,
        text: &'a [u8],
    ) -> impl Iterator<Item = (Range<usize>, Cow<'a, [u8]>)> {
        self.regex.captures_iter(text).map(move |captures| {
            let whole = captures.get_match();
            let replacement = match &self.replacement {
                Replacement::Text(text) => Cow::Borrowed(text.as_slice()),
                Replacement::Template(template) => {
                    let mut expanded = Vec::new();
                    captures.expand(template, &mut expanded);
                    Cow::Owned(expanded)
                }
            };
            (start + whole.start()..start + whole.end(), replacement)
        })
    }
}

/// The names of groups in a template, read as the regex crate reads them.
fn references(template: &str) -> impl Iterator<Item = &str> {
    let mut rest = template;
    std::iter::from_fn(move || {
        loop {
            let (_, behind) = rest.split_once('$')?;
            if let Some(escaped) = behind.strip_prefix('$') {
                rest = escaped;
                continue;
            }
            let braced = behind.strip_prefix('{').and_then(|inside| inside.split_once('}'));
            if let Some((name, after)) = braced {
                rest = after;
                return Some(name);
            }
            let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
            let end = behind.find(|c| !is_name(c)).unwrap_or(behind.len());
            let (name, after) = behind.split_at(end);
            rest = after;
            // A dollar sign before anything else stands for itself.
            if !name.is_empty() {
                return Some(name);
            }
        }
    })
}

fn has_group(regex: &Regex, name: &str) -> bool {
    match name.parse::<usize>() {
        Ok(number) => number < regex.captures_len(),
        Err(_) => regex.capture_names().flatten().any(|known| known == name),
    }
}
