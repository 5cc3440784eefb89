//! The calls of a driver: their arguments read, started, told to stop, their outcomes recorded.
//!
//! Not here: when any of it happens (`fanfold-agent`, through `batch.rs` and `driver.rs`).

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use fanfold_agent::{Fit, Record};
use fanfold_schedule::{Footprint, Role};
use fanfold_tools::{Place, Prepared, Run, Sink, StopCause, StopHandle};
use fanfold_transcript::{AgentId, Call, CallId, Line, Outcome, StepId, Stream, Subject};

use crate::output::Outputs;
use crate::setting::Setting;
use crate::task::Tasks;

/// The calls that have no outcome yet.
pub(crate) struct Calls<'a> {
    setting: &'a Setting,
    /// Calls that have not started, their arguments read.
    prepared: BTreeMap<CallId, Box<dyn Prepared>>,
    tasks: Tasks,
    outputs: Outputs<'a>,
    /// The outputs of running calls, and how far each stream was told.
    running: BTreeMap<CallId, (Sink, [u64; 2])>,
}

/// What came of starting a call.
pub(crate) enum Launch {
    /// It runs.
    Started,
    /// It touches something else than it said, and does not run.
    Changed(Fit),
    /// It has its outcome already.
    Gone,
}

impl<'a> Calls<'a> {
    /// No calls yet.
    pub(crate) fn new(setting: &'a Setting) -> Self {
        let outputs = Outputs::new(&setting.output);
        Self {
            setting,
            prepared: BTreeMap::new(),
            tasks: Tasks::default(),
            outputs,
            running: BTreeMap::new(),
        }
    }

    /// The calls that come now are recorded under this step. What an earlier reply asked for and
    /// then did not is forgotten.
    pub(crate) fn begin_step(&mut self, agent: AgentId, step: StepId) {
        self.prepared.clear();
        self.outputs.begin_step(agent, step);
    }

    /// A call is asked for: looks up the tool, reads the arguments and computes the footprint.
    pub(crate) fn asked(&mut self, call: &Call) -> Fit {
        let tool = self.setting.toolbox.get(&call.tool);
        self.outputs.asked(call, tool.is_some_and(|tool| tool.definition().pages));
        let Some(tool) = tool else { return Fit::UnknownTool };
        // A guess is read too: the gate lets it run only where nothing but reading can come of it.
        let arguments = call.arguments.object().or_else(|| call.arguments.guess());
        let Some(arguments) = arguments else {
            return Fit::BadArguments("the arguments are not readable".into());
        };
        match tool.prepare(arguments) {
            Err(error) => Fit::BadArguments(error.0.into()),
            Ok(prepared) => {
                let footprint = footprint_of(&*prepared, &self.setting.place);
                let fit = fit_of(&*prepared, footprint);
                self.prepared.insert(call.id, prepared);
                fit
            }
        }
    }

    /// Starts a call, if it still touches what was `expected` of it.
    pub(crate) fn start(&mut self, call: CallId, expected: Option<&Footprint>) -> Launch {
        let Some(prepared) = self.prepared.remove(&call) else { return Launch::Gone };
        let footprint = footprint_of(&*prepared, &self.setting.place);
        if expected != Some(&footprint) {
            let fit = fit_of(&*prepared, footprint);
            self.prepared.insert(call, prepared);
            return Launch::Changed(fit);
        }
        let (stop, signal) = StopHandle::new();
        let sink = self.outputs.sink(call);
        self.running.insert(call, (sink.clone(), [0, 0]));
        let run = Run {
            call,
            session: self.setting.session.clone(),
            place: Arc::clone(&self.setting.place),
            reads: Arc::clone(&self.setting.reads),
            stop: signal,
            sink,
            records: self.setting.output.reader(),
            page_lines: self.setting.output.page_lines,
            children: self.setting.children.clone(),
        };
        self.tasks.start(prepared, run, stop);
        Launch::Started
    }

    /// Tells a running call to end.
    pub(crate) fn stop(&self, call: CallId) {
        if let Some(stop) = self.tasks.stop_handle(call) {
            stop.stop(StopCause::Stop);
        }
    }

    /// Tells a running call to be gone now.
    pub(crate) fn kill(&self, call: CallId) {
        if let Some(stop) = self.tasks.stop_handle(call) {
            stop.kill(StopCause::Stop);
        }
    }

    /// Gives up a running call.
    pub(crate) fn abandon(&mut self, call: CallId) {
        self.tasks.abandon(call);
    }

    /// Waits for the next call to end; `None` when none runs.
    pub(crate) async fn next_ended(&mut self) -> Option<(CallId, Outcome)> {
        self.tasks.next_ended().await
    }

    /// A call that has ended already.
    pub(crate) fn try_next_ended(&mut self) -> Option<(CallId, Outcome)> {
        self.tasks.try_next_ended()
    }

    /// Records an outcome as it is, and gives it as the model will read it.
    pub(crate) fn settle(&mut self, call: CallId, outcome: Outcome, record: &Record) -> Outcome {
        self.prepared.remove(&call);
        self.running.remove(&call);
        self.outputs.settle(call, outcome, record)
    }

    /// Whether a call runs.
    pub(crate) fn any_runs(&self) -> bool {
        !self.running.is_empty()
    }

    /// The running calls.
    pub(crate) fn running(&self) -> Vec<CallId> {
        self.running.keys().copied().collect()
    }

    /// The lines that a running call has written since it was last asked for here.
    pub(crate) fn new_lines(&mut self, call: CallId) -> Vec<(Stream, String)> {
        let mut new = Vec::new();
        let Some((sink, told)) = self.running.get_mut(&call) else { return new };
        for (stream, told) in Stream::ALL.into_iter().zip(told) {
            let (lines, end) = sink.lines_since(stream, *told);
            *told = end;
            if !lines.is_empty() {
                new.push((stream, lines));
            }
        }
        new
    }

    /// What the user should know.
    pub(crate) fn notice(self) -> Option<String> {
        self.outputs.notice()
    }
}

fn fit_of(prepared: &dyn Prepared, footprint: Footprint) -> Fit {
    Fit::Fits { role: Role::Leaf, footprint, subject: subject_of(prepared) }
}

/// The footprint of a call; a computation that fails counts as Exclusive.
fn footprint_of(prepared: &dyn Prepared, place: &Place) -> Footprint {
    catch_unwind(AssertUnwindSafe(|| prepared.footprint(place)))
        .unwrap_or_else(|_| Footprint::exclusive())
}

/// What patterns look at; where that cannot be read, a line that no pattern allows.
fn subject_of(prepared: &dyn Prepared) -> Subject {
    catch_unwind(AssertUnwindSafe(|| prepared.subject())).unwrap_or(Subject::Line(Line::Unparsable))
}
