//! What stands without quotes: constants, numbers, keys; and, in a guess, words.

use std::borrow::Cow;

use serde_json::value::RawValue;

use super::{Mode, Problem, Reader};

impl Reader<'_> {
    pub(super) fn word(&mut self) -> Result<(), Problem> {
        let word = match self.mode {
            Mode::Exact => self.run(|c| !c.is_whitespace() && !is_special(c)).to_owned(),
            // Commas, closers and line breaks end a word; all else that is special spoils it.
            Mode::Guess => self.run(|c| !matches!(c, ',' | '}' | ']' | '\n')).trim().to_owned(),
        };
        let found = constant(&word).map(Cow::Borrowed).or_else(|| number(&word).map(Cow::Owned));
        let is_sound = !word.contains(|c| is_special(c) && c != ':') && !word.contains(": ");
        match found {
            Some(json) => self.json.push_str(&json),
            None if self.mode == Mode::Guess && is_sound && !word.is_empty() => self.quote(&word),
            None if word.is_empty() => return Err(self.expected("a value")),
            None => return Err(self.problem(format!("{word:?} is no value"))),
        }
        Ok(())
    }

    /// A key without quotes: in JavaScript a name.
    pub(super) fn bare_key(&mut self) -> Result<(), Problem> {
        let from = self.at;
        let key = match self.mode {
            Mode::Exact => self.run(is_of_name).to_owned(),
            Mode::Guess => self.run(|c| !c.is_whitespace() && !is_special(c)).to_owned(),
        };
        let is_name = !key.starts_with(|c: char| c.is_ascii_digit());
        if key.is_empty() || self.mode == Mode::Exact && !is_name {
            self.at = from;
            return Err(self.expected("a key"));
        }
        self.quote(&key);
        Ok(())
    }

    pub(super) fn quote(&mut self, text: &str) {
        self.json.push('"');
        text.chars().for_each(|c| self.push(c));
        self.json.push('"');
    }

    /// Takes what is made of such characters.
    pub(super) fn run(&mut self, belongs: fn(char) -> bool) -> &str {
        let from = self.at;
        let rest = self.rest();
        self.at += rest.find(|c| !belongs(c)).unwrap_or(rest.len());
        &self.text[from..self.at]
    }
}

const fn is_special(c: char) -> bool {
    matches!(
        c,
        ',' | ':' | ';' | '"' | '\'' | '`' | '\\' | '{' | '}' | '[' | ']' | '(' | ')' | '=' | '\0'
            ..='\u{1f}'
    )
}

fn is_of_name(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '$')
}

fn constant(word: &str) -> Option<&'static str> {
    Some(match word {
        "true" | "True" => "true",
        "false" | "False" => "false",
        "null" | "None" => "null",
        _ => return None,
    })
}

/// The number as JSON writes it. JSON has no leading `+`, no bare point, no other bases, and no `_`.
fn number(word: &str) -> Option<String> {
    if is_json(word) {
        return Some(word.to_owned());
    }
    let (sign, digits) = match word.strip_prefix('-') {
        Some(digits) => ("-", digits),
        None => ("", word.strip_prefix('+').unwrap_or(word)),
    };
    let digits = ungrouped(digits)?;
    for (prefix, radix) in [("0x", 16), ("0X", 16), ("0o", 8), ("0b", 2)] {
        if let Some(digits) = digits.strip_prefix(prefix) {
            let is_digit = |c: char| c.is_digit(radix);
            let whole =
                u64::from_str_radix(digits, radix).ok().filter(|_| digits.chars().all(is_digit));
            return whole.map(|whole| format!("{sign}{whole}"));
        }
    }
    let exponent = digits.find(['e', 'E']).unwrap_or(digits.len());
    let (mantissa, exponent) = digits.split_at(exponent);
    let mantissa = match mantissa.split_once('.') {
        None => mantissa.to_owned(),
        Some(("", "")) => return None,
        Some(("", fraction)) => format!("0.{fraction}"),
        Some((whole, "")) => format!("{whole}.0"),
        Some((whole, fraction)) => format!("{whole}.{fraction}"),
    };
    Some(format!("{sign}{mantissa}{exponent}")).filter(|number| is_json(number))
}

/// The digits without `_`, which may stand only between two of them.
fn ungrouped(digits: &str) -> Option<Cow<'_, str>> {
    if !digits.contains('_') {
        return Some(Cow::Borrowed(digits));
    }
    let is_group = |group: &str| group.starts_with(is_digit) && group.ends_with(is_digit);
    digits.split('_').all(is_group).then(|| Cow::Owned(digits.replace('_', "")))
}

const fn is_digit(c: char) -> bool {
    c.is_ascii_hexdigit()
}

fn is_json(number: &str) -> bool {
    number.starts_with(|c: char| c.is_ascii_digit() || c == '-')
        && serde_json::from_str::<&RawValue>(number).is_ok()
}
