//! Ends whatever a session left running: nothing outlives its batch.
//!
//! Not here: ending what a single call left (`leader.rs`).

use std::time::Duration;

use fanfold_transcript::Process;
use nix::unistd::Pid;

use super::rest;
use super::scope::Scope;
use super::table::Identity;

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

    /// Ends what is left of the groups of these processes, which an earlier Fanfold started: TERM, then
    /// KILL after the grace. Returns how many there were.
    ///
    /// Numbers are used again, so a group is only touched while the process of its number is still
    /// the recorded one, or while it has no leader any more and no member older than the recorded one.
    /// Start times count from the machine's start: records from before that must not be given.
    pub async fn end_recorded(processes: &[Process], grace: Duration) -> usize {
        let leaders: Box<[Identity]> = processes.iter().filter_map(leader).collect();
        if leaders.is_empty() {
            return 0;
        }
        let tally = rest::end(Scope::Recorded(leaders), grace, std::future::pending()).await;
        tally.ended + tally.stuck
    }
}

/// The leader of a group, as a record tells it; `None` when Fanfold cannot have started such a one, or
/// when its start was not known.
fn leader(process: &Process) -> Option<Identity> {
    let pid = i32::try_from(process.pid).ok().filter(|&pid| pid > 1)?;
    let known = process.group == process.pid && process.start_ticks > 0;
    known.then_some(Identity { start: process.start_ticks, pid: Pid::from_raw(pid) })
}
