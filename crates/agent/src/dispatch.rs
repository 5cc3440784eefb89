//! The one door: every call passes gate, schedule, run and settle here, and nothing else starts a tool.
//!
//! Invariants: each call asked for is settled exactly once; after a stop nothing starts; the failure
//! of one call touches no other. Not here: how a tool runs (`fanfold-engine`).

use std::collections::{BTreeMap, VecDeque};

use fanfold_schedule::{BatchId, Footprint, Lane, Limits, Schedule, Wait};
use fanfold_transcript::{Call, CallId, Ending, Interruption, Millis, Outcome, Skip};

use crate::gate::{Fit, Gate};
use crate::record::{Record, WaitSpan};

/// Everything that can happen to the door.
#[derive(Debug)]
pub enum Event<'a> {
    /// The model asks for a call.
    Asked(Asked<'a>),
    /// No more calls will come for this batch.
    Closed(BatchId),
    /// A call that was to start touches something else than it said; it has not started.
    FootprintChanged {
        /// The call.
        call: CallId,
        /// What it touches now.
        footprint: Footprint,
    },
    /// A running call is over.
    Ended {
        /// The call.
        call: CallId,
        /// Its outcome.
        outcome: Outcome,
    },
    /// Stop everything: what runs is told, what waits is skipped.
    Stop,
    /// Stop at once, without grace.
    Kill,
    /// The time asked for by [`Dispatch::deadline`] has come.
    Tick,
}

/// A call that the model asks for.
#[derive(Debug)]
pub struct Asked<'a> {
    /// Its batch.
    pub batch: BatchId,
    /// The call, without an outcome.
    pub call: &'a Call,
    /// What its tool says of it.
    pub fit: Fit,
}

/// Everything the door wants done.
#[derive(Debug, PartialEq)]
pub enum Effect {
    /// Compute the footprint again; if it is the same, run the call, else report it changed.
    Start(CallId),
    /// Tell a running call to end; it may still use its grace.
    Stop(CallId),
    /// Tell a running call to be gone now.
    Kill(CallId),
    /// Give up a running call that did not end when killed: drop it without waiting.
    Abandon(CallId),
    /// The call has its outcome.
    Settle {
        /// The call.
        call: CallId,
        /// Its one outcome.
        outcome: Outcome,
        /// Its way here.
        record: Record,
    },
    /// For those who watch: the call waits, for this reason now.
    Waiting {
        /// The call.
        call: CallId,
        /// The reason.
        wait: Wait,
    },
    /// A stop may have left processes behind: look for them and end them.
    Sweep,
    /// Every call of the batch has its outcome.
    Done(BatchId),
}

/// How patient a stop is, in milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Grace {
    /// From being told to stop until being killed.
    pub stop_ms: u64,
    /// From being killed until being abandoned.
    pub kill_ms: u64,
}

/// The door.
#[derive(Debug)]
pub struct Dispatch {
    gate: Gate,
    schedule: Schedule,
    grace: Grace,
    calls: BTreeMap<CallId, Live>,
    batches: BTreeMap<BatchId, OpenBatch>,
    stage: Stage,
    effects: VecDeque<Effect>,
}

/// A call between being let in and being settled.
#[derive(Debug)]
struct Live {
    batch: BatchId,
    waiting: Option<(Wait, Millis)>,
    waits: Vec<WaitSpan>,
    started: Option<Millis>,
}

#[derive(Debug, Default)]
struct OpenBatch {
    open: usize,
    closed: bool,
}

/// How far a stop has come. It only ever goes forward.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Stage {
    Running,
    Stopping { kill_at: Millis },
    Killing { abandon_at: Millis },
    Abandoned,
}

impl Dispatch {
    /// A door with this gate and these limits.
    #[must_use]
    pub fn new(gate: Gate, limits: Limits, grace: Grace) -> Self {
        Self {
            gate,
            schedule: Schedule::new(limits),
            grace,
            calls: BTreeMap::new(),
            batches: BTreeMap::new(),
            stage: Stage::Running,
            effects: VecDeque::new(),
        }
    }

    /// Begins a batch.
    pub fn open_batch(&mut self) -> BatchId {
        let id = self.schedule.open_batch();
        self.batches.insert(id, OpenBatch::default());
        id
    }

    /// Takes in what happened at `now`. Then [`poll`](Self::poll) until it is empty.
    pub fn handle(&mut self, now: Millis, event: Event<'_>) {
        match event {
            Event::Asked(asked) => self.asked(now, asked),
            Event::Closed(batch) => {
                self.schedule.close_batch(batch);
                self.batches.entry(batch).or_default().closed = true;
                self.report_if_done(batch);
            }
            Event::FootprintChanged { call, footprint } => {
                if let Some(live) = self.calls.get_mut(&call) {
                    live.started = None;
                    self.schedule.requeue(call, footprint);
                }
            }
            Event::Ended { call, outcome } => self.leave(now, call, outcome),
            Event::Stop => self.stop(now),
            Event::Kill => self.kill(now),
            Event::Tick => {}
        }
        self.escalate(now);
        if self.stage == Stage::Running {
            self.start_ready(now);
        } else {
            self.skip_waiting(now);
        }
        self.note_waits(now);
    }

    /// The next effect wanted.
    pub fn poll(&mut self) -> Option<Effect> {
        self.effects.pop_front()
    }

    /// When to send a [`Event::Tick`] if nothing else happens.
    #[must_use]
    pub const fn deadline(&self) -> Option<Millis> {
        match self.stage {
            Stage::Running | Stage::Abandoned => None,
            Stage::Stopping { kill_at } => Some(kill_at),
            Stage::Killing { abandon_at } => Some(abandon_at),
        }
    }

    /// What a call touches, as last given; `None` for a call that is not open.
    #[must_use]
    pub fn footprint(&self, call: CallId) -> Option<&Footprint> {
        self.schedule.footprint(call)
    }

    fn asked(&mut self, now: Millis, asked: Asked<'_>) {
        let Asked { batch, call, fit } = asked;
        self.batches.entry(batch).or_default().open += 1;
        match self.gate.judge(call, fit) {
            Err(outcome) => {
                let record =
                    Record { footprint: None, waits: Vec::new(), started: None, ended: now };
                self.settle(batch, call.id, outcome, record);
            }
            Ok((role, footprint)) => {
                let live = Live { batch, waiting: None, waits: Vec::new(), started: None };
                self.calls.insert(call.id, live);
                self.schedule.submit(call.id, Lane::Batch(batch), role, footprint);
            }
        }
    }

    /// Takes a call out of the schedule and settles it. An outcome of a call that is gone (it was
    /// abandoned, then ended after all) is dropped: the first stands.
    fn leave(&mut self, now: Millis, call: CallId, outcome: Outcome) {
        let Some(mut live) = self.calls.remove(&call) else { return };
        let footprint = Some(self.schedule.finish(call));
        live.end_wait(now);
        let Live { batch, waits, started, .. } = live;
        self.settle(batch, call, outcome, Record { footprint, waits, started, ended: now });
    }

    fn settle(&mut self, batch: BatchId, call: CallId, outcome: Outcome, record: Record) {
        self.effects.push_back(Effect::Settle { call, outcome, record });
        self.batches.entry(batch).or_default().open -= 1;
        self.report_if_done(batch);
    }

    fn report_if_done(&mut self, batch: BatchId) {
        if self.batches.get(&batch).is_some_and(|b| b.closed && b.open == 0) {
            self.batches.remove(&batch);
            if self.stage != Stage::Running {
                self.effects.push_back(Effect::Sweep);
            }
            self.effects.push_back(Effect::Done(batch));
        }
    }

    fn start_ready(&mut self, now: Millis) {
        while let Some(call) = self.schedule.next_ready() {
            let live = self.calls.get_mut(&call).expect("every scheduled call is live");
            live.end_wait(now);
            live.started = Some(now);
            self.effects.push_back(Effect::Start(call));
        }
    }

    fn note_waits(&mut self, now: Millis) {
        while let Some(call) = self.schedule.next_moved() {
            let Some(wait) = self.schedule.why_waiting(call) else { continue };
            let Some(live) = self.calls.get_mut(&call) else { continue };
            if live.waiting.as_ref().is_some_and(|(known, _)| *known == wait) {
                continue;
            }
            live.end_wait(now);
            live.waiting = Some((wait.clone(), now));
            self.effects.push_back(Effect::Waiting { call, wait });
        }
    }

    fn stop(&mut self, now: Millis) {
        if self.stage == Stage::Running {
            self.stage = Stage::Stopping { kill_at: now.plus(self.grace.stop_ms) };
            self.tell_running(Effect::Stop);
        }
    }

    fn kill(&mut self, now: Millis) {
        if matches!(self.stage, Stage::Running | Stage::Stopping { .. }) {
            self.stage = Stage::Killing { abandon_at: now.plus(self.grace.kill_ms) };
            self.tell_running(Effect::Kill);
        }
    }

    /// Goes on to the next stage of a stop whose time has come.
    fn escalate(&mut self, now: Millis) {
        match self.stage {
            Stage::Stopping { kill_at } if now >= kill_at => self.kill(now),
            Stage::Killing { abandon_at } if now >= abandon_at => self.abandon(now),
            Stage::Running | Stage::Stopping { .. } | Stage::Killing { .. } | Stage::Abandoned => {}
        }
    }

    fn abandon(&mut self, now: Millis) {
        self.stage = Stage::Abandoned;
        self.tell_running(Effect::Abandon);
        let text = "stopped; it did not end in time and was given up: it may still have an effect";
        let running: Vec<CallId> = self.running().collect();
        for call in running {
            let ending = Ending::Interrupted(Interruption::Stopped);
            self.leave(now, call, Outcome::of_text(ending, text));
        }
    }

    fn skip_waiting(&mut self, now: Millis) {
        let waiting = |(&call, live): (&CallId, &Live)| live.started.is_none().then_some(call);
        let waiting: Vec<CallId> = self.calls.iter().filter_map(waiting).collect();
        for call in waiting {
            let ending = Ending::Skipped(Skip::Stopped);
            self.leave(now, call, Outcome::of_text(ending, "not run: stopped."));
        }
    }

    fn tell_running(&mut self, effect: fn(CallId) -> Effect) {
        let running: Vec<CallId> = self.running().collect();
        self.effects.extend(running.into_iter().map(effect));
    }

    fn running(&self) -> impl Iterator<Item = CallId> {
        self.calls.iter().filter(|(_, live)| live.started.is_some()).map(|(&call, _)| call)
    }
}

impl Live {
    fn end_wait(&mut self, now: Millis) {
        if let Some((wait, since)) = self.waiting.take() {
            self.waits.push(WaitSpan { wait, ms: now.since(since) });
        }
    }
}

#[cfg(test)]
mod tests;
