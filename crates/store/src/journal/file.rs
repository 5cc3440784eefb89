//! What a journal is written to: a file, or in a test something that dies at the wrong moment.
//!
//! Not here: what is written, and when it is synced (`writer.rs`).

use std::fs::{File, OpenOptions};
use std::io::{self, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

use crate::files;

/// Something to which bytes are added at the end.
pub trait JournalFile: Send {
    /// Adds all of `bytes` at the end.
    ///
    /// # Errors
    /// Those of the system; any part of the bytes may be there then.
    fn append(&mut self, bytes: &[u8]) -> io::Result<()>;

    /// Waits until everything that was added survives the loss of power.
    ///
    /// # Errors
    /// Those of the system; what was added since the last success may be lost then.
    fn sync(&mut self) -> io::Result<()>;

    /// Cuts off everything after the first `bytes` bytes.
    ///
    /// # Errors
    /// Those of the system.
    fn cut(&mut self, bytes: u64) -> io::Result<()>;
}

/// A file on the disk. Its errors name it.
#[derive(Debug)]
pub(super) struct DiskFile {
    file: File,
    path: PathBuf,
}

impl DiskFile {
    /// Makes a new file, and its name durable.
    pub(super) fn create(path: &Path) -> io::Result<Self> {
        let file = Self::open(path, OpenOptions::new().create_new(true))?;
        if let Some(folder) = path.parent() {
            files::sync_folder(folder)?;
        }
        Ok(file)
    }

    /// Opens a file that is there, and has at least `bytes` bytes.
    pub(super) fn existing(path: &Path, bytes: u64) -> io::Result<Self> {
        let opened = Self::open(path, &mut OpenOptions::new())?;
        // To cut a shorter one would fill it up with zeros.
        if opened.named(opened.file.metadata())?.len() < bytes {
            let error = io::Error::other("it is shorter than it was when it was read");
            return opened.named(Err(error));
        }
        Ok(opened)
    }

    fn open(path: &Path, options: &mut OpenOptions) -> io::Result<Self> {
        let options = options.append(true).mode(files::FILE_MODE).custom_flags(files::NO_LINK);
        let file = options.open(path).map_err(|error| files::naming(path, &error))?;
        Ok(Self { file, path: path.to_owned() })
    }

    fn named<T>(&self, result: io::Result<T>) -> io::Result<T> {
        result.map_err(|error| files::naming(&self.path, &error))
    }
}

impl JournalFile for DiskFile {
    fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        let written = self.file.write_all(bytes);
        self.named(written)
    }

    fn sync(&mut self) -> io::Result<()> {
        self.named(self.file.sync_data())
    }

    fn cut(&mut self, bytes: u64) -> io::Result<()> {
        self.named(self.file.set_len(bytes))
    }
}
