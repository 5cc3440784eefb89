//! What can happen to the door, and what it wants done.
//!
//! Not here: what follows from what (`dispatch.rs`).

use fanfold_schedule::{BatchId, Wait};
use fanfold_transcript::{Call, CallId, Outcome};

use crate::gate::{Fit, Question};
use crate::record::Record;

/// Everything that can happen to the door.
#[derive(Debug)]
pub enum Event<'a> {
    /// The model began to ask for a call; its arguments are still coming. It is asked for, or
    /// withdrawn, later.
    Opened {
        /// Its batch.
        batch: BatchId,
        /// The call.
        call: CallId,
    },
    /// The model asks for a call.
    Asked(Asked<'a>),
    /// Calls that have not started turned out to be no part of the reply. They get no outcome, and
    /// none of them starts because another is gone.
    Withdrawn(&'a [CallId]),
    /// The whole reply is there: calls that were to wait for it need not any longer.
    ReplyEnded(BatchId),
    /// No more calls will come for this batch.
    Closed(BatchId),
    /// A call that was to start touches something else than it said; it has not started.
    Changed(Asked<'a>),
    /// A call that was to start did not, because a stop came between.
    NeverStarted(CallId),
    /// Somebody answered an [`Effect::Ask`].
    Answered {
        /// The call.
        call: CallId,
        /// The answer, for this call alone.
        answer: Answer,
    },
    /// A running call is over.
    Ended {
        /// The call.
        call: CallId,
        /// Its outcome.
        outcome: Outcome,
    },
    /// Stop everything: what runs is told, what waits is skipped.
    Stop,
    /// Stop at once, without grace.
    Kill,
    /// The time asked for by [`Dispatch::deadline`](crate::Dispatch::deadline) has come.
    Tick,
}

/// A call that the model asks for.
#[derive(Debug)]
pub struct Asked<'a> {
    /// Its batch.
    pub batch: BatchId,
    /// The call, without an outcome.
    pub call: &'a Call,
    /// What its tool says of it.
    pub fit: Fit,
    /// When it may start.
    pub when: When,
}

/// When a call may start, as far as its reply goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum When {
    /// At once.
    Now,
    /// When its reply has ended ([`Event::ReplyEnded`]).
    ReplyEnds,
}

/// What somebody says to a call that needs an approval.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// It may run.
    Allow,
    /// It must not.
    Deny,
    /// Whoever could have answered has gone.
    Nobody,
}

/// Everything the door wants done.
#[derive(Debug, PartialEq)]
pub enum Effect {
    /// Compute the footprint again; if it is the same, run the call, else report it changed.
    Start(CallId),
    /// Ask somebody whether the call may run. Others run meanwhile.
    Ask {
        /// The call.
        call: CallId,
        /// Why it is asked for.
        question: Question,
    },
    /// Tell a running call to end; it may still use its grace.
    Stop(CallId),
    /// Tell a running call to be gone now.
    Kill(CallId),
    /// Give up a running call that did not end when killed: drop it without waiting.
    Abandon(CallId),
    /// The call has its outcome.
    Settle {
        /// The call.
        call: CallId,
        /// Its one outcome.
        outcome: Outcome,
        /// Its way here.
        record: Record,
    },
    /// For those who watch: the call waits, for this reason now.
    Waiting {
        /// The call.
        call: CallId,
        /// The reason.
        wait: Wait,
    },
    /// The calls may have left processes behind: look for them and end them.
    Sweep,
    /// Every call of the batch has its outcome.
    Done(BatchId),
}

/// How patient a stop is, in milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Grace {
    /// From being told to stop until being killed.
    pub stop_ms: u64,
    /// From being killed until being abandoned.
    pub kill_ms: u64,
}
