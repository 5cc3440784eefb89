//! No file answers so many questions that it grows past [`LINES_MAX`].
//!
//! A `mod tests { … }` at the end does not count. Not here: the length of functions, which clippy
//! checks.

use crate::tidy::{Finding, Project};

/// Lines of a file, its trailing tests not counted. The aim is 300.
const LINES_MAX: usize = 500;

/// Files that were longer when the rule came, with the length they may not exceed. The list may
/// only shrink, and so may the numbers.
const OLD_GIANTS: [(&str, usize); 0] = [];

const RULE: &str = "file length; at most 500 lines, aim at 300: cut it by the questions it answers";

pub(super) fn check(project: &Project) -> Vec<Finding> {
    let lengths = project.tree.rust().map(|(path, text)| (path, counted_lines(text)));
    lengths
        .filter(|(path, lines)| *lines > limit(path))
        .map(|(path, lines)| Finding::new(path, lines, format!("{lines} lines"), RULE))
        .collect()
}

fn limit(path: &str) -> usize {
    let giant = OLD_GIANTS.iter().find(|(old, _)| *old == path);
    giant.map_or(LINES_MAX, |(_, lines)| *lines)
}

fn counted_lines(text: &str) -> usize {
    let lines: Vec<&str> = text.lines().collect();
    let is_tests = |pair: &[&str]| pair[0] == "#[cfg(test)]" && pair[1] == "mod tests {";
    lines.windows(2).position(is_tests).unwrap_or(lines.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::found;

    #[test]
    fn only_the_product_counts() {
        let tests = format!("#[cfg(test)]\nmod tests {{\n{}}}\n", "\n".repeat(900));
        let (fits, long) = ("\n".repeat(500), "\n".repeat(501));
        let files = [
            ("crates/x/src/a.rs", format!("{fits}{tests}")),
            ("crates/x/src/b.rs", format!("{long}{tests}")),
        ];
        let files = files.each_ref().map(|(path, text)| (*path, text.as_str()));
        assert_eq!(found(check, &files), ["crates/x/src/b.rs:501: 501 lines"]);
    }
}
