//! What is remembered of one call's way through the door: what it touched, why it waited, when it ran.
//!
//! Not here: the outcome, which the call itself owns, and where records are kept.

use fanfold_schedule::{Footprint, Wait};
use fanfold_transcript::Millis;

/// A stretch of waiting for one reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WaitSpan {
    /// The reason.
    pub wait: Wait,
    /// How long, in milliseconds.
    pub ms: u64,
}

/// The way of one call through the door.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// What it touched, as last computed; `None` for a call that never got past the gate.
    pub footprint: Option<Footprint>,
    /// Why it waited, in order.
    pub waits: Vec<WaitSpan>,
    /// When it started; `None` when it never did.
    pub started: Option<Millis>,
    /// When it got its outcome.
    pub ended: Millis,
}
