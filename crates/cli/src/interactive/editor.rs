//! The line that is being typed: a thread of its own reads it, with history.
//!
//! Not here: what a line means (`typed.rs`).

use std::fs::OpenOptions;
use std::io::{self, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use nix::sys::termios::{SetArg, Termios, tcgetattr, tcsetattr};
use rustyline::error::ReadlineError;
use rustyline::history::{FileHistory, History as _};
use rustyline::{Config, Editor, ExternalPrinter};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

use super::above::Above;

const PROMPT: &str = "> ";

/// Lines that are remembered.
const HISTORY_MAX: usize = 1_000;

/// What somebody did at the terminal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Keyed {
    /// A line, or several that were pasted together.
    Line(String),
    /// Ctrl-C.
    Interrupt,
    /// Ctrl-D, or the terminal is gone. Nothing comes after it.
    End,
}

/// A terminal that gets its mode back, however it is left.
#[derive(Debug)]
pub(super) struct Terminal {
    mode: Option<Termios>,
    /// Whether a line is being typed.
    is_reading: Arc<AtomicBool>,
}

impl Terminal {
    pub(super) fn take() -> Self {
        Self { mode: tcgetattr(io::stdin()).ok(), is_reading: Arc::default() }
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        if let Some(mode) = &self.mode {
            tcsetattr(io::stdin(), SetArg::TCSANOW, mode).ok();
        }
        if self.is_reading.load(Ordering::SeqCst) {
            // The line is left behind, and pastes come unmarked again.
            let mut stdout = io::stdout().lock();
            stdout.write_all(b"\x1b[?2004l\n").and_then(|()| stdout.flush()).ok();
        }
    }
}

/// Begins to read lines. `is_last` says after which one nothing more is read.
pub(super) fn read_lines(
    terminal: &Terminal,
    history: Option<PathBuf>,
    is_last: fn(&str) -> bool,
) -> Result<(Above, UnboundedReceiver<Keyed>), ReadlineError> {
    let config = Config::builder().max_history_size(HISTORY_MAX)?.build();
    let mut editor = Editor::<(), FileHistory>::with_config(config)?;
    let history = history.filter(|path| private(path).is_ok());
    if let Some(path) = &history {
        // One that cannot be read is begun anew.
        editor.load_history(path).ok();
    }
    let printer = editor.create_external_printer().ok();
    let printer = printer.map(|printer| Box::new(printer) as Box<dyn ExternalPrinter + Send>);
    let above = Above::new(printer);
    let (sender, keyed) = unbounded_channel();
    let place = above.clone();
    let is_reading = Arc::clone(&terminal.is_reading);
    thread::spawn(move || {
        let mut read = || {
            if let Some((columns, _)) = editor.dimensions() {
                place.resize(columns.into());
            }
            is_reading.store(true, Ordering::SeqCst);
            let keyed = read(&mut editor, history.as_deref());
            is_reading.store(false, Ordering::SeqCst);
            keyed
        };
        while tell(&sender, read(), is_last) {}
    });
    Ok((above, keyed))
}

/// Tells what was done; gives whether to go on.
fn tell(sender: &UnboundedSender<Keyed>, keyed: Keyed, is_last: fn(&str) -> bool) -> bool {
    let goes_on = match &keyed {
        Keyed::Line(line) => !is_last(line),
        Keyed::Interrupt => true,
        Keyed::End => false,
    };
    sender.send(keyed).is_ok() && goes_on
}

fn read(editor: &mut Editor<(), FileHistory>, history: Option<&Path>) -> Keyed {
    match editor.readline(PROMPT) {
        Ok(line) => {
            remember(editor, history, &line);
            Keyed::Line(line)
        }
        Err(ReadlineError::Interrupted | ReadlineError::Signal(_)) => Keyed::Interrupt,
        Err(_) => Keyed::End,
    }
}

/// A line that cannot be kept is typed all the same.
fn remember(editor: &mut Editor<(), FileHistory>, history: Option<&Path>, line: &str) {
    let is_new = editor.history_mut().add(line).unwrap_or(false);
    if let Some(path) = history.filter(|_| is_new) {
        editor.append_history(path).ok();
    }
}

/// What is typed is nobody else's business.
fn private(path: &Path) -> io::Result<()> {
    OpenOptions::new().append(true).create(true).mode(0o600).open(path).map(drop)
}
