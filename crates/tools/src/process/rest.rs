//! Ends processes that nobody waits for: asks, gives a grace, kills.
//!
//! Not here: which processes (`scope.rs`).

use std::collections::BTreeSet;
use std::time::Duration;

use nix::errno::Errno;
use nix::sys::signal::{Signal, kill, killpg};
use tokio::time::{sleep, timeout};

use super::scope::Scope;
use super::table::{self, Identity, Seen};

/// How long killed processes may take to be gone, before they count as stuck.
const KILL_WAIT: Duration = Duration::from_secs(2);

/// The first pause between two looks at what is left. Each further one doubles, up to the longest.
const FIRST_PAUSE: Duration = Duration::from_millis(1);
const LONGEST_PAUSE: Duration = Duration::from_millis(20);

/// What came of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Tally {
    /// Processes that were told to end and did, leaders of families not counted.
    pub(super) ended: usize,
    /// Processes that could not be ended.
    pub(super) stuck: usize,
}

/// Ends every process in the scope: TERM, then KILL when the grace or `hurry` is over.
pub(super) async fn end(scope: Scope, grace: Duration, hurry: impl Future<Output = ()>) -> Tally {
    let mut hunt = Hunt::new(scope);
    let patience = async {
        tokio::select! {
            biased;
            () = hurry => {}
            () = sleep(grace) => {}
        }
    };
    tokio::select! {
        biased;
        () = patience => {}
        () = hunt.press(Signal::SIGTERM) => return hunt.tally(),
    }
    timeout(KILL_WAIT, hunt.press(Signal::SIGKILL)).await.ok();
    hunt.tally()
}

/// Waits until no process of the scope is left, and tells none of them.
pub(super) async fn gone(scope: &Scope) {
    let mut pause = FIRST_PAUSE;
    while !scope.find().await.is_empty() {
        sleep_longer(&mut pause).await;
    }
}

/// Sleeps this long, and longer the next time.
async fn sleep_longer(pause: &mut Duration) {
    sleep(*pause).await;
    *pause = (2 * *pause).min(LONGEST_PAUSE);
}

struct Hunt {
    scope: Scope,
    /// All that were ever told.
    told: BTreeSet<Identity>,
    /// Those that still lived at the last look.
    living: BTreeSet<Identity>,
    /// Those that belong to somebody else, as far as signals go.
    untouchable: BTreeSet<Identity>,
}

impl Hunt {
    const fn new(scope: Scope) -> Self {
        Self { scope, told: BTreeSet::new(), living: BTreeSet::new(), untouchable: BTreeSet::new() }
    }

    /// Signals every process of the scope once, also those that appear meanwhile, until none is left.
    async fn press(&mut self, signal: Signal) {
        let mut signalled = BTreeSet::new();
        let mut pause = FIRST_PAUSE;
        loop {
            let found = self.find().await;
            self.living = found.iter().map(|seen| seen.id).collect();
            if found.is_empty() {
                return;
            }
            if signalled.is_empty() {
                signalled.extend(self.signal_group(&found, signal));
            }
            for seen in found {
                if signalled.insert(seen.id) {
                    self.signal(seen.id, signal);
                }
            }
            sleep_longer(&mut pause).await;
        }
    }

    /// All that live of the scope, and all that were told and have not ended: the end of a parent may
    /// have taken them out of the scope.
    async fn find(&self) -> Vec<Seen> {
        let mut found = self.scope.find().await;
        let known: BTreeSet<Identity> = found.iter().map(|seen| seen.id).collect();
        let lost = self
            .told
            .difference(&known)
            .filter_map(|id| table::look(id.pid).filter(|seen| seen.id == *id && !seen.dead));
        found.extend(lost);
        found.retain(|seen| !self.untouchable.contains(&seen.id));
        found
    }

    /// Signals a whole group in one step: one by one, a shell could go on to its next command when the
    /// current one ends first.
    fn signal_group(&mut self, found: &[Seen], signal: Signal) -> BTreeSet<Identity> {
        let Scope::Family(family) = &self.scope else { return BTreeSet::new() };
        let group = family.leader.pid;
        let members = found.iter().filter(|seen| seen.group == group);
        let members: BTreeSet<Identity> = members.map(|seen| seen.id).collect();
        if members.is_empty() || killpg(group, signal).is_err() {
            return BTreeSet::new();
        }
        self.told.extend(&members);
        members
    }

    fn signal(&mut self, id: Identity, signal: Signal) {
        if !id.is_current() {
            return;
        }
        match kill(id.pid, signal) {
            Err(Errno::EPERM) => self.untouchable.insert(id),
            // Any other failure means that it is gone.
            Ok(()) | Err(_) => self.told.insert(id),
        };
    }

    fn tally(&self) -> Tally {
        let leader = self.scope.leader();
        let others = self.told.difference(&self.living).filter(|id| Some(**id) != leader);
        Tally { ended: others.count(), stuck: self.living.len() + self.untouchable.len() }
    }
}
