//! Tables in text: calls in, a drawn timeline out.
//!
//! Read a drawing with its script: `.` is a wait, `=` a run, a column 10 ms; the reasons follow with
//! the ms at which they began. Not here: the notation (`notation.rs`).

mod across;
mod batches;
mod changes;
mod modes;
