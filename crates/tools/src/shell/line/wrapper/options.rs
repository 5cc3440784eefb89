//! The options of commands that run their arguments: where the command begins that they run.

use fanfold_transcript::Word;

use crate::shell::line::Unreadable;

/// Which options a command takes.
#[derive(Debug)]
pub(super) struct Options {
    /// Letters of options without a value.
    flags: &'static str,
    /// Letters of options with a value, in the same word or the next.
    valued: &'static str,
    /// Long options without a value.
    long: &'static [&'static str],
    /// Long options with a value, behind a `=` or in the next word.
    long_valued: &'static [&'static str],
    /// Letters with which the command runs nothing.
    idle: &'static str,
    /// Words before the command.
    pub(super) operands: usize,
    /// Whether variables may be set before the command.
    pub(super) assignments: bool,
}

impl Options {
    const NONE: Self = Self {
        flags: "",
        valued: "",
        long: &[],
        long_valued: &[],
        idle: "",
        operands: 0,
        assignments: false,
    };
}

/// Commands that run the rest of their words.
pub(super) const PREFIXES: [(&str, Options); 13] = [
    (
        "env",
        Options {
            flags: "i0v",
            valued: "uC",
            long: &["ignore-environment", "null", "debug"],
            long_valued: &["unset", "chdir"],
            assignments: true,
            ..Options::NONE
        },
    ),
    (
        "sudo",
        Options {
            flags: "AbEHknPS",
            valued: "uggCDRTp",
            long: &["non-interactive", "preserve-env", "set-home", "background"],
            long_valued: &["user", "group", "chdir", "prompt"],
            assignments: true,
            ..Options::NONE
        },
    ),
    ("doas", Options { flags: "nL", valued: "uC", ..Options::NONE }),
    ("nohup", Options::NONE),
    ("setsid", Options { flags: "cfw", long: &["ctty", "fork", "wait"], ..Options::NONE }),
    // With -o it writes a file.
    ("time", Options { flags: "pv", valued: "f", assignments: true, ..Options::NONE }),
    (
        "nice",
        Options { flags: "0123456789", valued: "n", long_valued: &["adjustment"], ..Options::NONE },
    ),
    ("ionice", Options { flags: "t", valued: "cn", ..Options::NONE }),
    (
        "timeout",
        Options {
            flags: "vfp",
            valued: "sk",
            long: &["preserve-status", "foreground", "verbose"],
            long_valued: &["signal", "kill-after"],
            operands: 1,
            ..Options::NONE
        },
    ),
    ("stdbuf", Options { valued: "ioe", ..Options::NONE }),
    ("command", Options { flags: "p", idle: "vV", ..Options::NONE }),
    ("builtin", Options::NONE),
    ("exec", Options { flags: "cl", valued: "a", ..Options::NONE }),
];

/// Those of `xargs`.
pub(super) const XARGS: Options = Options {
    flags: "0rtpx",
    valued: "IdnLPsEa",
    long: &["null", "no-run-if-empty", "verbose", "exit"],
    long_valued: &["delimiter", "max-args", "max-lines", "max-procs", "max-chars", "arg-file"],
    ..Options::NONE
};

/// The words behind the options; `None` if with these nothing is run.
///
/// # Errors
/// When an option is not known, or computed.
pub(super) fn after<'a>(
    words: &'a [Word],
    options: &Options,
) -> Result<Option<&'a [Word]>, Unreadable> {
    let mut rest = words;
    while let Some((word, behind)) = rest.split_first() {
        // A computed word may be an option as well as a command.
        let word = word.as_deref().ok_or(Unreadable)?;
        if word == "--" {
            return Ok(Some(behind));
        }
        let takes_next = if let Some(long) = word.strip_prefix("--") {
            long_takes_next(long, options)?
        } else if let Some(letters) = word.strip_prefix('-').filter(|letters| !letters.is_empty()) {
            match short_takes_next(letters, options)? {
                Some(takes_next) => takes_next,
                None => return Ok(None),
            }
        } else {
            // A lone `-` is an option of env, and no command.
            return if word == "-" { Err(Unreadable) } else { Ok(Some(rest)) };
        };
        rest = match (takes_next, behind) {
            (false, _) => behind,
            (true, [Some(_), behind @ ..]) => behind,
            (true, _) => return Err(Unreadable),
        };
    }
    Ok(Some(rest))
}

fn long_takes_next(long: &str, options: &Options) -> Result<bool, Unreadable> {
    let (name, value) = long.split_once('=').map_or((long, None), |(n, v)| (n, Some(v)));
    if options.long.contains(&name) && value.is_none() {
        return Ok(false);
    }
    if options.long_valued.contains(&name) { Ok(value.is_none()) } else { Err(Unreadable) }
}

/// Whether the value is in the next word; `None` if nothing is run.
fn short_takes_next(letters: &str, options: &Options) -> Result<Option<bool>, Unreadable> {
    for (at, letter) in letters.char_indices() {
        if options.idle.contains(letter) {
            return Ok(None);
        }
        if options.valued.contains(letter) {
            return Ok(Some(at + letter.len_utf8() == letters.len()));
        }
        if !options.flags.contains(letter) {
            return Err(Unreadable);
        }
    }
    Ok(Some(false))
}

/// What `xargs -I` replaces in the words of its command.
pub(super) fn replaced(options: &[Word]) -> Option<String> {
    let mut words = options.iter().filter_map(Option::as_deref);
    while let Some(word) = words.next() {
        if word.starts_with("--") {
            continue;
        }
        if let Some((_, name)) = word.strip_prefix('-').and_then(|letters| letters.split_once('I'))
        {
            let name = if name.is_empty() { words.next() } else { Some(name) };
            return name.map(ToOwned::to_owned);
        }
    }
    None
}
