//! Drives one batch: the calls of one reply, from the first to the last outcome.
//!
//! The loop is always the same: wait for one event, hand it to the door, run the effects it wants
//! until there is none. Not here: any decision.

use std::collections::BTreeMap;
use std::time::Duration;

use fanfold_agent::{Answer, Asked, Dispatch, Effect, Event, Question, Record, When};
use fanfold_schedule::{BatchId, Wait};
use fanfold_tools::{Sweep, become_subreaper};
use fanfold_transcript::{Assistant, CallId, Millis, Outcome};
use tokio::sync::mpsc;

use crate::calls::{Calls, Launch};
use crate::clock::Clock;
use crate::setting::Setting;

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
    let notice = driver.calls.notice();
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
    reply: &'a Assistant,
    batch: BatchId,
    watch: &'a mut (dyn FnMut(Millis, Update<'_>) + Send),
    clock: Clock,
    door: Dispatch,
    calls: Calls<'a>,
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
        let mut door = setting.door();
        Self {
            reply,
            batch: door.open_batch(),
            watch,
            clock: Clock::start(),
            door,
            calls: Calls::new(setting),
            settled: BTreeMap::new(),
            sweep: false,
            done: false,
        }
    }

    fn ask(&mut self) {
        let batch = self.batch;
        for call in self.reply.calls().filter(|call| call.outcome().is_none()) {
            let fit = self.calls.asked(call);
            self.tell(Event::Asked(Asked { batch, call, fit, when: When::Now }));
            self.perform();
        }
        self.tell(Event::Closed(batch));
        self.perform();
    }

    /// Waits for the next thing to happen and hands it to the door.
    async fn wait(&mut self, commands: &mut mpsc::Receiver<Command>) {
        let deadline = self.door.deadline();
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
            Some((call, outcome)) = self.calls.next_ended() => {
                self.tell(Event::Ended { call, outcome });
                while let Some((call, outcome)) = self.calls.try_next_ended() {
                    self.tell(Event::Ended { call, outcome });
                }
            }
            () = self.clock.until(deadline) => self.tell(Event::Tick),
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
                Effect::Stop(call) => self.calls.stop(call),
                Effect::Kill(call) => self.calls.kill(call),
                Effect::Abandon(call) => self.calls.abandon(call),
                Effect::Settle { call, outcome, record } => {
                    let outcome = self.calls.settle(call, outcome, &record);
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

    fn start(&mut self, id: CallId) {
        match self.calls.start(id, self.door.footprint(id)) {
            Launch::Gone => {}
            Launch::Changed(fit) => {
                let Some(call) = self.reply.calls().find(|call| call.id == id) else { return };
                let asked = Asked { batch: self.batch, call, fit, when: When::Now };
                self.tell(Event::Changed(asked));
            }
            Launch::Started => (self.watch)(self.clock.now(), Update::Started(id)),
        }
    }
}
