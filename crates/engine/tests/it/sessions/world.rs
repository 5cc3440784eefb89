//! What the simulated processes have in common: what ran, what was refused, and whether all is over.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use fanfold_testkit::strict::{Memory, Past, Seals};
use fanfold_transcript::CallId;
use tokio::sync::Notify;

use super::dice::Dice;

/// Shared by the disk, the model, the tools and the checks.
#[derive(Clone, Debug)]
pub(super) struct World {
    state: Arc<Mutex<State>>,
    death: Arc<Notify>,
    pace: Pace,
}

/// How time passes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pace {
    /// At once: nothing is waited for, and every line is safe when it is written. Runs are fixed by
    /// their seed.
    Virtual,
    /// A hundredth of what is said, with a disk that takes its time: lines are safe later than they
    /// are written, several at a time. No two runs are the same.
    Real,
}

impl Pace {
    /// So many milliseconds of a story.
    pub(super) const fn ms(self, ms: u64) -> u64 {
        match self {
            Self::Virtual => ms,
            Self::Real => ms / 100,
        }
    }
}

/// What is known of it.
#[derive(Debug)]
pub(super) struct State {
    pub(super) dice: Dice,
    pub(super) memory: Memory,
    pub(super) dead: bool,
    /// How often each call ran, over all processes.
    pub(super) ran: BTreeMap<CallId, u32>,
    /// Calls that run now.
    pub(super) running: u32,
    pub(super) refusals: Vec<String>,
    pub(super) requests: u64,
    pub(super) faults: u64,
}

impl World {
    pub(super) fn new(dice: Dice, pace: Pace) -> Self {
        let state = State {
            dice,
            memory: Memory::new(Past::Identical, Seals::Checked),
            dead: false,
            ran: BTreeMap::new(),
            running: 0,
            refusals: Vec::new(),
            requests: 0,
            faults: 0,
        };
        Self { state: Arc::new(Mutex::new(state)), death: Arc::new(Notify::new()), pace }
    }

    pub(super) const fn pace(&self) -> Pace {
        self.pace
    }

    pub(super) fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Nothing that the dying process still does counts.
    pub(super) fn die(&self) {
        self.state().dead = true;
        self.death.notify_one();
    }

    pub(super) fn is_dead(&self) -> bool {
        self.state().dead
    }

    pub(super) async fn death(&self) {
        self.death.notified().await;
    }

    /// A new process begins; what ran in the old one is gone with it.
    pub(super) fn revive(&self) {
        let mut state = self.state();
        state.dead = false;
        state.running = 0;
    }
}
