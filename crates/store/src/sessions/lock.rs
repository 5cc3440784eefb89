//! Who runs a session: a lock on its file `lock`, which the system drops with the process.
//!
//! The file says which process it is, for people; only the lock counts. Not here: what may be done
//! without it, which is all reading.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read as _, Write as _};
use std::os::unix::fs::{MetadataExt as _, OpenOptionsExt as _};
use std::path::PathBuf;
use std::process;
use std::thread;
use std::time::Duration;

use fanfold_transcript::SessionId;

use super::folder::SessionFolder;
use crate::files;

/// Whoever lists sessions holds each lock for an instant, so a refusal is tried again, this often …
const ATTEMPTS: u32 = 3;
/// … and this far apart.
const PAUSE: Duration = Duration::from_millis(10);

/// The right to run a session, until it is dropped.
#[derive(Debug)]
#[must_use = "the session is free again when this is dropped"]
pub struct SessionLock {
    /// Open as long as the lock is held.
    _file: File,
}

/// Why a session cannot be had.
#[derive(Debug, thiserror::Error)]
pub enum LockError {
    /// Another process runs it.
    #[error("session {session} is in use{}; wait until that ends, or end it first", by(*.pid))]
    Held {
        /// The session.
        session: SessionId,
        /// The process, if it has said so yet.
        pid: Option<u32>,
    },
    /// It was removed at this moment.
    #[error("session {0} was removed")]
    Removed(SessionId),
    /// The system says no.
    #[error("cannot lock {path}: {source}")]
    Io {
        /// The file of the lock.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
}

pub(super) fn take(folder: &SessionFolder) -> Result<SessionLock, LockError> {
    let path = path(folder);
    let failed = |source| LockError::Io { path: path.clone(), source };
    let session = || folder.id().clone();
    files::no_link(folder.path()).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => LockError::Removed(session()),
        _ => failed(error),
    })?;
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    let options = options.mode(files::FILE_MODE).custom_flags(files::NO_LINK);
    let mut file = options.open(&path).map_err(failed)?;
    if !try_often(&file).map_err(failed)? {
        return Err(LockError::Held { session: session(), pid: holder(&mut file) });
    }
    // Between opening and locking, the session may have been removed.
    let (ours, there) = (file.metadata().map_err(failed)?, path.symlink_metadata());
    if there.is_ok_and(|there| (there.dev(), there.ino()) == (ours.dev(), ours.ino())) {
        let said = file.set_len(0).and_then(|()| write!(file, "{}", process::id()));
        said.map_err(failed)?;
        Ok(SessionLock { _file: file })
    } else {
        Err(LockError::Removed(session()))
    }
}

/// Whether some process has the session. A lock that cannot be looked at counts as free.
pub(super) fn is_held(folder: &SessionFolder) -> bool {
    let file = files::open_file(&path(folder));
    file.is_ok_and(|file| matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock)))
}

fn try_often(file: &File) -> io::Result<bool> {
    for attempt in 1..=ATTEMPTS {
        match file.try_lock() {
            Ok(()) => return Ok(true),
            Err(TryLockError::Error(error)) => return Err(error),
            Err(TryLockError::WouldBlock) if attempt < ATTEMPTS => thread::sleep(PAUSE),
            Err(TryLockError::WouldBlock) => {}
        }
    }
    Ok(false)
}

fn holder(file: &mut File) -> Option<u32> {
    let mut text = String::new();
    file.take(20).read_to_string(&mut text).ok()?;
    text.parse().ok()
}

fn by(pid: Option<u32>) -> String {
    pid.map_or_else(String::new, |pid| format!(" by process {pid}"))
}

fn path(folder: &SessionFolder) -> PathBuf {
    folder.path().join("lock")
}
