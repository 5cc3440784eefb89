//! What no file tool writes, wherever the roots are: what decides about Fanfold itself.
//!
//! Not here: permission rules (`fanfold-agent`), and the same for a Shell, which cannot be known.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use super::links;

/// Fanfold's own folders: its state and the user's settings, links followed.
pub(super) fn folders() -> Vec<PathBuf> {
    folders_by(|name| std::env::var_os(name))
}

fn folders_by(variable: impl Fn(&str) -> Option<OsString>) -> Vec<PathBuf> {
    let absolute = |name| variable(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let in_home = |path| Some(absolute("HOME")?.join(path));
    let state = absolute("FANFOLD_HOME").or_else(|| in_home(".local/state/fanfold"));
    let config = absolute("XDG_CONFIG_HOME").or_else(|| in_home(".config"));
    let settings = config.map(|folder| folder.join("fanfold"));
    let followed = |path: PathBuf| links::follow(&path).unwrap_or(path);
    state.into_iter().chain(settings).map(followed).collect()
}

/// Whether this is a settings file of some workspace: `.fanfold/settings*`, at any depth.
///
/// Case does not count: there are file systems for which it does not.
pub(super) fn is_settings(path: &Path) -> bool {
    let mut names = path.components().map(|name| name.as_os_str().to_ascii_lowercase());
    let mut inside = false;
    names.any(|name| {
        let settings = inside && name.as_encoded_bytes().starts_with(b"settings");
        inside = name == ".fanfold";
        settings
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_folders_are_found_as_those_who_use_them_find_them() {
        type Variables = &'static [(&'static str, &'static str)];
        let table: [(Variables, &[&str]); 4] = [
            (&[], &[]),
            (&[("HOME", "/no/h")], &["/no/h/.local/state/fanfold", "/no/h/.config/fanfold"]),
            (
                &[("HOME", "/no/h"), ("FANFOLD_HOME", "/no/f"), ("XDG_CONFIG_HOME", "/no/x/..")],
                &["/no/f", "/no/fanfold"],
            ),
            (&[("HOME", "relative"), ("FANFOLD_HOME", "/no/f")], &["/no/f"]),
        ];
        for (variables, expected) in table {
            let variable = |name: &str| {
                let found = variables.iter().find(|(known, _)| *known == name);
                found.map(|(_, value)| OsString::from(value))
            };
            let expected: Vec<PathBuf> = expected.iter().map(PathBuf::from).collect();
            assert_eq!(folders_by(variable), expected, "{variables:?}");
        }
    }

    #[test]
    fn settings_of_any_workspace_are_known() {
        let table = [
            ("/w/.fanfold/settings.json", true),
            ("/w/.fanfold/settings", true),
            ("/w/.fanfold/settings.local.json", true),
            ("/w/deep/below/.fanfold/settings.json", true),
            ("/w/.Fanfold/Settings.json", true),
            ("/w/.fanfold/settings.d/x", true),
            ("/w/.fanfold/notes.md", false),
            ("/w/.fanfold/x/settings.json", false),
            ("/w/fanfold/settings.json", false),
            ("/w/settings.json", false),
            ("/w/.fanfold", false),
        ];
        for (path, expected) in table {
            assert_eq!(is_settings(Path::new(path)), expected, "{path}");
        }
    }
}
