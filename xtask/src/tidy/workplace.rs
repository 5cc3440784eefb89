//! No file speaks of the place where it was written.
//!
//! A reader elsewhere has neither those folders nor those numbers. Not here: names and addresses of
//! people, which no program can tell from examples.

use crate::tidy::source::is_word;
use crate::tidy::{Finding, Project};

const RULE: &str = "workplace; say what the reader needs to know instead of where it was decided";

/// Put together here, so that this file does not find itself.
const PHRASES: [&str; 3] =
    [concat!("/wo", "rk/"), concat!(".libr", "ary"), concat!("session of wo", "rk")];

const TRACKER: &str = concat!("iss", "ue ");

pub(super) fn check(project: &Project) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (path, text) in project.tree.texts() {
        for (at, line) in text.lines().enumerate() {
            let phrases = PHRASES.into_iter().filter(|phrase| holds(line, phrase));
            let found = phrases.chain(names_issue(line).then_some(TRACKER.trim_end()));
            findings.extend(found.map(|what| Finding::new(path, at + 1, what, RULE)));
        }
    }
    findings
}

/// Whether the phrase stands there by itself and not as the end of a longer path or expression.
fn holds(line: &str, phrase: &str) -> bool {
    let starts_fresh = |at| !line[..at].ends_with(|c| is_word(c) || ".)]?-~*}".contains(c));
    let ends = |at: usize| phrase.ends_with('/') || !line[at + phrase.len()..].starts_with(is_word);
    line.match_indices(phrase).any(|(at, _)| starts_fresh(at) && ends(at))
}

/// Whether the line names something in a tracker by its number.
fn names_issue(line: &str) -> bool {
    let line = line.to_ascii_lowercase();
    let numbered = |at: usize| {
        let after = &line[at + TRACKER.len()..];
        after.strip_prefix('#').unwrap_or(after).starts_with(|c: char| c.is_ascii_digit())
    };
    line.match_indices(TRACKER).any(|(at, _)| !line[..at].ends_with(is_word) && numbered(at))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::found;

    #[test]
    fn the_workplace_is_found() {
        let [folder, hidden, session] = PHRASES;
        let page = format!(
            "see {folder}notes\n/home/me{folder}notes, ..{folder}x and self{hidden}\n`{hidden}/env`\n\
             in this {session}\nAs {TRACKER}12 says\nAn {TRACKER}of taste; the t{TRACKER}3\n"
        );
        let lines: Vec<_> = found(check, &[("docs/a.md", &page)]);
        let expected = [(1, folder), (3, hidden), (4, session), (5, TRACKER.trim_end())];
        assert_eq!(lines, expected.map(|(line, what)| format!("docs/a.md:{line}: {what}")));
    }
}
