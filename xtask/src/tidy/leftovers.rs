//! Reminders, stubs and switched-off tests that were left behind.
//!
//! Not here: work that is planned. It belongs in the tracker, with a reason.

use crate::tidy::source::{is_word, word_len};
use crate::tidy::{Finding, Project};

const REMINDER: &str = "leftovers; do it now, or say in a sentence why the code is as it is";
const STUB: &str = "leftovers; write it, or return an error that says what is not supported";
const IGNORED: &str = "leftovers; assert what happens today, with a note, or delete the test";

const REMINDERS: [&str; 3] = ["FIXME", "TODO", "XXX"];
const STUBS: [&str; 2] = ["todo!", "unimplemented!"];

pub(super) fn check(project: &Project) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (path, source) in project.tree.sources() {
        for (at, line) in source.comments.lines().enumerate() {
            for word in REMINDERS.into_iter().filter(|word| holds_word(line, word)) {
                findings.push(Finding::new(path, at + 1, word, REMINDER));
            }
        }
        for (at, line) in source.code.lines().enumerate() {
            for stub in STUBS.into_iter().filter(|stub| holds_macro(line, stub)) {
                findings.push(Finding::new(path, at + 1, stub, STUB));
            }
            if line.contains("#[ignore") {
                findings.push(Finding::new(path, at + 1, "#[ignore]", IGNORED));
            }
        }
    }
    findings
}

fn holds_word(line: &str, word: &str) -> bool {
    let starts = line.match_indices(word).map(|(at, _)| at);
    starts
        .filter(|&at| !line[..at].ends_with(is_word))
        .any(|at| word_len(&line[at..]) == word.len())
}

fn holds_macro(line: &str, name: &str) -> bool {
    line.match_indices(name).any(|(at, _)| !line[..at].ends_with(is_word))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::found;

    #[test]
    fn leftovers_are_found_where_they_count() {
        let text = "// TODO: later\nfn f() { todo!() } // mastodon!\n#[ignore = \"slow\"]\n\
            let text = \"TODO and todo!()\";\n/* a FIXME */ unimplemented!();\n// XXXL TODOS\n";
        assert_eq!(
            found(check, &[("crates/x/src/a.rs", text)]),
            [
                "crates/x/src/a.rs:1: TODO",
                "crates/x/src/a.rs:5: FIXME",
                "crates/x/src/a.rs:2: todo!",
                "crates/x/src/a.rs:3: #[ignore]",
                "crates/x/src/a.rs:5: unimplemented!",
            ]
        );
    }
}
