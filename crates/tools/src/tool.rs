//! What a tool is: a definition, and a way to turn arguments into something that can run.
//!
//! Arguments are read once, into the tool's own type; footprint and run then work on that type, so
//! no tool ever sees arguments that do not fit. Not here: any particular tool.

mod typed;

use std::fmt;
use std::path::PathBuf;
use std::pin::Pin;
use std::sync::Arc;

use fanfold_schedule::Footprint;
use fanfold_transcript::{CallHandle, CallId, Outcome, SessionId, Subject};
use serde_json::{Map, Value};

pub use self::typed::{Typed, TypedTool};
use crate::capture::{ReadRecords, Sink};
use crate::place::Place;
use crate::process::{Children, Mark};
use crate::read_state::{Notes, ReadState};
use crate::schema::Schema;
use crate::stop::StopSignal;

/// What the model and the harness are told of a tool.
#[derive(Debug)]
pub struct Definition {
    /// The name, as the model writes it.
    pub name: Box<str>,
    /// What it does, for the model.
    pub description: Box<str>,
    /// The JSON Schema of its arguments: an object.
    pub input_schema: Schema,
    /// The native kind of its row in a log.
    pub kind: Kind,
    /// Whether it may change anything.
    pub effect: Effect,
    /// Whether it shows its result page by page: its results are no longer than a page, and whoever
    /// asked for a page is not given half of it.
    pub pages: bool,
}

/// The native kind of a call's row in a log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Runs code and streams its output.
    CodeExe,
    /// Shows progress, such as a wait.
    Progress,
    /// A tool of an MCP server.
    Mcp,
    /// A subordinate agent.
    Subagent,
    /// Any other tool.
    Tool,
}

/// Whether a tool may change anything outside the conversation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Only reads: may run without a rule, and again after a crash.
    ReadsOnly,
    /// May change files, processes or the world.
    MayChange,
}

/// Arguments that do not fit the tool. The text is for the model: which argument, what was expected.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct BadArguments(pub String);

/// A future of the one outcome of a run.
pub type Running = Pin<Box<dyn Future<Output = Outcome> + Send>>;

/// A tool, as the engine sees it.
pub trait Tool: fmt::Debug + Send + Sync {
    /// What it is.
    fn definition(&self) -> &Definition;

    /// Reads the arguments of one call.
    ///
    /// # Errors
    /// When they do not fit the schema.
    fn prepare(&self, arguments: &Map<String, Value>) -> Result<Box<dyn Prepared>, BadArguments>;
}

/// One call of a tool, its arguments read.
pub trait Prepared: Send + Sync {
    /// What the call will touch, seen from `place` now. Computed early for ordering, and again when
    /// the call starts. It may look at the file system to resolve links; it must not wait.
    fn footprint(&self, place: &Place) -> Footprint;

    /// What permission patterns look at beside the paths of the footprint.
    fn subject(&self) -> Subject {
        Subject::Opaque
    }

    /// Does it. The future honours `run.stop`; a panic in it becomes a failed outcome of this call alone.
    fn run(self: Box<Self>, run: Run) -> Running;
}

/// What a run is given.
#[derive(Clone, Debug)]
pub struct Run {
    /// The call.
    pub call: CallId,
    /// The session it belongs to.
    pub session: SessionId,
    /// Where it acts.
    pub place: Arc<Place>,
    /// Tells it to stop.
    pub stop: StopSignal,
    /// Takes its output: bounded, and readable from outside at any time.
    pub sink: Sink,
    /// What was recorded of the calls of its session; `None` when nothing is.
    pub records: Option<Arc<dyn ReadRecords>>,
    /// Lines of a page whose length the model did not say.
    pub page_lines: u64,
    /// What its agent has seen of files.
    pub reads: Arc<ReadState>,
    /// How the processes that it starts are treated.
    pub children: Children,
}

impl Run {
    /// How processes of this call are marked.
    #[must_use]
    pub fn mark(&self) -> Mark {
        Mark::new(&CallHandle { session: self.session.clone(), call: self.call })
    }

    /// Where the call notes what it reads and writes.
    pub(crate) fn notes(&self) -> Notes {
        Notes::new(Arc::clone(&self.reads), self.call)
    }

    /// The directory in which the call acts.
    #[must_use]
    pub fn directory(&self) -> PathBuf {
        self.place.directory().to_owned()
    }
}
