//! The driver: it runs the effects that the pure core wants and feeds back what happened.
//!
//! It owns time, tasks and processes, and decides nothing: an `if` about policy belongs in
//! `fanfold-agent` or `fanfold-schedule`. It drives one batch ([`run_batch`]) or one agent ([`drive`]).

mod batch;
mod calls;
mod clock;
mod driver;
mod keep;
mod output;
mod seat;
mod setting;
mod task;

pub use batch::{BatchRecord, Command, Update, run_batch};
pub use clock::Clock;
pub use driver::{Desk, Ended, JournalLost, Order, Sight, drive};
pub use output::{Bounds, Output, RecordsError};
pub use seat::Seat;
pub use setting::Setting;
