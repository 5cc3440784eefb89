//! The output of a batch's calls, from the first byte to what the model reads: recorded whole, bounded
//! while it is made, cut to its size at the end.
//!
//! Not here: how a record looks on disk (`fanfold-store`) and how a text is cut (`fanfold-compact`).

use std::collections::BTreeMap;
use std::io::{self, Read};
use std::path::Path;
use std::sync::Arc;

use fanfold_agent::Record;
pub use fanfold_compact::Bounds;
use fanfold_compact::truncate;
pub use fanfold_store::RecordsError;
use fanfold_store::{CallRecord, Ended, Input, Records, SessionFolder, Span};
use fanfold_tools::{CopyTo, Limits, ReadRecords, Sink};
use fanfold_transcript::{
    AgentId, Call, CallId, Content, Outcome, RecordHandle, Recorded, StepId, Stream,
};

/// How much of an output is kept, and where.
#[derive(Clone, Debug)]
pub struct Output {
    /// How much of each stream stays in memory.
    pub kept: Limits,
    /// How much of a result the model is sent; results of tools that page are pages already.
    pub shown: Bounds,
    /// Lines of a page whose length the model did not say.
    pub page_lines: u64,
    records: Option<Records>,
}

impl Default for Output {
    fn default() -> Self {
        Self { kept: Limits::default(), shown: Bounds::default(), page_lines: 100, records: None }
    }
}

impl Output {
    /// The same, with every call recorded in this folder, which is made if need be. Of a stream
    /// longer than `stream_bytes_max` bytes the first and the last half of that many are recorded.
    ///
    /// # Errors
    /// When the folder cannot be made or is none.
    pub fn recorded(mut self, folder: &Path, stream_bytes_max: u64) -> Result<Self, RecordsError> {
        self.records = Some(Records::open(folder, stream_bytes_max)?);
        Ok(self)
    }

    /// The same, with every call recorded in the folder of its step of a session. Of a stream
    /// longer than `stream_bytes_max` bytes the first and the last half of that many are recorded.
    #[must_use]
    pub fn of_session(mut self, session: &SessionFolder, stream_bytes_max: u64) -> Self {
        let (agent, step) = (AgentId(0), StepId(1));
        self.records = Some(Records::in_session(session, agent, step, stream_bytes_max));
        self
    }

    /// What ReadFile reads records by.
    pub(crate) fn reader(&self) -> Option<Arc<dyn ReadRecords>> {
        let records = self.records.clone()?;
        Some(Arc::new(Reader(records)))
    }
}

/// The outputs of the calls that have no outcome yet.
#[derive(Debug)]
pub(crate) struct Outputs<'a> {
    setting: &'a Output,
    calls: BTreeMap<CallId, Live>,
    /// The step whose calls come next.
    step: Option<(AgentId, StepId)>,
    /// The first trouble with the disk.
    trouble: Option<String>,
}

#[derive(Debug)]
struct Live {
    /// Whether its tool shows pages.
    pages: bool,
    /// What is known before it starts; `None` when nothing is recorded.
    input: Option<Input>,
    /// Its record, once it runs.
    record: Option<CallRecord>,
}

impl<'a> Outputs<'a> {
    /// No calls yet.
    pub(crate) const fn new(setting: &'a Output) -> Self {
        Self { setting, calls: BTreeMap::new(), step: None, trouble: None }
    }

    /// The calls that come now belong to this step. What was asked for and never settled is forgotten.
    pub(crate) fn begin_step(&mut self, agent: AgentId, step: StepId) {
        self.calls.clear();
        self.step = Some((agent, step));
    }

    /// A call is asked for; `pages` says whether its tool shows pages.
    pub(crate) fn asked(&mut self, call: &Call, pages: bool) {
        let input = self.setting.records.is_some().then(|| Input {
            call: call.id,
            wire_id: call.wire_id.clone(),
            tool: call.tool.clone(),
            arguments: call.sent.clone(),
        });
        self.calls.insert(call.id, Live { pages, input, record: None });
    }

    /// A call is about to start: its input is on disk before its sink is given out.
    pub(crate) fn sink(&mut self, call: CallId) -> Sink {
        let kept = self.setting.kept;
        match self.begin(call) {
            Some(record) => Sink::with_copy(kept, Arc::new(Copy(record))),
            None => Sink::new(kept),
        }
    }

    /// Where the calls of this step are recorded.
    fn records(&self) -> Option<Records> {
        let records = self.setting.records.as_ref()?;
        Some(match self.step {
            Some((agent, step)) => records.at_step(agent, step),
            None => records.clone(),
        })
    }

    fn begin(&mut self, call: CallId) -> Option<CallRecord> {
        let records = self.records()?;
        let live = self.calls.get_mut(&call)?;
        let record = records.begin(live.input.as_ref()?);
        live.record = Some(record.clone());
        Some(record)
    }

    /// A call has its outcome: records it as it is, and gives it as the model will read it.
    pub(crate) fn settle(&mut self, call: CallId, mut outcome: Outcome, way: &Record) -> Outcome {
        let Some(live) = self.calls.remove(&call) else { return outcome };
        let pages = live.pages;
        let ended = self.end(live, &outcome, way).unwrap_or_default();
        if !pages {
            truncate(&mut outcome, self.setting.shown, &ended.streams);
        }
        if let Some(problem) = ended.problem {
            outcome.content.push(Content::text(format!("(its record is incomplete: {problem})")));
            self.trouble.get_or_insert(problem);
        }
        outcome
    }

    /// What the user should know.
    pub(crate) fn notice(self) -> Option<String> {
        let trouble = self.trouble?;
        Some(format!("some records are incomplete: {trouble}"))
    }

    /// Ends the record of a call; one that never ran gets its record now.
    fn end(&self, live: Live, outcome: &Outcome, way: &Record) -> Option<Ended> {
        let record = match live.record {
            Some(record) => record,
            None => self.records()?.never_ran(&live.input?),
        };
        let is_silent = Stream::ALL.iter().all(|&stream| record.recorded(stream).is_none());
        let is_process = outcome.exit_code.is_some();
        // The result of a tool that is no process is its only output. What shows pages is not cut, and
        // what it showed stands elsewhere.
        if is_silent && !is_process && !live.pages && outcome.status().may_have_run() {
            record.write(Stream::Stdout, outcome.text().as_bytes());
        }
        let span = Span { started: way.started, ended: way.ended };
        Some(record.end(&fanfold_store::Output { outcome, span }))
    }
}

/// A record as the sink of its call sees it.
#[derive(Debug)]
struct Copy(CallRecord);

impl CopyTo for Copy {
    fn write(&self, stream: Stream, bytes: &[u8]) {
        self.0.write(stream, bytes);
    }

    fn recorded(&self, stream: Stream) -> Option<Recorded> {
        self.0.recorded(stream)
    }
}

/// The records as ReadFile sees them.
#[derive(Debug)]
struct Reader(Records);

impl ReadRecords for Reader {
    fn open(&self, handle: RecordHandle) -> io::Result<Box<dyn Read + Send>> {
        self.0.read(handle)
    }
}
