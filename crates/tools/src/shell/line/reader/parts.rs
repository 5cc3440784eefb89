//! Which node of a line is what.

use tree_sitter::Node;

use crate::shell::line::word;

/// Whether a node of this kind does nothing but hold others.
pub(super) fn only_holds_others(kind: &str) -> bool {
    matches!(
        kind,
        "program"
            | "list"
            | "pipeline"
            | "command_name"
            | "negated_command"
            | "subshell"
            | "compound_statement"
            | "if_statement"
            | "elif_clause"
            | "else_clause"
            | "while_statement"
            | "do_group"
            | "case_statement"
            | "case_item"
            | "function_definition"
            | "variable_assignments"
            | "array"
            | "herestring_redirect"
            | "heredoc_body"
            | "binary_expression"
            | "unary_expression"
            | "parenthesized_expression"
    )
}

/// Whether a node of this kind has nothing in it.
pub(super) fn is_leaf(kind: &str) -> bool {
    matches!(
        kind,
        "comment"
            | "variable_name"
            | "special_variable_name"
            | "heredoc_start"
            | "heredoc_end"
            | "heredoc_content"
            | "test_operator"
            | "regex"
            | "extglob_pattern"
    )
}

/// Whether words are children of the node, rather than parts of a word.
pub(super) fn holds_words(node: Node<'_>) -> bool {
    matches!(
        node.kind(),
        "command"
            | "command_name"
            | "declaration_command"
            | "unset_command"
            | "file_redirect"
            | "herestring_redirect"
            | "heredoc_redirect"
            | "for_statement"
            | "case_statement"
            | "case_item"
            | "array"
            | "variable_assignment"
            | "test_command"
            | "binary_expression"
            | "unary_expression"
    )
}

/// Whether the node is a simple command.
pub(super) fn is_command(node: Node<'_>) -> bool {
    matches!(node.kind(), "command" | "declaration_command" | "unset_command")
}

/// The words behind the operator of a redirection: its target, then words of the command.
pub(super) fn destinations(redirect: Node<'_>) -> Vec<Node<'_>> {
    let mut cursor = redirect.walk();
    redirect.children(&mut cursor).filter(|child| word::is_word(*child)).collect()
}

/// How many targets a redirection has: closing a descriptor has none.
pub(super) fn target_count(redirect: Node<'_>) -> usize {
    let closes = operator(redirect).is_some_and(|operator| operator.ends_with('-'));
    usize::from(!closes && !destinations(redirect).is_empty())
}

/// `>`, `2>`'s `>`, `&>>` and so on.
pub(super) fn operator<'t>(redirect: Node<'t>) -> Option<&'t str> {
    let mut cursor = redirect.walk();
    redirect.children(&mut cursor).find(|child| !child.is_named()).map(|child| child.kind())
}

/// The words behind a redirection that belong to its command.
pub(super) fn further_words(redirect: Node<'_>) -> Vec<Node<'_>> {
    match redirect.kind() {
        "file_redirect" => destinations(redirect).split_off(target_count(redirect)),
        "heredoc_redirect" => {
            let mut cursor = redirect.walk();
            let children = redirect.children(&mut cursor);
            children
                .flat_map(|c| if word::is_word(c) { vec![c] } else { further_words(c) })
                .collect()
        }
        _ => Vec::new(),
    }
}
