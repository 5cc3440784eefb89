//! Literals of Python and JavaScript, given as JSON.
//!
//! One reader knows both grammars where they agree: single quotes, triple quotes, raw line breaks
//! in strings, trailing commas, comments, bare keys, tuples, `True` and `None`. It reads the whole
//! text or nothing, each byte once. Asked for a guess, it also closes what the text leaves open and
//! puts quotes around bare words; nothing else is ever repaired. Not here: whether a guess may be
//! used.

mod calls;
mod string;
mod word;

use serde_json::value::RawValue;

use crate::raw::DEPTH_MAX;

pub(crate) use calls::calls;

/// Reads a text that is one literal.
///
/// # Errors
/// What is wrong where.
pub(crate) fn literal(text: &str) -> Result<Box<RawValue>, String> {
    whole(text, Mode::Exact, Reader::value)
}

/// Guesses at an object with missing quotes or closers; `None` where that would not be enough.
pub(crate) fn guess(text: &str) -> Option<Box<RawValue>> {
    if !text.starts_with('{') {
        return None;
    }
    whole(text, Mode::Guess, Reader::value).ok()
}

/// Reads all of the text with one rule.
fn whole<'a>(text: &'a str, mode: Mode, rule: Rule<'a>) -> Result<Box<RawValue>, String> {
    let mut reader = Reader { text, at: 0, json: String::new(), depth: 0, mode };
    let read = reader.blank().and_then(|()| rule(&mut reader)).and_then(|()| reader.end());
    read.map_err(|problem| problem.at_place(text))?;
    RawValue::from_string(reader.json).map_err(|error| error.to_string())
}

/// What may be assumed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    /// Nothing.
    Exact,
    /// That closers and quotes are missing.
    Guess,
}

/// A text on its way to JSON.
#[derive(Debug)]
struct Reader<'a> {
    text: &'a str,
    /// The byte that comes next.
    at: usize,
    json: String,
    depth: usize,
    mode: Mode,
}

type Rule<'a> = fn(&mut Reader<'a>) -> Result<(), Problem>;

/// What is wrong, and at which byte.
#[derive(Debug)]
struct Problem {
    what: String,
    at: usize,
}

impl Problem {
    fn at_place(&self, text: &str) -> String {
        let before = &text[..self.at];
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
        format!("{} at line {line} column {column}", self.what)
    }
}

impl<'a> Reader<'a> {
    fn value(&mut self) -> Result<(), Problem> {
        match self.peek() {
            Some('{') => self.nested('{', Self::object),
            Some('[') => self.nested('[', Self::list),
            Some('(') => self.nested('(', Self::tuple),
            Some('"' | '\'') => self.string(),
            Some(_) if self.is_raw_string() => self.raw_string(),
            Some(_) => self.word(),
            None => Err(self.expected("a value")),
        }
    }

    fn nested(&mut self, opener: char, rule: Rule<'a>) -> Result<(), Problem> {
        if self.depth == DEPTH_MAX {
            return Err(self.problem(format!("nested deeper than {DEPTH_MAX} levels")));
        }
        self.takes(opener);
        self.depth += 1;
        rule(self)?;
        self.depth -= 1;
        Ok(())
    }

    fn object(&mut self) -> Result<(), Problem> {
        self.json.push('{');
        self.elements('}', Self::member)?;
        self.json.push('}');
        Ok(())
    }

    fn member(&mut self) -> Result<(), Problem> {
        match self.peek() {
            Some('"' | '\'') => self.string()?,
            _ => self.bare_key()?,
        }
        self.joined_by(':')
    }

    /// The value of a key or a name, behind `sign`.
    fn joined_by(&mut self, sign: char) -> Result<(), Problem> {
        self.blank()?;
        if !self.takes(sign) {
            return Err(self.expected(&format!("`{sign}`")));
        }
        self.json.push(':');
        self.blank()?;
        self.value()
    }

    fn list(&mut self) -> Result<(), Problem> {
        self.json.push('[');
        self.elements(']', Self::value)?;
        self.json.push(']');
        Ok(())
    }

    /// In Python only the comma makes a tuple: `(1)` is a number.
    fn tuple(&mut self) -> Result<(), Problem> {
        self.json.push('[');
        let Elements { count, commas } = self.elements(')', Self::value)?;
        if count == 1 && commas == 0 {
            return Err(self.problem("a value in parentheses, which is no tuple".to_owned()));
        }
        self.json.push(']');
        Ok(())
    }

    /// Elements with commas between them, up to the closer, before which one more may stand.
    fn elements(&mut self, closer: char, element: Rule<'a>) -> Result<Elements, Problem> {
        let mut elements = Elements::default();
        loop {
            self.blank()?;
            if self.closes(closer) {
                return Ok(elements);
            }
            if elements.count > 0 {
                self.json.push(',');
            }
            element(self)?;
            elements.count += 1;
            self.blank()?;
            if self.closes(closer) {
                return Ok(elements);
            }
            if !self.takes(',') {
                return Err(self.expected(&format!("`,` or `{closer}`")));
            }
            elements.commas += 1;
        }
    }

    fn closes(&mut self, closer: char) -> bool {
        self.takes(closer) || self.mode == Mode::Guess && self.rest().is_empty()
    }

    /// Passes white space and comments.
    fn blank(&mut self) -> Result<(), Problem> {
        loop {
            let rest = self.rest();
            let after = rest.trim_start();
            let comment = if after.starts_with("//") || after.starts_with('#') {
                after.find('\n').unwrap_or(after.len())
            } else if after.starts_with("/*") {
                let end = after.find("*/").map(|end| end + 2);
                end.ok_or_else(|| self.problem("a comment that does not end".to_owned()))?
            } else {
                0
            };
            self.at += rest.len() - after.len() + comment;
            if comment == 0 {
                return Ok(());
            }
        }
    }

    fn end(&mut self) -> Result<(), Problem> {
        self.blank()?;
        if self.rest().is_empty() { Ok(()) } else { Err(self.expected("the end")) }
    }

    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn next(&mut self) -> Option<char> {
        let next = self.peek()?;
        self.at += next.len_utf8();
        Some(next)
    }

    fn takes(&mut self, wanted: char) -> bool {
        let found = self.peek() == Some(wanted);
        if found {
            self.at += wanted.len_utf8();
        }
        found
    }

    fn expected(&self, what: &str) -> Problem {
        let found = self.peek().map_or_else(|| "the end".to_owned(), |c| format!("{c:?}"));
        self.problem(format!("expected {what}, found {found}"))
    }

    const fn problem(&self, what: String) -> Problem {
        Problem { what, at: self.at }
    }
}

/// How many elements there were, and how many commas.
#[derive(Clone, Copy, Debug, Default)]
struct Elements {
    count: usize,
    commas: usize,
}

#[cfg(test)]
mod tests;
