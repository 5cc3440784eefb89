//! Ends whatever a session left running: nothing outlives its batch.
//!
//! Not here: ending what a single call left (`leader.rs`).

use std::time::Duration;

use super::rest;
use super::scope::Scope;

/// The last look for processes, at the end of a batch, on exit, and before a session is resumed.
#[derive(Clone, Copy, Debug)]
pub struct Sweep;

impl Sweep {
    /// Ends every process whose mark names this session, with its descendants, and every adopted one
    /// that has lost its mark: TERM, then KILL after the grace. Returns how many there were.
    ///
    /// It also finds what an earlier Fanfold left, and waits for adopted processes that are dead.
    pub async fn end_marked(session: &str, grace: Duration) -> usize {
        let prefix = format!("{}:", session.trim_end_matches(':'));
        let never = std::future::pending();
        let tally = rest::end(Scope::Marked(prefix.into()), grace, never).await;
        tally.ended + tally.stuck
    }
}
