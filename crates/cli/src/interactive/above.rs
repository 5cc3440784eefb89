//! Prints above the line that is being typed.
//!
//! Not here: who types (`editor.rs`).

use std::fmt;
use std::io::{self, Write as _};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use rustyline::ExternalPrinter;

use crate::voice::clean_lines;

/// Columns where nobody tells.
const COLUMNS: usize = 80;

/// The place above the line that is being typed; from anywhere.
#[derive(Clone)]
pub(crate) struct Above {
    /// `None` where the terminal cannot do it: then text goes to where the cursor is.
    printer: Arc<Mutex<Option<Box<dyn ExternalPrinter + Send>>>>,
    columns: Arc<AtomicUsize>,
}

impl Above {
    pub(super) fn new(printer: Option<Box<dyn ExternalPrinter + Send>>) -> Self {
        let columns = Arc::new(AtomicUsize::new(COLUMNS));
        Self { printer: Arc::new(Mutex::new(printer)), columns }
    }

    /// How many columns a line may take.
    pub(crate) fn columns(&self) -> usize {
        self.columns.load(Ordering::Relaxed)
    }

    pub(super) fn resize(&self, columns: usize) {
        // A line that fills the last column wraps on some terminals.
        self.columns.store(columns.saturating_sub(1).max(20), Ordering::Relaxed);
    }

    /// Says these lines.
    pub(crate) fn say(&self, text: &str) {
        self.print(&(clean_lines(text) + "\n"));
    }

    /// Prints whole lines, each with its end; nothing for none. They are clean already.
    pub(crate) fn print(&self, lines: &str) {
        if lines.is_empty() {
            return;
        }
        let mut printer = self.printer.lock().unwrap_or_else(PoisonError::into_inner);
        let printed = printer.as_mut().is_some_and(|p| p.print(lines.to_owned()).is_ok());
        if !printed {
            let mut stdout = io::stdout().lock();
            stdout.write_all(lines.as_bytes()).and_then(|()| stdout.flush()).ok();
        }
    }
}

impl fmt::Debug for Above {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Above").field("columns", &self.columns).finish_non_exhaustive()
    }
}
