//! A Rust source with its code and its comments told apart.
//!
//! So that a rule about names does not trip over prose, nor one about prose over a text that the
//! product prints. Not here: any grammar beyond where comments and literals begin and end.

/// Both texts have the lines and columns of the original; what does not belong is blank.
pub(super) struct Source {
    /// Without comments and without the content of literals.
    pub code: String,
    /// The comments alone, doc comments included.
    pub comments: String,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Piece {
    Code,
    Comment,
    Literal,
}

impl Source {
    /// Splits a source text; an unfinished literal or comment reaches to the end.
    pub(super) fn of(text: &str) -> Self {
        let mut source = Self { code: String::new(), comments: String::new() };
        let mut rest = text;
        while let Some(first) = rest.chars().next() {
            let (piece, len) = next_piece(rest, first);
            let (head, tail) = rest.split_at(len);
            source.code.extend(head.chars().map(|c| kept(c, piece == Piece::Code)));
            source.comments.extend(head.chars().map(|c| kept(c, piece == Piece::Comment)));
            rest = tail;
        }
        source
    }
}

fn kept(c: char, keep: bool) -> char {
    if keep || c == '\n' { c } else { ' ' }
}

fn next_piece(rest: &str, first: char) -> (Piece, usize) {
    if rest.starts_with("//") {
        return (Piece::Comment, rest.find('\n').unwrap_or(rest.len()));
    }
    if rest.starts_with("/*") {
        return (Piece::Comment, block_comment_len(rest));
    }
    match string_len(rest).or_else(|| char_len(rest)) {
        Some(len) => (Piece::Literal, len),
        None if is_word(first) => (Piece::Code, word_len(rest)),
        None => (Piece::Code, first.len_utf8()),
    }
}

/// Whether a character can stand in an identifier.
pub(super) fn is_word(c: char) -> bool {
    c == '_' || c.is_alphanumeric()
}

/// The length of the identifier or number that `text` begins with.
pub(super) fn word_len(text: &str) -> usize {
    text.find(|c| !is_word(c)).unwrap_or(text.len())
}

/// Block comments nest.
fn block_comment_len(text: &str) -> usize {
    let mut depth = 0_usize;
    let mut at = 0;
    while at < text.len() {
        let here = &text.as_bytes()[at..];
        if here.starts_with(b"/*") {
            depth += 1;
            at += 2;
        } else if here.starts_with(b"*/") {
            depth -= 1;
            at += 2;
            if depth == 0 {
                return at;
            }
        } else {
            at += 1;
        }
    }
    text.len()
}

/// The length of a string literal of any kind, prefix included.
fn string_len(text: &str) -> Option<usize> {
    let prefix = ["br", "cr", "b", "c", "r", ""].into_iter().find(|prefix| {
        text.strip_prefix(prefix).is_some_and(|rest| rest.starts_with(['"', '#']))
    })?;
    let after = &text[prefix.len()..];
    let hashes = after.len() - after.trim_start_matches('#').len();
    let body = after[hashes..].strip_prefix('"')?;
    let start = prefix.len() + hashes + 1;
    if prefix.ends_with('r') {
        let end = format!("\"{}", "#".repeat(hashes));
        return Some(body.find(&end).map_or(text.len(), |at| start + at + end.len()));
    }
    // `#"` without an `r` is an attribute's or a macro's, not a literal's.
    (hashes == 0).then(|| closing_quote(body, '"').map_or(text.len(), |at| start + at + 1))
}

/// The length of a character literal; `None` for a lifetime.
fn char_len(text: &str) -> Option<usize> {
    let body = text.strip_prefix('\'')?;
    if body.starts_with('\\') {
        return closing_quote(body, '\'').map(|at| at + 2);
    }
    let first = body.chars().next()?;
    body[first.len_utf8()..].starts_with('\'').then(|| first.len_utf8() + 2)
}

fn closing_quote(body: &str, quote: char) -> Option<usize> {
    let mut escaped = false;
    body.find(|c| {
        let closes = c == quote && !escaped;
        escaped = c == '\\' && !escaped;
        closes
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_and_comments_are_told_apart() {
        let table = [
            ("let a = 1; // one", "let a = 1;", "// one"),
            ("/* a /* b */ c */ d", "d", "/* a /* b */ c */"),
            (r#"f("// no \" /* no"); // yes"#, "f( );", "// yes"),
            (r##"f(r#"a " // no"#)"##, "f( )", ""),
            (r"let c = '\''; let d = '/'; // x", "let c = ; let d = ;", "// x"),
            ("fn f<'a>(x: &'a str) {} // '", "fn f<'a>(x: &'a str) {}", "// '"),
            ("r#type: u8, number\n", "r#type: u8, number", ""),
            ("b\"// no\" br#\"x\"#", "", ""),
            ("\"unfinished // no", "", ""),
        ];
        let squeeze = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        for (text, code, comments) in table {
            let source = Source::of(text);
            let found = (squeeze(&source.code), squeeze(&source.comments));
            assert_eq!(found, (code.to_owned(), comments.to_owned()), "{text}");
            assert_eq!(source.code.chars().count(), text.chars().count());
        }
    }
}
