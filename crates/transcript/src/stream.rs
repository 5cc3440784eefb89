//! The output streams of a call, and the handle under which what was recorded of one is read.
//!
//! Not here: where records are kept (`fanfold-store`) and who reads them.

use std::fmt;
use std::str::FromStr;

use crate::ids::{CallId, IdError};

/// Which output of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Stream {
    /// Standard output, or the only output of a tool that is no process.
    Stdout,
    /// Standard error.
    Stderr,
}

impl Stream {
    /// Both, in the order in which they are shown.
    pub const ALL: [Self; 2] = [Self::Stdout, Self::Stderr];

    /// The word used in texts, and the name of its file in a record.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Stdout => "stdout",
            Self::Stderr => "stderr",
        }
    }
}

impl fmt::Display for Stream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// One recorded stream: `record:c7/stdout`. ReadFile takes it in place of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RecordHandle {
    /// The call.
    pub call: CallId,
    /// Which of its streams.
    pub stream: Stream,
}

impl RecordHandle {
    /// What every handle begins with.
    pub const PREFIX: &'static str = "record:";
}

impl fmt::Display for RecordHandle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}/{}", Self::PREFIX, self.call, self.stream)
    }
}

impl FromStr for RecordHandle {
    type Err = IdError;

    fn from_str(text: &str) -> Result<Self, IdError> {
        let error = || IdError::new("record", "record:c7/stdout or record:c7/stderr", text);
        let parts = text.strip_prefix(Self::PREFIX).and_then(|rest| rest.split_once('/'));
        let (call, stream) = parts.ok_or_else(error)?;
        let call = call.parse().map_err(|_| error())?;
        let known = Stream::ALL.into_iter().find(|known| known.as_str() == stream);
        Ok(Self { call, stream: known.ok_or_else(error)? })
    }
}

/// A handle as a result names it, where it leaves something out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Recorded {
    /// What to read it by.
    pub handle: RecordHandle,
    /// Whether the record holds every byte.
    pub is_whole: bool,
}

impl fmt::Display for Recorded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { handle, is_whole } = self;
        write!(f, "{handle}{}", if *is_whole { "" } else { " (not whole)" })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_handle_has_one_form() {
        for text in ["record:c7/stdout", "record:c7-2/stderr"] {
            assert_eq!(text.parse::<RecordHandle>().unwrap().to_string(), text);
        }
        let wrong = [
            "",
            "record:",
            "record:c1",
            "record:c1/",
            "record:c1/stdin",
            "record:c1/stdout/",
            "record:../c1/stdout",
            "record:c01/stdout",
            "record:/stdout",
            "Record:c1/stdout",
            "c1/stdout",
        ];
        for text in wrong {
            assert!(text.parse::<RecordHandle>().is_err(), "{text}");
        }
    }

    #[test]
    fn a_record_with_a_gap_says_so() {
        let handle = "record:c1/stdout".parse().unwrap();
        let named = |is_whole| Recorded { handle, is_whole }.to_string();
        assert_eq!(named(true), "record:c1/stdout");
        assert_eq!(named(false), "record:c1/stdout (not whole)");
    }
}
