//! The files below a directory, in the order of their paths.
//!
//! Ignore files count (`.gitignore`, `.ignore`, those of parent directories too, in a repository or
//! not); hidden files are walked, the folders of version control are not. Links are never followed.

use std::path::Path;

use ignore::overrides::{Override, OverrideBuilder};
use ignore::{DirEntry, WalkBuilder};

use super::{Halt, Resolved};

/// Folders that version control keeps for itself.
const VERSION_CONTROL: [&str; 4] = [".git", ".hg", ".svn", ".jj"];

/// A walk over everything but directories; it ends early when its call has to.
pub(crate) struct Walk<'a> {
    entries: ignore::Walk,
    halt: &'a Halt,
    /// Entries that could not be read.
    pub(crate) unread: u64,
}

impl<'a> Walk<'a> {
    /// Walks `root` downwards; a `root` that is a file is the only entry, whatever `only` says.
    ///
    /// `only` keeps what matches this glob, or what does not match it after a `!`.
    ///
    /// # Errors
    /// When the glob cannot be read.
    pub(crate) fn new(
        root: &Resolved,
        only: Option<&str>,
        halt: &'a Halt,
    ) -> Result<Self, ignore::Error> {
        let only = chosen(root.path(), only)?;
        let mut builder = WalkBuilder::new(root.path());
        // A user's own global ignore file would make the same workspace answer differently.
        builder.hidden(false).require_git(false).git_global(false);
        builder.sort_by_file_name(Ord::cmp).filter_entry(move |entry| {
            let is_directory = entry.file_type().is_some_and(|kind| kind.is_dir());
            let internal = VERSION_CONTROL.iter().any(|name| entry.file_name() == *name);
            !internal && !only.matched(entry.path(), is_directory).is_ignore()
        });
        Ok(Self { entries: builder.build(), halt, unread: 0 })
    }
}

impl Iterator for Walk<'_> {
    type Item = DirEntry;

    fn next(&mut self) -> Option<DirEntry> {
        while self.halt.ending().is_none() {
            match self.entries.next()? {
                Ok(entry) if entry.file_type().is_some_and(|kind| !kind.is_dir()) => {
                    return Some(entry);
                }
                Ok(_) => {}
                Err(_) => self.unread += 1,
            }
        }
        None
    }
}

fn chosen(root: &Path, only: Option<&str>) -> Result<Override, ignore::Error> {
    let mut chosen = OverrideBuilder::new(root);
    if let Some(glob) = only {
        chosen.add(glob)?;
    }
    chosen.build()
}
