//! One word of a line, read by the shell's rules of quoting.
//!
//! Not here: finding the words (`reader.rs`).

use std::iter::Peekable;
use std::ops::Range;
use std::str::CharIndices;

use fanfold_transcript::Word;
use tree_sitter::Node;

use super::Unreadable;

/// The kinds of nodes that are a word or a part of one.
const KINDS: [&str; 13] = [
    "word",
    "concatenation",
    "string",
    "raw_string",
    "ansi_c_string",
    "translated_string",
    "number",
    "brace_expression",
    "simple_expansion",
    "expansion",
    "arithmetic_expansion",
    "command_substitution",
    "process_substitution",
];

/// Whether the node is a word or a part of one.
pub(super) fn is_word(node: Node<'_>) -> bool {
    KINDS.contains(&node.kind())
}

/// Whether the shell computes the node.
pub(super) fn is_hole(node: Node<'_>) -> bool {
    let kind = node.kind();
    kind.ends_with("expansion") || kind.ends_with("substitution")
}

/// The outermost parts of a word that the shell computes, in order.
pub(super) fn holes(node: Node<'_>) -> Vec<Node<'_>> {
    let (mut open, mut holes) = (vec![node], Vec::new());
    while let Some(node) = open.pop() {
        if is_hole(node) {
            holes.push(node);
        } else {
            open.extend(super::children(node));
        }
    }
    holes
}

/// Reads the word at `range`, whose computed parts are `holes`.
///
/// # Errors
/// When it does not end where the range ends: the grammar took it for another word.
pub(super) fn read(
    text: &str,
    range: Range<usize>,
    holes: &[Range<usize>],
) -> Result<Word, Unreadable> {
    let source = text.get(range.clone()).ok_or(Unreadable)?;
    let mut reading = Reading {
        characters: source.char_indices().peekable(),
        start: range.start,
        holes,
        word: String::new(),
        computed: false,
        braced: false,
    };
    reading.unquoted()?;
    Ok((!reading.computed).then(|| reading.word.into()))
}

struct Reading<'a> {
    characters: Peekable<CharIndices<'a>>,
    /// Where the word begins in the text.
    start: usize,
    holes: &'a [Range<usize>],
    word: String,
    computed: bool,
    /// Whether a brace was opened.
    braced: bool,
}

impl Reading<'_> {
    fn unquoted(&mut self) -> Result<(), Unreadable> {
        while let Some((at, c)) = self.next_outside()? {
            match c {
                '\'' => self.until_quote()?,
                '"' => self.double_quoted()?,
                '\\' => match self.characters.next() {
                    Some((_, '\n')) => {}
                    Some((_, c)) => self.word.push(c),
                    None => return Err(Unreadable),
                },
                '$' => match self.characters.peek() {
                    Some((_, '\'')) => {
                        self.characters.next();
                        self.ansi_c()?;
                    }
                    Some((_, '"')) => self.computed = true,
                    Some((_, next)) if begins_expansion(*next) => return Err(Unreadable),
                    Some(_) | None => self.word.push('$'),
                },
                '`' | ' ' | '\t' | '\n' | ';' | '&' | '|' | '(' | ')' | '<' | '>' => {
                    return Err(Unreadable);
                }
                '#' if at == 0 => return Err(Unreadable),
                '*' | '?' | '[' => self.computed = true,
                '~' if at == 0 || self.word.ends_with(['=', ':']) => self.computed = true,
                '{' => {
                    self.braced = true;
                    self.word.push(c);
                }
                ',' | '.' if self.braced && (c == ',' || self.word.ends_with('.')) => {
                    self.computed = true;
                }
                _ => self.word.push(c),
            }
        }
        Ok(())
    }

    fn double_quoted(&mut self) -> Result<(), Unreadable> {
        while let Some((_, c)) = self.next_outside()? {
            match c {
                '"' => return Ok(()),
                '\\' => match self.characters.next() {
                    Some((_, '\n')) => {}
                    Some((_, c @ ('$' | '`' | '"' | '\\'))) => self.word.push(c),
                    Some((_, c)) => self.word.extend(['\\', c]),
                    None => return Err(Unreadable),
                },
                '$' if self.characters.peek().is_some_and(|(_, c)| begins_expansion(*c)) => {
                    return Err(Unreadable);
                }
                '`' => return Err(Unreadable),
                _ => self.word.push(c),
            }
        }
        Err(Unreadable)
    }

    /// The rest of a `'…'`.
    fn until_quote(&mut self) -> Result<(), Unreadable> {
        loop {
            match self.characters.next() {
                Some((_, '\'')) => return Ok(()),
                Some((_, c)) => self.word.push(c),
                None => return Err(Unreadable),
            }
        }
    }

    /// The rest of a `$'…'`. Its escapes are not read: with one the word counts as computed.
    fn ansi_c(&mut self) -> Result<(), Unreadable> {
        loop {
            match self.characters.next() {
                Some((_, '\'')) => return Ok(()),
                Some((_, '\\')) => {
                    self.computed = true;
                    self.characters.next();
                }
                Some((_, c)) => self.word.push(c),
                None => return Err(Unreadable),
            }
        }
    }

    /// The next character that is no part of a hole; holes are passed over.
    fn next_outside(&mut self) -> Result<Option<(usize, char)>, Unreadable> {
        loop {
            let Some((at, c)) = self.characters.next() else { return Ok(None) };
            let place = self.start + at;
            let Some(hole) = self.holes.iter().find(|hole| hole.start == place) else {
                return Ok(Some((at, c)));
            };
            self.computed = true;
            let is_inside = |(at, _): &(usize, char)| self.start + at < hole.end;
            while self.characters.next_if(is_inside).is_some() {}
            // A hole that ends in the middle of a character, or none at all, cannot be.
            if hole.end <= place {
                return Err(Unreadable);
            }
        }
    }
}

/// Whether a `$` before this character begins an expansion, or may: an escaped newline is nothing.
fn begins_expansion(next: char) -> bool {
    next.is_ascii_alphanumeric() || "_({[@*#?-$!\\".contains(next)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_read_as_a_shell_reads_them() {
        let table = [
            ("git", "git"),
            (r"g\it", "git"),
            (r#"g"i"'t'"#, "git"),
            ("gi\\\nt", "git"),
            ("'a b'", "a b"),
            (r#""a \"b\" \c $ d""#, r#"a "b" \c $ d"#),
            ("$\\\n[1]", "!"),
            ("\"$\\\n[1]\"", "!"),
            ("$'a b'", "a b"),
            (r"$'a\'b'", "?"),
            ("a#b", "a#b"),
            ("a$", "a$"),
            ("{}", "{}"),
            ("a{b", "a{b"),
            ("{a,b}", "?"),
            ("a{1..3}", "?"),
            ("HEAD@{1}", "HEAD@{1}"),
            ("*.rs", "?"),
            ("'*.rs'", "*.rs"),
            ("a[1]", "?"),
            ("~/a", "?"),
            ("a~", "a~"),
            ("x=~/a", "?"),
            ("$\"a\"", "?"),
            ("''", ""),
            ("é", "é"),
            ("a b", "!"),
            ("a;b", "!"),
            (r"$'a\\' b'", "!"),
            ("'a", "!"),
            ("\"a", "!"),
            ("a\\", "!"),
            ("#a", "!"),
            ("$x", "!"),
            ("`x`", "!"),
        ];
        for (text, expected) in table {
            let read = match read(text, 0..text.len(), &[]) {
                Ok(Some(word)) => word,
                Ok(None) => "?".into(),
                Err(Unreadable) => "!".into(),
            };
            assert_eq!(&*read, expected, "{text}");
        }
        assert_eq!(read("a$xb c", 0..4, std::slice::from_ref(&(1..3))), Ok(None));
        assert_eq!(read("a$x", 0..3, &[]), Err(Unreadable));
    }
}
