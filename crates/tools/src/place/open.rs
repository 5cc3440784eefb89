//! Opening beneath a root at the time of use, whatever was put in the way since the path was resolved.
//!
//! A resolved path holds no links, so a link met on the way was put there later: it is refused, even
//! one that stays inside, because claims and permissions were decided for another path.

use std::fs::File;
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::fs::FileTypeExt as _;
use std::path::Path;

use nix::errno::Errno;
use nix::fcntl::{OFlag, open, openat};
use nix::sys::stat::Mode;

/// Something at a path that is neither a file nor a directory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}, not a file or directory")]
pub(crate) struct SpecialFile(pub(crate) &'static str);

impl SpecialFile {
    /// What is special about this type of file; `None` for files, directories and links.
    pub(crate) fn of(file_type: std::fs::FileType) -> Option<Self> {
        let kinds = [
            (file_type.is_fifo(), "a named pipe"),
            (file_type.is_socket(), "a socket"),
            (file_type.is_char_device(), "a character device"),
            (file_type.is_block_device(), "a block device"),
        ];
        kinds.into_iter().find_map(|(is, kind)| is.then_some(Self(kind)))
    }
}

/// Opens `path`, which lies beneath `root` or is it, for reading and without waiting.
pub(super) fn beneath(root: &Path, path: &Path) -> io::Result<File> {
    let below = path.strip_prefix(root).map_err(io::Error::other)?;
    let opened = open_without_links(root, below).map_err(|errno| refusal(errno, path))?;
    let file = File::from(opened);
    match SpecialFile::of(file.metadata()?.file_type()) {
        Some(special) => Err(io::Error::new(io::ErrorKind::InvalidInput, special)),
        None => Ok(file),
    }
}

/// Never waits for the other end of a pipe, never makes a terminal ours.
fn reading() -> OFlag {
    OFlag::O_RDONLY | OFlag::O_CLOEXEC | OFlag::O_NONBLOCK | OFlag::O_NOCTTY
}

fn refusal(errno: Errno, path: &Path) -> io::Error {
    match errno {
        Errno::ELOOP | Errno::EXDEV => {
            io::Error::other("a link was put on the way to it while it was being opened")
        }
        // A socket cannot be opened at all.
        Errno::ENXIO => {
            let special = path.symlink_metadata().ok().and_then(|m| SpecialFile::of(m.file_type()));
            special.map_or_else(
                || errno.into(),
                |special| io::Error::new(io::ErrorKind::InvalidInput, special),
            )
        }
        other => other.into(),
    }
}

#[cfg(target_os = "linux")]
fn open_without_links(root: &Path, below: &Path) -> nix::Result<OwnedFd> {
    use nix::fcntl::{AT_FDCWD, OpenHow, ResolveFlag, openat2};

    let below = if below.as_os_str().is_empty() { Path::new(".") } else { below };
    let to_root = OpenHow::new()
        .flags(OFlag::O_PATH | OFlag::O_DIRECTORY | OFlag::O_CLOEXEC)
        .resolve(ResolveFlag::RESOLVE_NO_SYMLINKS);
    let to_file = OpenHow::new()
        .flags(reading())
        .resolve(ResolveFlag::RESOLVE_BENEATH | ResolveFlag::RESOLVE_NO_SYMLINKS);
    let opened = openat2(AT_FDCWD, root, to_root).and_then(|root| openat2(root, below, to_file));
    match opened {
        // Older kernels lack the call; some sandboxes forbid what they do not know.
        Err(Errno::ENOSYS | Errno::EPERM) => step_by_step(&root.join(below)),
        opened => opened,
    }
}

#[cfg(not(target_os = "linux"))]
fn open_without_links(root: &Path, below: &Path) -> nix::Result<OwnedFd> {
    step_by_step(&root.join(below))
}

/// Opens an absolute path name by name, each one relative to the directory before, none a link.
pub(super) fn step_by_step(path: &Path) -> nix::Result<OwnedFd> {
    use std::path::Component;

    let directory = OFlag::O_RDONLY | OFlag::O_DIRECTORY | OFlag::O_CLOEXEC;
    // Passing through a directory needs no right to list it.
    #[cfg(target_os = "linux")]
    let directory = directory | OFlag::O_PATH;
    let mut names = path.components().filter_map(|component| match component {
        Component::Normal(name) => Some(name),
        Component::Prefix(_) | Component::RootDir | Component::CurDir | Component::ParentDir => {
            None
        }
    });
    let Some(last) = names.next_back() else {
        return open("/", reading(), Mode::empty());
    };
    let mut at = open("/", directory, Mode::empty())?;
    for name in names {
        // A link to a directory gives ENOTDIR here, a link as the last name ELOOP.
        at = openat(at, name, directory | OFlag::O_NOFOLLOW, Mode::empty())?;
    }
    openat(at, last, reading() | OFlag::O_NOFOLLOW, Mode::empty())
}
