//! What an agent last saw of each file, so that a write over a change it has not seen is refused.
//!
//! Not here: reading and writing files (the tools, `place/replace.rs`) and keeping this across
//! sessions.

use std::collections::BTreeMap;
use std::fmt;
use std::fs::{File, Metadata};
use std::hash::{DefaultHasher, Hasher as _};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::SystemTime;

use fanfold_transcript::CallId;

use crate::place::{FILE_BYTES_MAX, Halt};

/// What one agent last read or wrote of each file, and who of its session wrote last.
///
/// Everything is kept for the life of the agent: a few hundred bytes for each file it touched.
#[derive(Debug, Default)]
pub struct ReadState {
    seen: Mutex<BTreeMap<PathBuf, Seen>>,
    writers: Arc<Mutex<BTreeMap<PathBuf, Written>>>,
}

/// Which content a file had.
///
/// The hash is the standard library's SipHash: it guards against accidents, not against somebody who
/// makes two contents collide on purpose, and 64 bits make an accident as good as impossible. Should
/// another release hash differently, a kept version differs, and the agent is only told to read again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Version {
    /// The hash of all of it.
    Content(u64),
    /// Of a file too large to be hashed: when it was written, and its length in bytes.
    Stamp(Option<SystemTime>, u64),
}

/// How an agent came to know a content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Glance {
    /// It read all of it.
    Whole,
    /// It read some of it.
    Part,
    /// It wrote it.
    Wrote,
}

#[derive(Clone, Copy, Debug)]
struct Seen {
    version: Version,
    glance: Glance,
    call: CallId,
}

#[derive(Clone, Copy, Debug)]
struct Written {
    version: Version,
    call: CallId,
}

/// A file is not as the agent last saw it. The text is for the model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stale {
    glance: Glance,
    at: CallId,
    by: Option<CallId>,
}

impl fmt::Display for Stale {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let how = match self.glance {
            Glance::Whole => "read it",
            Glance::Part => "read a part of it",
            Glance::Wrote => "wrote it",
        };
        write!(f, "changed since you {how} at {} by ", self.at)?;
        match self.by {
            Some(call) => write!(f, "{call}")?,
            None => f.write_str("something else")?,
        }
        f.write_str("; read it again")
    }
}

impl ReadState {
    /// The state of another agent of the same session, which has seen nothing yet.
    #[must_use]
    pub fn of_another_agent(&self) -> Self {
        Self { seen: Mutex::default(), writers: Arc::clone(&self.writers) }
    }

    fn seen(&self) -> MutexGuard<'_, BTreeMap<PathBuf, Seen>> {
        // Each change is one insertion, so a panic elsewhere spoils nothing.
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn writers(&self) -> MutexGuard<'_, BTreeMap<PathBuf, Written>> {
        self.writers.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What one call notes of the files it reads and writes.
#[derive(Clone, Debug)]
pub(crate) struct Notes {
    state: Arc<ReadState>,
    call: CallId,
}

impl Notes {
    /// The notes of this call.
    pub(crate) const fn new(state: Arc<ReadState>, call: CallId) -> Self {
        Self { state, call }
    }

    /// The agent has read this.
    pub(crate) fn read(&self, path: &Path, version: Version, glance: Glance) {
        let seen = Seen { version, glance, call: self.call };
        self.state.seen().insert(path.to_owned(), seen);
    }

    /// The agent has written this, and knows what it wrote.
    pub(crate) fn wrote(&self, path: &Path, version: Version) {
        self.read(path, version, Glance::Wrote);
        self.state.writers().insert(path.to_owned(), Written { version, call: self.call });
    }

    /// The call has changed a file without the agent having to know it: a change by others before
    /// that the agent has not seen remains one it has not seen.
    pub(crate) fn rewrote(&self, path: &Path, before: Version, after: Version) {
        if self.check(path, before).is_ok() {
            self.wrote(path, after);
        } else {
            self.state
                .writers()
                .insert(path.to_owned(), Written { version: after, call: self.call });
        }
    }

    /// Whether the agent has ever read or written this file.
    pub(crate) fn knows(&self, path: &Path) -> bool {
        self.state.seen().contains_key(path)
    }

    /// Whether a file that has this content now is as the agent last saw it, if it ever did.
    ///
    /// # Errors
    /// When it is not.
    pub(crate) fn check(&self, path: &Path, now: Version) -> Result<(), Stale> {
        let Some(seen) = self.state.seen().get(path).copied() else { return Ok(()) };
        if seen.version == now {
            return Ok(());
        }
        let writer = self.state.writers().get(path).copied();
        let by = writer.filter(|written| written.version == now).map(|written| written.call);
        Err(Stale { glance: seen.glance, at: seen.call, by })
    }
}

impl Version {
    /// That of a whole content which was read or written as one.
    pub(crate) fn of(content: &[u8]) -> Self {
        let mut hasher = DefaultHasher::new();
        hasher.write(content);
        Self::Content(hasher.finish())
    }

    /// That of an open file, read from its beginning.
    ///
    /// # Errors
    /// Those of the system, and when the call has to end.
    pub(crate) fn of_file(file: &File, halt: &Halt) -> io::Result<Self> {
        let metadata = file.metadata()?;
        if let Some(stamp) = Self::of_large(&metadata) {
            return Ok(stamp);
        }
        Hashing::new(halt.watch(file)).finish()
    }

    /// That of a file too large to be hashed; `None` for others.
    pub(crate) fn of_large(metadata: &Metadata) -> Option<Self> {
        let large = usize::try_from(metadata.len()).map_or(true, |bytes| bytes > FILE_BYTES_MAX);
        large.then(|| Self::Stamp(metadata.modified().ok(), metadata.len()))
    }
}

/// A reader that hashes what is read through it.
#[derive(Debug)]
pub(crate) struct Hashing<R> {
    reader: R,
    hasher: DefaultHasher,
}

impl<R: Read> Hashing<R> {
    /// Hashes everything from here on.
    pub(crate) fn new(reader: R) -> Self {
        Self { reader, hasher: DefaultHasher::new() }
    }

    /// Reads what is left, and gives the version of everything.
    ///
    /// # Errors
    /// Those of the reader.
    pub(crate) fn finish(mut self) -> io::Result<Version> {
        io::copy(&mut self, &mut io::sink())?;
        Ok(Version::Content(self.hasher.finish()))
    }
}

impl<R: Read> Read for Hashing<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.reader.read(buffer)?;
        self.hasher.write(&buffer[..length]);
        Ok(length)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn notes(call: u32, state: &Arc<ReadState>) -> Notes {
        Notes::new(Arc::clone(state), CallId::new(call))
    }

    #[test]
    fn a_change_names_who_read_and_who_wrote() {
        let (agent, path) = (Arc::new(ReadState::default()), Path::new("/w/f"));
        let other = Arc::new(agent.of_another_agent());
        let versions = [1, 2, 3].map(Version::Content);
        assert_eq!(notes(1, &agent).check(path, versions[0]), Ok(()));

        notes(1, &agent).read(path, versions[0], Glance::Whole);
        assert_eq!(notes(2, &agent).check(path, versions[0]), Ok(()));
        let text = |version| notes(9, &agent).check(path, version).unwrap_err().to_string();
        let unknown = "changed since you read it at c1 by something else; read it again";
        assert_eq!(text(versions[1]), unknown);

        notes(2, &other).wrote(path, versions[1]);
        assert_eq!(text(versions[1]), "changed since you read it at c1 by c2; read it again");
        // Somebody outside wrote after that call.
        assert_eq!(text(versions[2]), unknown);

        notes(3, &agent).read(path, versions[1], Glance::Part);
        let part = "changed since you read a part of it at c3 by something else; read it again";
        assert_eq!(text(versions[2]), part);
        notes(4, &agent).wrote(path, versions[2]);
        let wrote = "changed since you wrote it at c4 by something else; read it again";
        assert_eq!(text(versions[0]), wrote);
    }

    #[test]
    fn a_rewrite_does_not_hide_a_change_that_was_not_seen() {
        let (agent, path) = (Arc::new(ReadState::default()), Path::new("/w/f"));
        let versions = [1, 2, 3].map(Version::Content);
        notes(1, &agent).read(path, versions[0], Glance::Whole);
        notes(2, &agent).rewrote(path, versions[0], versions[1]);
        assert_eq!(notes(3, &agent).check(path, versions[1]), Ok(()));
        notes(4, &agent).rewrote(path, versions[2], versions[0]);
        assert!(notes(5, &agent).check(path, versions[0]).is_err());
    }

    #[test]
    fn hashing_in_pieces_gives_what_hashing_at_once_gives() {
        let content: Vec<u8> = (0..=255).cycle().take(100_000).collect();
        for piece in [1, 3, 7, 8, 9, 4096] {
            let mut hashing = Hashing::new(content.as_slice());
            let mut buffer = vec![0; piece];
            hashing.read_exact(&mut buffer).unwrap();
            hashing.read_exact(&mut buffer).unwrap();
            assert_eq!(hashing.finish().unwrap(), Version::of(&content), "{piece}");
        }
    }
}
