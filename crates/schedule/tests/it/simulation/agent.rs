//! What agents and coordinators have in hand: plain records that the town moves on.
//!
//! Not here: any step (`town.rs`).

use fanfold_schedule::{BatchId, Footprint, Role};
use fanfold_transcript::CallId;

/// One agent: its batches come one after another.
pub(crate) struct Agent {
    /// The `call_subordinate` that waits for it; none for the root agents.
    pub(crate) caller: Option<CallId>,
    pub(crate) batches_left: usize,
    pub(crate) batch: Option<Reply>,
}

impl Agent {
    /// Whether it will do nothing more.
    pub(crate) const fn is_done(&self) -> bool {
        self.batches_left == 0 && self.batch.is_none()
    }
}

/// A batch that has not ended.
pub(crate) struct Reply {
    pub(crate) id: BatchId,
    /// Calls that the model will still write.
    pub(crate) calls_left: usize,
    pub(crate) calls: Vec<CallId>,
    pub(crate) closed: bool,
}

/// What a coordinator does when it runs.
#[derive(Clone, PartialEq, Eq)]
pub(crate) enum Work {
    /// Does the work itself.
    Leaf,
    /// `multi_tool`: these entries one by one.
    Envelope { entries: Vec<Footprint>, next: usize },
    /// `parallel`: all these jobs at once; then it waits for them, or does not.
    Parallel { jobs: Vec<Footprint>, started: Option<Vec<CallId>>, waits: bool },
    /// `call_subordinate`: an agent with this many batches.
    Subordinate { batches: usize, started: bool },
}

impl Work {
    pub(crate) const fn role(&self) -> Role {
        match self {
            Self::Leaf => Role::Leaf,
            Self::Envelope { .. } | Self::Parallel { .. } | Self::Subordinate { .. } => {
                Role::Coordinator
            }
        }
    }

    /// The footprint by which a call with this work is ordered in its batch.
    pub(crate) fn footprint(&self, leaf: Footprint) -> Footprint {
        match self {
            Self::Leaf => leaf,
            Self::Envelope { entries, .. } => {
                entries.iter().cloned().fold(Footprint::independent(), Footprint::join)
            }
            Self::Parallel { .. } | Self::Subordinate { .. } => Footprint::independent(),
        }
    }
}
