//! A pattern as the words of a command; a last `*` stands for any further words, or none.
//!
//! Words are separated by blanks; quotes and a backslash keep a character as it is. Not here: how a
//! shell line is split into commands (`fanfold-tools`).

use fanfold_transcript::Word;

use super::BadPattern;

/// The words that a command must have.
#[derive(Clone, Debug)]
pub(super) struct Words {
    words: Vec<Box<str>>,
    /// Whether more words may follow.
    open: bool,
}

impl Words {
    /// Reads a pattern.
    ///
    /// # Errors
    /// When a quote is not closed, or a `*` stands elsewhere than as the last word: it would match
    /// nothing but itself, which nobody means.
    pub(super) fn parse(text: &str) -> Result<Self, BadPattern> {
        let mut words = split(text)?;
        let open = words.last().is_some_and(|word| word.starred && word.text == "*");
        if open {
            words.pop();
        }
        if words.iter().any(|word| word.starred) {
            return Err(BadPattern(
                "only the last word may be `*`; quote it to mean the character",
            ));
        }
        Ok(Self { words: words.into_iter().map(|word| word.text.into()).collect(), open })
    }

    /// Whether these words match, whatever the computed ones become.
    pub(super) fn cover(&self, words: &[Word]) -> bool {
        let Some((head, rest)) = words.split_at_checked(self.words.len()) else { return false };
        let same = |(own, word): (&_, &Word)| word.as_ref() == Some(own);
        // A command whose name is computed may be any, and an open pattern may have no words.
        let named = words.first().is_some_and(Option::is_some);
        named && self.words.iter().zip(head).all(same) && (self.open || rest.is_empty())
    }

    /// Whether these words match if the computed ones become what suits best. The command may be
    /// given by its path.
    pub(super) fn may_cover(&self, words: &[Word]) -> bool {
        // `reached[n]`: the words so far may be the first `n` of the pattern.
        let mut reached = vec![false; self.words.len() + 1];
        reached[0] = true;
        for (at, word) in words.iter().enumerate() {
            reached = match word {
                None => {
                    let first = reached.iter().position(|is| *is).unwrap_or(reached.len());
                    (0..reached.len()).map(|n| n >= first).collect()
                }
                Some(word) => {
                    let is = |own: &str| own == &**word || at == 0 && own == base_name(word);
                    let step = |n: usize| n > 0 && reached[n - 1] && is(&self.words[n - 1]);
                    let stay = |n: usize| self.open && n == self.words.len() && reached[n];
                    (0..reached.len()).map(|n| step(n) || stay(n)).collect()
                }
            };
        }
        reached[self.words.len()]
    }
}

fn base_name(program: &str) -> &str {
    program.rsplit('/').next().unwrap_or(program)
}

/// A word as text, quoted where it must be to be read back as this word by [`Words::parse`].
pub(in crate::gate) fn quoted(word: &str) -> String {
    let plain = |c: char| !c.is_whitespace() && !matches!(c, '\'' | '"' | '\\' | '*');
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_owned();
    }
    let escaped = word.replace('\\', "\\\\").replace('"', "\\\"");
    format!("\"{escaped}\"")
}

/// A word while it is read.
#[derive(Default)]
struct Read {
    text: String,
    /// Whether it holds a `*` that is not quoted.
    starred: bool,
}

fn split(text: &str) -> Result<Vec<Read>, BadPattern> {
    const OPEN: BadPattern = BadPattern("a quote is not closed");
    let mut words = Vec::new();
    let mut word: Option<Read> = None;
    let mut characters = text.chars();
    while let Some(c) = characters.next() {
        if c.is_whitespace() {
            words.extend(word.take());
            continue;
        }
        let into = word.get_or_insert_default();
        match c {
            '\'' | '"' => loop {
                match characters.next().ok_or(OPEN)? {
                    end if end == c => break,
                    '\\' if c == '"' => into.text.push(characters.next().ok_or(OPEN)?),
                    inside => into.text.push(inside),
                }
            },
            '\\' => into.text.push(characters.next().ok_or(OPEN)?),
            _ => {
                into.starred |= c == '*';
                into.text.push(c);
            }
        }
    }
    words.extend(word);
    Ok(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Words of a test: `$` is a computed one.
    fn command(text: &str) -> Vec<Word> {
        let word = |word: &str| (word != "$").then(|| word.into());
        text.split_whitespace().map(word).collect()
    }

    #[test]
    fn words_match_for_certain_perhaps_or_not() {
        let table = [
            ("git status", "git status", "yes"),
            ("git status", "git status -s", "no"),
            ("git status", "git", "no"),
            ("git status", "git $", "perhaps"),
            ("git status", "git status $", "perhaps"),
            ("git status", "$", "perhaps"),
            ("git status", "$ status", "perhaps"),
            ("git status", "git $ status", "perhaps"),
            ("git status", "/usr/bin/git status", "perhaps"),
            ("git status", "git /usr/status", "no"),
            ("git status", "rm $ status", "no"),
            ("git log *", "git log", "yes"),
            ("git log *", "git log -p a", "yes"),
            ("git log *", "git log $", "yes"),
            ("git log *", "git $ -p", "perhaps"),
            ("git log *", "git show", "no"),
            ("*", "rm -rf a", "yes"),
            ("*", "$ a", "perhaps"),
            ("echo '*'", "echo *", "yes"),
            ("rm *", "$ $ $", "perhaps"),
            ("rm -rf a", "$ -rf $ b", "no"),
        ];
        for (pattern, words, expected) in table {
            let (own, words) = (Words::parse(pattern).unwrap(), command(words));
            let matched = match (own.cover(&words), own.may_cover(&words)) {
                (true, true) => "yes",
                (false, true) => "perhaps",
                (false, false) => "no",
                (true, false) => "a contradiction",
            };
            assert_eq!(matched, expected, "{pattern} against {words:?}");
        }
        assert!(!Words::parse("*").unwrap().cover(&[]));
    }

    #[test]
    fn quotes_keep_blanks_and_stars() {
        let read = |text: &str| Words::parse(text).map(|w| (w.words.join("|"), w.open));
        assert_eq!(read(r#"a 'b c' "d\"e" f\ g"#), Ok((r#"a|b c|d"e|f g"#.into(), false)));
        assert_eq!(read(r"a '' b''c *"), Ok(("a||bc".into(), true)));
        assert_eq!(read(r"a \*"), Ok(("a|*".into(), false)));
        for bad in ["a 'b", "a \"b\\\"", "a\\", "git:*", "* a", "a* *"] {
            assert!(read(bad).is_err(), "{bad}");
        }
        for word in ["a", "", "a b", "it's", "\"", "\\", "*", "a\nb", "é"] {
            assert_eq!(read(&quoted(word)), Ok((word.into(), false)), "{word:?}");
        }
    }
}
