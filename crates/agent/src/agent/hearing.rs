//! A reply while it streams: which calls may start, and what is kept when it does not come to its end.
//!
//! What is safe of a reply always ends with the last call that started. So a reply that breaks, is
//! refused or is stopped becomes an entry that ends there, and nothing that ran is lost; when nothing
//! ran, it is forgotten and asked for again. Not here: what comes after the entry (`turn.rs`).

use std::collections::BTreeMap;

use fanfold_schedule::BatchId;
use fanfold_settings::StreamingStart;
use fanfold_transcript::{
    Assistant, Block, BlockBody, Call, CallId, Content, Fact, Millis, Source, StepId, Stop, TurnEnd,
};
use fanfold_wire::{Fault, FaultKind};

use super::{Agent, Effect, Event, ModelInUse, News, Stage, Work, retry};
use crate::dispatch::{self, Asked, When};
use crate::gate::Fit;

/// The reply that is being heard.
#[derive(Debug)]
pub(super) struct Hearing {
    step: StepId,
    attempt: u32,
    /// The model that was asked. The next one may be another.
    model: ModelInUse,
    pub(super) batch: Option<BatchId>,
    /// All text so far.
    text: String,
    /// The calls so far, complete or not, in order.
    calls: Vec<CallId>,
    /// Complete calls.
    ready: BTreeMap<CallId, Call>,
    /// Blocks that are in no part yet, each run ending with a complete call.
    runs: Vec<(CallId, Vec<Block>)>,
}

impl Hearing {
    const fn new(step: StepId, attempt: u32, model: ModelInUse) -> Self {
        Self {
            step,
            attempt,
            model,
            batch: None,
            text: String::new(),
            calls: Vec::new(),
            ready: BTreeMap::new(),
            runs: Vec::new(),
        }
    }

    pub(super) fn call(&self, id: CallId) -> Option<&Call> {
        self.ready.get(&id)
    }

    fn source(&self) -> Source {
        Source { asked: Some(self.model.asked.clone()), ..Source::new(self.model.wire) }
    }
}

impl Agent {
    /// Asks the model.
    pub(super) fn ask(&mut self, step: StepId, attempt: u32) {
        self.note(Fact::Request { step, attempt, model: self.model.asked.clone() });
        self.effects.push_back(Effect::Ask { step, first_call: self.calls.saturating_add(1) });
        self.stage = Stage::Hearing(Hearing::new(step, attempt, self.model.clone()));
    }

    /// Takes in what was heard. What comes after the reply was given up is dropped.
    pub(super) fn heard(&mut self, now: Millis, event: Event) {
        let Stage::Hearing(hearing) = &mut self.stage else { return };
        match event {
            Event::Text(piece) => hearing.text.push_str(&piece),
            Event::Opened(call) => self.opened(now, call),
            Event::Ready { call, fit, blocks } => self.ready(now, call, fit, blocks),
            Event::Restarted => {
                hearing.text.clear();
                self.forget(now);
                self.effects.push_back(Effect::Tell(News::Restarted));
            }
            Event::Replied { reply, fits, spent } => {
                self.note(Fact::Usage(spent));
                self.replied(now, *reply, fits);
            }
            Event::Failed(fault) => self.failed(now, &fault),
            Event::Said(_)
            | Event::Continue
            | Event::Model(_)
            | Event::Changed { .. }
            | Event::NeverStarted(_)
            | Event::Process(_)
            | Event::Spent(_)
            | Event::Ended { .. }
            | Event::Settled(_)
            | Event::Answered { .. }
            | Event::Swept
            | Event::Checked(_)
            | Event::Stop
            | Event::Kill
            | Event::Tick => unreachable!("only what is heard comes here"),
        }
    }

    fn opened(&mut self, now: Millis, call: CallId) {
        self.calls = self.calls.max(call.number());
        let batch = self.open_batch();
        if let Stage::Hearing(hearing) = &mut self.stage {
            hearing.calls.push(call);
        }
        self.tell_door(now, dispatch::Event::Opened { batch, call });
    }

    fn ready(&mut self, now: Millis, call: Call, fit: Fit, blocks: Vec<Block>) {
        self.calls = self.calls.max(call.id.number());
        let may_start = match self.policy.streaming {
            StreamingStart::All => true,
            StreamingStart::ReadOnly => self.door.only_reads(&call.tool),
            StreamingStart::Off => false,
        };
        let when = if may_start { When::Now } else { When::ReplyEnds };
        let batch = self.open_batch();
        if let Stage::Hearing(hearing) = &mut self.stage {
            if !hearing.calls.contains(&call.id) {
                hearing.calls.push(call.id);
            }
            hearing.runs.push((call.id, blocks));
            hearing.ready.insert(call.id, call.clone());
        }
        self.door.handle(now, dispatch::Event::Asked(Asked { batch, call: &call, fit, when }));
        self.pump();
    }

    /// The batch of the reply that is being heard.
    fn open_batch(&mut self) -> BatchId {
        let Stage::Hearing(hearing) = &mut self.stage else {
            unreachable!("only while a reply is heard");
        };
        *hearing.batch.get_or_insert_with(|| self.door.open_batch())
    }

    /// Makes the reply safe up to this call, which is about to start.
    pub(super) fn note_part_until(&mut self, call: CallId) {
        let Stage::Hearing(hearing) = &mut self.stage else { return };
        let Some(last) = hearing.runs.iter().position(|(id, _)| *id == call) else { return };
        let blocks = hearing.runs.drain(..=last).flat_map(|(_, blocks)| blocks).collect();
        let (step, source) = (hearing.step, hearing.source());
        self.note(Fact::Part { step, source, blocks });
    }

    /// Whether a call of the reply started.
    fn has_begun(&self) -> bool {
        self.conversation.hearing().is_some()
    }

    fn replied(&mut self, now: Millis, mut reply: Assistant, fits: BTreeMap<CallId, Fit>) {
        let Stage::Hearing(hearing) = &self.stage else { return };
        reply.source.asked = Some(hearing.model.asked.clone());
        let lost = self.started_calls().any(|id| reply.calls().all(|call| call.id != id));
        if lost || reply.stop == Stop::Unfinished {
            self.failed(now, &broken());
        } else if reply.stop == Stop::Refused {
            self.refused = true;
            self.cut_short(now);
        } else if is_empty(&reply) {
            let said = "the model sent an empty reply".into();
            self.failed(now, &Fault { kind: FaultKind::Empty, said, retry_after_ms: None });
        } else {
            self.enter(now, reply, fits);
        }
    }

    fn started_calls(&self) -> impl Iterator<Item = CallId> {
        let blocks = self.conversation.hearing().into_iter().flat_map(|heard| &heard.blocks);
        blocks.filter_map(Block::as_call).map(|call| call.id)
    }

    /// Makes the reply an entry and asks the door for those of its calls that it does not know.
    fn enter(&mut self, now: Millis, reply: Assistant, mut fits: BTreeMap<CallId, Fit>) {
        let Stage::Hearing(hearing) = std::mem::replace(&mut self.stage, Stage::Idle) else {
            return;
        };
        let Hearing { step, batch, calls, ready, .. } = hearing;
        let unknown: Vec<Call> =
            reply.calls().filter(|call| !ready.contains_key(&call.id)).cloned().collect();
        let stray: Vec<CallId> =
            calls.into_iter().filter(|id| reply.calls().all(|call| call.id != *id)).collect();
        let has_calls = reply.calls().next().is_some();
        self.calls = reply.calls().map(|call| call.id.number()).fold(self.calls, u32::max);
        let (entry, parent) =
            (self.conversation.transcript().next_entry(), self.conversation.leaf());
        self.note(Fact::Reply { step, entry, parent, reply });
        self.say_unsaid();
        if !has_calls {
            self.close(now, batch, &stray);
            return self.after_entry(now);
        }
        let batch = batch.unwrap_or_else(|| self.door.open_batch());
        self.stage = Stage::Working(Work { batch, done: false, sweeping: false });
        for call in &unknown {
            let fit = fits.remove(&call.id).unwrap_or(Fit::UnknownTool);
            let asked = Asked { batch, call, fit, when: When::Now };
            self.door.handle(now, dispatch::Event::Asked(asked));
            self.pump();
        }
        self.close(now, Some(batch), &stray);
    }

    /// Nothing more comes for the batch; calls that are in no entry are taken back.
    fn close(&mut self, now: Millis, batch: Option<BatchId>, stray: &[CallId]) {
        let Some(batch) = batch else { return };
        self.tell_door(now, dispatch::Event::Withdrawn(stray));
        self.tell_door(now, dispatch::Event::ReplyEnded(batch));
        self.tell_door(now, dispatch::Event::Closed(batch));
    }

    /// Outcomes that came before the entry of their calls. Of calls that are in no entry they go.
    fn say_unsaid(&mut self) {
        for (call, outcome) in std::mem::take(&mut self.unsaid) {
            if self.conversation.transcript().call(call).is_some() {
                self.note(Fact::Settled { call, outcome });
            }
        }
    }

    fn failed(&mut self, now: Millis, fault: &Fault) {
        let Stage::Hearing(hearing) = &self.stage else { return };
        let (step, next) = (hearing.step, hearing.attempt.saturating_add(1));
        if self.has_begun() {
            self.effects.push_back(Effect::Tell(News::CutShort(fault.clone())));
            return self.cut_short(now);
        }
        self.forget(now);
        let wait = retry::wait_ms(fault, step, next, self.policy.seed);
        match wait.filter(|_| next <= self.policy.attempts) {
            Some(in_ms) => {
                self.stage = Stage::Resting { until: now.plus(in_ms), step, attempt: next };
                let news = News::Retrying { fault: fault.clone(), attempt: next, in_ms };
                self.effects.push_back(Effect::Tell(news));
            }
            None => {
                let said = match next.saturating_sub(1) {
                    0 | 1 => fault.said.clone(),
                    attempts => format!("{} (after {attempts} attempts)", fault.said).into(),
                };
                self.end(TurnEnd::Failed { said });
            }
        }
    }

    /// Takes back every call of the reply that is being heard; none has started.
    fn forget(&mut self, now: Millis) {
        let Stage::Hearing(hearing) = &mut self.stage else { return };
        let (batch, calls) = (hearing.batch.take(), std::mem::take(&mut hearing.calls));
        hearing.ready.clear();
        hearing.runs.clear();
        let step = hearing.step;
        self.close(now, batch, &calls);
        self.unsaid.clear();
        if self.has_begun() {
            self.note(Fact::Dropped { step });
        }
    }

    /// The reply will not come to its end: its entry ends with the last call that started.
    pub(super) fn cut_short(&mut self, now: Millis) {
        let Stage::Hearing(hearing) = &self.stage else { return };
        let blocks = match self.conversation.hearing() {
            Some(heard) => heard.blocks.clone(),
            None if hearing.text.trim().is_empty() => Vec::new(),
            None => vec![Block::text(&hearing.text)],
        };
        let source = hearing.source();
        if blocks.is_empty() {
            self.forget(now);
            self.stage = Stage::Idle;
            return self.after_entry(now);
        }
        let mut reply = Assistant::new(source, blocks);
        reply.stop = Stop::Unfinished;
        self.enter(now, reply, BTreeMap::new());
    }
}

fn broken() -> Fault {
    let said = "the stream ended before the reply did".into();
    Fault { kind: FaultKind::Broken, said, retry_after_ms: None }
}

/// Whether there is nothing in a reply that ended of itself.
fn is_empty(reply: &Assistant) -> bool {
    let says_nothing = |block: &Block| match &block.body {
        BlockBody::Content(Content::Text(text)) => text.trim().is_empty(),
        BlockBody::Thinking(_) => true,
        BlockBody::Content(_) | BlockBody::Call(_) => false,
    };
    reply.stop == Stop::Finished && reply.blocks.iter().all(says_nothing)
}
