//! Reads a command line without running it: every command in it, wherever it stands.
//!
//! The structure comes from a grammar of bash; each word is then read again by the shell's own rules
//! of quoting, and where the two disagree on where a word ends, the line counts as unparsable.
//! Whatever is not known to be harmless is unparsable too: an unparsable line is only asked for.
//!
//! Not here: what is permitted (`fanfold-agent`), and whether a line only reads (`read_only.rs`).
//!
//! What counts as a change beside the commands: a redirection into a file other than `/dev/null` or a
//! descriptor; setting a variable by which other programs are steered, such as PATH; arithmetic on
//! variables, which bash evaluates as code. Known weakness: which variables those are is a list.

mod effort;
mod guard;
mod reader;
mod variables;
mod word;
mod wrapper;

#[cfg(test)]
mod tests;

use std::ops::ControlFlow;

use fanfold_transcript::{Command, Line};
use tree_sitter::{Node, ParseOptions, ParseState, Parser, Tree};

/// The longest line that is read, in bytes.
const BYTES_MAX: usize = 64 * 1024;

/// The most commands that a line may hold.
const COMMANDS_MAX: usize = 256;

/// How deep lines may stand in lines, as in `bash -c "bash -c …"`.
const DEPTH_MAX: usize = 8;

/// A line that cannot be told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Unreadable;

/// Reads a line.
pub(super) fn read(text: &str) -> Line {
    let mut commands = Vec::new();
    match add(text, 0, &mut commands) {
        Ok(()) => Line::Commands(commands),
        Err(Unreadable) => Line::Unparsable,
    }
}

/// Adds the commands of a line that stands in `depth` others.
fn add(text: &str, depth: usize, commands: &mut Vec<Command>) -> Result<(), Unreadable> {
    if depth > DEPTH_MAX {
        return Err(Unreadable);
    }
    let tree = parse(text).ok_or(Unreadable)?;
    reader::Reader::new(text, depth, commands).read(tree.root_node())
}

/// The tree of a line, if it is one and holds nothing suspicious.
pub(super) fn parse(text: &str) -> Option<Tree> {
    if text.len() > BYTES_MAX || !effort::is_cheap(text) || !guard::plain(text) {
        return None;
    }
    let mut parser = Parser::new();
    parser.set_language(&tree_sitter_bash::LANGUAGE.into()).ok()?;
    // Repairing a broken line can take long, and nobody wants it repaired.
    let mut give_up = |state: &ParseState| {
        if state.has_error() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let options = ParseOptions::new().progress_callback(&mut give_up);
    let mut rest = |at: usize, _| text.as_bytes().get(at..).unwrap_or_default();
    let tree = parser.parse_with_options(&mut rest, None, Some(options))?;
    let root = tree.root_node();
    (!root.has_error() && guard::complete(root, text)).then_some(tree)
}

/// The children of a node, last first.
pub(super) fn children(node: Node<'_>) -> Vec<Node<'_>> {
    let mut cursor = node.walk();
    let mut children: Vec<Node<'_>> = node.children(&mut cursor).collect();
    children.reverse();
    children
}
