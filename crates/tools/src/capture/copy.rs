//! The whole of an output, kept elsewhere while the head and the tail are kept for the model.
//!
//! Not here: where that is. The engine implements both traits over the store, which this crate does
//! not know.

use std::fmt;
use std::io::{self, Read};

use fanfold_transcript::{RecordHandle, Recorded, Stream};

/// Takes every byte of one call's output as it comes.
pub trait CopyTo: fmt::Debug + Send + Sync {
    /// Adds bytes to a stream. What cannot be kept is lost: a call does not fail for it.
    fn write(&self, stream: Stream, bytes: &[u8]);

    /// How a result names the stream, so that the model can read what is left out of it; `None` when
    /// nothing of it could be kept.
    fn recorded(&self, stream: Stream) -> Option<Recorded>;
}

/// Reads what was kept of the calls of a session, for ReadFile.
pub trait ReadRecords: fmt::Debug + Send + Sync {
    /// The bytes of a stream from their beginning.
    ///
    /// # Errors
    /// Of kind `NotFound` when there is no record of that call; else those of the system.
    fn open(&self, handle: RecordHandle) -> io::Result<Box<dyn Read + Send>>;
}
