//! Keeps out what a grammar and a shell may read differently: between them a command could hide.
//!
//! Not here: the words, which are read again on their own (`word.rs`).

use tree_sitter::Node;

/// Whether the text holds only characters on which everybody agrees: no control characters but tab
/// and newline, and no blanks but the ASCII ones, which are letters to bash.
pub(super) fn plain(text: &str) -> bool {
    let strange = |c: char| {
        let invisible = matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{feff}');
        let blank = !c.is_ascii() && c.is_whitespace();
        invisible || blank || (c.is_control() && !matches!(c, '\t' | '\n'))
    };
    !text.chars().any(strange)
}

/// Whether the tokens of the tree make up the whole text, each being what it seems.
pub(super) fn complete(root: Node<'_>, text: &str) -> bool {
    let mut at = 0;
    for token in tokens(root) {
        let (start, end) = (token.start_byte(), token.end_byte());
        // Tokens of no length mark a place; one that begins before the last ended is out of order.
        if start < at || !text.get(at..start).is_some_and(is_gap) || !sound(token, text) {
            return false;
        }
        at = end;
    }
    text.get(at..).is_some_and(is_gap)
}

/// The leaves of the tree, in the order of the text.
fn tokens(root: Node<'_>) -> impl Iterator<Item = Node<'_>> {
    let mut open = vec![root];
    std::iter::from_fn(move || {
        loop {
            let node = open.pop()?;
            if node.child_count() == 0 {
                return Some(node);
            }
            open.extend(super::children(node));
        }
    })
}

/// Whether the shell, too, passes over this text between two tokens.
fn is_gap(text: &str) -> bool {
    text.replace("\\\n", "").chars().all(|c| matches!(c, ' ' | '\t' | '\n'))
}

fn sound(token: Node<'_>, text: &str) -> bool {
    let own = &text[token.byte_range()];
    match token.kind() {
        "comment" => {
            let before = text[..token.start_byte()].trim_end_matches([' ', '\t']);
            let blank = before.len() < token.start_byte();
            let separator = before.ends_with(['\n', ';', '&', '|', '(']);
            let unescaped = if separator { &before[..before.len() - 1] } else { before };
            (blank || separator || before.is_empty()) && !unescaped.ends_with('\\')
        }
        // Nothing in the first is expanded; the reader looks at here-documents.
        "raw_string" | "ansi_c_string" | "heredoc_start" | "heredoc_end" | "heredoc_body"
        | "heredoc_content" => true,
        // What these end at is a matter of taste.
        "regex" | "extglob_pattern" => {
            !own.contains(['\'', '"', '\\', '`', '$', ';', '&', '<', '>', ' ', '\t', '\n'])
        }
        _ if token.is_named() => !expands(own),
        // A token is what it is called; the grammar knows some under another name.
        kind => own == kind,
    }
}

/// Whether the text holds the beginning of an expansion, unless a backslash stands before it.
pub(super) fn expands(text: &str) -> bool {
    let mut characters = text.chars().peekable();
    while let Some(c) = characters.next() {
        let next = characters.peek();
        match c {
            '\\' => drop(characters.next()),
            '`' => return true,
            '$' if matches!(next, Some('(' | '{' | '[')) => return true,
            '<' | '>' if next == Some(&'(') => return true,
            _ => {}
        }
    }
    false
}
