//! The driver: it runs the effects that the pure core wants and feeds back what happened.
//!
//! It owns time, tasks and processes, and decides nothing: an `if` about policy belongs in
//! `fanfold-agent` or `fanfold-schedule`. Today it drives one batch ([`run_batch`]).

mod batch;
mod clock;
mod output;
mod task;

pub use batch::{BatchRecord, Command, Setting, Update, run_batch};
pub use clock::Clock;
pub use output::{Bounds, Output, RecordsError};
