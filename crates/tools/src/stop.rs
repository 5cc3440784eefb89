//! How a running call is told to end: first to stop, then, after a grace, to be gone.
//!
//! Not here: who decides to stop (`fanfold-agent`) and how a process is ended (`process.rs`).

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use fanfold_transcript::{Ending, Interruption};
use tokio::sync::Notify;

/// Why a running call is told to end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StopCause {
    /// A stop of the batch, the turn or an ancestor.
    Stop,
    /// Its own deadline.
    Deadline,
    /// Its cancellation by id.
    Cancel,
}

impl StopCause {
    /// The ending of a call that was ended for this cause.
    #[must_use]
    pub const fn ending(self) -> Ending {
        match self {
            Self::Stop => Ending::Interrupted(Interruption::Stopped),
            Self::Deadline => Ending::TimedOut,
            Self::Cancel => Ending::Cancelled,
        }
    }
}

/// An ordered escalation: a later stage never goes back to an earlier one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    Run,
    Stop(StopCause),
    Kill(StopCause),
}

/// The engine's end: tells one call to stop.
#[derive(Debug)]
pub struct StopHandle(Arc<Shared>);

/// The tool's end: learns that it should stop.
#[derive(Clone, Debug)]
pub struct StopSignal(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    stage: Mutex<Stage>,
    changed: Notify,
}

impl Shared {
    fn stage(&self) -> MutexGuard<'_, Stage> {
        // A stage is one word: a panic cannot have left it half written.
        self.stage.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl StopHandle {
    /// A handle with its signal.
    #[must_use]
    pub fn new() -> (Self, StopSignal) {
        let shared = Shared { stage: Mutex::new(Stage::Run), changed: Notify::new() };
        let shared = Arc::new(shared);
        (Self(Arc::clone(&shared)), StopSignal(shared))
    }

    /// Asks the call to end; it may finish cleanly within its grace. The first cause stands.
    pub fn stop(&self, cause: StopCause) {
        let mut stage = self.0.stage();
        if *stage == Stage::Run {
            *stage = Stage::Stop(cause);
            self.0.changed.notify_waiters();
        }
    }

    /// Ends the grace: whatever is left must be gone now. The first cause stands.
    pub fn kill(&self, cause: StopCause) {
        let mut stage = self.0.stage();
        *stage = match *stage {
            Stage::Run => Stage::Kill(cause),
            Stage::Stop(first) | Stage::Kill(first) => Stage::Kill(first),
        };
        self.0.changed.notify_waiters();
    }
}

impl StopSignal {
    /// The cause, once the call is to end.
    #[must_use]
    pub fn cause(&self) -> Option<StopCause> {
        match *self.0.stage() {
            Stage::Run => None,
            Stage::Stop(cause) | Stage::Kill(cause) => Some(cause),
        }
    }

    /// Waits until the call is to end. Never returns when its handle is gone without a stop.
    pub async fn stopped(&self) -> StopCause {
        self.reached(|stage| match stage {
            Stage::Run => None,
            Stage::Stop(cause) | Stage::Kill(cause) => Some(cause),
        })
        .await
    }

    /// Waits until the call must be gone.
    pub async fn killed(&self) -> StopCause {
        self.reached(|stage| match stage {
            Stage::Run | Stage::Stop(_) => None,
            Stage::Kill(cause) => Some(cause),
        })
        .await
    }

    async fn reached(&self, cause: impl Fn(Stage) -> Option<StopCause>) -> StopCause {
        loop {
            // Listen first, look then: a change in between is not missed.
            let changed = self.0.changed.notified();
            let stage = *self.0.stage();
            if let Some(cause) = cause(stage) {
                return cause;
            }
            changed.await;
        }
    }
}
