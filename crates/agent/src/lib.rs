//! What an agent does next, as a pure state machine.
//!
//! Today it holds the one door through which every call passes: gate, schedule, run, settle
//! ([`Dispatch`]). Turns, jobs and delegation will join it here. A machine has three verbs: `handle`
//! takes an event and the time, `poll` gives the effects wanted, `deadline` says when to call again
//! if nothing happens. Deliberately not here: I/O, clocks, tasks (`fanfold-engine`).
#![warn(clippy::wildcard_enum_match_arm)]

mod agent;
mod dispatch;
mod gate;
mod record;

pub use agent::{
    Agent, Effect as AgentEffect, Event as AgentEvent, ModelInUse, News, Policy, Settled,
    TurnLimits,
};
pub use dispatch::{Answer, Asked, Dispatch, Effect, Event, Grace, When};
pub use gate::{Fit, Folders, Gate, Permissions, Question, Rule, RuleError, Verdict};
pub use record::{Record, WaitSpan};
