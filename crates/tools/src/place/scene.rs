//! A small workspace on disk in which tests run calls of one tool.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use fanfold_transcript::{CallId, Outcome, SessionId, Status};
use serde_json::Value;
use tempfile::TempDir;

use super::Place;
use crate::capture::{Limits, Sink};
use crate::process::Children;
use crate::read_state::ReadState;
use crate::stop::{StopHandle, StopSignal};
use crate::tool::{Prepared, Run, Tool as _, Typed, TypedTool};

/// A workspace `w` beside a folder `out` that is not allowed.
pub(crate) struct Scene {
    _folder: TempDir,
    pub(crate) base: PathBuf,
    pub(crate) place: Arc<Place>,
    /// What the one agent here has seen.
    pub(crate) reads: Arc<ReadState>,
}

impl Scene {
    /// An empty workspace.
    pub(crate) fn new() -> Self {
        let folder = TempDir::new().unwrap();
        let base = folder.path().canonicalize().unwrap();
        fs::create_dir(base.join("w")).unwrap();
        fs::create_dir(base.join("out")).unwrap();
        let place = Arc::new(Place::new(base.join("w"), Vec::new()).unwrap());
        Self { _folder: folder, base, place, reads: Arc::default() }
    }

    /// Writes a file of the workspace, and the directories on the way to it.
    pub(crate) fn file(&self, path: impl AsRef<Path>, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, content).unwrap();
        path
    }

    /// Makes a link in the workspace.
    pub(crate) fn link(&self, target: impl AsRef<Path>, path: &str) {
        symlink(target, self.path(path)).unwrap();
    }

    /// The absolute path of something in the workspace.
    pub(crate) fn path(&self, path: impl AsRef<Path>) -> PathBuf {
        self.base.join("w").join(path)
    }

    /// A call of this tool, ready to run.
    pub(crate) fn prepared(&self, tool: impl TypedTool, arguments: &Value) -> Box<dyn Prepared> {
        let arguments = arguments.as_object().expect("arguments are an object");
        Typed::new(tool).prepare(arguments).map_err(|error| error.to_string()).unwrap()
    }

    /// What a call is given that sees this signal.
    pub(crate) fn run_with(&self, stop: StopSignal) -> Run {
        let (place, reads) = (Arc::clone(&self.place), Arc::clone(&self.reads));
        let sink = Sink::new(Limits::default());
        let (call, session) = (CallId::new(1), SessionId::at(0, 0));
        let children = Children::default();
        Run { call, session, place, stop, sink, reads, records: None, page_lines: 100, children }
    }

    /// Runs a call that nobody stops.
    pub(crate) async fn run(&self, tool: impl TypedTool, arguments: Value) -> Outcome {
        let (_handle, stop) = StopHandle::new();
        self.prepared(tool, &arguments).run(self.run_with(stop)).await
    }

    /// Runs a call that must succeed; gives its text.
    pub(crate) async fn ok(&self, tool: impl TypedTool, arguments: Value) -> String {
        self.text(Status::Ok, tool, arguments).await
    }

    /// Runs a call that must fail; gives its text.
    pub(crate) async fn failed(&self, tool: impl TypedTool, arguments: Value) -> String {
        self.text(Status::Failed, tool, arguments).await
    }

    /// Runs a call that must be declined; gives its text.
    pub(crate) async fn declined(&self, tool: impl TypedTool, arguments: Value) -> String {
        self.text(Status::Declined, tool, arguments).await
    }

    async fn text(&self, status: Status, tool: impl TypedTool, arguments: Value) -> String {
        let outcome = self.run(tool, arguments).await;
        assert_eq!(outcome.status(), status, "{}", outcome.text());
        outcome.text()
    }
}
