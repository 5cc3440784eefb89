//! A second, tiny reading of a command line: its simple commands, split by hand.
//!
//! It shares nothing with the one that is tested, and gives up where reading gets hard, so it may
//! only be used to object. Not here: here-documents, `case`, `[[`, arithmetic and arrays.

use std::iter::Peekable;
use std::str::Chars;

/// Words that stand before a command and run nothing themselves.
const RESERVED: [&str; 13] =
    ["!", "{", "}", "if", "then", "elif", "else", "fi", "while", "until", "do", "done", "time"];

/// Variables that decide what `git` runs, beside those of git, bash and the loader.
const STEERING: [&str; 5] = ["PATH", "ENV", "IFS", "HOME", "XDG_CONFIG_HOME"];

/// Why the commands of a line are not told.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Doubt {
    /// It does something that no words of a command show.
    Unfit(&'static str),
    /// It holds what is not read here.
    NotJudged,
}

/// The words of every simple command, quotes removed and nothing expanded. Assignments and harmless
/// redirections are left out.
pub(super) fn commands(line: &str) -> Result<Vec<Vec<String>>, Doubt> {
    let mut reader = Reader {
        rest: line.chars().peekable(),
        commands: Vec::new(),
        command: Vec::new(),
        word: None,
        redirection: None,
    };
    while let Some(c) = reader.rest.next() {
        reader.take(c)?;
    }
    reader.end_command()?;
    Ok(reader.commands)
}

#[derive(Debug, Default)]
struct Word {
    text: String,
    /// How many bytes stand before the first quote or backslash, if there is one.
    bare: Option<usize>,
}

struct Reader<'a> {
    rest: Peekable<Chars<'a>>,
    commands: Vec<Vec<String>>,
    command: Vec<Word>,
    word: Option<Word>,
    /// Its operator, until its target has been read.
    redirection: Option<&'static str>,
}

impl Reader<'_> {
    fn take(&mut self, c: char) -> Result<(), Doubt> {
        match c {
            ' ' | '\t' => self.end_word(),
            ';' | '\n' | '|' | ')' => self.end_command(),
            '&' if self.rest.peek() == Some(&'>') => self.end_word(),
            '&' => self.end_command(),
            '(' => self.open(),
            '<' | '>' => self.redirect(c),
            '#' if self.word.is_none() => {
                while self.rest.next_if(|c| *c != '\n').is_some() {}
                Ok(())
            }
            '`' => Err(Doubt::Unfit("a backtick")),
            '$' => self.dollar(),
            '\'' => self.single(),
            '"' => self.double(),
            '\\' => {
                match self.rest.next() {
                    Some('\n') => {}
                    Some(c) => self.quoted().push(c),
                    None => return Err(Doubt::NotJudged),
                }
                Ok(())
            }
            c => {
                self.word.get_or_insert_default().text.push(c);
                Ok(())
            }
        }
    }

    /// The text of the word, which from here on is quoted.
    fn quoted(&mut self) -> &mut String {
        let word = self.word.get_or_insert_default();
        word.bare.get_or_insert(word.text.len());
        &mut word.text
    }

    fn dollar(&mut self) -> Result<(), Doubt> {
        match self.rest.peek() {
            Some('(') => Err(Doubt::Unfit("a substitution")),
            Some('\'') => {
                self.rest.next();
                let from = self.quoted().len();
                self.single()?;
                // Escapes are not read here.
                if self.quoted()[from..].contains('\\') { Err(Doubt::NotJudged) } else { Ok(()) }
            }
            Some('"') => Ok(()),
            _ => {
                self.word.get_or_insert_default().text.push('$');
                Ok(())
            }
        }
    }

    fn single(&mut self) -> Result<(), Doubt> {
        loop {
            match self.rest.next().ok_or(Doubt::NotJudged)? {
                '\'' => break,
                c => self.quoted().push(c),
            }
        }
        self.quoted();
        Ok(())
    }

    fn double(&mut self) -> Result<(), Doubt> {
        self.quoted();
        loop {
            match self.rest.next().ok_or(Doubt::NotJudged)? {
                '"' => return Ok(()),
                '`' => return Err(Doubt::Unfit("a backtick")),
                '$' if self.rest.peek() == Some(&'(') => {
                    return Err(Doubt::Unfit("a substitution"));
                }
                '\\' => match self.rest.next().ok_or(Doubt::NotJudged)? {
                    '\n' => {}
                    c @ ('$' | '`' | '"' | '\\') => self.quoted().push(c),
                    c => self.quoted().extend(['\\', c]),
                },
                c => self.quoted().push(c),
            }
        }
    }

    /// A subshell, or the parentheses of a function.
    fn open(&mut self) -> Result<(), Doubt> {
        let after_equals = self.word.as_ref().is_some_and(|word| word.text.ends_with('='));
        if after_equals || self.rest.peek() == Some(&'(') {
            return Err(Doubt::NotJudged);
        }
        self.end_word()?;
        while self.rest.next_if(|c| matches!(c, ' ' | '\t')).is_some() {}
        if self.command.len() == 1 && self.rest.next_if_eq(&')').is_some() {
            self.command.clear();
        }
        self.end_command()
    }

    fn redirect(&mut self, first: char) -> Result<(), Doubt> {
        // A number or a name in braces right before it is the descriptor.
        let is_descriptor = |word: &mut Word| {
            let text = &*word.text;
            let named = text.starts_with('{') && text.ends_with('}');
            word.bare.is_none() && (named || text.chars().all(|c| c.is_ascii_digit()))
        };
        if self.word.take_if(is_descriptor).is_none() {
            self.end_word()?;
        }
        let mut operator = String::from(first);
        while let Some(c) = self.rest.next_if(|c| matches!(c, '<' | '>' | '&' | '|' | '(')) {
            operator.push(c);
        }
        self.redirection = Some(match operator.as_str() {
            "<" | "<<<" => "from",
            "<&" | ">&" => "duplicate",
            ">" | ">>" | ">|" | "<>" => "into",
            "<<" => return Err(Doubt::NotJudged),
            _ if operator.ends_with('(') => return Err(Doubt::Unfit("a process substitution")),
            _ => return Err(Doubt::NotJudged),
        });
        Ok(())
    }

    fn end_word(&mut self) -> Result<(), Doubt> {
        let Some(word) = self.word.take() else { return Ok(()) };
        let Some(operator) = self.redirection.take() else {
            self.command.push(word);
            return Ok(());
        };
        let is_number = word.text.trim_end_matches('-').chars().all(|c| c.is_ascii_digit());
        let harmless = match operator {
            "from" => true,
            "duplicate" => is_number || word.text == "/dev/null",
            _ => word.text == "/dev/null",
        };
        if harmless { Ok(()) } else { Err(Doubt::Unfit("a redirection into a file")) }
    }

    fn end_command(&mut self) -> Result<(), Doubt> {
        self.end_word()?;
        if self.redirection.is_some() {
            return Err(Doubt::NotJudged);
        }
        let mut words = std::mem::take(&mut self.command);
        while let Some(first) = words.first() {
            let assigns = first.assigns();
            if assigns.is_some_and(steers) {
                return Err(Doubt::Unfit("a variable that steers programs"));
            }
            let bare = if first.bare.is_none() { &*first.text } else { "" };
            match bare {
                "case" | "[[" | "select" | "coproc" => return Err(Doubt::NotJudged),
                // Its list goes on in the next line, or does not.
                "for" if words.len() < 4 => return Err(Doubt::NotJudged),
                "for" => words.clear(),
                "function" => drop(words.drain(..words.len().min(2))),
                _ if RESERVED.contains(&bare) || assigns.is_some() => drop(words.remove(0)),
                _ => break,
            }
        }
        if !words.is_empty() {
            self.commands.push(words.into_iter().map(|word| word.text).collect());
        }
        Ok(())
    }
}

impl Word {
    /// The variable that the word sets, if it stands before a command.
    fn assigns(&self) -> Option<&str> {
        let (name, _) = self.text.split_once('=')?;
        let unquoted = self.bare.is_none_or(|bare| name.len() < bare);
        let name = name.strip_suffix('+').unwrap_or(name);
        let name = name.split_once('[').map_or(name, |(name, _)| name);
        let legal = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        let begins = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
        (unquoted && legal && begins).then_some(name)
    }
}

fn steers(name: &str) -> bool {
    STEERING.contains(&name) || ["LD_", "GIT_", "BASH"].iter().any(|start| name.starts_with(start))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_split_by_hand() {
        let table = [
            ("git status", "git status"),
            ("a;b&&c||d|e&f\ng", "a, b, c, d, e, f, g"),
            ("g'i't \"st\"\\a$'t'us # rm", "git status"),
            ("a 2>&1 >/dev/null <b &>/dev/null c", "a c"),
            ("! (x=1 a; { b; }) && if c; then d; fi", "a, b, c, d"),
            ("for x in a; do b; done; f() { c; }", "b, c"),
            ("a 'b;c' \"d|e\" f\\;g", "a b;c d|e f;g"),
            ("'if' a", "if a"),
            ("a#b", "a#b"),
            ("", ""),
        ];
        for (line, expected) in table {
            let shown = commands(line).map(|commands| {
                commands.iter().map(|words| words.join(" ")).collect::<Vec<_>>().join(", ")
            });
            assert_eq!(shown.as_deref(), Ok(expected), "{line}");
        }
    }

    #[test]
    fn what_shows_in_no_words_is_unfit_or_not_judged() {
        for line in [
            "a $(b)",
            "a \"$(b)\"",
            "a `b`",
            "a <(b)",
            "a >b",
            "a >&b",
            "a &>b",
            "a <>b",
            "PATH=. a",
            "GIT_DIR+=x a",
        ] {
            assert!(matches!(commands(line), Err(Doubt::Unfit(_))), "{line}");
        }
        for line in
            ["a <<E\nb\nE", "case a in b) c;; esac", "[[ a ]]", "((a))", "x=(a)", "a '", "a >"]
        {
            assert_eq!(commands(line), Err(Doubt::NotJudged), "{line}");
        }
        assert!(commands("a '$(b)' \\`").is_ok());
    }
}
