//! What can be wrong with a run as a whole.
//!
//! Not here: a turn that ends without an answer. It is an event, and the session goes on.

use std::path::PathBuf;

use fanfold_engine::JournalLost;
use fanfold_model::{NameError, OpenError};
use fanfold_store::{LockError, ReadError, SessionsError};
use fanfold_tools::BadForm;

use crate::error::ExecError;

/// Why a run did not begin, or could not go on.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// Settings, rules or a workspace that cannot be used.
    #[error(transparent)]
    Setup(#[from] ExecError),
    /// No model was named.
    #[error(
        "no model: give --model PROVIDER/NAME, or say \"model\" in the settings; \
         --model script:FILE needs no key and no network"
    )]
    NoModel,
    /// A name that is no model's.
    #[error(transparent)]
    Name(#[from] NameError),
    /// The model cannot be asked.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// A limit in dollars, and nobody knows what the model costs.
    #[error("--max-cost cannot be kept: nothing is known of what {0} costs")]
    NoPrice(String),
    /// Nothing to say.
    #[error("the prompt is empty")]
    EmptyPrompt,
    /// A file that cannot be sent.
    #[error("cannot attach {path}: {problem}")]
    Attachment {
        /// The file.
        path: PathBuf,
        /// Why.
        problem: String,
    },
    /// The form of the answer is none.
    #[error("the output schema is {0}")]
    Form(#[from] BadForm),
    /// A session that cannot be found or made.
    #[error(transparent)]
    Sessions(#[from] SessionsError),
    /// A session that another process has.
    #[error(transparent)]
    Locked(#[from] LockError),
    /// A journal that cannot be read at all.
    #[error(transparent)]
    Journal(#[from] ReadError),
    /// A journal that cannot be written.
    #[error("{0}")]
    JournalFile(std::io::Error),
    /// The file of `--record` cannot be written.
    #[error("cannot record to {path}: {problem}")]
    Record {
        /// The file.
        path: PathBuf,
        /// Why.
        problem: String,
    },
    /// The journal could not be written any longer. What runs was stopped.
    #[error(transparent)]
    Lost(#[from] JournalLost),
}

impl RunError {
    /// Whether it is about what was asked for: nothing was run then.
    #[must_use]
    pub const fn is_input(&self) -> bool {
        !matches!(self, Self::Lost(_))
    }
}
