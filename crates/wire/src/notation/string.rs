//! Strings: plain, triple and raw.
//!
//! Between double quotes the escapes of JSON count, and a backslash before anything else stays what
//! it is: models forget to double it. Between other quotes, which JSON does not know, those escapes
//! are read as well that mean the same in Python and JavaScript. One that does not is an error.

use super::{Mode, Problem, Reader};

/// What the quotes say about the escapes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Quotes {
    /// As in JSON.
    Double,
    /// As in JSON never: single or triple.
    Other,
}

impl Reader<'_> {
    pub(super) fn string(&mut self) -> Result<(), Problem> {
        let (end, quotes) = self.opening();
        self.json.push('"');
        while !self.ends(end) {
            match self.next() {
                Some('\\') => self.escape(quotes)?,
                Some(c) => self.push(c),
                None if self.mode == Mode::Guess => break,
                None => return Err(self.expected("the end of a string")),
            }
        }
        self.json.push('"');
        Ok(())
    }

    /// Whether Python's `r` stands before a string here.
    pub(super) fn is_raw_string(&self) -> bool {
        let after = self.rest().strip_prefix(['r', 'R']);
        after.is_some_and(|after| after.starts_with(['"', '\'']))
    }

    /// A string without escapes. A backslash still keeps the quote behind it from closing.
    pub(super) fn raw_string(&mut self) -> Result<(), Problem> {
        self.next();
        let (end, _) = self.opening();
        self.json.push('"');
        let mut escaped = false;
        while escaped || !self.ends(end) {
            let Some(c) = self.next() else { return Err(self.expected("the end of a string")) };
            self.push(c);
            escaped = c == '\\' && !escaped;
        }
        self.json.push('"');
        Ok(())
    }

    /// Passes the opening quotes; gives those that close.
    fn opening(&mut self) -> (&'static str, Quotes) {
        let rest = self.rest();
        let kinds = [
            ("\"\"\"", Quotes::Other),
            ("'''", Quotes::Other),
            ("'", Quotes::Other),
            ("\"", Quotes::Double),
        ];
        let found = kinds.into_iter().find(|(quotes, _)| rest.starts_with(quotes));
        let (end, quotes) = found.expect("a string begins with a quote");
        self.at += end.len();
        (end, quotes)
    }

    fn ends(&mut self, end: &str) -> bool {
        let ends = self.rest().starts_with(end);
        if ends {
            self.at += end.len();
        }
        ends
    }

    fn escape(&mut self, quotes: Quotes) -> Result<(), Problem> {
        let Some(escaped) = self.next() else {
            return Err(self.expected("a character after the backslash"));
        };
        match (escaped, quotes) {
            ('"' | '\\' | '/' | 'b' | 'f' | 'n' | 'r' | 't', _) => {
                self.json.extend(['\\', escaped]);
            }
            ('\'', _) => self.push('\''),
            // As it stands, so that a pair of surrogates stays a pair.
            ('u', _) => {
                let digits = self.digits(4)?.0;
                self.json.push_str("\\u");
                self.json.push_str(&digits);
            }
            ('\n', Quotes::Other) => {}
            ('v', Quotes::Other) => self.push('\u{b}'),
            ('x', Quotes::Other) => self.code(2)?,
            ('U', Quotes::Other) => self.code(8)?,
            ('0'..='9' | 'a' | 'N', Quotes::Other) | ('\n', Quotes::Double) => {
                return Err(self.problem(format!("an ambiguous escape {escaped:?}")));
            }
            (other, _) => {
                self.push('\\');
                self.push(other);
            }
        }
        Ok(())
    }

    /// The character whose number follows in this many hexadecimal digits.
    fn code(&mut self, count: usize) -> Result<(), Problem> {
        let (_, code) = self.digits(count)?;
        let c = char::from_u32(code).ok_or_else(|| self.expected("a character's number"))?;
        self.push(c);
        Ok(())
    }

    fn digits(&mut self, count: usize) -> Result<(String, u32), Problem> {
        let digits = self.rest().get(..count).unwrap_or_default().to_owned();
        let hexadecimal = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
        let code = u32::from_str_radix(&digits, 16).ok().filter(|_| hexadecimal);
        let code = code.ok_or_else(|| self.expected(&format!("{count} hexadecimal digits")))?;
        self.at += count;
        Ok((digits, code))
    }

    /// A character of a string, as JSON writes it.
    pub(super) fn push(&mut self, c: char) {
        match c {
            '"' | '\\' => self.json.extend(['\\', c]),
            '\n' => self.json.push_str("\\n"),
            '\r' => self.json.push_str("\\r"),
            '\t' => self.json.push_str("\\t"),
            '\0'..='\u{1f}' => {
                self.json.push_str("\\u00");
                let code = u32::from(c);
                let digits = [code >> 4, code & 15].map(|digit| char::from_digit(digit, 16));
                self.json.extend(digits.into_iter().flatten());
            }
            _ => self.json.push(c),
        }
    }
}
