//! The mark by which the processes of a call are known, also after a crash.
//!
//! Not here: looking for marked processes (`scope.rs`).

use std::fmt;

use fanfold_transcript::CallHandle;

/// `SESSION:CALL`, carried by every process of a call in the variable [`Mark::VARIABLE`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mark(Box<str>);

impl Mark {
    /// The name of the environment variable.
    pub const VARIABLE: &'static str = "FANFOLD_CALL";

    /// The mark of this call.
    #[must_use]
    pub fn new(call: &CallHandle) -> Self {
        Self(call.to_string().into())
    }

    /// The mark as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Mark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl From<Mark> for Box<str> {
    fn from(mark: Mark) -> Self {
        mark.0
    }
}
