//! The sessions of a user: `$FANFOLD_HOME/sessions/`, which holds nothing but a folder for each, named
//! by its id.
//!
//! Not here: what a session's folder holds (`folder.rs`), and who runs it (`lock.rs`).

mod folder;
mod lock;
mod summary;
#[cfg(test)]
mod tests;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use fanfold_transcript::SessionId;

pub use folder::SessionFolder;
pub(crate) use folder::step_names;
pub use lock::{LockError, SessionLock};
pub use summary::{LastTurn, SessionSummary};

use crate::files;

/// How alike a misspelled id must be to be called near, from 0 to 1.
const NEAR: f64 = 0.85;
/// How many ids an error names.
const NAMED_MAX: usize = 3;

/// Where all sessions are kept.
#[derive(Clone, Debug)]
pub struct Home {
    path: PathBuf,
}

/// What cannot be done with the sessions.
#[derive(Debug, thiserror::Error)]
pub enum SessionsError {
    /// The system says no.
    #[error("cannot {doing} {path}: {source}")]
    Io {
        /// What was to be done.
        doing: &'static str,
        /// With what.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// A new session's id is taken.
    #[error("session {0} exists already")]
    Exists(SessionId),
    /// No session has this name.
    #[error("no session {name:?}{}", near_names(.near))]
    Unknown {
        /// What was asked for.
        name: String,
        /// Ids that look like it, best first.
        near: Vec<SessionId>,
    },
    /// Several ids begin with this name.
    #[error("{name:?} is the beginning of several sessions: {}", list(.ids))]
    Ambiguous {
        /// What was asked for.
        name: String,
        /// The newest of them, newest first.
        ids: Vec<SessionId>,
    },
    /// The last session was asked for.
    #[error("there is no session yet in {0}")]
    NoneYet(PathBuf),
    /// The session is running, or its lock cannot be had.
    #[error(transparent)]
    Lock(#[from] LockError),
}

impl Home {
    /// The sessions beneath `path`. Nothing is read or made yet.
    #[must_use]
    pub fn at(path: &Path) -> Self {
        Self { path: path.to_owned() }
    }

    /// Makes the folder of a new session, and those above it if need be.
    ///
    /// # Errors
    /// When the id is taken, or the folder cannot be made.
    pub fn create(&self, id: &SessionId) -> Result<SessionFolder, SessionsError> {
        let sessions = self.sessions();
        files::folders(&self.path).map_err(failed("make", &self.path))?;
        files::folders_beneath(&self.path, &["sessions"]).map_err(failed("make", &sessions))?;
        let path = sessions.join(id.as_str());
        match files::new_folder(&path) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                return Err(SessionsError::Exists(id.clone()));
            }
            made => made.map_err(failed("make", &path))?,
        }
        files::sync_folder(&sessions).map_err(failed("make", &path))?;
        Ok(SessionFolder::new(id.clone(), path))
    }

    /// The session of this name: its id, the beginning of one that no other id shares, or `last` for
    /// the one that began last.
    ///
    /// # Errors
    /// When there is none, or several; the error names those that are near.
    pub fn open(&self, name: &str) -> Result<SessionFolder, SessionsError> {
        let ids = self.ids()?;
        if name == "last" {
            let mut begun =
                ids.into_iter().map(|id| self.folder(id)).filter(SessionFolder::has_begun);
            return begun.next().ok_or_else(|| SessionsError::NoneYet(self.sessions()));
        }
        let is_meant = |id: &&SessionId| !name.is_empty() && id.as_str().starts_with(name);
        let mut meant: Vec<SessionId> = ids.iter().filter(is_meant).cloned().collect();
        match meant.len() {
            1 => Ok(self.folder(meant.remove(0))),
            0 => Err(SessionsError::Unknown { name: name.to_owned(), near: nearest(name, ids) }),
            _ => {
                meant.truncate(NAMED_MAX);
                Err(SessionsError::Ambiguous { name: name.to_owned(), ids: meant })
            }
        }
    }

    /// All sessions, the one that began last first. Reads the beginnings of lines, and few whole ones.
    ///
    /// # Errors
    /// When the folder of sessions cannot be read. A session that cannot is listed with what is known.
    pub fn list(&self) -> Result<Vec<SessionSummary>, SessionsError> {
        let folders = self.ids()?.into_iter().map(|id| self.folder(id));
        Ok(folders.map(|folder| SessionSummary::of(&folder)).collect())
    }

    /// Removes the session of this id for good. It is moved out of the sessions first, so that there is
    /// never half of one among them, whatever happens meanwhile.
    ///
    /// # Errors
    /// When it runs, is not there, or cannot be removed.
    pub fn remove(&self, id: &SessionId) -> Result<(), SessionsError> {
        let folder = self.open(id.as_str())?;
        let lock = folder.lock()?;
        self.sweep();
        let trash = self.path.join(format!("{TRASH}{id}"));
        fs::rename(folder.path(), &trash).map_err(failed("remove", folder.path()))?;
        files::sync_folder(&self.sessions()).map_err(failed("remove", folder.path()))?;
        drop(lock);
        fs::remove_dir_all(&trash).map_err(failed("remove", &trash))
    }

    /// Removes what a removal that died has left.
    fn sweep(&self) {
        let Ok(entries) = fs::read_dir(&self.path) else { return };
        for entry in entries.flatten() {
            if entry.file_name().as_encoded_bytes().starts_with(TRASH.as_bytes()) {
                // Another removal may be at it; and what stays harms nobody.
                fs::remove_dir_all(entry.path()).ok();
            }
        }
    }

    /// The ids of all sessions, newest first. Whatever else lies there is none.
    fn ids(&self) -> Result<Vec<SessionId>, SessionsError> {
        let sessions = self.sessions();
        let entries = match fs::read_dir(&sessions) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            entries => entries.map_err(failed("read", &sessions))?,
        };
        let mut ids = Vec::new();
        for entry in entries {
            let entry = entry.map_err(failed("read", &sessions))?;
            let id = entry.file_name().to_str().and_then(|name| name.parse::<SessionId>().ok());
            // The kind of the entry itself: a link is no folder.
            let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
            ids.extend(id.filter(|_| is_folder));
        }
        ids.sort_unstable_by(|a, b| b.cmp(a));
        Ok(ids)
    }

    fn folder(&self, id: SessionId) -> SessionFolder {
        let path = self.sessions().join(id.as_str());
        SessionFolder::new(id, path)
    }

    fn sessions(&self) -> PathBuf {
        self.path.join("sessions")
    }
}

/// How the names of folders begin that are being removed.
const TRASH: &str = "trash-";

fn failed(doing: &'static str, path: &Path) -> impl FnOnce(io::Error) -> SessionsError {
    move |source| SessionsError::Io { doing, path: path.to_owned(), source }
}

/// The ids that look most like `name`, best first.
fn nearest(name: &str, ids: Vec<SessionId>) -> Vec<SessionId> {
    let scored = ids.into_iter().map(|id| (strsim::jaro_winkler(name, id.as_str()), id));
    let mut near: Vec<(f64, SessionId)> = scored.filter(|(score, _)| *score >= NEAR).collect();
    near.sort_by(|(a, _), (b, _)| b.total_cmp(a));
    near.into_iter().map(|(_, id)| id).take(NAMED_MAX).collect()
}

fn near_names(near: &[SessionId]) -> String {
    if near.is_empty() { String::new() } else { format!("; near: {}", list(near)) }
}

fn list(ids: &[SessionId]) -> String {
    ids.iter().map(SessionId::as_str).collect::<Vec<_>>().join(", ")
}
