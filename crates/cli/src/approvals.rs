//! Asks on the terminal whether a call may run: one question at a time, while other calls run.
//!
//! The terminal is asked itself, since the reply may come through standard input. Not here: which
//! calls need an answer, and how the interactive mode asks (`interactive/questions.rs`).

use std::fs::{File, OpenOptions};
use std::io::{self, BufRead as _, BufReader, IsTerminal as _, Write as _};
use std::os::fd::AsFd as _;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use fanfold_session::{Answer, CallId};
use tokio::sync::mpsc;

use crate::voice::Stillness;

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
        let terminal = OpenOptions::new().read(true).write(true).open("/dev/tty");
        Some(Self { terminal: terminal.or_else(|_| standard_input()).ok()? })
    }

    /// Begins to ask. A thread of its own waits for the answers, and ends with the program.
    pub(crate) fn ask<C: Send + 'static>(
        self,
        rows: Stillness,
        commands: mpsc::Sender<C>,
        command: fn(CallId, Answer) -> C,
    ) -> Questions {
        let (sender, questions) = channel();
        thread::spawn(move || {
            converse(&self.terminal, &rows, &questions, |call, answer| {
                commands.blocking_send(command(call, answer)).is_ok()
            });
        });
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

/// A terminal that is nobody's own can still be the one that is typed on.
fn standard_input() -> io::Result<File> {
    let stdin = io::stdin();
    if !stdin.is_terminal() {
        return Err(io::ErrorKind::NotFound.into());
    }
    Ok(File::from(stdin.as_fd().try_clone_to_owned()?))
}

fn converse(
    terminal: &File,
    rows: &Stillness,
    questions: &Receiver<(CallId, String)>,
    tell: impl Fn(CallId, Answer) -> bool,
) {
    let mut lines = BufReader::new(terminal);
    while let Ok((call, question)) = questions.recv() {
        rows.begin();
        let answer = answer(terminal, &mut lines, &question);
        rows.end();
        let Ok(answer) = answer else { return };
        if !tell(call, answer) {
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
        match read_answer(&line) {
            Some(answer) => return Ok(answer),
            None => writeln!(terminal, "please answer y or n")?,
        }
    }
}

/// What a line answers, if it is a yes or a no.
pub(crate) fn read_answer(line: &str) -> Option<Answer> {
    match line.trim().to_lowercase().as_str() {
        "y" | "yes" => Some(Answer::Allow),
        "n" | "no" => Some(Answer::Deny),
        _ => None,
    }
}
