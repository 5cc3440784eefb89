//! The journal of a session: one line of JSON for each thing that happened, in order.
//!
//! What a caller waits for ([`Journal::written`]) is on the disk; what it did not wait for may be lost
//! with the machine, but never a line before one that is there. Not here: where the file lies
//! (`sessions.rs`) and what the facts mean (`fanfold-transcript`).

mod file;
mod fold;
mod group;
mod line;
mod problem;
mod reader;
#[cfg(test)]
mod tests;
mod writer;

pub use file::JournalFile;
pub use fold::fold;
pub use line::{Line, LineBody};
pub(crate) use line::{fact_of, head};
pub use problem::{Damage, Problem};
pub use reader::{Journaled, ReadError};
pub use writer::{Journal, JournalFailure, Position, Progress};
