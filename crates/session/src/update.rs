//! What a front end is told while calls run.
//!
//! Not here: how it is drawn.

use fanfold_transcript::CallId;

/// A change of one call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Update {
    /// The call.
    pub call: CallId,
    /// Milliseconds since the batch began.
    pub at_ms: u64,
    /// What changed.
    pub change: Change,
}

/// What changed for a call. The set is closed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// The model asked for it. Sent once for each call, in their order, before anything else.
    Asked {
        /// The tool.
        tool: String,
        /// Its arguments in one line, bounded.
        arguments: String,
    },
    /// It waits.
    Waiting {
        /// For which call, where it is one.
        waits_for: Option<String>,
        /// Why, in a few words.
        reason: String,
    },
    /// It needs an approval; others run meanwhile. Answered by a command of the same call.
    Asking {
        /// Why it is asked for, as the end of a sentence.
        why: String,
    },
    /// It runs.
    Started,
    /// It has its outcome.
    Ended {
        /// The status word.
        status: &'static str,
        /// The reason word; `None` for `ok`.
        reason: Option<&'static str>,
        /// How long it ran, in milliseconds; `None` when it never did.
        ran_ms: Option<u64>,
        /// Bytes it produced.
        bytes: u64,
    },
}
