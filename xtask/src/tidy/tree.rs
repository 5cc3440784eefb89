//! The files of the project, read once.
//!
//! Read are the files that git would take: whatever `.gitignore` names is left out. git itself is
//! not asked, so that the rules also hold in an unpacked archive.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use ignore::WalkBuilder;

use crate::failure::Failure;
use crate::tidy::source::Source;

/// The files by path, relative to the root, with `/` between folders.
pub(super) struct Tree {
    files: BTreeMap<String, File>,
}

/// One file.
pub(super) struct File {
    /// Its size.
    pub bytes: u64,
    /// Its content; `None` when it is not UTF-8.
    pub text: Option<String>,
}

impl Tree {
    /// Reads everything below `root`.
    ///
    /// # Errors
    /// When a folder or file cannot be read.
    pub(super) fn read(root: &Path) -> Result<Self, Failure> {
        let mut walk = WalkBuilder::new(root);
        walk.hidden(false).require_git(false).parents(false).ignore(false);
        walk.git_global(false).git_exclude(false);
        walk.filter_entry(|entry| entry.file_name() != ".git");
        let mut files = BTreeMap::new();
        for entry in walk.build() {
            let entry =
                entry.map_err(|error| Failure::check(format!("failed to walk: {error}")))?;
            if !entry.file_type().is_some_and(|kind| kind.is_file()) {
                continue;
            }
            let path = entry.path().strip_prefix(root).expect("a walk stays below its root");
            let content = fs::read(entry.path()).map_err(|error| {
                Failure::check(format!("failed to read {}: {error}", path.display()))
            })?;
            files.insert(path.to_string_lossy().replace('\\', "/"), File::of(content));
        }
        Ok(Self { files })
    }

    /// Files that are made up.
    #[cfg(test)]
    pub(super) fn of(files: &[(&str, &str)]) -> Self {
        let file = |&(path, text): &(&str, &str)| (path.to_owned(), File::of(text.into()));
        Self { files: files.iter().map(file).collect() }
    }

    /// Every file.
    pub(super) fn files(&self) -> impl Iterator<Item = (&str, &File)> {
        self.files.iter().map(|(path, file)| (path.as_str(), file))
    }

    /// Every file that is text.
    pub(super) fn texts(&self) -> impl Iterator<Item = (&str, &str)> {
        self.files().filter_map(|(path, file)| Some((path, file.text.as_deref()?)))
    }

    /// The text of one file.
    pub(super) fn text(&self, path: &str) -> Option<&str> {
        self.files.get(path)?.text.as_deref()
    }

    /// Every Rust file of the crates and of xtask.
    pub(super) fn rust(&self) -> impl Iterator<Item = (&str, &str)> {
        self.texts().filter(|(path, _)| {
            path.ends_with(".rs") && (path.starts_with("crates/") || path.starts_with("xtask/"))
        })
    }

    /// The same, with code and comments told apart.
    pub(super) fn sources(&self) -> impl Iterator<Item = (&str, Source)> {
        self.rust().map(|(path, text)| (path, Source::of(text)))
    }

    /// Whether this is a file, or a folder that holds one.
    pub(super) fn exists(&self, path: &str) -> bool {
        let below = format!("{path}/");
        path.is_empty()
            || self.files.contains_key(path)
            || self.files.range(below.clone()..).next().is_some_and(|(p, _)| p.starts_with(&below))
    }
}

impl File {
    fn of(content: Vec<u8>) -> Self {
        let bytes = content.len().try_into().unwrap_or(u64::MAX);
        Self { bytes, text: String::from_utf8(content).ok() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_walk_takes_what_git_would_take() {
        let root = tempfile::tempdir().unwrap();
        for (path, content) in [
            (".gitignore", &b"/target\n"[..]),
            (".ci/run", b"exec"),
            (".git/config", b"[core]"),
            ("target/debug/x.rs", b"fn x() {}"),
            ("crates/x/src/lib.rs", b"//! x"),
            ("crates/x/logo.png", b"\xff\xfe"),
        ] {
            let path = root.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, content).unwrap();
        }
        let tree = Tree::read(root.path()).unwrap();
        let paths: Vec<&str> = tree.files().map(|(path, _)| path).collect();
        assert_eq!(paths, [".ci/run", ".gitignore", "crates/x/logo.png", "crates/x/src/lib.rs"]);
        assert_eq!(tree.texts().count(), 3);
        assert!(tree.exists("crates/x") && tree.exists(".ci/run") && !tree.exists("crates/x/s"));
    }
}
