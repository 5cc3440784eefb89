//! How the processes of a call are treated by whoever runs the call.
//!
//! Not here: starting them (`spawn.rs`), and what is recorded of them.

use std::fmt;
use std::sync::Arc;

use fanfold_transcript::Process;

/// What they are not given, and who is told of them.
#[derive(Clone, Debug, Default)]
pub struct Children {
    /// Environment variables that hold secrets, beside those of the known providers: no process of a
    /// call gets them.
    pub withheld: Arc<[Box<str>]>,
    /// Is told of each process that a call starts; `None` when nobody cares.
    pub watch: Option<Arc<dyn WatchProcesses>>,
}

/// Learns of the processes that calls start.
pub trait WatchProcesses: fmt::Debug + Send + Sync {
    /// This process was just started, and runs. Called on the task of the call: it must not wait long.
    ///
    /// Where the system has no table of processes, its start is 0.
    fn started(&self, process: Process);
}
