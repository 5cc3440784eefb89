//! One agent's turns: message, reply, calls, outcomes, next reply, final answer.
//!
//! It keeps the conversation and the door through which calls pass. Everything that counts is a fact,
//! noted before anything follows from it; so a crash at any moment loses only what nobody relied on.
//! This file is the agent as its driver sees it. Not here: hearing a reply (`hearing.rs`), the door (`door.rs`), what
//! comes after an entry (`turn.rs`), what a crash left open (`recover.rs`).

mod door;
mod event;
mod hearing;
mod recover;
mod retry;
#[cfg(test)]
mod tests;
mod turn;

use std::collections::{BTreeMap, VecDeque};

use fanfold_schedule::BatchId;
use fanfold_settings::StreamingStart;
use fanfold_transcript::{
    CallId, Conversation, Fact, Millis, Outcome, Speaker, StepId, Turn, Wire,
};
use serde_json::Value;

use crate::dispatch::{self, Answer, Dispatch};

use hearing::Hearing;

pub use event::{Effect, Event, News, Settled};

/// An agent.
///
/// Invariants: the conversation is always the fold of the facts noted; each call gets exactly one
/// outcome; after a stop nothing starts; a message is never lost.
#[derive(Debug)]
pub struct Agent {
    conversation: Conversation,
    door: Dispatch,
    policy: Policy,
    /// The model that is asked next.
    model: ModelInUse,
    stage: Stage,
    course: Course,
    /// The turn is being stopped.
    stopping: bool,
    /// The model refused to go on.
    refused: bool,
    /// The highest number that a call of any reply got, kept or not.
    calls: u32,
    /// Outcomes of calls that never started and whose reply is no entry yet.
    unsaid: BTreeMap<CallId, Outcome>,
    effects: VecDeque<Effect>,
}

/// What counts for this turn alone and stands in no fact.
#[derive(Debug, Default)]
struct Course {
    /// What a turn that a crash cut off had used when a new message began this one.
    cut_off: Turn,
    /// The answer was sent back once already.
    corrected: bool,
}

/// What an agent may do.
#[derive(Clone, Debug)]
pub struct Policy {
    /// Which calls may start while their reply streams.
    pub streaming: StreamingStart,
    /// How often a model is asked for one step; at least once.
    pub attempts: u32,
    /// What one turn may use.
    pub limits: TurnLimits,
    /// Whether the answer must have a form ([`Effect::Check`]).
    pub checks_answer: bool,
    /// What chance comes from.
    pub seed: u64,
}

/// What one turn may use.
#[derive(Clone, Copy, Debug)]
pub struct TurnLimits {
    /// Replies.
    pub steps: u32,
    /// Tokens: input, cached or not, and output, over all requests.
    pub tokens: Option<u64>,
    /// US dollars.
    pub cost_usd: Option<f64>,
}

/// The model that is asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModelInUse {
    /// `provider/model`.
    pub asked: Box<str>,
    /// Its format.
    pub wire: Wire,
}

/// What an agent is doing.
#[derive(Debug)]
enum Stage {
    /// Nothing.
    Idle,
    /// A reply is being heard.
    Hearing(Hearing),
    /// The model will be asked again.
    Resting { until: Millis, step: StepId, attempt: u32 },
    /// The reply is an entry; its calls are under way.
    Working(Work),
    /// The form of an answer is being checked.
    Checking { text: Box<str>, data: Option<Value> },
}

/// The calls of a reply that is an entry.
#[derive(Debug)]
struct Work {
    batch: BatchId,
    /// Every call has its outcome, as far as the door knows.
    done: bool,
    sweeping: bool,
}

impl Agent {
    /// An agent with this conversation so far. What an earlier process left open in it is settled.
    #[must_use]
    pub fn new(
        conversation: Conversation,
        door: Dispatch,
        policy: Policy,
        model: ModelInUse,
    ) -> Self {
        let calls = conversation.last_call();
        let mut agent = Self {
            conversation,
            door,
            policy,
            model,
            stage: Stage::Idle,
            course: Course::default(),
            stopping: false,
            refused: false,
            calls,
            unsaid: BTreeMap::new(),
            effects: VecDeque::new(),
        };
        agent.recover();
        agent
    }

    /// Takes in what happened at `now`. Then [`poll`](Self::poll) until it is empty.
    pub fn handle(&mut self, now: Millis, event: Event) {
        match event {
            Event::Said(content) => self.said(now, content),
            Event::Continue => self.go_on(now),
            Event::Model(model) => self.model = model,
            Event::Text(_)
            | Event::Opened(_)
            | Event::Ready { .. }
            | Event::Restarted
            | Event::Replied { .. }
            | Event::Failed(_) => self.heard(now, event),
            Event::Changed { call, fit } => self.changed(now, call, fit),
            Event::NeverStarted(call) => self.tell_door(now, dispatch::Event::NeverStarted(call)),
            Event::Process(process) => self.note(Fact::Process(process)),
            Event::Spent(spent) => self.note(Fact::Usage(spent)),
            Event::Ended { call, outcome } => {
                self.tell_door(now, dispatch::Event::Ended { call, outcome });
            }
            Event::Settled(settled) => self.settled(settled),
            Event::Answered { call, answer } => {
                if self.door.is_asking(call) {
                    match answer {
                        Answer::Allow => self.note(Fact::Answered { call, allowed: true }),
                        Answer::Deny => self.note(Fact::Answered { call, allowed: false }),
                        Answer::Nobody => {}
                    }
                    self.tell_door(now, dispatch::Event::Answered { call, answer });
                }
            }
            Event::Swept => {
                if let Stage::Working(work) = &mut self.stage {
                    work.sweeping = false;
                }
            }
            Event::Checked(verdict) => self.checked(now, verdict),
            Event::Stop => self.stop(now, dispatch::Event::Stop),
            Event::Kill => self.stop(now, dispatch::Event::Kill),
            Event::Tick => self.tick(now),
        }
        self.advance(now);
    }

    /// The next effect wanted.
    pub fn poll(&mut self) -> Option<Effect> {
        self.effects.pop_front()
    }

    /// When to send a [`Event::Tick`] if nothing else happens.
    #[must_use]
    pub fn deadline(&self) -> Option<Millis> {
        let rest = match &self.stage {
            Stage::Resting { until, .. } => Some(*until),
            Stage::Idle | Stage::Hearing(_) | Stage::Working(_) | Stage::Checking { .. } => None,
        };
        rest.into_iter().chain(self.door.deadline()).min()
    }

    /// The conversation so far.
    #[must_use]
    pub const fn conversation(&self) -> &Conversation {
        &self.conversation
    }

    /// The conversation, when the agent is no longer needed.
    #[must_use]
    pub fn into_conversation(self) -> Conversation {
        self.conversation
    }

    /// The model that is asked next.
    #[must_use]
    pub const fn model(&self) -> &ModelInUse {
        &self.model
    }

    /// Whether no turn is under way.
    #[must_use]
    pub const fn is_idle(&self) -> bool {
        matches!(self.stage, Stage::Idle)
    }

    /// What a call touches, as last given; `None` for a call that is not open.
    #[must_use]
    pub fn footprint(&self, call: CallId) -> Option<&fanfold_schedule::Footprint> {
        self.door.footprint(call)
    }

    /// Writes down a fact and takes it in.
    fn note(&mut self, fact: Fact) {
        self.conversation
            .apply(fact.clone())
            .expect("a fact noted here follows from those before it");
        self.effects.push_back(Effect::Note(fact));
    }

    /// Takes in a message.
    fn receive(&mut self, by: Speaker, content: Vec<fanfold_transcript::Content>) {
        let message = self.conversation.next_message();
        self.note(Fact::Said { message, by, content });
    }

    fn said(&mut self, now: Millis, content: Vec<fanfold_transcript::Content>) {
        self.receive(Speaker::User, content);
        if self.is_idle() {
            let cut_off = self.conversation.turn().unwrap_or_default();
            self.course = Course { cut_off, corrected: false };
            self.next_step(now);
        }
    }

    /// A call that is under way.
    #[must_use]
    pub fn call(&self, id: CallId) -> Option<&fanfold_transcript::Call> {
        let heard = match &self.stage {
            Stage::Hearing(hearing) => hearing.call(id),
            Stage::Idle | Stage::Resting { .. } | Stage::Working(_) | Stage::Checking { .. } => {
                None
            }
        };
        heard.or_else(|| self.conversation.transcript().call(id))
    }

    fn tick(&mut self, now: Millis) {
        if let Stage::Resting { until, step, attempt } = self.stage
            && now >= until
        {
            self.ask(step, attempt);
        }
        self.tell_door(now, dispatch::Event::Tick);
    }
}
