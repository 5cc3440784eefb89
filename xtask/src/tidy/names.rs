//! Names that say nothing: of types, traits, functions, modules, files and packages.
//!
//! Not here: whether a name that says something says the truth.

use crate::tidy::source::{Source, is_word, word_len};
use crate::tidy::{Finding, Project};

const EMPTY: &str = "names; such a word fits everything: say what it is or does";
const STACKED: &str = "names; replace the old one instead of stacking a new one on it";

/// Banned as the whole name or as its last word.
const EMPTY_WORDS: [&str; 10] = [
    "manager",
    "helper",
    "util",
    "utils",
    "handler",
    "processor",
    "info",
    "data",
    "misc",
    "common",
];

/// One name that a source declares.
pub(super) struct Declaration {
    /// What stands before the name: `fn`, `mod`, `struct` and the like.
    pub keyword: &'static str,
    /// As written.
    pub name: String,
    /// Counted from 1.
    pub line: usize,
}

pub(super) fn check(project: &Project) -> Vec<Finding> {
    let mut findings = Vec::new();
    for package in &project.workspace.packages {
        findings.extend(judge(&package.manifest, 1, "package", &package.name));
    }
    for (path, text) in project.tree.rust() {
        let (folder, file) = path.rsplit_once('/').unwrap_or(("", path));
        findings.extend(judge(path, 1, "file", file.trim_end_matches(".rs")));
        for part in folder.split('/').skip(2) {
            findings.extend(judge(path, 1, "folder", part));
        }
        for found in declarations(text) {
            findings.extend(judge(path, found.line, found.keyword, &found.name));
        }
    }
    findings
}

fn judge(path: &str, line: usize, kind: &str, name: &str) -> Option<Finding> {
    let words = words(name);
    let (first, last) = (words.first()?.as_str(), words.last()?.as_str());
    let stacked_suffix = words.len() > 1 && matches!(last, "v2" | "inner") && name != "into_inner";
    // A function may well begin with `new_`: it makes a new one.
    let stacked_prefix = words.len() > 1 && kind != "fn" && matches!(first, "new" | "legacy");
    let rule = if EMPTY_WORDS.contains(&last) {
        EMPTY
    } else if stacked_suffix || stacked_prefix {
        STACKED
    } else {
        return None;
    };
    Some(Finding::new(path, line, format!("{kind} {name}"), rule))
}

/// The names that a source declares, in order. Associated types are not among them: their names
/// often belong to somebody else's trait.
pub(super) fn declarations(text: &str) -> Vec<Declaration> {
    let code = Source::of(text).code;
    let lines = code.lines().enumerate();
    lines.flat_map(|(at, line)| of_line(line, at + 1)).collect()
}

fn of_line(line: &str, number: usize) -> Vec<Declaration> {
    const KEYWORDS: [&str; 6] = ["fn", "mod", "struct", "enum", "trait", "type"];
    let mut found = Vec::new();
    let mut rest = line;
    while let Some(at) = rest.find(is_word) {
        let (word, after) = rest[at..].split_at(word_len(&rest[at..]));
        rest = after;
        let Some(keyword) = KEYWORDS.into_iter().find(|keyword| *keyword == word) else { continue };
        let name = after.trim_start();
        let name = &name[..word_len(name)];
        let is_associated = keyword == "type" && line.starts_with(' ');
        if after.starts_with(' ') && !name.is_empty() && !is_associated {
            found.push(Declaration { keyword, name: name.to_owned(), line: number });
        }
    }
    found
}

/// `ToolInfo`, `tool_info` and `tool-info` are all `tool`, `info`.
fn words(name: &str) -> Vec<String> {
    let mut words = Vec::new();
    for part in name.split(['_', '-']) {
        let mut word = String::new();
        let mut before = ' ';
        for c in part.chars() {
            if c.is_uppercase() && before.is_lowercase() {
                words.push(std::mem::take(&mut word));
            }
            word.extend(c.to_lowercase());
            before = c;
        }
        words.push(word);
    }
    words.retain(|word| !word.is_empty());
    words
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::found;

    #[test]
    fn empty_and_stacked_names_are_found() {
        let text = "//! A helper, struct Helper.\n\
            pub struct JobManager<T>;\nenum Info {}\nfn parse_data() {}\nfn new_call() {}\n\
            type NewCall = u8;\nfn run_inner() {}\nmod legacy_wire {}\nfn run_v2() {}\n";
        let files = [("crates/x/src/common/a.rs", text), ("crates/x/src/string_utils.rs", "")];
        assert_eq!(
            found(check, &files),
            [
                "crates/x/src/common/a.rs:1: folder common",
                "crates/x/src/common/a.rs:2: struct JobManager",
                "crates/x/src/common/a.rs:3: enum Info",
                "crates/x/src/common/a.rs:4: fn parse_data",
                "crates/x/src/common/a.rs:6: type NewCall",
                "crates/x/src/common/a.rs:7: fn run_inner",
                "crates/x/src/common/a.rs:8: mod legacy_wire",
                "crates/x/src/common/a.rs:9: fn run_v2",
                "crates/x/src/string_utils.rs:1: file string_utils",
            ]
        );
    }

    #[test]
    fn good_names_are_left_alone() {
        let text = "struct Metadata { data: u8, info: fn(u8) }\nfn into_inner(self) {}\n\
            fn handle_event() {}\nfn news() {}\nimpl A for B {\n    type Data = u8;\n}\n\
            let handler = \"fn helper\"; // fn util\nstruct Inner;\nfn new() {}\n";
        assert_eq!(found(check, &[("crates/x/src/a.rs", text)]), [""; 0]);
    }
}
