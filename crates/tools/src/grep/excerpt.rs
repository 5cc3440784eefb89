//! The part of a line that is shown.

/// Characters of a line that are shown.
pub(super) const LINE_CHARS: usize = 500;

/// Bytes that are shown before a match which does not fit into the beginning of its line.
const LEAD_BYTES: usize = 100;

/// The longest character in bytes.
const CHAR_BYTES: usize = 4;

/// As many bytes as the shown characters can take and one more, so that no shown one is cut.
const WINDOW_BYTES: usize = (LINE_CHARS + 1) * CHAR_BYTES;

/// A line without its end: whole, or as much as is shown around the match at byte `at`, with an
/// ellipsis for what is left out. Looks only at the bytes near the match, however long the line.
pub(super) fn excerpt(line: &[u8], at: usize) -> String {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    let (beginning, rest) = first_chars(line);
    if !rest || at < LINE_CHARS - LEAD_BYTES {
        return with_ellipsis("", &beginning, rest);
    }
    let (window, rest) = first_chars(&line[boundary(line, at - LEAD_BYTES)..]);
    with_ellipsis("…", &window, rest)
}

fn with_ellipsis(before: &str, text: &str, rest: bool) -> String {
    let after = if rest { "…" } else { "" };
    format!("{before}{text}{after}")
}

/// The first [`LINE_CHARS`] characters, and whether there are more.
fn first_chars(line: &[u8]) -> (String, bool) {
    let window = String::from_utf8_lossy(&line[..line.len().min(WINDOW_BYTES)]);
    let end = window.char_indices().nth(LINE_CHARS).map(|(end, _)| end);
    let rest = end.is_some() || line.len() > WINDOW_BYTES;
    (window[..end.unwrap_or(window.len())].to_owned(), rest)
}

/// The beginning of the character that holds byte `at`.
fn boundary(line: &[u8], at: usize) -> usize {
    let is_continuation = |byte: u8| byte & 0b1100_0000 == 0b1000_0000;
    let earliest = at.saturating_sub(CHAR_BYTES - 1);
    (earliest..=at).rev().find(|&at| !is_continuation(line[at])).unwrap_or(at)
}
