//! A file read as a whole, to be changed and replaced; and why that may fail.
//!
//! Not here: paging (`read_file.rs`) and writing (`replace.rs`).

use std::io::{self, Read as _};

use fanfold_transcript::Outcome;

use super::{Halt, Place, Resolved, grouped};
use crate::read_state::Version;

/// The largest file that is edited, or hashed to find out whether it changed.
pub(crate) const FILE_BYTES_MAX: usize = 32 * 1024 * 1024;

/// All of a file.
#[derive(Debug)]
pub(crate) struct Whole {
    /// Its bytes.
    pub(crate) content: Vec<u8>,
    /// What they are known by.
    pub(crate) version: Version,
}

/// Why a file could not be read as a whole or replaced. After any of these it is as it was.
#[derive(Debug, thiserror::Error)]
pub(crate) enum FileError {
    /// No file.
    #[error("is a directory")]
    Directory,
    /// Larger than [`FILE_BYTES_MAX`], or it would be; how large.
    #[error("is too large to be edited: {} bytes, the limit is 32 MiB", grouped(*.0))]
    TooLarge(u64),
    /// Somebody else changed it between its reading and its replacement in one call.
    #[error("changed while editing; read it again")]
    Changed,
    /// What [`Place::protects`] names.
    #[error("decides what Fanfold itself may do: no file tool writes it")]
    Protected,
    /// Its folder does not take a new file, so it cannot be replaced as a whole.
    #[error("cannot be written: no new file can be made beside it: {0}")]
    Beside(io::Error),
    /// The call has to end.
    #[error("was not written: the call was ended")]
    Ended,
    /// The system says no.
    #[error(transparent)]
    System(#[from] io::Error),
}

impl Place {
    /// Reads a whole file of at most [`FILE_BYTES_MAX`].
    ///
    /// # Errors
    /// See [`FileError`]; a larger file is refused before it is read.
    pub(crate) fn read_whole(&self, path: &Resolved, halt: &Halt) -> Result<Whole, FileError> {
        let file = self.open_beneath(path)?;
        let metadata = file.metadata()?;
        if metadata.is_dir() {
            return Err(FileError::Directory);
        }
        if Version::of_large(&metadata).is_some() {
            return Err(FileError::TooLarge(metadata.len()));
        }
        let mut content = Vec::new();
        let limit = u64::try_from(FILE_BYTES_MAX).unwrap_or(u64::MAX).saturating_add(1);
        halt.watch(file.take(limit)).read_to_end(&mut content)?;
        // It may have grown since.
        if content.len() > FILE_BYTES_MAX {
            return Err(FileError::TooLarge(limit));
        }
        Ok(Whole { version: Version::of(&content), content })
    }

    /// The outcome of a call that failed over this file, or that had to end.
    pub(crate) fn failed(&self, path: &Resolved, error: &FileError, halt: &Halt) -> Outcome {
        match halt.ending() {
            Some(ending) => Outcome::of_text(ending, "stopped before anything was written"),
            None => Outcome::tool_error(self.why(path, error)),
        }
    }

    /// Why a file could not be read or written, for the model.
    pub(crate) fn why(&self, path: &Resolved, error: &FileError) -> String {
        match error {
            FileError::System(error) => self.problem(path, error),
            FileError::Directory
            | FileError::TooLarge(_)
            | FileError::Changed
            | FileError::Protected
            | FileError::Beside(_)
            | FileError::Ended => format!("{} {error}", self.shown(path.path())),
        }
    }
}
