//! What calls are run with.
//!
//! Not here: the calls themselves (`calls.rs`).

use std::sync::Arc;

use fanfold_agent::{Dispatch, Gate, Grace};
use fanfold_schedule::Limits;
use fanfold_tools::{Children, Place, ReadState, Toolbox};
use fanfold_transcript::SessionId;

use crate::output::Output;

/// What calls are run with.
#[derive(Clone, Debug)]
pub struct Setting {
    /// The tools there are.
    pub toolbox: Toolbox,
    /// Who may use them.
    pub gate: Gate,
    /// Whether somebody answers when a call needs an approval.
    pub asks: bool,
    /// How much may run.
    pub limits: Limits,
    /// How patient a stop is.
    pub grace: Grace,
    /// Where the calls act.
    pub place: Arc<Place>,
    /// What the agent has seen of each file.
    pub reads: Arc<ReadState>,
    /// How the processes of calls are treated.
    pub children: Children,
    /// The session whose name marks every process.
    pub session: SessionId,
    /// How much output a call keeps, and where.
    pub output: Output,
}

impl Setting {
    /// The door that calls pass.
    #[must_use]
    pub fn door(&self) -> Dispatch {
        let door = Dispatch::new(self.gate.clone(), self.limits, self.grace);
        if self.asks { door.with_somebody_to_ask() } else { door }
    }
}
