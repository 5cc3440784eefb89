//! Files of a record, made and opened so that no link leads out of its folder.
//!
//! The folder may lie in a workspace that somebody else prepared. Not here: what the files hold.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};
use std::path::Path;

/// Makes the folder of a call, or clears what an earlier record left in it.
pub(super) fn fresh_folder(folder: &Path) -> io::Result<()> {
    match fs::create_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            no_link(folder)?;
            let names = ["input.json", "output.json", "stdout", "stderr"];
            names.into_iter().try_for_each(|name| remove(folder, name))
        }
        made => made,
    }
}

/// Makes an empty file, in place of whatever bears its name.
pub(super) fn create(folder: &Path, name: &str) -> io::Result<File> {
    no_link(folder)?;
    remove(folder, name)?;
    // Refuses to follow a link, since that would be no new file.
    OpenOptions::new().read(true).write(true).create_new(true).open(folder.join(name))
}

/// Writes a file whole, or leaves the one there was.
pub(super) fn replace(folder: &Path, name: &str, text: &[u8]) -> io::Result<()> {
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
pub(super) fn open(folder: &Path, name: &str) -> io::Result<File> {
    let path = folder.join(name);
    no_link(folder)?;
    let is_file = path.symlink_metadata()?.is_file();
    if is_file { File::open(path) } else { Err(io::ErrorKind::NotFound.into()) }
}

fn no_link(folder: &Path) -> io::Result<()> {
    let is_folder = folder.symlink_metadata()?.is_dir();
    let refusal = || io::Error::other(format!("{} is no folder", folder.display()));
    if is_folder { Ok(()) } else { Err(refusal()) }
}

fn remove(folder: &Path, name: &str) -> io::Result<()> {
    match fs::remove_file(folder.join(name)) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        Ok(()) | Err(_) => Ok(()),
    }
}
