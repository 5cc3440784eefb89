//! Where a call acts: its working directory and the roots that its file tools stay beneath.
//!
//! Not here: permission rules (`fanfold-agent`) and what each tool does with a file.

mod links;
mod near;
mod open;
mod protected;
mod replace;
mod rows;
#[cfg(test)]
pub(crate) mod scene;
mod sniff;
#[cfg(test)]
mod tests;
mod walk;
mod whole;
mod work;

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use fanfold_schedule::{Claim, Footprint, Groups, Resource};

pub(crate) use open::SpecialFile;
pub(crate) use replace::{Before, Expected};
pub(crate) use rows::{Rows, grouped};
pub(crate) use sniff::{Binary, beginning};
pub(crate) use walk::Walk;
pub(crate) use whole::{FILE_BYTES_MAX, FileError, Whole};
pub(crate) use work::{Halt, finished_off_thread, off_thread};

/// The longest path that systems take, in bytes.
const PATH_BYTES_MAX: usize = 4096;

/// The working directory of an agent and the folders its file tools stay inside.
#[derive(Clone, Debug)]
pub struct Place {
    directory: PathBuf,
    roots: Vec<PathBuf>,
    protected: Vec<PathBuf>,
    fs_group: Groups,
}

/// A path that leads outside every allowed folder. The text is for the model.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{path} is outside the workspace {workspace}; its folder can be allowed in the setting \
     permissions.additional_directories"
)]
pub struct OutsideRoots {
    path: String,
    workspace: String,
}

/// A workspace, or a folder beside it, that cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("cannot use the folder {folder}: {source}")]
pub struct BadFolder {
    folder: PathBuf,
    source: io::Error,
}

/// Why a path cannot be used. The text is for the model.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum PathProblem {
    /// It leads outside.
    #[error(transparent)]
    Outside(#[from] OutsideRoots),
    /// Its links lead in a circle.
    #[error("{0}: too many levels of links")]
    Loop(String),
    /// It holds a NUL, which no path may.
    #[error("{0:?} is no path: it holds a NUL character")]
    Nul(String),
    /// It is longer than any path the system takes; how long.
    #[error("no path can be {0} bytes long; expected at most {PATH_BYTES_MAX}")]
    TooLong(usize),
}

/// An absolute path without links, beneath a root at the time it was resolved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Resolved {
    /// The root.
    root: PathBuf,
    /// The whole path; equal to the root or below it.
    path: PathBuf,
}

impl Resolved {
    /// The whole path.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// This path, found while walking below `self`.
    pub(crate) fn found(&self, path: &Path) -> Self {
        Self { root: self.root.clone(), path: path.to_owned() }
    }
}

impl Place {
    /// The place of an agent that works in `directory` and may reach `additional` folders too.
    ///
    /// # Errors
    /// When one of the folders does not exist, is none or cannot be resolved.
    pub fn new(directory: impl AsRef<Path>, additional: Vec<PathBuf>) -> Result<Self, BadFolder> {
        let directory = folder(directory.as_ref())?;
        let additional = additional.iter().map(|root| folder(root));
        let roots = std::iter::once(Ok(directory.clone())).chain(additional);
        let roots = roots.collect::<Result<_, BadFolder>>()?;
        let (protected, fs_group) = (protected::folders(), Groups::named("fs"));
        Ok(Self { directory, roots, protected, fs_group })
    }

    /// This place, where writing file tools form no group: only their claims keep them apart, so
    /// that writes of different files overlap.
    #[must_use]
    pub fn with_writes_apart_by_path(self) -> Self {
        Self { fs_group: Groups::independent(), ..self }
    }

    /// The groups of file tools that write here.
    #[must_use]
    pub const fn fs_group(&self) -> &Groups {
        &self.fs_group
    }

    /// Whether this path, free of links, is one that no file tool writes: the settings of any
    /// workspace, the user's own, and Fanfold's state.
    #[must_use]
    pub fn protects(&self, path: &Path) -> bool {
        let folders = &self.protected;
        protected::is_settings(path) || folders.iter().any(|folder| path.starts_with(folder))
    }

    /// The directory relative paths start from.
    #[must_use]
    pub fn directory(&self) -> &Path {
        &self.directory
    }

    /// The path as text alone tells: absolute, `.` and `..` folded, no link looked at.
    #[must_use]
    pub fn lexical(&self, path: &str) -> PathBuf {
        links::fold(&self.directory.join(path))
    }

    /// The path with links followed as far as it exists, if that ends beneath a root.
    ///
    /// # Errors
    /// When it leads outside, in a circle, or holds a NUL.
    pub(crate) fn resolve(&self, path: &str) -> Result<Resolved, PathProblem> {
        if path.len() > PATH_BYTES_MAX {
            return Err(PathProblem::TooLong(path.len()));
        }
        if path.contains('\0') {
            return Err(PathProblem::Nul(path.to_owned()));
        }
        let followed = links::follow(&self.directory.join(path));
        let resolved = followed.map_err(|links::Circle| PathProblem::Loop(path.to_owned()))?;
        match self.roots.iter().find(|root| resolved.starts_with(root)) {
            Some(root) => Ok(Resolved { root: root.clone(), path: resolved }),
            None => Err(self.outside(path, &resolved).into()),
        }
    }

    /// The footprint of a call that reads this path, or the subtree below it.
    ///
    /// A path outside the roots counts too: a claim only ever adds a wait.
    pub(crate) fn reads(&self, path: &str) -> Footprint {
        // Such a call will be refused; following its path could take minutes.
        if path.len() > PATH_BYTES_MAX {
            return Footprint::independent();
        }
        Footprint::independent().with(Claim::read(self.resource(path)))
    }

    /// The footprint of a call that writes this path, or the subtree below it.
    pub(crate) fn writes(&self, path: &str) -> Footprint {
        let claim = (path.len() <= PATH_BYTES_MAX).then(|| Claim::write(self.resource(path)));
        Footprint { groups: self.fs_group.clone(), claims: claim.into_iter().collect() }
    }

    /// What a claim on this path is a claim on: the path with its links followed, wherever it leads.
    pub(crate) fn resource(&self, path: &str) -> Resource {
        if path.len() > PATH_BYTES_MAX {
            return Resource::path(&self.lexical(path));
        }
        let followed = links::follow(&self.directory.join(path));
        let path = followed.unwrap_or_else(|links::Circle| self.lexical(path));
        Resource::path(&path)
    }

    /// Opens a file or directory for reading so that no link put there since can lead elsewhere.
    ///
    /// # Errors
    /// Those of the system; a pipe, socket or device is refused with a [`SpecialFile`] inside.
    pub(crate) fn open_beneath(&self, path: &Resolved) -> io::Result<File> {
        open::beneath(&path.root, &path.path)
    }

    /// Says for the model why `path` could not be used; for a missing one, with near names.
    pub(crate) fn problem(&self, path: &Resolved, error: &io::Error) -> String {
        let shown = self.shown(&path.path);
        match error.kind() {
            io::ErrorKind::NotFound => match near::names(path).as_slice() {
                [] => format!("no such file or directory: {shown}"),
                names => {
                    let near = names.iter().map(|path| self.shown(path)).collect::<Vec<_>>();
                    let near = near.join(", ");
                    format!("no such file or directory: {shown} (did you mean {near}?)")
                }
            },
            io::ErrorKind::PermissionDenied => format!("permission denied: {shown}"),
            _ => format!("{shown}: {error}"),
        }
    }

    /// The path on one line: relative to the directory where it is inside, absolute elsewhere.
    pub(crate) fn shown(&self, path: &Path) -> String {
        let inside = path.strip_prefix(&self.directory).unwrap_or(path);
        if inside.as_os_str().is_empty() { ".".to_owned() } else { one_line(inside) }
    }

    fn outside(&self, path: &str, resolved: &Path) -> OutsideRoots {
        let target = one_line(resolved);
        let through_link = self.lexical(path) != resolved;
        let path = if through_link { format!("{path} (which is {target})") } else { target };
        OutsideRoots { path, workspace: one_line(&self.directory) }
    }
}

fn folder(path: &Path) -> Result<PathBuf, BadFolder> {
    let found = path.canonicalize().and_then(|found| {
        if found.is_dir() { Ok(found) } else { Err(io::ErrorKind::NotADirectory.into()) }
    });
    found.map_err(|source| BadFolder { folder: path.to_owned(), source })
}

/// A name as text on one line: control characters escaped, invalid UTF-8 replaced.
pub(crate) fn one_line(name: impl AsRef<Path>) -> String {
    let escaped = |c: char| {
        let control = c.is_control();
        let escape = control.then(|| c.escape_default()).into_iter().flatten();
        escape.chain((!control).then_some(c))
    };
    name.as_ref().to_string_lossy().chars().flat_map(escaped).collect()
}
