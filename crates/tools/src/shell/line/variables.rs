//! Variables that steer what other programs do: setting one is a change that no rule's words show.
//!
//! Known weakness: it is a list. A program may obey a variable that is not on it.

/// Whether setting the variable may change what a later command does, or which program it is.
pub(super) fn steers(name: &str) -> bool {
    const NAMES: [&str; 12] = [
        "IFS",
        "ENV",
        "PS1",
        "PS4",
        "SHELLOPTS",
        "HOME",
        "TERM",
        "DISPLAY",
        "VISUAL",
        "CC",
        "CXX",
        "LD",
    ];
    const BEGINNINGS: [&str; 17] = [
        "LD_", "DYLD_", "BASH", "GIT_", "SSH_", "PYTHON", "PERL", "RUBY", "NODE_", "NPM_", "npm_",
        "JAVA_", "RUSTC", "RUSTDOC", "CARGO_", "DOCKER_", "XDG_",
    ];
    const ENDINGS: [&str; 16] = [
        "PATH", "PAGER", "EDITOR", "BROWSER", "SHELL", "COMMAND", "CMD", "PRELOAD", "OPT", "OPTS",
        "OPTIONS", "FLAGS", "CONFIG", "HOME", "WRAPPER", "PROXY",
    ];
    NAMES.contains(&name)
        || BEGINNINGS.iter().any(|part| name.starts_with(part))
        || ENDINGS.iter().any(|part| name.ends_with(part))
}

/// The name that a word sets if it is an assignment: `X=1`, `X+=1`.
pub(super) fn assigned(word: &str) -> Option<&str> {
    let (name, _) = word.split_once('=')?;
    let name = name.strip_suffix('+').unwrap_or(name);
    is_name(name).then_some(name)
}

/// Whether it is the name of a variable.
pub(super) fn is_name(text: &str) -> bool {
    let legal = |c: char| c.is_ascii_alphanumeric() || c == '_';
    text.chars().all(legal) && !text.is_empty() && !text.starts_with(|c: char| c.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_that_steer_are_told_from_the_rest() {
        for name in ["PATH", "LD_PRELOAD", "IFS", "BASH_ENV", "ENV", "GIT_PAGER", "PYTHONPATH"] {
            assert!(steers(name), "{name}");
        }
        for name in ["X", "RUST_BACKTRACE", "CI", "NODE", "PATHS", "i"] {
            assert!(!steers(name), "{name}");
        }
        let table = [("X=1", Some("X")), ("x_1+=", Some("x_1")), ("1=2", None), ("--a=b", None)];
        for (word, name) in table {
            assert_eq!(assigned(word), name, "{word}");
        }
    }
}
