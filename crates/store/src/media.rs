//! Media of a session: the bytes of pictures and documents, once each, named by their SHA-256.
//!
//! The journal holds the hash, so the bytes must be durable before the fact is. Not here: base64 and
//! media types, which are the business of those who read and send them.

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicU64, Ordering};

use fanfold_transcript::Sha256;
use sha2::Digest as _;

use crate::files;

/// A folder of media. Cheap to make; the folder itself is made when something is put there.
#[derive(Clone, Debug)]
pub struct MediaStore {
    folder: PathBuf,
}

impl MediaStore {
    pub(crate) const fn at(folder: PathBuf) -> Self {
        Self { folder }
    }

    /// Keeps bytes, and gives their hash and how many they are. When it returns they survive the loss
    /// of power.
    ///
    /// # Errors
    /// Those of the system; they name the file.
    pub fn put(&self, bytes: &[u8]) -> io::Result<(Sha256, u64)> {
        let hash = hash(bytes);
        let name = hash.to_string();
        let path = self.folder.join(&name);
        // A damaged file is replaced.
        if self.get(&hash).is_err() {
            self.write(&name, bytes).map_err(|error| files::naming(&path, &error))?;
        }
        // Also for a file that was there: its maker may not have come this far.
        files::sync_folder(&self.folder)?;
        Ok((hash, u64::try_from(bytes.len()).unwrap_or(u64::MAX)))
    }

    /// The bytes of this hash.
    ///
    /// # Errors
    /// When they are not there, or are not those that were put there; the error names the file.
    pub fn get(&self, hash: &Sha256) -> io::Result<Vec<u8>> {
        let path = self.folder.join(hash.to_string());
        let bytes = files::read(&path).map_err(|error| files::naming(&path, &error))?;
        if self::hash(&bytes) != *hash {
            let text = format!("{}: the file is damaged", path.display());
            return Err(io::Error::new(io::ErrorKind::InvalidData, text));
        }
        Ok(bytes)
    }

    fn write(&self, name: &str, bytes: &[u8]) -> io::Result<()> {
        /// Tells apart those who put the same bytes at the same time.
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let temporary = format!("{name}.{}-{count}.new", process::id());
        make(&self.folder)?;
        let written = files::create(&self.folder, &temporary)
            .and_then(|mut file| file.write_all(bytes).and_then(|()| file.sync_data()))
            .and_then(|()| fs::rename(self.folder.join(&temporary), self.folder.join(name)));
        if written.is_err() {
            files::remove(&self.folder, &temporary).ok();
        }
        written
    }
}

/// Makes the folder of media, durably, if it is not there.
fn make(folder: &Path) -> io::Result<()> {
    match files::new_folder(folder) {
        Ok(()) => folder.parent().map_or(Ok(()), files::sync_folder),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => files::no_link(folder),
        Err(error) => Err(error),
    }
}

fn hash(bytes: &[u8]) -> Sha256 {
    Sha256(sha2::Sha256::digest(bytes).into())
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::{MetadataExt as _, symlink};

    use super::*;

    #[test]
    fn bytes_are_kept_once_and_checked() {
        let folder = tempfile::tempdir().unwrap();
        let media = MediaStore::at(folder.path().join("media"));
        let (abc, length) = media.put(b"abc").unwrap();
        let known = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!((abc.to_string().as_str(), length), (known, 3));
        assert_eq!(media.put(b"abc").unwrap(), (abc, 3));
        assert_eq!(media.get(&abc).unwrap(), b"abc");
        let names: Vec<_> =
            fs::read_dir(&media.folder).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        assert_eq!(names, [known]);
        let path = media.folder.join(known);
        assert_eq!(path.metadata().unwrap().mode() & 0o777, 0o600);

        fs::write(&path, "abd").unwrap();
        let error = media.get(&abc).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::InvalidData);
        assert!(error.to_string().ends_with("20015ad: the file is damaged"), "{error}");
        media.put(b"abc").unwrap();
        assert_eq!(media.get(&abc).unwrap(), b"abc");
        let missing = media.get(&hash(b"")).unwrap_err();
        assert_eq!(missing.kind(), io::ErrorKind::NotFound);
    }

    #[test]
    fn a_link_leads_nowhere() {
        let folder = tempfile::tempdir().unwrap();
        let outside = folder.path().join("outside");
        fs::write(&outside, "abc").unwrap();
        let media = MediaStore::at(folder.path().join("media"));
        fs::create_dir(&media.folder).unwrap();
        symlink(&outside, media.folder.join(hash(b"abc").to_string())).unwrap();
        assert!(media.get(&hash(b"abc")).is_err());
        let linked = MediaStore::at(folder.path().join("linked"));
        symlink(folder.path(), &linked.folder).unwrap();
        let error = linked.put(b"abc").unwrap_err().to_string();
        assert!(error.ends_with("linked is no folder"), "{error}");
    }
}
