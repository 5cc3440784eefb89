//! The folder of one session, and where in it what lies.
//!
//! Not here: what those files hold (`journal.rs`, `records.rs`, `media.rs`).

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use fanfold_transcript::{AgentId, CallId, SessionId, StepId};

use super::lock::{self, LockError, SessionLock};
use crate::media::MediaStore;

const STEPS: &str = "steps";
const TOOLS: &str = "tools";

/// The folder of one session. Cheap to clone.
#[derive(Clone, Debug)]
pub struct SessionFolder {
    id: SessionId,
    path: Arc<Path>,
}

impl SessionFolder {
    pub(super) fn new(id: SessionId, path: PathBuf) -> Self {
        Self { id, path: path.into() }
    }

    /// The session's id, which is the folder's name.
    #[must_use]
    pub const fn id(&self) -> &SessionId {
        &self.id
    }

    /// Where it is.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Where its journal is.
    #[must_use]
    pub fn journal_path(&self) -> PathBuf {
        self.path.join("journal.jsonl")
    }

    /// Where the records of a step's calls are.
    #[must_use]
    pub fn records_folder(&self, agent: AgentId, step: StepId) -> PathBuf {
        let mut path = self.path.to_path_buf();
        path.extend(step_names(&agent.to_string(), &step.to_string()));
        path
    }

    /// Its pictures and documents.
    #[must_use]
    pub fn media(&self) -> MediaStore {
        MediaStore::at(self.path.join("media"))
    }

    /// Takes the session for this process, until the lock is dropped or the process ends. Who only
    /// reads needs none.
    ///
    /// # Errors
    /// When another process has it, or it is gone.
    pub fn lock(&self) -> Result<SessionLock, LockError> {
        lock::take(self)
    }

    /// Whether some process has the session.
    #[must_use]
    pub fn is_locked(&self) -> bool {
        lock::is_held(self)
    }

    /// Whether anything is in its journal.
    pub(super) fn has_begun(&self) -> bool {
        self.journal_path().symlink_metadata().is_ok_and(|journal| journal.len() > 0)
    }

    /// Looks through all steps for the folder that holds a call's record.
    pub(crate) fn find_records(&self, call: CallId) -> Option<PathBuf> {
        let folders = |path: &Path| fs::read_dir(path).into_iter().flatten().flatten();
        let no_link = |entry: &fs::DirEntry| entry.file_type().is_ok_and(|kind| kind.is_dir());
        let agents = folders(&self.path.join(STEPS)).filter(no_link);
        let steps = agents.flat_map(|agent| folders(&agent.path())).filter(no_link);
        let mut tools = steps.map(|step| step.path().join(TOOLS));
        tools.find(|tools| tools.join(call.to_string()).symlink_metadata().is_ok())
    }
}

/// The folders between that of a session and those of a step's calls.
pub(crate) const fn step_names<'a>(agent: &'a str, step: &'a str) -> [&'a str; 4] {
    [STEPS, agent, step, TOOLS]
}
