//! Standard output of a run: written as it comes, and by a thread of its own where it is a pipe.
//!
//! Whoever takes the output may stop taking it; that must not keep a stop from being heard. Not here:
//! what is written.

use std::io::{self, IsTerminal as _, Write as _};
use std::sync::mpsc::{Sender, channel};

use tokio::task::{JoinHandle, spawn_blocking};

use crate::Problem;

/// Takes text to standard output.
#[derive(Debug)]
pub(crate) struct Outlet(Way);

#[derive(Debug)]
enum Way {
    /// A terminal is written to at once, so that the order of what is seen on it is the order in time.
    Terminal(io::Result<()>),
    /// The rest through a queue.
    Queue(Sender<String>, JoinHandle<io::Result<()>>),
}

impl Outlet {
    /// Opens standard output. Inside a runtime.
    pub(crate) fn open() -> Self {
        if io::stdout().is_terminal() {
            return Self(Way::Terminal(Ok(())));
        }
        let (sender, texts) = channel::<String>();
        let writer = spawn_blocking(move || texts.iter().try_for_each(|text| write(&text)));
        Self(Way::Queue(sender, writer))
    }

    /// Whether somebody watches it being written.
    pub(crate) const fn is_terminal(&self) -> bool {
        matches!(self.0, Way::Terminal(_))
    }

    /// Writes this text. Trouble is told at the end: what the agent does goes on without a reader.
    pub(crate) fn put(&mut self, text: String) {
        match &mut self.0 {
            Way::Terminal(written) => {
                if written.is_ok() {
                    *written = write(&text);
                }
            }
            // A writer that is gone tells why at the end.
            Way::Queue(sender, _) => drop(sender.send(text)),
        }
    }

    /// Waits until all is written.
    pub(crate) async fn finish(self) -> Result<(), Problem> {
        let written = match self.0 {
            Way::Terminal(written) => written,
            Way::Queue(sender, writer) => {
                drop(sender);
                writer.await.map_err(Problem::work)?
            }
        };
        written.map_err(|error| Problem::work(format!("cannot write to standard output: {error}")))
    }
}

fn write(text: &str) -> io::Result<()> {
    let mut stdout = io::stdout().lock();
    stdout.write_all(text.as_bytes())?;
    stdout.flush()
}
