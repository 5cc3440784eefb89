//! Which workspaces' settings the user trusts: the path of each file and the hash of its bytes.
//!
//! A changed file is not trusted any more. Not here: what a file may say that is not
//! (`fanfold-settings`).

use std::collections::BTreeMap;
use std::fs::{DirBuilder, File, OpenOptions};
use std::io::{self, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use super::files::folder;
use crate::error::ExecError;

/// The only version of the file there is.
const VERSION: u32 = 1;

/// The trusted files, kept in `trust.json` of Fanfold's own folder.
#[derive(Debug)]
pub(crate) struct TrustStore {
    path: PathBuf,
    record: TrustRecord,
}

/// What `trust.json` holds.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct TrustRecord {
    version: u32,
    /// The SHA-256 of each trusted file, in hexadecimal, by the file's real path.
    files: BTreeMap<String, String>,
}

impl TrustStore {
    /// Reads it; a missing file trusts nothing.
    pub(crate) fn open() -> Result<Self, ExecError> {
        let path = fanfold_home()?.join("trust.json");
        let record = match std::fs::read(&path) {
            Ok(bytes) => parse(&bytes).map_err(|source| cannot_use(&path, source))?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                TrustRecord { version: VERSION, files: BTreeMap::new() }
            }
            Err(source) => return Err(cannot_use(&path, source)),
        };
        Ok(Self { path, record })
    }

    /// Whether the user trusted this file with these bytes.
    pub(crate) fn trusts(&self, file: &Path, bytes: &[u8]) -> bool {
        let known = name(file).ok().and_then(|name| self.record.files.get(&name));
        known.is_some_and(|known| *known == hash(bytes))
    }

    /// Trusts this file with these bytes, durably; gives their hash.
    pub(crate) fn trust(&mut self, file: &Path, bytes: &[u8]) -> Result<String, ExecError> {
        let name = name(file).map_err(|source| cannot_use(file, source))?;
        let hash = hash(bytes);
        self.record.files.insert(name, hash.clone());
        self.write().map_err(|source| cannot_use(&self.path, source))?;
        Ok(hash)
    }

    /// Writes beside the file and renames, so that a crash leaves the old one or the new one.
    fn write(&self) -> io::Result<()> {
        if let Some(home) = self.path.parent() {
            DirBuilder::new().recursive(true).mode(0o700).create(home)?;
        }
        let beside = self.path.with_extension(format!("{}.tmp", std::process::id()));
        // Left by a process of the same number that was killed.
        std::fs::remove_file(&beside).ok();
        let written = self.write_to(&beside).and_then(|()| std::fs::rename(&beside, &self.path));
        if written.is_err() {
            std::fs::remove_file(&beside).ok();
        }
        written
    }

    fn write_to(&self, path: &Path) -> io::Result<()> {
        let mut file: File =
            OpenOptions::new().write(true).create_new(true).mode(0o600).open(path)?;
        serde_json::to_writer_pretty(&mut file, &self.record)?;
        file.write_all(b"\n")?;
        file.sync_all()
    }
}

/// Fanfold's own folder: `$FANFOLD_HOME`, by default `~/.local/state/fanfold`.
pub(crate) fn fanfold_home() -> Result<PathBuf, ExecError> {
    if std::env::var_os("FANFOLD_HOME").is_some() {
        return folder("FANFOLD_HOME").ok_or(ExecError::Home("FANFOLD_HOME"));
    }
    Ok(folder("HOME").ok_or(ExecError::Home("FANFOLD_HOME or HOME"))?.join(".local/state/fanfold"))
}

fn parse(bytes: &[u8]) -> io::Result<TrustRecord> {
    let record: TrustRecord = serde_json::from_slice(bytes)?;
    if record.version == VERSION {
        Ok(record)
    } else {
        Err(io::Error::other(format!("its version {} is not known", record.version)))
    }
}

/// The real path of a file: links cannot make one file stand for another.
fn name(file: &Path) -> io::Result<String> {
    let real = file.canonicalize()?;
    let text = real.to_str().ok_or_else(|| io::Error::other("its path is not UTF-8"))?;
    Ok(text.to_owned())
}

fn hash(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

fn cannot_use(path: &Path, source: io::Error) -> ExecError {
    ExecError::TrustFile { path: path.to_owned(), source }
}
