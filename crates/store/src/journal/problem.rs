//! What can be wrong with a journal, and what was done about it.
//!
//! Not here: how it is found (`reader.rs`, `fold.rs`).

use fanfold_transcript::{CallId, FactError};

/// Something wrong with one line of a journal.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {what}")]
pub struct Problem {
    /// The how-manieth line, from 1.
    pub line: u64,
    /// What is wrong with it.
    pub what: Damage,
}

/// What is wrong with a line, and what was kept. The set is closed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Damage {
    /// The journal holds nothing.
    #[error("the journal is empty")]
    Empty,
    /// The first line is of another type, or lost.
    #[error("it does not say how the session began; the rest is kept")]
    NoSession,
    /// It cannot be understood.
    #[error("it cannot be read and is left out: {0}")]
    Unreadable(String),
    /// Records without a line break between them, as when two writers raced.
    #[error("several records on one line; {kept} of them kept")]
    Glued {
        /// How many could be read.
        kept: usize,
    },
    /// Its sequence number does not grow.
    #[error("sequence number {seq} comes after {after}; kept")]
    OutOfOrder {
        /// Its number.
        seq: u64,
        /// The highest before it.
        after: u64,
    },
    /// Its fact does not follow from those before it.
    #[error("it does not follow from what is before it and is left out: {0}")]
    DoesNotFollow(FactError),
    /// The conversation goes on after a call without an outcome.
    #[error("the outcome of call {0} before it is lost; the model is told so")]
    OutcomeLost(CallId),
}
