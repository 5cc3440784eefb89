//! What can happen to an agent, and what it wants done.
//!
//! Not here: what follows from what (`agent.rs`).

use std::collections::BTreeMap;

use fanfold_schedule::Wait;
use fanfold_transcript::{
    Assistant, Block, Call, CallId, Content, Fact, Outcome, Process, Spent, StepId,
};
use fanfold_wire::Fault;
use serde_json::Value;

use crate::dispatch::Answer;
use crate::gate::{Fit, Question};
use crate::record::Record;

use super::ModelInUse;

/// Everything that can happen to an agent.
#[derive(Debug)]
pub enum Event {
    /// The user says something. While the agent works it waits for the next step boundary.
    Said(Vec<Content>),
    /// Go on where the conversation stands: after a restart, or after a stop.
    Continue,
    /// From the next request on, another model is asked.
    Model(ModelInUse),
    /// A piece of the answer.
    Text(Box<str>),
    /// A call began; its arguments are still coming.
    Opened(CallId),
    /// A call of the reply is complete, while the reply goes on.
    Ready {
        /// The call.
        call: Call,
        /// What its tool says of it.
        fit: Fit,
        /// The blocks of the reply since the last such call, this one included.
        blocks: Vec<Block>,
    },
    /// The provider began its reply anew.
    Restarted,
    /// The reply is whole.
    Replied {
        /// The reply.
        reply: Box<Assistant>,
        /// What the tools say of calls that were not [`Event::Ready`] before.
        fits: BTreeMap<CallId, Fit>,
        /// What it cost.
        spent: Spent,
    },
    /// There will be no whole reply.
    Failed(Fault),
    /// What a reply cost that will not be whole.
    Spent(Spent),
    /// A call that was to start touches something else than it said; it has not started.
    Changed {
        /// The call.
        call: CallId,
        /// What its tool says of it now.
        fit: Fit,
    },
    /// A call that was to start did not, because a stop came between.
    NeverStarted(CallId),
    /// A call started a process.
    Process(Process),
    /// A running call is over.
    Ended {
        /// The call.
        call: CallId,
        /// Its outcome, whole.
        outcome: Outcome,
    },
    /// The outcome of an [`Effect::Settle`], as the model will read it.
    Settled(Settled),
    /// Somebody answered an [`Effect::AskUser`].
    Answered {
        /// The call.
        call: CallId,
        /// The answer, for this call alone.
        answer: Answer,
    },
    /// An [`Effect::Sweep`] is over.
    Swept,
    /// An [`Effect::Check`] is over; an error says what is wrong with the answer.
    Checked(Result<(), Box<str>>),
    /// Stop the turn: what runs is told, what waits is skipped.
    Stop,
    /// Stop at once, without grace.
    Kill,
    /// The time asked for by [`Agent::deadline`](super::Agent::deadline) has come.
    Tick,
}

/// An outcome as the model will read it.
#[derive(Clone, Debug)]
pub struct Settled {
    /// The call.
    pub call: CallId,
    /// Its outcome: bounded.
    pub outcome: Outcome,
    /// What it saw of files, in the words of the tools.
    pub sights: Vec<Value>,
}

/// Everything an agent wants done. Effects are carried out in order, and none before every
/// [`Effect::Note`] in front of it is safe in the journal; but [`Effect::Hush`], [`Effect::Stop`],
/// [`Effect::Kill`] and [`Effect::Abandon`] at once: an [`Effect::Ask`] or [`Effect::Start`] that they
/// overtake is not carried out any more, and of the latter [`Event::NeverStarted`] is said.
#[derive(Debug)]
pub enum Effect {
    /// Write this down.
    Note(Fact),
    /// Ask the model with the view of the conversation as it is now.
    Ask {
        /// For this step.
        step: StepId,
        /// The number of the reply's first call.
        first_call: u32,
    },
    /// Drop the request that is under way.
    Hush,
    /// Compute the footprint again; if it is the same, run the call, else report it changed.
    Start(CallId),
    /// Ask somebody whether the call may run. Others run meanwhile.
    AskUser {
        /// The call.
        call: CallId,
        /// Why it is asked for.
        question: Question,
    },
    /// Tell a running call to end; it may still use its grace.
    Stop(CallId),
    /// Tell a running call to be gone now.
    Kill(CallId),
    /// Give up a running call that did not end when killed.
    Abandon(CallId),
    /// Record this outcome, bound it, and give it back as [`Event::Settled`].
    Settle {
        /// The call.
        call: CallId,
        /// Its one outcome.
        outcome: Outcome,
        /// Its way here.
        record: Record,
    },
    /// The calls may have left processes behind: end them, then say [`Event::Swept`].
    Sweep,
    /// See whether the answer is of the form that was asked for, then say [`Event::Checked`].
    Check {
        /// The answer.
        text: Box<str>,
        /// What came with it.
        data: Option<Value>,
    },
    /// For those who watch.
    Tell(News),
}

/// What those who watch are told beside the facts.
#[derive(Clone, Debug, PartialEq)]
pub enum News {
    /// The call waits, for this reason now.
    Waiting(CallId, Wait),
    /// The model is asked again after a while.
    Retrying {
        /// Why.
        fault: Fault,
        /// The how-manieth time it will be.
        attempt: u32,
        /// After this time, in milliseconds.
        in_ms: u64,
    },
    /// The reply did not come to its end. What had started is kept, and the model is asked to go on.
    CutShort(Fault),
    /// What was heard of the reply so far does not count.
    Restarted,
    /// There is nothing to go on with: the conversation ends with an answer.
    NothingToDo,
}
