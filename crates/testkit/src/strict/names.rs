//! Names and ids: which characters they may have, and that none is given twice.

use std::collections::BTreeSet;

use super::node::Node;
use super::refusal::Refusal;

/// `^[a-zA-Z0-9_-]{1,MAX}$`.
pub(super) fn is_word(text: &str, max: usize) -> bool {
    let fits = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    (1..=max).contains(&text.len()) && text.chars().all(fits)
}

/// `^[a-zA-Z_][a-zA-Z0-9_.:-]{0,127}$`.
pub(super) fn is_gemini_name(text: &str) -> bool {
    let fits = |c: char| c.is_ascii_alphanumeric() || "_.:-".contains(c);
    text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && text.len() <= 128
        && text.chars().all(fits)
}

/// Refuses a name that was there before.
pub(super) fn unique<'a>(
    seen: &mut BTreeSet<&'a str>,
    name: &'a str,
    node: &Node<'_>,
    said: &str,
) -> Result<(), Refusal> {
    node.must(seen.insert(name), said)
}
