//! Drives one batch: the calls of one reply, from the first to the last outcome.
//!
//! The loop is always the same: wait for one event, hand it to the door, run the effects it wants
//! until there is none. Not here: any decision.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Duration;

use fanfold_agent::{Answer, Asked, Dispatch, Effect, Event, Fit, Gate, Grace, Question, Record};
use fanfold_schedule::{BatchId, Footprint, Limits, Role, Wait};
use fanfold_tools::{
    Place, Prepared, ReadState, Run, StopCause, StopHandle, Sweep, Toolbox, become_subreaper,
};
use fanfold_transcript::{Assistant, Call, CallId, Line, Millis, Outcome, SessionId, Subject};
use tokio::sync::mpsc;

use crate::clock::Clock;
use crate::output::{Output, Outputs};
use crate::task::Tasks;

/// What a batch is run with.
#[derive(Clone, Debug)]
pub struct Setting {
    /// The tools there are.
    pub toolbox: Toolbox,
    /// Who may use them.
    pub gate: Gate,
    /// Whether somebody answers when a call needs an approval.
    pub asks: bool,
    /// How much may run.
    pub limits: Limits,
    /// How patient a stop is.
    pub grace: Grace,
    /// Where the calls act.
    pub place: Arc<Place>,
    /// What the agent has seen of each file.
    pub reads: Arc<ReadState>,
    /// The session whose name marks every process.
    pub session: SessionId,
    /// How much output a call keeps, and where.
    pub output: Output,
}

/// What may be asked of a running batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Command {
    /// Stop: what runs is told, what waits is skipped.
    Stop,
    /// Stop at once, without grace.
    Kill,
    /// Somebody answered [`Update::Asking`].
    Answer(CallId, Answer),
}

/// What those who watch are told.
#[derive(Debug)]
pub enum Update<'a> {
    /// The call waits, for this reason now.
    Waiting(CallId, &'a Wait),
    /// The call needs an approval; others run meanwhile.
    Asking(CallId, &'a Question),
    /// The call runs.
    Started(CallId),
    /// The call has its outcome.
    Ended(CallId, &'a Outcome, &'a Record),
}

/// What happened to a batch.
#[derive(Debug)]
pub struct BatchRecord {
    /// Each call's way, in no particular order but that of ids.
    pub calls: BTreeMap<CallId, Record>,
    /// From the first call being asked to the last outcome.
    pub makespan_ms: u64,
    /// The slots there were.
    pub slots: usize,
    /// What the user should know.
    pub notice: Option<String>,
}

/// Runs the calls of a reply; afterwards each of them has its outcome, whatever happened.
///
/// `commands` may be closed at any time; `watch` is told of every change as it happens.
pub async fn run_batch(
    setting: &Setting,
    reply: &mut Assistant,
    commands: &mut mpsc::Receiver<Command>,
    watch: &mut (dyn FnMut(Millis, Update<'_>) + Send),
) -> BatchRecord {
    // Without it, what a call leaves behind is found by its mark alone: nothing to give up for.
    become_subreaper().ok();
    let mut driver = Driver::new(setting, reply, watch);
    driver.ask();
    while !driver.done {
        driver.wait(commands).await;
        driver.perform();
    }
    let makespan_ms = driver.clock.now().0;
    if driver.sweep {
        let grace = Duration::from_millis(setting.grace.kill_ms);
        Sweep::end_marked(setting.session.as_str(), grace).await;
    }
    let notice = driver.outputs.notice();
    let mut records = BTreeMap::new();
    let mut settled = driver.settled;
    for call in reply.calls_mut() {
        if let Some((outcome, record)) = settled.remove(&call.id) {
            call.settle(outcome).expect("only calls without an outcome are asked for");
            records.insert(call.id, record);
        }
    }
    BatchRecord { calls: records, makespan_ms, slots: setting.limits.slots, notice }
}

struct Driver<'a> {
    setting: &'a Setting,
    reply: &'a Assistant,
    batch: BatchId,
    watch: &'a mut (dyn FnMut(Millis, Update<'_>) + Send),
    clock: Clock,
    door: Dispatch,
    /// Calls that have not started, their arguments read.
    prepared: BTreeMap<CallId, Box<dyn Prepared>>,
    tasks: Tasks,
    outputs: Outputs<'a>,
    settled: BTreeMap<CallId, (Outcome, Record)>,
    sweep: bool,
    done: bool,
}

impl<'a> Driver<'a> {
    fn new(
        setting: &'a Setting,
        reply: &'a Assistant,
        watch: &'a mut (dyn FnMut(Millis, Update<'_>) + Send),
    ) -> Self {
        let mut door = Dispatch::new(setting.gate.clone(), setting.limits, setting.grace);
        if setting.asks {
            door = door.with_somebody_to_ask();
        }
        Self {
            setting,
            reply,
            batch: door.open_batch(),
            watch,
            clock: Clock::start(),
            door,
            prepared: BTreeMap::new(),
            tasks: Tasks::default(),
            outputs: Outputs::new(&setting.output),
            settled: BTreeMap::new(),
            sweep: false,
            done: false,
        }
    }

    fn ask(&mut self) {
        let batch = self.batch;
        for call in self.reply.calls().filter(|call| call.outcome().is_none()) {
            let tool = self.setting.toolbox.get(&call.tool);
            self.outputs.asked(call, tool.is_some_and(|tool| tool.definition().pages));
            let fit = self.fit(call);
            let now = self.clock.now();
            self.door.handle(now, Event::Asked(Asked { batch, call, fit }));
            self.perform();
        }
        self.door.handle(self.clock.now(), Event::Closed(batch));
        self.perform();
    }

    /// Looks up the tool, reads the arguments and computes the footprint.
    fn fit(&mut self, call: &Call) -> Fit {
        let Some(tool) = self.setting.toolbox.get(&call.tool) else { return Fit::UnknownTool };
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

    /// Waits for the next thing to happen and hands it to the door.
    async fn wait(&mut self, commands: &mut mpsc::Receiver<Command>) {
        let deadline = self.door.deadline().map(|at| self.clock.instant(at));
        let timer = async {
            match deadline {
                Some(at) => tokio::time::sleep_until(at).await,
                None => std::future::pending().await,
            }
        };
        let command = async {
            match commands.recv().await {
                Some(command) => command,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            biased;
            command = command => self.tell(match command {
                Command::Stop => Event::Stop,
                Command::Kill => Event::Kill,
                Command::Answer(call, answer) => Event::Answered { call, answer },
            }),
            Some((call, outcome)) = self.tasks.next_ended() => {
                self.tell(Event::Ended { call, outcome });
                while let Some((call, outcome)) = self.tasks.try_next_ended() {
                    self.tell(Event::Ended { call, outcome });
                }
            }
            () = timer => self.tell(Event::Tick),
        }
    }

    fn tell(&mut self, event: Event<'_>) {
        self.door.handle(self.clock.now(), event);
    }

    /// Runs the effects that the door wants, until it wants nothing more.
    fn perform(&mut self) {
        while let Some(effect) = self.door.poll() {
            match effect {
                Effect::Start(call) => self.start(call),
                Effect::Ask { call, question } => {
                    (self.watch)(self.clock.now(), Update::Asking(call, &question));
                }
                Effect::Stop(call) => {
                    if let Some(stop) = self.tasks.stop_handle(call) {
                        stop.stop(StopCause::Stop);
                    }
                }
                Effect::Kill(call) => {
                    if let Some(stop) = self.tasks.stop_handle(call) {
                        stop.kill(StopCause::Stop);
                    }
                }
                Effect::Abandon(call) => self.tasks.abandon(call),
                Effect::Settle { call, outcome, record } => {
                    self.prepared.remove(&call);
                    let outcome = self.outputs.settle(call, outcome, &record);
                    (self.watch)(self.clock.now(), Update::Ended(call, &outcome, &record));
                    self.settled.insert(call, (outcome, record));
                }
                Effect::Waiting { call, wait } => {
                    (self.watch)(self.clock.now(), Update::Waiting(call, &wait));
                }
                Effect::Sweep => self.sweep = true,
                Effect::Done(_) => self.done = true,
            }
        }
    }

    fn start(&mut self, call: CallId) {
        let Some(prepared) = self.prepared.remove(&call) else { return };
        let footprint = footprint_of(&*prepared, &self.setting.place);
        if self.door.footprint(call) != Some(&footprint) {
            let Some(asked) = self.reply.calls().find(|asked| asked.id == call) else { return };
            let fit = fit_of(&*prepared, footprint);
            self.prepared.insert(call, prepared);
            self.tell(Event::Changed(Asked { batch: self.batch, call: asked, fit }));
            return;
        }
        let (stop, signal) = StopHandle::new();
        let run = Run {
            call,
            session: self.setting.session.clone(),
            place: Arc::clone(&self.setting.place),
            reads: Arc::clone(&self.setting.reads),
            stop: signal,
            sink: self.outputs.sink(call),
            records: self.setting.output.reader(),
            page_lines: self.setting.output.page_lines,
        };
        self.tasks.start(prepared, run, stop);
        (self.watch)(self.clock.now(), Update::Started(call));
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
