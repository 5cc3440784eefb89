//! One Shell call at a time in a directory of its own, with a short grace.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use fanfold_tools::{
    Children, Limits, Place, Run, Running, Shell, Sink, StopHandle, Stream, Tool as _, Typed,
};
use fanfold_transcript::{CallHandle, CallId, Outcome, SessionId};
use serde_json::{Value, json};
use tempfile::TempDir;

/// No test waits longer than this for anything.
const PATIENCE: Duration = Duration::from_secs(60);

/// The grace of the calls, unless a test gives its own.
pub(crate) const GRACE: Duration = Duration::from_millis(200);

/// A place to run commands in.
pub(crate) struct Bench {
    directory: TempDir,
    shell: Typed<Shell>,
    /// Tests share a process: no two of them share a session.
    session: SessionId,
    /// How the calls treat their processes.
    pub(crate) children: Children,
}

/// A call that runs.
pub(crate) struct Started {
    pub(crate) stop: StopHandle,
    pub(crate) sink: Sink,
    pub(crate) running: Running,
}

impl Bench {
    pub(crate) fn new() -> Self {
        Self::with_grace(GRACE)
    }

    pub(crate) fn with_grace(grace: Duration) -> Self {
        fanfold_tools::become_subreaper().unwrap();
        let shell = Typed::new(Shell::with_grace(grace));
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let session = SessionId::at(u64::from(std::process::id()), count);
        let directory = tempfile::tempdir().unwrap();
        Self { directory, shell, session, children: Children::default() }
    }

    pub(crate) fn path(&self) -> &Path {
        self.directory.path()
    }

    /// The mark of all calls here.
    pub(crate) fn mark(&self) -> String {
        format!("{}:{}", self.session, CallId::new(1))
    }

    pub(crate) fn start(&self, arguments: &Value) -> Started {
        let call = self.shell.prepare(arguments.as_object().unwrap()).unwrap();
        let (stop, signal) = StopHandle::new();
        let sink = Sink::new(Limits::default());
        let run = Run {
            call: CallId::new(1),
            session: self.session.clone(),
            place: Arc::new(Place::new(self.path(), Vec::new()).unwrap()),
            stop: signal,
            sink: sink.clone(),
            reads: Arc::default(),
            records: None,
            page_lines: 100,
            children: self.children.clone(),
        };
        Started { stop, sink, running: call.run(run) }
    }

    pub(crate) fn command(&self, command: &str) -> Started {
        self.start(&json!({ "command": command }))
    }

    /// Runs a command to its end.
    pub(crate) async fn run(&self, command: &str) -> Outcome {
        self.command(command).outcome().await
    }

    /// The number of a process that a command wrote into this file.
    pub(crate) fn pid(&self, file: &str) -> Process {
        let text = std::fs::read_to_string(self.path().join(file)).unwrap();
        Process(text.trim().parse().unwrap())
    }
}

impl Started {
    pub(crate) async fn outcome(self) -> Outcome {
        bounded(self.running).await
    }
}

/// Waits until the sink holds this text.
pub(crate) async fn printed(sink: &Sink, text: &str) {
    let waiting = async {
        while !sink.captured(Stream::Stdout).text.contains(text) {
            tokio::task::yield_now().await;
        }
    };
    bounded(waiting).await;
}

pub(crate) async fn bounded<T>(future: impl Future<Output = T>) -> T {
    tokio::time::timeout(PATIENCE, future).await.expect("a test runs in bounded time")
}

/// A process by its number.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Process(pub(crate) i32);

impl Process {
    /// Whether it has ended; one that only waits to be noticed has.
    pub(crate) fn is_gone(self) -> bool {
        let stat = std::fs::read_to_string(PathBuf::from(format!("/proc/{}/stat", self.0)));
        stat.map_or(true, |stat| stat.rsplit_once(") ").unwrap().1.starts_with(['Z', 'X']))
    }

    pub(crate) async fn ends(self) {
        let waiting = async {
            while !self.is_gone() {
                tokio::task::yield_now().await;
            }
        };
        bounded(waiting).await;
    }
}

/// The mark of a call of a session made for a test.
pub(crate) fn handle(session: &str, call: u32) -> CallHandle {
    CallHandle { session: session.parse().unwrap(), call: CallId::new(call) }
}
