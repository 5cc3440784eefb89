//! The tools against real processes. What needs no process is tested beside the code.
#![expect(clippy::unwrap_used, reason = "a test that fails may panic")]

mod bench;
mod environment;
mod leftovers;
mod lifetime;
mod load;
mod recorded;
mod shell;
mod stopping;
