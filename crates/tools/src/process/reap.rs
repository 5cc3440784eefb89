//! Which children are ours to wait for: the runtime waits for those that were started here, this file
//! for those that came to Fanfold as their next ancestor.
//!
//! Invariant: every child that Fanfold starts in a process group of its own is [`Owned`]. So a dead
//! child in a foreign group without an owner was adopted, and nobody else waits for it.

use std::collections::BTreeSet;
use std::io;
use std::sync::{Mutex, MutexGuard, PoisonError};

use nix::sys::wait::{WaitPidFlag, waitpid};
use nix::unistd::Pid;
use tokio::process::Child;

use super::table::Seen;

static OWNED: Mutex<BTreeSet<Pid>> = Mutex::new(BTreeSet::new());

/// A child that the runtime waits for, for as long as this lives.
#[derive(Debug)]
pub(super) struct Owned(Pid);

impl Owned {
    /// The number of the child.
    pub(super) const fn pid(&self) -> Pid {
        self.0
    }
}

impl Drop for Owned {
    fn drop(&mut self) {
        owners().remove(&self.0);
    }
}

/// Starts a child and makes it owned in one step, as seen by everybody else.
///
/// # Errors
/// When it cannot be started.
pub(super) fn own(start: impl FnOnce() -> io::Result<Child>) -> io::Result<(Child, Owned)> {
    let mut owners = owners();
    let child = start()?;
    let number = child.id().and_then(|number| i32::try_from(number).ok());
    let pid = Pid::from_raw(number.expect("a child just started has a number of 31 bits"));
    owners.insert(pid);
    Ok((child, Owned(pid)))
}

/// The adopted children among these processes that still live. The dead ones are waited for.
pub(super) fn adopted(table: &[Seen]) -> Vec<Seen> {
    let (this, our_group) = (Pid::this(), nix::unistd::getpgrp());
    let foreign = |seen: &&Seen| seen.parent == this && seen.group != our_group;
    // Taken after the table was read: a child that was being started then is owned by now.
    let owners = owners();
    let adopted = table.iter().filter(foreign).filter(|seen| !owners.contains(&seen.id.pid));
    let (dead, living): (Vec<Seen>, Vec<Seen>) = adopted.partition(|seen| seen.dead);
    for seen in dead.iter().filter(|seen| seen.id.is_current()) {
        // One that is only just ending is left for a later look.
        waitpid(seen.id.pid, Some(WaitPidFlag::WNOHANG)).ok();
    }
    living
}

fn owners() -> MutexGuard<'static, BTreeSet<Pid>> {
    OWNED.lock().unwrap_or_else(PoisonError::into_inner)
}
