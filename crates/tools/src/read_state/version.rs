//! Which content a file had: short enough to be kept for every file, sure enough to tell two apart.
//!
//! Not here: who had seen it (`read_state.rs`).

use std::fs::{File, Metadata};
use std::io::{self, Read};
use std::os::unix::fs::MetadataExt as _;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use sha2::{Digest as _, Sha256};

use crate::place::{FILE_BYTES_MAX, Halt};

/// Which content a file had.
///
/// Versions are kept across restarts, so what they are made of must not change. As JSON a version is
/// `{"content": "ba7816bf8f01cfea"}` or `{"stamp": {"seconds": 1, "nanoseconds": 2, "bytes": 3}}`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Version {
    /// The first 64 bits of the SHA-256 of all of it: that two contents share them by accident is as
    /// good as impossible.
    Content(Hash),
    /// Of a file too large to be hashed: when it was written, since 1970, and its length.
    Stamp { seconds: i64, nanoseconds: i64, bytes: u64 },
}

/// 64 bits, written as 16 hexadecimal digits: not every reader of JSON keeps a number of that size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Hash(pub(super) u64);

impl Serialize for Hash {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&format_args!("{:016x}", self.0))
    }
}

impl<'de> Deserialize<'de> for Hash {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        u64::from_str_radix(&text, 16).map(Self).map_err(serde::de::Error::custom)
    }
}

impl Version {
    /// That of a whole content which was read or written as one.
    pub(crate) fn of(content: &[u8]) -> Self {
        Self::hashed(Sha256::new_with_prefix(content))
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
        let (seconds, nanoseconds) = (metadata.mtime(), metadata.mtime_nsec());
        large.then_some(Self::Stamp { seconds, nanoseconds, bytes: metadata.len() })
    }

    fn hashed(hasher: Sha256) -> Self {
        let hash: [u8; 32] = hasher.finalize().into();
        let [a, b, c, d, e, f, g, h, ..] = hash;
        Self::Content(Hash(u64::from_be_bytes([a, b, c, d, e, f, g, h])))
    }
}

/// A reader that hashes what is read through it.
#[derive(Debug)]
pub(crate) struct Hashing<R> {
    reader: R,
    hasher: Sha256,
}

impl<R: Read> Hashing<R> {
    /// Hashes everything from here on.
    pub(crate) fn new(reader: R) -> Self {
        Self { reader, hasher: Sha256::new() }
    }

    /// Reads what is left, and gives the version of everything.
    ///
    /// # Errors
    /// Those of the reader.
    pub(crate) fn finish(mut self) -> io::Result<Version> {
        io::copy(&mut self, &mut io::sink())?;
        Ok(Version::hashed(self.hasher))
    }
}

impl<R: Read> Read for Hashing<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.reader.read(buffer)?;
        self.hasher.update(&buffer[..length]);
        Ok(length)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kept_version_stays_what_it_was() {
        let abc = Version::of(b"abc");
        // The beginning of the standard's own example of SHA-256.
        assert_eq!(serde_json::to_string(&abc).unwrap(), r#"{"content":"ba7816bf8f01cfea"}"#);
        let stamp = Version::Stamp { seconds: -1, nanoseconds: 2, bytes: u64::MAX };
        let text = r#"{"stamp":{"seconds":-1,"nanoseconds":2,"bytes":18446744073709551615}}"#;
        assert_eq!(serde_json::to_string(&stamp).unwrap(), text);
        for version in [abc, stamp, Version::Content(Hash(1))] {
            let text = serde_json::to_string(&version).unwrap();
            assert_eq!(serde_json::from_str::<Version>(&text).unwrap(), version, "{text}");
        }
        assert!(serde_json::from_str::<Version>(r#"{"content":"no number"}"#).is_err());
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
