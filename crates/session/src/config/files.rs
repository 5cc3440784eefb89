//! The files of the settings: where they are and how they are read.
//!
//! Not here: what they say.

use std::fs::File;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use fanfold_settings::{FILE_BYTES_MAX, LayerKind};

use crate::error::ExecError;

/// A file that may hold settings.
#[derive(Clone, Debug)]
pub(crate) struct SettingsFile {
    /// Where it is, or would be.
    pub(crate) path: PathBuf,
    /// Whose it is.
    pub(crate) layer: LayerKind,
    /// What became of it.
    pub(crate) state: FileState,
}

/// What became of a settings file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FileState {
    /// There is none.
    Missing,
    /// The user's own.
    Own,
    /// A workspace's, and the user trusted its bytes.
    Trusted,
    /// A workspace's, and it can only narrow.
    Untrusted,
}

impl FileState {
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Missing => "missing",
            Self::Own => "own",
            Self::Trusted => "trusted",
            Self::Untrusted => "not trusted",
        }
    }
}

/// The bytes of a file; `None` if there is none. A workspace may come from anybody: a pipe must not hold
/// the program up, nor an endless file fill its memory.
pub(crate) fn read(path: &Path) -> Result<Option<Vec<u8>>, ExecError> {
    match bytes(path) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if is_absent(&error) => Ok(None),
        Err(source) => Err(ExecError::SettingsFile { path: path.to_owned(), source }),
    }
}

fn bytes(path: &Path) -> io::Result<Vec<u8>> {
    let metadata = std::fs::metadata(path)?;
    if metadata.is_dir() {
        return Err(io::Error::other("it is a directory, not a file"));
    }
    if !metadata.is_file() {
        return Err(io::Error::other("it is not a file"));
    }
    let mut bytes = Vec::new();
    // One byte more than is allowed: enough to see that it is too large.
    let most = u64::try_from(FILE_BYTES_MAX).unwrap_or(u64::MAX).saturating_add(1);
    File::open(path)?.take(most).read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn is_absent(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}

/// `$XDG_CONFIG_HOME/fanfold/settings.json`, by default under `~/.config`.
pub(crate) fn user_file() -> Option<PathBuf> {
    let config = folder("XDG_CONFIG_HOME").or_else(|| Some(folder("HOME")?.join(".config")))?;
    Some(config.join("fanfold/settings.json"))
}

/// `.fanfold/settings.json` in the workspace.
pub(crate) fn workspace_file(workspace: &Path) -> PathBuf {
    workspace.join(".fanfold/settings.json")
}

/// The folder that a variable names; a relative path names none.
pub(crate) fn folder(variable: &str) -> Option<PathBuf> {
    std::env::var_os(variable).map(PathBuf::from).filter(|path| path.is_absolute())
}
