//! What is kept on disk: sessions with their journals, the records of every call, and media.
//!
//! Trouble with a record fails no call: what could not be kept is said, and the work goes on. Trouble
//! with a journal is an error, since nothing may happen that is not written down first. Deliberately
//! not here: which fact is written when (`fanfold-agent`), what of an output the model is shown
//! (`fanfold-tools`, `fanfold-compact`), and the snapshots, which are planned.

mod files;
mod journal;
mod media;
mod records;
mod sessions;

pub use journal::{
    Damage, Journal, JournalFailure, JournalFile, Journaled, Line, LineBody, Position, Problem,
    Progress, ReadError, fold,
};
pub use media::MediaStore;
pub use records::{CallRecord, Ended, Input, Output, Records, RecordsError, Span};
pub use sessions::{
    Home, LastTurn, LockError, SessionFolder, SessionLock, SessionSummary, SessionsError,
};
