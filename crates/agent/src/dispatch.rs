//! The one door: every call passes gate, schedule, run and settle here, and nothing else starts a tool.
//!
//! Invariants: each call asked for is settled exactly once; after a stop nothing starts; the failure
//! of one call touches no other. Not here: how a tool runs (`fanfold-engine`).

mod event;
mod stopping;
use std::collections::{BTreeMap, VecDeque};

use fanfold_schedule::{BatchId, Footprint, Hold, Lane, Limits, Role, Schedule, Wait};
use fanfold_transcript::{CallId, Millis, Outcome};

use crate::gate::{Gate, Question, Verdict};
use crate::record::{Record, WaitSpan};

pub use event::{Answer, Asked, Effect, Event, Grace, When};

/// The door.
#[derive(Debug)]
pub struct Dispatch {
    gate: Gate,
    schedule: Schedule,
    grace: Grace,
    asker: Asker,
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
    /// Asked and not yet answered.
    question: Option<Question>,
    /// Its arguments are still coming.
    streaming: bool,
    /// It may not start before its reply has ended.
    held: bool,
}

/// Whether approvals can be had.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Asker {
    Nobody,
    Somebody,
}

#[derive(Debug, Default)]
struct OpenBatch {
    open: usize,
    closed: bool,
    /// Whether a call that may start processes was let in.
    sweep: bool,
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
            asker: Asker::Nobody,
            calls: BTreeMap::new(),
            batches: BTreeMap::new(),
            stage: Stage::Running,
            effects: VecDeque::new(),
        }
    }

    /// The same door with somebody to ask: what needs an approval waits for an answer.
    #[must_use]
    pub const fn with_somebody_to_ask(mut self) -> Self {
        self.asker = Asker::Somebody;
        self
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
            Event::Opened { batch, call } => self.opened(batch, call),
            Event::Asked(asked) => self.asked(now, asked),
            Event::Withdrawn(calls) => calls.iter().for_each(|&call| self.withdrawn(call)),
            Event::ReplyEnded(batch) => self.reply_ended(batch),
            Event::Closed(batch) => {
                self.schedule.close_batch(batch);
                self.batches.entry(batch).or_default().closed = true;
                self.report_if_done(batch);
            }
            Event::Changed(asked) => self.changed(now, asked),
            Event::NeverStarted(call) => self.skip(now, call),
            Event::Answered { call, answer } => self.answered(now, call, answer),
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

    /// Whether an answer to this call's question is waited for.
    #[must_use]
    pub fn is_asking(&self, call: CallId) -> bool {
        self.calls.get(&call).is_some_and(|live| live.question.is_some())
    }

    /// Makes the door ready for the next turn after a stop.
    ///
    /// # Panics
    /// While a call is open: a stop that is under way cannot be taken back.
    pub fn open_again(&mut self) {
        assert!(self.calls.is_empty(), "a stop has to reach every call");
        self.stage = Stage::Running;
    }

    /// Whether this tool only reads; false for one that is not known.
    #[must_use]
    pub fn only_reads(&self, tool: &str) -> bool {
        self.gate.only_reads(tool)
    }

    fn opened(&mut self, batch: BatchId, call: CallId) {
        self.batches.entry(batch).or_default().open += 1;
        self.calls.insert(call, Live { streaming: true, ..Live::of(batch) });
        self.schedule.announce(batch, call);
    }

    fn asked(&mut self, now: Millis, asked: Asked<'_>) {
        let Asked { batch, call, fit, when } = asked;
        let was_opened = self.calls.contains_key(&call.id);
        if !was_opened {
            self.batches.entry(batch).or_default().open += 1;
        }
        let (role, footprint, question) = match self.judge(self.gate.judge(call, fit)) {
            Ok(allowed) => allowed,
            Err(outcome) if was_opened => return self.leave(now, call.id, outcome),
            Err(outcome) => {
                let record =
                    Record { footprint: None, waits: Vec::new(), started: None, ended: now };
                return self.settle(batch, call.id, outcome, record);
            }
        };
        let may_start_processes = !self.gate.only_reads(&call.tool);
        self.batches.entry(batch).or_default().sweep |= may_start_processes;
        let live = self.calls.entry(call.id).or_insert_with(|| Live::of(batch));
        live.streaming = false;
        live.held = when == When::ReplyEnds;
        if was_opened {
            self.schedule.complete(call.id, role, footprint);
        } else {
            self.schedule.submit(call.id, Lane::Batch(batch), role, footprint);
        }
        if when == When::ReplyEnds {
            self.schedule.hold(call.id, Hold::Reply);
        }
        self.ask(call.id, question);
    }

    /// Forgets a call that has not started.
    fn withdrawn(&mut self, call: CallId) {
        let Some(live) = self.calls.remove(&call) else { return };
        self.schedule.finish(call);
        self.batches.entry(live.batch).or_default().open -= 1;
        self.report_if_done(live.batch);
    }

    fn reply_ended(&mut self, batch: BatchId) {
        let held = self.calls.iter_mut().filter(|(_, live)| live.batch == batch && live.held);
        for (&call, live) in held {
            live.held = false;
            self.schedule.release(call, Hold::Reply);
        }
    }

    /// A call that was about to start is judged again by what it touches now.
    fn changed(&mut self, now: Millis, asked: Asked<'_>) {
        let Asked { batch: _, call, fit, when: _ } = asked;
        let Some(live) = self.calls.get_mut(&call.id) else { return };
        live.started = None;
        match self.judge(self.gate.judge(call, fit)) {
            Err(outcome) => self.leave(now, call.id, outcome),
            Ok((_, footprint, question)) => {
                self.schedule.requeue(call.id, footprint);
                self.ask(call.id, question);
            }
        }
    }

    /// What follows from a verdict: a refusal, or a call that goes on, perhaps after a question.
    fn judge(&self, verdict: Verdict) -> Result<(Role, Footprint, Option<Question>), Outcome> {
        match verdict {
            Verdict::Decline(outcome) => Err(outcome),
            Verdict::Allow { role, footprint } => Ok((role, footprint, None)),
            Verdict::Ask { role, footprint, question } => match self.asker {
                Asker::Somebody => Ok((role, footprint, Some(question))),
                Asker::Nobody => Err(question.unanswered()),
            },
        }
    }

    /// Keeps a call from starting until its question is answered.
    fn ask(&mut self, call: CallId, question: Option<Question>) {
        let Some(question) = question else { return };
        let Some(live) = self.calls.get_mut(&call) else { return };
        live.question = Some(question.clone());
        self.schedule.hold(call, Hold::Approval);
        self.effects.push_back(Effect::Ask { call, question });
    }

    /// An answer touches one call; one that nobody waits for is dropped.
    fn answered(&mut self, now: Millis, call: CallId, answer: Answer) {
        let Some(question) = self.calls.get_mut(&call).and_then(|live| live.question.take()) else {
            return;
        };
        match answer {
            Answer::Allow => self.schedule.release(call, Hold::Approval),
            Answer::Deny => self.leave(now, call, question.refused()),
            Answer::Nobody => self.leave(now, call, question.unanswered()),
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
        if let Some(over) = self.batches.get(&batch).filter(|b| b.closed && b.open == 0) {
            let sweep = over.sweep || self.stage != Stage::Running;
            self.batches.remove(&batch);
            if sweep {
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
}

impl Live {
    const fn of(batch: BatchId) -> Self {
        Self {
            batch,
            waiting: None,
            waits: Vec::new(),
            started: None,
            question: None,
            streaming: false,
            held: false,
        }
    }

    fn end_wait(&mut self, now: Millis) {
        if let Some((wait, since)) = self.waiting.take() {
            self.waits.push(WaitSpan { wait, ms: now.since(since) });
        }
    }
}

#[cfg(test)]
mod tests;
