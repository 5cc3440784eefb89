//! Commands that run their arguments: what they run counts too.
//!
//! Known weakness: programs that run something only by an option of their own, such as `tar` or `git`
//! with an alias, are judged by their words alone.

mod options;

use fanfold_transcript::Word;

use super::{Unreadable, variables};
use options::{Options, PREFIXES, after};

/// What a command runs.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Inner {
    /// Nothing but itself.
    Nothing,
    /// The command of these words.
    Words(Vec<Word>),
    /// A line of its own.
    Line(String),
}

/// What the command of these words runs beside itself.
///
/// # Errors
/// When it runs something that nobody can tell from its words.
pub(super) fn inner(words: &[Word]) -> Result<Inner, Unreadable> {
    let Some((name, rest)) = words.split_first() else { return Ok(Inner::Nothing) };
    // A computed name may be that of any command here.
    let name = name.as_deref().ok_or(Unreadable)?;
    let name = name.rsplit('/').next().unwrap_or(name);
    match name {
        "eval" if rest.is_empty() => Ok(Inner::Nothing),
        "eval" => joined(rest),
        "bash" => shell(rest, true),
        "sh" | "dash" | "ash" => shell(rest, false),
        "trap" => trap(rest),
        "find" => find(rest),
        "xargs" => xargs(rest),
        // They run what is written in a grammar, or in a manner, that is not known here.
        "zsh" | "ksh" | "mksh" | "fish" | "csh" | "tcsh" | "pwsh" | "watch" | "parallel" | "su"
        | "script" | "flock" | "coproc" | "busybox" | "toybox" | "strace" | "ltrace"
        | "unshare" | "nsenter" | "chroot" | "systemd-run" | "runuser" | "pkexec" | "unbuffer"
        | "expect" | "setarch" | "catchsegv" | "faketime" | "proot" | "fakeroot" | "firejail"
        | "bwrap" | "numactl" | "taskset" | "chrt" | "prlimit" | "cpulimit" | "entr"
        | "hyperfine" => Err(Unreadable),
        _ => match PREFIXES.iter().find(|(prefix, _)| *prefix == name) {
            Some((_, options)) => prefixed(rest, options),
            None => Ok(Inner::Nothing),
        },
    }
}

/// `env`, `sudo`, `timeout` and the like: options, then perhaps assignments, then a command.
fn prefixed(rest: &[Word], options: &Options) -> Result<Inner, Unreadable> {
    let Some(mut rest) = after(rest, options)? else { return Ok(Inner::Nothing) };
    if options.assignments {
        let is_set =
            |word: &Word| word.as_deref().is_some_and(|w| variables::assigned(w).is_some());
        let count = rest.iter().take_while(|word| is_set(word)).count();
        rest = &rest[count..];
    }
    let operands = rest.split_at_checked(options.operands);
    let Some((operands, command)) = operands else { return Ok(Inner::Nothing) };
    if operands.iter().any(Option::is_none) {
        return Err(Unreadable);
    }
    Ok(if command.is_empty() { Inner::Nothing } else { Inner::Words(command.to_vec()) })
}

/// `bash -c LINE`, or a file of commands, which counts as a program.
fn shell(rest: &[Word], is_bash: bool) -> Result<Inner, Unreadable> {
    let mut runs_line = false;
    let mut words = rest.iter();
    let first = loop {
        let word = words.next().ok_or(Unreadable)?.as_deref().ok_or(Unreadable)?;
        match word {
            "--" | "-" => break words.next().ok_or(Unreadable)?.as_deref().ok_or(Unreadable)?,
            "--norc" | "--noprofile" | "--posix" | "--login" => {}
            "-o" | "+o" | "-O" | "+O" => drop(words.next()),
            "--version" | "--help" => return Ok(Inner::Nothing),
            _ if word.starts_with("--") => return Err(Unreadable),
            _ if word.starts_with(['-', '+']) => {
                if !word[1..].chars().all(|c| "abcefhklmnptuvxBCEHPT".contains(c)) {
                    return Err(Unreadable);
                }
                runs_line |= word.starts_with('-') && word.contains('c');
            }
            operand => break operand,
        }
    };
    // What these mean to a plain shell is something else.
    let of_bash = ["$'", "((", "[["].iter().any(|mark| first.contains(mark));
    match (runs_line, is_bash || !of_bash) {
        (true, true) => Ok(Inner::Line(first.to_owned())),
        (true, false) => Err(Unreadable),
        (false, _) => Ok(Inner::Nothing),
    }
}

/// `trap LINE SIGNAL…`.
fn trap(rest: &[Word]) -> Result<Inner, Unreadable> {
    let rest =
        if rest.first().is_some_and(|w| w.as_deref() == Some("--")) { &rest[1..] } else { rest };
    match rest.first() {
        None => Ok(Inner::Nothing),
        Some(None) => Err(Unreadable),
        Some(Some(word)) if matches!(&**word, "" | "-" | "-l" | "-p") => Ok(Inner::Nothing),
        Some(Some(line)) => Ok(Inner::Line(line.to_string())),
    }
}

/// `find … -exec COMMAND ;`. Only one may run something: of several, the line cannot tell more.
fn find(rest: &[Word]) -> Result<Inner, Unreadable> {
    let runs =
        |word: &Word| matches!(word.as_deref(), Some("-exec" | "-execdir" | "-ok" | "-okdir"));
    let Some(at) = rest.iter().position(runs) else { return Ok(Inner::Nothing) };
    let command = &rest[at + 1..];
    if command.iter().any(runs) {
        return Err(Unreadable);
    }
    let end = command.iter().position(|word| matches!(word.as_deref(), Some(";" | "+")));
    let command = &command[..end.ok_or(Unreadable)?];
    if command.is_empty() {
        return Err(Unreadable);
    }
    Ok(Inner::Words(without(command, "{}")))
}

/// `xargs COMMAND`, with more words that are computed.
fn xargs(rest: &[Word]) -> Result<Inner, Unreadable> {
    let Some(command) = after(rest, &options::XARGS)? else { return Ok(Inner::Nothing) };
    if command.is_empty() {
        return Ok(Inner::Nothing);
    }
    let replaced = options::replaced(&rest[..rest.len() - command.len()]);
    let mut words = replaced.map_or_else(|| command.to_vec(), |name| without(command, &name));
    words.push(None);
    Ok(Inner::Words(words))
}

/// The words, those that hold `part` being computed.
fn without(words: &[Word], part: &str) -> Vec<Word> {
    let holds = |word: &Word| word.as_deref().is_none_or(|word| word.contains(part));
    words.iter().map(|word| if holds(word) { None } else { word.clone() }).collect()
}

/// The words as one line.
fn joined(words: &[Word]) -> Result<Inner, Unreadable> {
    let words: Option<Vec<&str>> = words.iter().map(Option::as_deref).collect();
    let words = words.ok_or(Unreadable)?;
    let words = if words.first() == Some(&"--") { &words[1..] } else { &words };
    Ok(Inner::Line(words.join(" ")))
}
