//! The names of things: sessions, agents, steps, calls, entries, jobs.
//!
//! Every id is a small value that prints and parses in exactly one form. Wire ids, which providers
//! invent, are not here: they are plain text on the [`Call`](crate::Call).

use std::fmt;
use std::num::NonZeroU16;
use std::str::FromStr;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

/// A text that is no id of the kind asked for.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not a {kind} id: {text:?} (expected {form})")]
pub struct IdError {
    kind: &'static str,
    form: &'static str,
    text: String,
}

impl IdError {
    pub(crate) fn new(kind: &'static str, form: &'static str, text: &str) -> Self {
        Self { kind, form, text: text.chars().take(80).collect() }
    }
}

/// One tool call: `c1`, `c2`, … from the session's counter; an envelope's entries are `c7-1`, `c7-2`, ….
///
/// Order is the order of arrival.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct CallId {
    number: u32,
    entry: Option<NonZeroU16>,
}

impl CallId {
    /// The call with this number of the session's counter.
    #[must_use]
    pub const fn new(number: u32) -> Self {
        Self { number, entry: None }
    }

    /// The `k`-th entry of this envelope, counted from 1; `None` when `k` is 0 or this is itself an entry.
    #[must_use]
    pub fn envelope_entry(self, k: u16) -> Option<Self> {
        let entry = NonZeroU16::new(k)?;
        self.entry.is_none().then_some(Self { number: self.number, entry: Some(entry) })
    }

    /// The number in the session's counter; entries share their envelope's.
    #[must_use]
    pub const fn number(self) -> u32 {
        self.number
    }
}

impl fmt::Display for CallId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.entry {
            None => write!(f, "c{}", self.number),
            Some(k) => write!(f, "c{}-{k}", self.number),
        }
    }
}

impl fmt::Debug for CallId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for CallId {
    type Err = IdError;

    fn from_str(text: &str) -> Result<Self, IdError> {
        let error = || IdError::new("call", "c7 or c7-1", text);
        let rest = text.strip_prefix('c').ok_or_else(error)?;
        let (number, entry) = match rest.split_once('-') {
            None => (rest, None),
            Some((number, entry)) => (number, Some(entry)),
        };
        let number = digits(number).ok_or_else(error)?;
        let id = Self::new(number);
        match entry {
            None => Ok(id),
            Some(k) => {
                let k = digits(k).and_then(|k| u16::try_from(k).ok()).ok_or_else(error)?;
                id.envelope_entry(k).ok_or_else(error)
            }
        }
    }
}

/// A decimal number in its one canonical spelling: no sign, no leading zero.
fn digits(text: &str) -> Option<u32> {
    let canonical = text == "0" || !text.starts_with('0');
    let all_digits = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    if canonical && all_digits { text.parse().ok() } else { None }
}

/// Serialized an id is its text.
macro_rules! as_text {
    ($name:ident) => {
        impl From<$name> for String {
            fn from(id: $name) -> Self {
                id.to_string()
            }
        }

        impl TryFrom<String> for $name {
            type Error = IdError;

            fn try_from(text: String) -> Result<Self, IdError> {
                text.parse()
            }
        }
    };
}

as_text!(CallId);
as_text!(SessionId);

macro_rules! numbered {
    ($name:ident, $prefix:literal, $kind:literal, $form:literal, $width:literal, $doc:literal) => {
        #[doc = $doc]
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(into = "String", try_from = "String")]
        pub struct $name(pub u32);

        as_text!($name);

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!($prefix, "{:0", $width, "}"), self.0)
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(self, f)
            }
        }

        impl FromStr for $name {
            type Err = IdError;

            fn from_str(text: &str) -> Result<Self, IdError> {
                let number = text.strip_prefix($prefix).unwrap_or_default();
                let id = number.trim_start_matches('0').parse().or_else(|_| number.parse());
                match id.map(Self) {
                    Ok(id) if id.to_string() == text => Ok(id),
                    _ => Err(IdError::new($kind, $form, text)),
                }
            }
        }
    };
}

numbered!(AgentId, "a", "agent", "a0", "1", "One agent of a session: `a0` is the root.");
numbered!(
    StepId,
    "",
    "step",
    "001",
    "3",
    "One model reply with its calls: `001`, `002`, … per agent."
);
numbered!(
    MessageId,
    "m",
    "message",
    "m1",
    "1",
    "One message that was given to an agent, before and after it became an entry."
);
numbered!(
    EntryId,
    "e",
    "entry",
    "e1",
    "1",
    "One entry of a conversation; with its parent it makes fork and rewind a new leaf."
);

/// A session: `20261130-171859-k3f9`. Sorts by time; the tail keeps two of one second apart.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct SessionId(Arc<str>);

impl SessionId {
    /// The id of a session begun at `unix_s` (seconds since 1970, UTC), told apart by `seed`.
    #[must_use]
    pub fn at(unix_s: u64, seed: u64) -> Self {
        let (year, month, day) = civil(unix_s / 86_400);
        let second = unix_s % 86_400;
        let (h, m, s) = (second / 3600, second / 60 % 60, second % 60);
        let tail = base36(seed);
        Self(format!("{year:04}{month:02}{day:02}-{h:02}{m:02}{s:02}-{tail}").into())
    }

    /// The id as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for SessionId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl FromStr for SessionId {
    type Err = IdError;

    fn from_str(text: &str) -> Result<Self, IdError> {
        let mut parts = text.split('-');
        let fits = |part: Option<&str>, length, digit: fn(&u8) -> bool| {
            part.is_some_and(|part| part.len() == length && part.as_bytes().iter().all(digit))
        };
        let tail = |b: &u8| b.is_ascii_digit() || b.is_ascii_lowercase();
        let whole = fits(parts.next(), 8, u8::is_ascii_digit)
            && fits(parts.next(), 6, u8::is_ascii_digit)
            && fits(parts.next(), 4, tail)
            && parts.next().is_none();
        let error = || IdError::new("session", "20261130-171859-k3f9", text);
        if whole { Ok(Self(text.into())) } else { Err(error()) }
    }
}

/// Year, month and day of a day number since 1970-01-01 (the usual 400-year cycle arithmetic).
fn civil(days: u64) -> (u64, u64, u64) {
    let z = days + 719_468;
    let day_of_era = z % 146_097;
    let year_of_era =
        (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * day_of_year + 2) / 153;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    let year = year_of_era + z / 146_097 * 400 + u64::from(month <= 2);
    (year, month, day_of_year - (153 * shifted + 2) / 5 + 1)
}

fn base36(seed: u64) -> String {
    let digit = |n: u64| char::from_digit(u32::try_from(n % 36).unwrap_or(0), 36).unwrap_or('0');
    (0..4).rev().map(|place| digit(seed / 36u64.pow(place))).collect()
}

/// A background job: up to 12 alphanumerics of the tool's name, `-`, 8 hexadecimal digits.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct JobId(Box<str>);

impl JobId {
    /// The id of a job of `tool`; `tag` comes from the session's journaled seed.
    #[must_use]
    pub fn new(tool: &str, tag: u32) -> Self {
        let name: String = tool.chars().filter(char::is_ascii_alphanumeric).take(12).collect();
        let name = if name.is_empty() { "job" } else { &name };
        Self(format!("{name}-{tag:08x}").into())
    }

    /// The id as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for JobId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl FromStr for JobId {
    type Err = IdError;

    fn from_str(text: &str) -> Result<Self, IdError> {
        let error = || IdError::new("job", "Shell-0a1b2c3d", text);
        let (name, tag) = text.split_once('-').ok_or_else(error)?;
        let tag_fits =
            tag.len() == 8 && tag.bytes().all(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(&b));
        let name_fits =
            (1..=12).contains(&name.len()) && name.bytes().all(|b| b.is_ascii_alphanumeric());
        if tag_fits && name_fits { Ok(Self(text.into())) } else { Err(error()) }
    }
}

/// A call named from outside its session: `SESSION:CALL`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct CallHandle {
    /// The session.
    pub session: SessionId,
    /// The call in it.
    pub call: CallId,
}

impl fmt::Display for CallHandle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.session, self.call)
    }
}

impl FromStr for CallHandle {
    type Err = IdError;

    fn from_str(text: &str) -> Result<Self, IdError> {
        let (session, call) =
            text.split_once(':').ok_or_else(|| IdError::new("call", "SESSION:c7", text))?;
        Ok(Self { session: session.parse()?, call: call.parse()? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_print_and_parse_in_one_form() {
        for text in ["c1", "c42", "c7-1", "c7-65535"] {
            assert_eq!(text.parse::<CallId>().unwrap().to_string(), text);
        }
        for text in ["", "c", "c01", "c-1", "c7-0", "c7-", "c7-01", "c+1", "c7-1-1", "../c1"] {
            assert!(text.parse::<CallId>().is_err(), "{text}");
        }
        assert_eq!("a0".parse(), Ok(AgentId(0)));
        assert_eq!("007".parse(), Ok(StepId(7)));
        assert_eq!("1000".parse(), Ok(StepId(1000)));
        assert_eq!("e12".parse(), Ok(EntryId(12)));
        for text in ["a00", "a", "0", "e", "7", "a-1"] {
            assert!(text.parse::<AgentId>().is_err(), "{text}");
            assert!(text.parse::<StepId>().is_err(), "{text}");
        }
    }

    #[test]
    fn session_ids_tell_the_time() {
        let id = SessionId::at(1_796_059_139, 948_321);
        assert_eq!(id.as_str(), "20261130-171859-kbq9");
        assert_eq!(id.as_str().parse(), Ok(id));
        assert_eq!(SessionId::at(951_782_400, 0).as_str(), "20000229-000000-0000");
        assert!("20261130-171859-K3F9".parse::<SessionId>().is_err());
        assert!("20261130-171859-k3f9-x".parse::<SessionId>().is_err());
        assert!("../etc".parse::<SessionId>().is_err());
    }

    #[test]
    fn job_ids_keep_a_clean_name() {
        let id = JobId::new("mcp__Some/very.long_Tool", 0xab);
        assert_eq!(id.as_str(), "mcpSomeveryl-000000ab");
        assert_eq!(id.as_str().parse(), Ok(id));
        assert_eq!(JobId::new("../..", 1).as_str(), "job-00000001");
        let handle = "20261130-171859-k3f9:c7-1".parse::<CallHandle>().unwrap();
        assert_eq!(handle.to_string(), "20261130-171859-k3f9:c7-1");
    }
}
