//! Walks the tree of a line and collects its commands.
//!
//! Invariant: each kind of node is known, or the line is unparsable. Not here: commands that run
//! their arguments (`wrapper.rs`).

mod checks;
mod parts;

use std::ops::Range;

use fanfold_transcript::{Command, Word};
use tree_sitter::Node;

use super::{COMMANDS_MAX, Unreadable, children, variables, word, wrapper};
use parts::{destinations, is_command};

/// Words that begin no command, but a construct of the shell, where a command could stand.
const RESERVED: [&str; 20] = [
    "if", "then", "else", "elif", "fi", "do", "done", "case", "esac", "while", "until", "for",
    "select", "function", "in", "{", "}", "!", "[[", "coproc",
];

/// Reads one line.
pub(super) struct Reader<'a> {
    text: &'a str,
    depth: usize,
    commands: &'a mut Vec<Command>,
}

impl<'a> Reader<'a> {
    /// A reader of a line that stands in `depth` others, which adds to `commands`.
    pub(super) const fn new(text: &'a str, depth: usize, commands: &'a mut Vec<Command>) -> Self {
        Self { text, depth, commands }
    }

    /// Collects all below the root.
    pub(super) fn read(&mut self, root: Node<'_>) -> Result<(), Unreadable> {
        let mut open = vec![root];
        while let Some(node) = open.pop() {
            self.visit(node, &mut open)?;
            if self.commands.len() > COMMANDS_MAX {
                return Err(Unreadable);
            }
        }
        Ok(())
    }

    fn visit<'t>(&mut self, node: Node<'t>, open: &mut Vec<Node<'t>>) -> Result<(), Unreadable> {
        checks::one_line(node, self.text)?;
        self.words_in(node)?;
        match node.kind() {
            "command" | "declaration_command" | "unset_command" => {
                self.command(node, Vec::new())?;
            }
            "redirected_statement" => return self.redirected(node, open),
            "file_redirect" => self.writes(node)?,
            "heredoc_redirect" => checks::heredoc(node, self.text)?,
            "variable_assignment" => self.assignment(node)?,
            "for_statement" => self.names(node.child_by_field_name("variable"))?,
            "test_command" => self.test(node)?,
            "c_style_for_statement" => {
                let parts = children(node);
                let close = parts.iter().find(|part| part.kind() == "))").ok_or(Unreadable)?;
                self.arithmetic(node, &self.text[node.start_byte()..close.end_byte()])?;
                open.extend(node.child_by_field_name("body"));
                return Ok(());
            }
            "compound_statement" if node.child(0).is_some_and(|c| c.kind() == "((") => {
                return self.arithmetic(node, &self.text[node.byte_range()]);
            }
            "arithmetic_expansion" => return self.arithmetic(node, &self.text[node.byte_range()]),
            "expansion" => return self.expansion(node, open),
            "simple_expansion" => return checks::unbroken(node),
            "subscript" => return Ok(()),
            "process_substitution" => {}
            "subshell" if self.text[node.byte_range()].starts_with("((") => return Err(Unreadable),
            "command_substitution" => checks::backticks(&self.text[node.byte_range()])?,
            _ if word::is_word(node) && !word::is_hole(node) => {
                open.extend(word::holes(node));
                return Ok(());
            }
            "file_descriptor" => return checks::descriptor(node, self.text),
            kind if parts::only_holds_others(kind) => {}
            kind if parts::is_leaf(kind) || !node.is_named() => return Ok(()),
            _ => return Err(Unreadable),
        }
        open.extend(children(node));
        Ok(())
    }

    /// Checks the words that are children of the node.
    fn words_in(&self, node: Node<'_>) -> Result<(), Unreadable> {
        let words = if parts::holds_words(node) { children(node) } else { Vec::new() };
        for word in words.into_iter().filter(|child| word::is_word(*child)) {
            self.word(word)?;
        }
        Ok(())
    }

    /// A word, read where it stands alone.
    fn word(&self, node: Node<'_>) -> Result<Word, Unreadable> {
        let holes: Vec<Range<usize>> =
            word::holes(node).into_iter().map(|hole| hole.byte_range()).collect();
        checks::stands_alone(node, self.text)?;
        word::read(self.text, node.byte_range(), &holes)
    }

    /// A simple command, with words that stand behind its redirections.
    fn command(&mut self, node: Node<'_>, behind: Vec<Word>) -> Result<(), Unreadable> {
        let mut words = Vec::new();
        for (n, child) in children(node).into_iter().rev().enumerate() {
            match child.kind() {
                "variable_assignment" if node.kind() == "command" => {}
                "variable_assignment" => words.push(self.declared(child)),
                "herestring_redirect" | "comment" => {}
                "file_redirect" => words.extend(self.further_words(child)?),
                "command_name" => {
                    let name = &self.text[child.byte_range()];
                    if RESERVED.contains(&name) || variables::assigned(name).is_some() {
                        return Err(Unreadable);
                    }
                    words.push(self.word(child.child(0).ok_or(Unreadable)?)?);
                }
                // The name of a declaration, or an argument such as `==`.
                text if !child.is_named() => {
                    let is_name = n == 0 && node.kind() != "command";
                    let is_argument = matches!(text, "==" | "=~" | "$");
                    if !is_name && !is_argument {
                        return Err(Unreadable);
                    }
                    checks::stands_alone(child, self.text)?;
                    words.push(Some(text.into()));
                }
                "variable_name" => words.push(Some(self.text[child.byte_range()].into())),
                _ if word::is_word(child) => words.push(self.word(child)?),
                _ => return Err(Unreadable),
            }
        }
        words.extend(behind);
        self.run(words)
    }

    /// Notes a command, and those that it runs by itself.
    fn run(&mut self, words: Vec<Word>) -> Result<(), Unreadable> {
        let mut words = Some(words);
        while let Some(run) = words.take() {
            if self.commands.len() > COMMANDS_MAX {
                return Err(Unreadable);
            }
            for name in checks::set_names(&run).filter(|name| variables::steers(name)) {
                self.commands.push(Command::Change(name.into()));
            }
            match wrapper::inner(&run)? {
                wrapper::Inner::Nothing => {}
                wrapper::Inner::Words(inner) => {
                    let name = inner.first().and_then(Option::as_deref);
                    if name.is_some_and(|name| RESERVED.contains(&name)) {
                        return Err(Unreadable);
                    }
                    words = Some(inner);
                }
                wrapper::Inner::Line(line) => super::add(&line, self.depth + 1, self.commands)?,
            }
            self.commands.push(Command::Run(run));
        }
        Ok(())
    }

    /// A statement with redirections behind it, and perhaps more of its words behind them.
    fn redirected<'t>(
        &mut self,
        node: Node<'t>,
        open: &mut Vec<Node<'t>>,
    ) -> Result<(), Unreadable> {
        let body = node.child_by_field_name("body");
        let mut behind = Vec::new();
        for child in children(node).into_iter().rev().filter(|child| Some(*child) != body) {
            behind.extend(self.further_words(child)?);
        }
        match body {
            Some(body) if is_command(body) => {
                self.command(body, behind)?;
                open.extend(children(body));
            }
            Some(body) if behind.is_empty() => open.push(body),
            Some(body) if body.kind().starts_with("variable_assignment") => {
                self.run(behind)?;
                open.push(body);
            }
            Some(_) => return Err(Unreadable),
            None if behind.is_empty() => {}
            None => self.run(behind)?,
        }
        open.extend(children(node).into_iter().filter(|child| Some(*child) != body));
        Ok(())
    }

    /// The words behind the target of a redirection: they belong to its command.
    fn further_words(&self, redirect: Node<'_>) -> Result<Vec<Word>, Unreadable> {
        parts::further_words(redirect).into_iter().map(|node| self.word(node)).collect()
    }

    /// Notes a redirection that writes a file.
    fn writes(&mut self, redirect: Node<'_>) -> Result<(), Unreadable> {
        let targets = destinations(redirect);
        let target = targets[..parts::target_count(redirect).min(targets.len())].first();
        let target = target.map(|node| self.word(*node)).transpose()?;
        if !checks::is_harmless(redirect, target.as_ref()) {
            self.change(redirect);
        }
        Ok(())
    }

    fn assignment(&mut self, node: Node<'_>) -> Result<(), Unreadable> {
        let name = node.child_by_field_name("name").ok_or(Unreadable)?;
        checks::unbroken(node)?;
        if name.kind() == "subscript" {
            checks::subscript(&self.text[name.byte_range()])?;
            return self.names(name.child_by_field_name("name"));
        }
        self.names(Some(name))
    }

    /// Notes the setting of a variable that steers other commands.
    fn names(&mut self, name: Option<Node<'_>>) -> Result<(), Unreadable> {
        let name = name.ok_or(Unreadable)?;
        let text = &self.text[name.byte_range()];
        if !variables::is_name(text) {
            return Err(Unreadable);
        }
        if variables::steers(text) {
            self.change(name);
        }
        Ok(())
    }

    /// An assignment as a word of a declaration: `export X=1`.
    fn declared(&self, assignment: Node<'_>) -> Word {
        let plain = word::holes(assignment).is_empty();
        plain.then(|| self.text[assignment.byte_range()].into())
    }

    /// Arithmetic on numbers is harmless; on variables it runs what they hold.
    fn arithmetic(&mut self, node: Node<'_>, text: &str) -> Result<(), Unreadable> {
        if checks::arithmetic_on_variables(text)? {
            self.change(node);
        }
        Ok(())
    }

    fn test(&mut self, node: Node<'_>) -> Result<(), Unreadable> {
        checks::brackets_stand_alone(&self.text[node.byte_range()])?;
        if checks::tests_arithmetic(node, self.text) {
            self.change(node);
        }
        Ok(())
    }

    /// `${…}`: plain ones are read; what a quote in them means is a matter of taste.
    fn expansion<'t>(
        &mut self,
        node: Node<'t>,
        open: &mut Vec<Node<'t>>,
    ) -> Result<(), Unreadable> {
        let holes: Vec<Node<'t>> = children(node).into_iter().flat_map(word::holes).collect();
        if checks::expansion_runs_code(node, &holes, self.text)? {
            self.change(node);
        }
        open.extend(holes);
        Ok(())
    }

    fn change(&mut self, node: Node<'_>) {
        let written: String = self.text[node.byte_range()].chars().take(200).collect();
        self.commands.push(Command::Change(written.into()));
    }
}
