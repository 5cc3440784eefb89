//! A pattern as a path, in the manner of gitignore, held against the resolved paths of claims.
//!
//! | pattern | matches |
//! |---|---|
//! | `*.env`, `target` | a file or folder of this name at any depth of the workspace |
//! | `src/*.rs`, `/src` | from the workspace down: a slash before the end ties it to the top |
//! | `src/`, `src`, `src/**` | a folder stands for itself and all below it |
//! | `//etc/hosts`, `~/notes/**` | the absolute path; below the user's home |
//!
//! `?`, `[…]`, `{a,b}` and `**` are as usual; `*` stops at a slash. A relative pattern matches nothing
//! outside the workspace. Not here: resolving paths (`fanfold-tools`).
//!
//! Known weakness: a call over a whole folder, such as a search, is judged by the path of the folder;
//! it is kept out of a folder below that a deny names from the top, but not from names at any depth.

use globset::{GlobBuilder, GlobSet, GlobSetBuilder};

use super::BadPattern;

/// Where patterns start from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Folders {
    /// The workspace: an absolute path without links. Without one, relative patterns match no allow
    /// and every ask and deny.
    pub workspace: Option<Box<str>>,
    /// The user's home, for `~/`: likewise.
    pub home: Option<Box<str>>,
}

/// The paths that a pattern is about.
#[derive(Clone, Debug)]
pub(super) struct Paths {
    from: From,
    /// The pattern itself, and all below it.
    globs: GlobSet,
    /// The names it begins with, up to the first that is a glob; empty for a name at any depth.
    lead: Box<str>,
}

#[derive(Clone, Copy, Debug)]
enum From {
    Root,
    Home,
    Workspace,
}

impl Paths {
    /// Reads a pattern.
    ///
    /// # Errors
    /// When it is no glob, or one of gitignore's `!`.
    pub(super) fn parse(text: &str) -> Result<Self, BadPattern> {
        if text.starts_with('!') {
            return Err(BadPattern("a pattern cannot take back: write a rule of its own"));
        }
        let (from, rest) = match (text.strip_prefix("//"), text.strip_prefix("~/")) {
            (Some(rest), _) => (From::Root, rest),
            (None, Some(rest)) => (From::Home, rest),
            (None, None) => (From::Workspace, text),
        };
        let whole = rest.trim_end_matches('/');
        let below = whole.strip_suffix("/**").unwrap_or(whole);
        let tied = !matches!(from, From::Workspace) || whole.contains('/');
        let below = below.trim_start_matches('/');
        let globs = match (below, tied) {
            // The whole of where it starts.
            ("" | "**", _) => vec!["**".to_owned()],
            (below, true) => vec![below.to_owned(), format!("{below}/**")],
            (name, false) => vec![format!("**/{name}"), format!("**/{name}/**")],
        };
        let globs = set(&globs).ok_or(BadPattern("the pattern is no glob"))?;
        let lead = if tied { lead(below) } else { "" };
        Ok(Self { from, globs, lead: lead.into() })
    }

    /// Whether the path matches.
    pub(super) fn cover(&self, path: &str, folders: &Folders) -> bool {
        let inside = self.start(folders).and_then(|start| below(start, path));
        inside.is_some_and(|inside| self.globs.is_match(inside))
    }

    /// Whether the path matches, or is a folder above the names that the pattern begins with.
    pub(super) fn may_cover(&self, path: &str, folders: &Folders) -> bool {
        let Some(start) = self.start(folders) else { return true };
        let lead = format!("{start}/{}", self.lead);
        let is_above = !self.lead.is_empty() && below(path, &lead).is_some();
        is_above || self.cover(path, folders)
    }

    /// The folder it starts from, without a last slash.
    fn start<'a>(&self, folders: &'a Folders) -> Option<&'a str> {
        let folder = match self.from {
            From::Root => Some(""),
            From::Home => folders.home.as_deref(),
            From::Workspace => folders.workspace.as_deref(),
        };
        folder.map(|folder| folder.trim_end_matches('/'))
    }
}

/// What is left of `path` below `folder`: empty for the folder itself.
fn below<'a>(folder: &str, path: &'a str) -> Option<&'a str> {
    let rest = path.strip_prefix(folder.trim_end_matches('/'))?;
    if rest.is_empty() { Some(rest) } else { rest.strip_prefix('/') }
}

/// The first names of a pattern, as long as they are plain.
fn lead(pattern: &str) -> &str {
    let Some(glob) = pattern.find(['*', '?', '[', '{', '\\']) else { return pattern };
    pattern[..glob].rsplit_once('/').map_or("", |(lead, _)| lead)
}

fn set(globs: &[String]) -> Option<GlobSet> {
    let mut set = GlobSetBuilder::new();
    for glob in globs {
        set.add(
            GlobBuilder::new(glob).literal_separator(true).backslash_escape(true).build().ok()?,
        );
    }
    set.build().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_match_as_in_gitignore() {
        let table = [
            ("*.env", "/w/.env /w/a.env /w/a/b.env /w/a.env/b", "/w/env /v/a.env /w /w/a.envy"),
            ("target", "/w/target /w/a/target /w/a/target/b", "/w/targets /target /w/a"),
            ("src/*.rs", "/w/src/a.rs", "/w/src/a/b.rs /w/a/src/b.rs /w/src"),
            ("/src", "/w/src /w/src/a", "/w/a/src /src /ws/src"),
            ("src/**", "/w/src /w/src/a/b", "/w/srcs /w/a/src/b"),
            ("src/", "/w/src /w/a/src/b", "/w/a"),
            ("**", "/w /w/a/b", "/v /"),
            ("*", "/w/a /w/a/b", "/v"),
            ("a/**/b", "/w/a/b /w/a/c/d/b/e", "/w/a /w/b"),
            ("**/b", "/w/b /w/a/b/c", "/w/a"),
            ("//etc/**", "/etc /etc/a", "/w/etc /etcetera"),
            ("//", "/ /etc /w/a", ""),
            ("~/n/*.md", "/home/u/n/a.md", "/w/n/a.md /home/u/n/b/a.md"),
            ("it's a [b]", "/w/it's\u{20}a\u{20}b", "/w/it's"),
            ("{a,b}.c", "/w/a.c /w/b.c", "/w/c.c"),
            (r"\*.c", "/w/*.c", "/w/a.c"),
        ];
        let folders = Folders { workspace: Some("/w".into()), home: Some("/home/u/".into()) };
        for (pattern, inside, outside) in table {
            let paths = Paths::parse(pattern).unwrap();
            let inside = if pattern.contains("it's") {
                vec!["/w/it's a b"]
            } else {
                inside.split(' ').collect()
            };
            for path in inside {
                assert!(paths.cover(path, &folders), "{pattern} matches {path}");
                assert!(paths.may_cover(path, &folders), "{pattern} may match {path}");
                assert!(!paths.cover(path, &Folders::default()) || pattern.starts_with("//"));
            }
            for path in outside.split(' ').filter(|path| !path.is_empty()) {
                assert!(!paths.cover(path, &folders), "{pattern} does not match {path}");
            }
        }
        for bad in ["!a", "a[", "a{b"] {
            assert!(Paths::parse(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn a_folder_above_what_a_pattern_names_may_match() {
        let table = [
            ("a/secret/**", "/w /w/a / /w/a/secret /w/a/secret/b", "/w/b /w/a/s /v"),
            ("a/b*/c", "/w /w/a", "/w/b /w/a/d"),
            ("*.env", "/w/.env", "/w /w/a"),
            ("//etc/passwd", "/ /etc", "/et /w"),
        ];
        let folders = Folders { workspace: Some("/w".into()), home: None };
        for (pattern, may, not) in table {
            let paths = Paths::parse(pattern).unwrap();
            for path in may.split(' ') {
                assert!(paths.may_cover(path, &folders), "{pattern} may match {path}");
                assert!(paths.may_cover(path, &Folders::default()) || pattern.starts_with("//"));
            }
            for path in not.split(' ') {
                assert!(!paths.may_cover(path, &folders), "{pattern} cannot match {path}");
            }
        }
    }
}
