//! How a running call is told to end: first to stop, then, after a grace, to be gone.
//!
//! Not here: who decides to stop (`fanfold-agent`) and how a process is ended (`process.rs`).

use fanfold_transcript::{Ending, Interruption};
use tokio::sync::watch;

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
pub struct StopHandle(watch::Sender<Stage>);

/// The tool's end: learns that it should stop.
#[derive(Clone, Debug)]
pub struct StopSignal(watch::Receiver<Stage>);

impl StopHandle {
    /// A handle with its signal.
    #[must_use]
    pub fn new() -> (Self, StopSignal) {
        let (sender, receiver) = watch::channel(Stage::Run);
        (Self(sender), StopSignal(receiver))
    }

    /// Asks the call to end; it may finish cleanly within its grace. The first cause stands.
    pub fn stop(&self, cause: StopCause) {
        self.0.send_if_modified(|stage| {
            let first = *stage == Stage::Run;
            if first {
                *stage = Stage::Stop(cause);
            }
            first
        });
    }

    /// Ends the grace: whatever is left must be gone now. The first cause stands.
    pub fn kill(&self, cause: StopCause) {
        self.0.send_if_modified(|stage| {
            let (next, changed) = match *stage {
                Stage::Run => (Stage::Kill(cause), true),
                Stage::Stop(first) => (Stage::Kill(first), true),
                Stage::Kill(first) => (Stage::Kill(first), false),
            };
            *stage = next;
            changed
        });
    }
}

impl StopSignal {
    /// The cause, once the call is to end.
    #[must_use]
    pub fn cause(&self) -> Option<StopCause> {
        match *self.0.borrow() {
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
        let mut receiver = self.0.clone();
        loop {
            if let Some(cause) = cause(*receiver.borrow_and_update()) {
                return cause;
            }
            if receiver.changed().await.is_err() {
                std::future::pending::<()>().await;
            }
        }
    }
}
