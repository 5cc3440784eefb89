//! Asks on the terminal whether a call may run: one question at a time, while other calls run.
//!
//! The terminal is asked itself, since the reply may come through standard input. Not here: which
//! calls need an answer.

use std::fs::{File, OpenOptions};
use std::io::{self, BufRead as _, BufReader, IsTerminal as _, Write as _};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use fanfold_session::{Answer, CallId, Command};
use tokio::sync::mpsc;

use crate::progress::Stillness;

/// Somebody at the terminal.
#[derive(Debug)]
pub(crate) struct Approver {
    terminal: File,
}

/// Takes the questions to the terminal.
#[derive(Debug)]
pub(crate) struct Questions(Sender<(CallId, String)>);

impl Approver {
    /// `None` where nobody sees a question or can answer it.
    pub(crate) fn at_terminal() -> Option<Self> {
        if !io::stderr().is_terminal() {
            return None;
        }
        let terminal = OpenOptions::new().read(true).write(true).open("/dev/tty").ok()?;
        Some(Self { terminal })
    }

    /// Begins to ask. A thread of its own waits for the answers, and ends with the program.
    pub(crate) fn ask(self, rows: Stillness, commands: mpsc::Sender<Command>) -> Questions {
        let (sender, questions) = channel();
        thread::spawn(move || converse(&self.terminal, &rows, &questions, &commands));
        Questions(sender)
    }
}

impl Questions {
    /// Puts one more question at the end of the queue.
    pub(crate) fn put(&self, call: CallId, question: String) {
        // The other end is gone only when the terminal is: then nobody answers.
        self.0.send((call, question)).ok();
    }
}

fn converse(
    terminal: &File,
    rows: &Stillness,
    questions: &Receiver<(CallId, String)>,
    commands: &mpsc::Sender<Command>,
) {
    let mut lines = BufReader::new(terminal);
    while let Ok((call, question)) = questions.recv() {
        rows.begin();
        let answer = answer(terminal, &mut lines, &question);
        rows.end();
        let Ok(answer) = answer else { return };
        if commands.blocking_send(Command::Answer(call, answer)).is_err() {
            return;
        }
    }
}

/// Asks until the answer is a yes or a no. The end of the terminal's input is a no.
fn answer(mut terminal: &File, lines: &mut BufReader<&File>, question: &str) -> io::Result<Answer> {
    loop {
        write!(terminal, "{question}\nallow it? [y/n] ")?;
        let mut line = String::new();
        if lines.read_line(&mut line)? == 0 {
            return Ok(Answer::Deny);
        }
        match line.trim().to_lowercase().as_str() {
            "y" | "yes" => return Ok(Answer::Allow),
            "n" | "no" => return Ok(Answer::Deny),
            _ => writeln!(terminal, "please answer y or n")?,
        }
    }
}
