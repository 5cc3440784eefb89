//! Replacing a file as a whole: whoever reads it sees the old content or the new, never a part.
//!
//! The new content goes to a temporary file in the same folder, is flushed, and is then renamed over
//! the target, everything beneath the root. Mode and, where allowed, owner are kept; extended
//! attributes are not. A file with several hard links leaves the others with the old content. Not
//! here: what the new content is, and whether the agent has seen the old (`read_state.rs`).

use std::ffi::{OsStr, OsString};
use std::fs::{File, Permissions};
use std::io::{self, Write as _};
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, fchown};
use std::sync::atomic::{AtomicU64, Ordering};

use nix::errno::Errno;
use nix::fcntl::{AtFlags, OFlag, openat, renameat};
use nix::sys::stat::{FileStat, Mode, SFlag, fstatat, mkdirat};
use nix::unistd::{AccessFlags, UnlinkatFlags, faccessat, unlinkat};

use super::whole::{FILE_BYTES_MAX, FileError};
use super::{Halt, Place, Resolved, SpecialFile};
use crate::read_state::Version;

/// Names that are tried for a temporary file.
const ATTEMPTS: usize = 100;

/// Bytes of the target's name in that of its temporary file: together they fit into a name.
const NAME_BYTES: usize = 200;

/// Bytes written between two looks at whether the call has to end.
const PIECE_BYTES: usize = 1 << 20;

/// What the target must be right before it is replaced.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Expected {
    /// A file or nothing.
    Anything,
    /// A file of this content.
    Version(Version),
}

/// A file that has its new content.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Replaced {
    /// The new content.
    pub(crate) version: Version,
    /// What was there before.
    pub(crate) before: Before,
}

/// What was there before a file was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Before {
    /// Nothing.
    Nothing,
    /// A file with this one name.
    OneName,
    /// A file with other hard links, which keep the old content.
    MoreNames,
}

impl Place {
    /// Replaces or creates a file; its folder must exist.
    ///
    /// A file that this process may not write into is not replaced either.
    ///
    /// # Errors
    /// See [`FileError`]. The old content is whole then, and no temporary file is left.
    pub(crate) fn replace(
        &self,
        path: &Resolved,
        content: &[u8],
        expected: Expected,
        halt: &Halt,
    ) -> Result<Replaced, FileError> {
        Staged::write(self, path, content, halt)?.commit(expected, halt)
    }

    /// Makes the folders on the way to a file. They stay, even if the file is not written then.
    ///
    /// # Errors
    /// Those of the system.
    pub(crate) fn make_folders(&self, path: &Resolved) -> io::Result<()> {
        let mut missing = Vec::new();
        for folder in path.path.ancestors().skip(1).take_while(|f| f.starts_with(&path.root)) {
            match self.open_beneath(&path.found(folder)) {
                Ok(_) => break,
                Err(error) if error.kind() == io::ErrorKind::NotFound => missing.push(folder),
                Err(error) => return Err(error),
            }
        }
        for folder in missing.into_iter().rev() {
            let (Some(above), Some(name)) = (folder.parent(), folder.file_name()) else { continue };
            let above = self.open_beneath(&path.found(above))?;
            match mkdirat(&above, name, Mode::from_bits_truncate(0o777)) {
                // A call beside this one may have made it.
                Ok(()) | Err(Errno::EEXIST) => {}
                Err(errno) => return Err(errno.into()),
            }
        }
        Ok(())
    }
}

/// New content beside its target, complete and flushed. Dropped, it is gone.
#[derive(Debug)]
struct Staged<'a> {
    place: &'a Place,
    target: &'a Resolved,
    folder: File,
    temporary: OsString,
    version: Version,
}

impl<'a> Staged<'a> {
    fn write(
        place: &'a Place,
        target: &'a Resolved,
        content: &[u8],
        halt: &Halt,
    ) -> Result<Self, FileError> {
        if place.protects(target.path()) {
            return Err(FileError::Protected);
        }
        // A root is its own parent here: it is a directory.
        let (true, Some(parent), Some(name)) =
            (target.path != target.root, target.path.parent(), target.path.file_name())
        else {
            return Err(FileError::Directory);
        };
        let folder = place.open_beneath(&target.found(parent))?;
        let old = file_at(&folder, name)?;
        if old.is_some() {
            faccessat(&folder, name, AccessFlags::W_OK, AtFlags::AT_EACCESS)
                .map_err(io::Error::from)?;
        }
        let (temporary, mut file) = create(&folder, name).map_err(FileError::Beside)?;
        let version = Version::of(content);
        let mut staged = Self { place, target, folder, temporary, version };
        for piece in content.chunks(PIECE_BYTES) {
            if halt.ending().is_some() {
                return Err(FileError::Ended);
            }
            file.write_all(piece)?;
        }
        take_over(&file, old.as_ref())?;
        file.sync_all()?;
        if content.len() > FILE_BYTES_MAX {
            staged.version = Version::of_large(&file.metadata()?).unwrap_or(version);
        }
        Ok(staged)
    }

    /// Puts it in the place of its target, if that is still what it was.
    fn commit(self, expected: Expected, halt: &Halt) -> Result<Replaced, FileError> {
        if let Expected::Version(version) = expected {
            let now =
                self.place.open_beneath(self.target).and_then(|now| Version::of_file(&now, halt));
            match now {
                Ok(now) if now == version => {}
                Ok(_) => return Err(FileError::Changed),
                Err(error) if error.kind() == io::ErrorKind::NotFound => {
                    return Err(FileError::Changed);
                }
                Err(error) => return Err(error.into()),
            }
        }
        let name = self.name();
        let before = match file_at(&self.folder, name)? {
            None => Before::Nothing,
            Some(old) if old.st_nlink > 1 => Before::MoreNames,
            Some(_) => Before::OneName,
        };
        self.check_folder()?;
        // A call that nobody waits for any more must not take effect later.
        if halt.ending().is_some() {
            return Err(FileError::Ended);
        }
        renameat(&self.folder, &*self.temporary, &self.folder, name).map_err(io::Error::from)?;
        // Some file systems cannot flush a folder; the content is flushed in any case.
        self.folder.sync_all().ok();
        Ok(Replaced { version: self.version, before })
    }

    /// The open folder may have been moved, even out of the roots, since it was opened.
    fn check_folder(&self) -> io::Result<()> {
        let Some(parent) = self.target.path.parent() else { return Ok(()) };
        let now = self.place.open_beneath(&self.target.found(parent))?.metadata()?;
        let opened = self.folder.metadata()?;
        if (now.dev(), now.ino()) == (opened.dev(), opened.ino()) {
            Ok(())
        } else {
            Err(io::Error::other("its folder was moved while it was being written"))
        }
    }

    fn name(&self) -> &'a OsStr {
        self.target.path.file_name().unwrap_or_default()
    }
}

impl Drop for Staged<'_> {
    fn drop(&mut self) {
        // After the rename the name is gone already.
        unlinkat(&self.folder, &*self.temporary, UnlinkatFlags::NoRemoveDir).ok();
    }
}

/// The file of this name, which nothing but a file may have.
fn file_at(folder: &File, name: &OsStr) -> Result<Option<FileStat>, FileError> {
    let found = match fstatat(folder, name, AtFlags::AT_SYMLINK_NOFOLLOW) {
        Ok(found) => found,
        Err(Errno::ENOENT) => return Ok(None),
        Err(errno) => return Err(io::Error::from(errno).into()),
    };
    let special = match SFlag::from_bits_truncate(found.st_mode & SFlag::S_IFMT.bits()) {
        SFlag::S_IFREG => return Ok(Some(found)),
        SFlag::S_IFDIR => return Err(FileError::Directory),
        SFlag::S_IFLNK => {
            let text = "a link was put in its place while it was being written";
            return Err(io::Error::other(text).into());
        }
        SFlag::S_IFIFO => SpecialFile("a named pipe"),
        SFlag::S_IFSOCK => SpecialFile("a socket"),
        SFlag::S_IFCHR => SpecialFile("a character device"),
        _ => SpecialFile("a block device"),
    };
    Err(io::Error::new(io::ErrorKind::InvalidInput, special).into())
}

/// Creates a file that nobody else has, hidden, named after its target.
fn create(folder: &File, name: &OsStr) -> io::Result<(OsString, File)> {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let name = name.as_bytes();
    let flags =
        OFlag::O_WRONLY | OFlag::O_CREAT | OFlag::O_EXCL | OFlag::O_NOFOLLOW | OFlag::O_CLOEXEC;
    for _ in 0..ATTEMPTS {
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let mark = format!(".fanfold-{}-{count}", std::process::id());
        let temporary = [b".", &name[..name.len().min(NAME_BYTES)], mark.as_bytes()].concat();
        let temporary = OsString::from_vec(temporary);
        match openat(folder, &*temporary, flags, Mode::from_bits_truncate(0o666)) {
            Ok(opened) => return Ok((temporary, File::from(opened))),
            // Left by a process of the same number that was killed.
            Err(Errno::EEXIST) => {}
            Err(errno) => return Err(errno.into()),
        }
    }
    Err(io::ErrorKind::AlreadyExists.into())
}

/// Gives a new file the owner and the mode of the one it replaces.
fn take_over(file: &File, old: Option<&FileStat>) -> io::Result<()> {
    let Some(old) = old else { return Ok(()) };
    let new = file.metadata()?;
    if (new.uid(), new.gid()) != (old.st_uid, old.st_gid) {
        // Only the superuser may give files away.
        fchown(file, Some(old.st_uid), Some(old.st_gid)).ok();
    }
    // As after any write, the rights of the owner are not lent to whoever runs it.
    file.set_permissions(Permissions::from_mode(old.st_mode & 0o1777))
}

#[cfg(test)]
mod tests;
