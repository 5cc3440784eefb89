//! Where a JSON value ends, found byte by byte and never twice.
//!
//! Not here: whether the value is valid. Only brackets and strings are followed.

/// Follows brackets and strings through a text that arrives in pieces.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scanner {
    depth: usize,
    in_string: bool,
    escaped: bool,
}

impl Scanner {
    /// Takes the next byte; true when it closes the outermost bracket.
    pub(crate) fn push(&mut self, byte: u8) -> bool {
        if self.in_string {
            match byte {
                _ if self.escaped => self.escaped = false,
                b'\\' => self.escaped = true,
                b'"' => self.in_string = false,
                _ => {}
            }
            return false;
        }
        match byte {
            b'"' => self.in_string = true,
            b'{' | b'[' => self.depth += 1,
            b'}' | b']' => {
                self.depth = self.depth.saturating_sub(1);
                return self.depth == 0;
            }
            _ => {}
        }
        false
    }

    pub(crate) const fn is_in_string(&self) -> bool {
        self.in_string
    }

    /// Whether a bracket or a string is open.
    pub(crate) const fn is_open(&self) -> bool {
        self.depth > 0 || self.in_string
    }
}

/// How deep the brackets of a text are nested.
pub(crate) fn depth(text: &str) -> usize {
    let mut scanner = Scanner::default();
    let depths = text.bytes().map(|byte| {
        scanner.push(byte);
        scanner.depth
    });
    depths.max().unwrap_or(0)
}

/// Whether a text ends inside a bracket or a string.
pub(crate) fn is_open(text: &str) -> bool {
    let mut scanner = Scanner::default();
    for byte in text.bytes() {
        scanner.push(byte);
    }
    scanner.is_open()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn brackets_in_strings_do_not_count() {
        let table = [
            (r#"{"a":"}"}"#, 1, false),
            (r#"{"a":["\"]}"]}"#, 2, false),
            (r#"{"a":"x"#, 1, true),
            (r#"{"a":1"#, 1, true),
            ("}", 0, false),
        ];
        for (text, deep, open) in table {
            assert_eq!((depth(text), is_open(text)), (deep, open), "{text}");
        }
    }
}
