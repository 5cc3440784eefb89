//! Proves of some lines that they only read, and only in the workspace.
//!
//! It fails closed: a line of known programs with known options, joined by `;`, `&&`, `||` and `|`,
//! whose words stand as they are written. Anything else is not proved. Not here: whether the line may
//! run (`fanfold-agent`), and what follows from the proof (`shell.rs`).

mod programs;
#[cfg(test)]
mod tests;

use fanfold_transcript::{Command, Line};
use tree_sitter::Node;

use super::line;

/// The kinds of nodes that a line may be made of.
const KINDS: [&str; 20] = [
    "program",
    "list",
    "pipeline",
    "command",
    "command_name",
    "redirected_statement",
    "file_redirect",
    "file_descriptor",
    "word",
    "concatenation",
    "string",
    "string_content",
    "raw_string",
    "number",
    "\"",
    ";",
    "&&",
    "||",
    "|",
    "\n",
];

/// The redirections that it may have; where they lead, `line` has seen.
const REDIRECTIONS: [&str; 3] = [">", ">&", "&>"];

/// Whether the line is proved to do nothing but read files below its directory.
pub(super) fn is_read_only(text: &str) -> bool {
    let Some(tree) = line::parse(text) else { return false };
    let Line::Commands(commands) = line::read(text) else { return false };
    let reads = |command: &Command| match command {
        Command::Run(words) => {
            let words: Option<Vec<&str>> = words.iter().map(Option::as_deref).collect();
            words.is_some_and(|words| programs::only_reads(&words))
        }
        Command::Change(_) => false,
    };
    !commands.is_empty() && is_plain(tree.root_node()) && commands.iter().all(reads)
}

fn is_plain(root: Node<'_>) -> bool {
    let mut open = vec![root];
    while let Some(node) = open.pop() {
        let kind = node.kind();
        if !KINDS.contains(&kind) && !REDIRECTIONS.contains(&kind) {
            return false;
        }
        open.extend(line::children(node));
    }
    true
}
