//! Files and folders of our own, made and opened so that no link leads out of the folder they are in,
//! and so that nobody else can read them.
//!
//! The folder may lie in a workspace that somebody else prepared. Not here: what the files hold.

use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, Read as _, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};

use nix::fcntl::OFlag;

/// Of every file: for its owner only.
pub(crate) const FILE_MODE: u32 = 0o600;
/// Of every folder: for its owner only.
const FOLDER_MODE: u32 = 0o700;
/// The flag of an opening that refuses a link.
pub(crate) const NO_LINK: i32 = OFlag::O_NOFOLLOW.bits();

/// Makes a folder, which must not be there yet.
pub(crate) fn new_folder(folder: &Path) -> io::Result<()> {
    DirBuilder::new().mode(FOLDER_MODE).create(folder)
}

/// Makes a folder and those above it, where they are missing.
pub(crate) fn folders(folder: &Path) -> io::Result<()> {
    DirBuilder::new().mode(FOLDER_MODE).recursive(true).create(folder)
}

/// Makes the folders `names`, one in the other, beneath `root`; none of them may be a link.
pub(crate) fn folders_beneath(root: &Path, names: &[&str]) -> io::Result<PathBuf> {
    let mut folder = root.to_owned();
    for name in names {
        folder.push(name);
        match new_folder(&folder) {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
            Ok(()) | Err(_) => no_link(&folder)?,
        }
    }
    Ok(folder)
}

/// Makes the folder of a call, or clears what an earlier record left in it.
pub(crate) fn fresh_folder(folder: &Path) -> io::Result<()> {
    match new_folder(folder) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            no_link(folder)?;
            let names = ["input.json", "output.json", "stdout", "stderr"];
            names.into_iter().try_for_each(|name| remove(folder, name))
        }
        made => made,
    }
}

/// Makes an empty file, in place of whatever bears its name.
pub(crate) fn create(folder: &Path, name: &str) -> io::Result<File> {
    no_link(folder)?;
    remove(folder, name)?;
    // Refuses to follow a link, since that would be no new file.
    let mut options = OpenOptions::new();
    options.read(true).write(true).create_new(true).mode(FILE_MODE).open(folder.join(name))
}

/// Writes a file whole, or leaves the one there was.
pub(crate) fn replace(folder: &Path, name: &str, text: &[u8]) -> io::Result<()> {
    let temporary = format!("{name}.new");
    let written = create(folder, &temporary)
        .and_then(|mut file| file.write_all(text))
        .and_then(|()| fs::rename(folder.join(&temporary), folder.join(name)));
    if written.is_err() {
        // The error is what counts; a rest of a few bytes is not worth another.
        remove(folder, &temporary).ok();
    }
    written
}

/// Opens a file for reading; a link or anything else that is no file counts as absent.
pub(crate) fn open(folder: &Path, name: &str) -> io::Result<File> {
    no_link(folder)?;
    open_file(&folder.join(name))
}

/// Opens a file for reading; a link or anything else that is no file counts as absent.
pub(crate) fn open_file(path: &Path) -> io::Result<File> {
    // Looked at first, since opening a pipe would wait.
    let is_file = path.symlink_metadata()?.is_file();
    if !is_file {
        return Err(io::ErrorKind::NotFound.into());
    }
    OpenOptions::new().read(true).custom_flags(NO_LINK).open(path)
}

/// Reads a whole file, which is no link.
pub(crate) fn read(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    open_file(path)?.read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Waits until the names in a folder survive the loss of power.
pub(crate) fn sync_folder(folder: &Path) -> io::Result<()> {
    let synced = File::open(folder).and_then(|folder| folder.sync_all());
    synced.map_err(|error| naming(folder, &error))
}

/// The error, with the file it is about.
pub(crate) fn naming(path: &Path, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {error}", path.display()))
}

/// Fails unless `folder` is a folder itself, and no link to one.
pub(crate) fn no_link(folder: &Path) -> io::Result<()> {
    let is_folder = folder.symlink_metadata()?.is_dir();
    let refusal = || io::Error::other(format!("{} is no folder", folder.display()));
    if is_folder { Ok(()) } else { Err(refusal()) }
}

/// Removes a file, if it is there.
pub(crate) fn remove(folder: &Path, name: &str) -> io::Result<()> {
    match fs::remove_file(folder.join(name)) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        Ok(()) | Err(_) => Ok(()),
    }
}
