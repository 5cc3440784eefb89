//! What is kept on disk: the record of every call.
//!
//! A disk that is full or read-only fails no call: what could not be kept is said, and the work goes
//! on. Deliberately not here: what of an output the model is shown (`fanfold-tools`,
//! `fanfold-compact`), and the journal and the snapshots, which are planned.

mod records;

pub use records::{CallRecord, Ended, Input, Output, Records, RecordsError, Span};
