//! Target `shell`: command lines held against a rule that allows nothing but `git status`.
//!
//! Held for any line: one that is allowed runs nothing else, as a second, tiny reading of it shows
//! (`shell/commands.rs`). Not here: whether a harmless line is allowed; asking is always right.

mod commands;

use std::sync::LazyLock;

use fanfold_agent::{Fit, Gate, Permissions, Verdict};
use fanfold_schedule::{Footprint, Role};
use fanfold_tools::{Shell, Tool as _, Typed};
use fanfold_transcript::{Arguments, Call, CallId};
use serde_json::{Map, Value};

use self::commands::{Doubt, commands};
use super::search::Target;

pub(super) const TARGET: Target = Target { name: "shell", samples, words: &WORDS, check };

/// The only command that is allowed.
const ALLOWED: [&str; 2] = ["git", "status"];

const SAMPLES: [&str; 24] = [
    "git status",
    "git status; git status",
    "git status && git status || git status",
    "git status | git status &",
    "git 'status' # all",
    "g\"i\"t st\\atus",
    "git status \\\n\ngit status",
    "git status >/dev/null 2>&1",
    "git status < a",
    "X=1 git status",
    "(git status; { git status; })",
    "if git status; then git status; else git status; fi",
    "for x in a b; do git status; done",
    "while git status; do git status; done",
    "case a in a) git status;; *) git status;; esac",
    "! git status",
    "time git status",
    "$'git' status",
    "f() { git status; }",
    "[[ -n a ]] && git status",
    "git status <<'EOF'\nrm a\nEOF",
    "git status; rm a > b",
    "git status $(rm a) `rm b` <(rm c)",
    "git status & rm -rf \"$HOME\"",
];

const WORDS: [&str; 60] = [
    "git status",
    "git",
    "status",
    "rm a",
    ";",
    ";;",
    "&",
    "&&",
    "|",
    "||",
    "|&",
    "\n",
    "\\\n",
    "\\",
    "'",
    "\"",
    "`",
    "$(",
    "$((",
    "${",
    "$'",
    "$\"",
    "(",
    ")",
    "{ ",
    "; }",
    "[[ ",
    " ]]",
    "((",
    "))",
    "<",
    ">",
    ">>",
    ">|",
    "<>",
    ">&",
    "&>",
    "<(",
    ">(",
    "<<EOF\n",
    "\nEOF\n",
    "<<<",
    "2>&1",
    ">/dev/null",
    "#",
    " # ",
    "!",
    "=",
    "PATH=. ",
    "x=1 ",
    "~",
    "*",
    "if ",
    "; then ",
    "; fi",
    "; do ",
    "case x in ",
    "\r",
    "\u{a0}",
    "coproc ",
];

fn samples() -> Vec<Vec<u8>> {
    SAMPLES.map(|text| text.as_bytes().to_vec()).into()
}

fn check(bytes: &[u8]) -> Result<(), String> {
    let line = &*String::from_utf8_lossy(bytes);
    let Some(problem) = objection(line) else { return Ok(()) };
    match is_allowed(line)? {
        true => Err(format!("allowed, but {problem}")),
        false => Ok(()),
    }
}

/// Why the line may not be allowed, if it may not.
fn objection(line: &str) -> Option<String> {
    match commands(line) {
        Ok(commands) => {
            let other = commands.into_iter().find(|words| *words != ALLOWED);
            other.map(|words| format!("it runs {words:?}"))
        }
        Err(Doubt::Unfit(what)) => Some(format!("it holds {what}")),
        Err(Doubt::NotJudged) => None,
    }
}

/// Whether the gate lets the line run without asking.
fn is_allowed(line: &str) -> Result<bool, String> {
    let arguments = Map::from_iter([("command".to_owned(), Value::from(line))]);
    let prepared = DOOR.shell.prepare(&arguments).map_err(|error| error.to_string())?;
    let call = Call::new(CallId::new(1), "Shell", Arguments::strict(arguments));
    let fit = Fit::Fits {
        role: Role::Leaf,
        footprint: Footprint::exclusive(),
        subject: prepared.subject(),
    };
    Ok(matches!(DOOR.gate.judge(&call, fit), Verdict::Allow { .. }))
}

/// The tool that reads lines, and the gate.
struct Door {
    shell: Typed<Shell>,
    gate: Gate,
}

static DOOR: LazyLock<Door> = LazyLock::new(|| {
    let rule = format!("Shell({})", ALLOWED.join(" "));
    let allow = vec![rule.parse().expect("two plain words make a rule")];
    let permissions = Permissions { allow, ..Permissions::default() };
    Door {
        shell: Typed::new(Shell::default()),
        gate: Gate::new(permissions, [("Shell".into(), false)]),
    }
});

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rule_allows_what_it_should_so_that_the_target_tests_something() {
        for line in SAMPLES.iter().take(8) {
            assert_eq!(is_allowed(line), Ok(true), "{line}");
        }
        for line in SAMPLES.iter().rev().take(3) {
            assert_eq!(is_allowed(line), Ok(false), "{line}");
            assert!(objection(line).is_some(), "{line}");
        }
    }
}
