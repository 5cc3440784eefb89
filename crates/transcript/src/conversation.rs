//! One agent's conversation as the fold of its facts.
//!
//! Live, the agent notes a fact and applies it; after a restart the same facts are read and applied
//! in the same order. So what a session is never depends on whether it was interrupted. Not here:
//! which fact comes next (`fanfold-agent`).

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use crate::content::Content;
use crate::entry::{Assistant, Block, Body, Source, Usage, User};
use crate::fact::{Fact, Process, Prompt, Session, Speaker, Spent, TurnEnd};
use crate::ids::{CallId, EntryId, MessageId, StepId};
use crate::outcome::Outcome;
use crate::transcript::{AppendError, SettleError, Transcript};
use crate::view::{OpenCalls, View};

/// A conversation, with what is under way in it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Conversation {
    session: Option<Session>,
    prompt: Option<Prompt>,
    transcript: Transcript,
    leaf: Option<EntryId>,
    waiting: VecDeque<Message>,
    messages: u32,
    hearing: Option<Heard>,
    /// Calls that may have had an effect and have no outcome.
    started: BTreeSet<CallId>,
    /// Outcomes of calls whose reply is no entry yet.
    early: BTreeMap<CallId, Outcome>,
    processes: Vec<Process>,
    boot: Option<Box<str>>,
    asked: Option<Box<str>>,
    steps: u32,
    calls: u32,
    turn: Option<Turn>,
    last_end: Option<TurnEnd>,
}

/// A message that is no entry yet.
#[derive(Clone, Debug, PartialEq)]
pub struct Message {
    /// Its name.
    pub id: MessageId,
    /// Who said it.
    pub by: Speaker,
    /// What.
    pub content: Vec<Content>,
}

/// What is safe of a reply that is no entry yet.
#[derive(Clone, Debug, PartialEq)]
pub struct Heard {
    /// The step.
    pub step: StepId,
    /// Where it comes from.
    pub source: Source,
    /// Its blocks, up to a call.
    pub blocks: Vec<Block>,
}

/// A turn under way.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Turn {
    /// Replies so far.
    pub steps: u32,
    /// Tokens so far: input, cached or not, and output.
    pub tokens: u64,
    /// US dollars so far, as far as prices are known.
    pub cost_usd: f64,
}

/// A fact that does not follow from those before it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FactError {
    /// An entry cannot be added.
    #[error(transparent)]
    Append(#[from] AppendError),
    /// An outcome cannot be recorded.
    #[error(transparent)]
    Settle(#[from] SettleError),
    /// A message becomes an entry that was never taken in.
    #[error("no message {0} waits")]
    NoMessage(MessageId),
    /// Numbers come from counters, so one like this is damage; it would leave none for what comes.
    #[error("{0} is far above all before it")]
    TooFar(String),
}

/// How many numbers may be missing between two entries, or two calls.
const GAP_MAX: u32 = 1 << 20;

impl Conversation {
    /// Takes in the next fact.
    ///
    /// # Errors
    /// When it does not follow from those before it; nothing is changed then.
    pub fn apply(&mut self, fact: Fact) -> Result<(), FactError> {
        match fact {
            Fact::Session(session) => {
                self.boot = Some(session.boot.clone());
                self.session = Some(session);
            }
            Fact::Resumed { boot, .. } => self.boot = Some(boot),
            Fact::Prompt(prompt) => self.prompt = Some(prompt),
            Fact::Said { message: id, by, content } => {
                self.messages = self.messages.max(id.0);
                self.waiting.push_back(Message { id, by, content });
            }
            Fact::User { entry, parent, message } => self.deliver(entry, parent, message)?,
            Fact::Request { step, model, attempt: _ } => {
                self.steps = self.steps.max(step.0);
                self.asked = Some(model);
            }
            Fact::Part { step, source, blocks } => self.hear(step, source, blocks)?,
            Fact::Dropped { .. } => self.hearing = None,
            Fact::Reply { step, entry, parent, reply } => {
                self.reply(entry, parent, reply)?;
                self.steps = self.steps.max(step.0);
            }
            Fact::Started { call } => {
                self.started.insert(call);
            }
            Fact::Process(process) => {
                // One that its call has outlived says nothing.
                if self.started.contains(&process.call) {
                    self.processes.push(process);
                }
            }
            Fact::Settled { call, outcome } => self.settle(call, outcome)?,
            Fact::Usage(spent) => self.spend(&spent),
            Fact::Turn(end) => {
                self.turn = None;
                self.last_end = Some(end);
            }
            Fact::Answered { .. } | Fact::Seen { .. } => {}
        }
        Ok(())
    }

    /// Takes in the next fact of a journal that has lost some: an entry whose parent is gone
    /// continues the newest one.
    ///
    /// # Errors
    /// When the fact makes no sense without what was lost.
    pub fn apply_after_loss(&mut self, mut fact: Fact) -> Result<(), FactError> {
        if let Fact::User { parent, .. } | Fact::Reply { parent, .. } = &mut fact
            && parent.is_none_or(|parent| self.transcript.entry(parent).is_none())
        {
            *parent = self.leaf;
        }
        self.apply(fact)
    }

    fn deliver(
        &mut self,
        entry: EntryId,
        parent: Option<EntryId>,
        message: MessageId,
    ) -> Result<(), FactError> {
        let at = self.waiting.iter().position(|waiting| waiting.id == message);
        let at = at.ok_or(FactError::NoMessage(message))?;
        self.check_entry(entry)?;
        let content = self.waiting[at].content.clone();
        self.transcript.append_as(entry, parent, Body::User(User { content }))?;
        self.waiting.remove(at);
        self.leaf = Some(entry);
        self.turn.get_or_insert_default();
        Ok(())
    }

    fn hear(&mut self, step: StepId, source: Source, blocks: Vec<Block>) -> Result<(), FactError> {
        self.check_calls(&blocks)?;
        let goes_on = self.hearing.as_ref().filter(|heard| heard.step == step);
        let before = goes_on.map_or(&[][..], |heard| &heard.blocks);
        for (n, call) in calls_of(&blocks).enumerate() {
            let mut others = calls_of(before).chain(calls_of(&blocks).take(n));
            if self.transcript.call(call).is_some() || others.any(|other| other == call) {
                return Err(AppendError::DuplicateCall(call).into());
            }
        }
        self.calls = calls_of(&blocks).map(CallId::number).fold(self.calls, u32::max);
        match &mut self.hearing {
            Some(heard) if heard.step == step => heard.blocks.extend(blocks),
            Some(_) | None => self.hearing = Some(Heard { step, source, blocks }),
        }
        Ok(())
    }

    fn reply(
        &mut self,
        entry: EntryId,
        parent: Option<EntryId>,
        reply: Assistant,
    ) -> Result<(), FactError> {
        self.check_entry(entry)?;
        self.check_calls(&reply.blocks)?;
        let calls: Vec<CallId> = calls_of(&reply.blocks).collect();
        self.transcript.append_as(entry, parent, Body::Assistant(reply))?;
        self.hearing = None;
        self.leaf = Some(entry);
        self.turn.get_or_insert_default().steps += 1;
        for call in calls {
            self.calls = self.calls.max(call.number());
            if let Some(outcome) = self.early.remove(&call) {
                // Only a reply that was tampered with brings an outcome along. It stands.
                self.transcript.settle(call, outcome).ok();
            }
        }
        Ok(())
    }

    fn settle(&mut self, call: CallId, outcome: Outcome) -> Result<(), FactError> {
        let mut heard = self.hearing.iter().flat_map(|heard| calls_of(&heard.blocks));
        let is_heard = heard.any(|heard| heard == call);
        if is_heard && self.transcript.call(call).is_none() {
            if self.early.contains_key(&call) {
                return Err(SettleError::AlreadySettled(call).into());
            }
            self.early.insert(call, outcome);
        } else {
            self.transcript.settle(call, outcome)?;
        }
        self.started.remove(&call);
        self.processes.retain(|process| process.call != call);
        Ok(())
    }

    fn check_entry(&self, entry: EntryId) -> Result<(), FactError> {
        let is_far = entry.0 > self.transcript.next_entry().0.saturating_add(GAP_MAX);
        if is_far { Err(FactError::TooFar(entry.to_string())) } else { Ok(()) }
    }

    fn check_calls(&self, blocks: &[Block]) -> Result<(), FactError> {
        let most = self.calls.saturating_add(GAP_MAX);
        match calls_of(blocks).find(|call| call.number() > most) {
            Some(call) => Err(FactError::TooFar(call.to_string())),
            None => Ok(()),
        }
    }

    fn spend(&mut self, spent: &Spent) {
        let turn = self.turn.get_or_insert_default();
        turn.tokens = turn.tokens.saturating_add(tokens(&spent.usage));
        turn.cost_usd += spent.cost_usd.unwrap_or_default();
    }

    /// How the session began; `None` when that line is lost.
    #[must_use]
    pub const fn session(&self) -> Option<&Session> {
        self.session.as_ref()
    }

    /// What stands in front of the conversation.
    #[must_use]
    pub const fn prompt(&self) -> Option<&Prompt> {
        self.prompt.as_ref()
    }

    /// All entries ever said.
    #[must_use]
    pub const fn transcript(&self) -> &Transcript {
        &self.transcript
    }

    /// Whether nothing was ever said in it.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.leaf.is_none() && self.waiting.is_empty()
    }

    /// The newest entry.
    #[must_use]
    pub const fn leaf(&self) -> Option<EntryId> {
        self.leaf
    }

    /// What the model is shown.
    ///
    /// # Errors
    /// When a call has no outcome yet.
    pub fn view(&self) -> Result<View<'_>, OpenCalls> {
        match self.leaf {
            Some(leaf) => View::of(&self.transcript, leaf),
            None => Ok(View::default()),
        }
    }

    /// Messages that are no entries yet, oldest first.
    pub fn waiting(&self) -> impl ExactSizeIterator<Item = &Message> {
        self.waiting.iter()
    }

    /// What is safe of a reply that is no entry yet.
    #[must_use]
    pub const fn hearing(&self) -> Option<&Heard> {
        self.hearing.as_ref()
    }

    /// Calls of the newest entry without an outcome, in order.
    #[must_use]
    pub fn open_calls(&self) -> Vec<CallId> {
        let newest = self.leaf.and_then(|leaf| self.transcript.entry(leaf));
        match newest.map(|entry| &entry.body) {
            Some(Body::Assistant(reply)) => {
                let open = reply.calls().filter(|call| call.outcome().is_none());
                open.map(|call| call.id).collect()
            }
            Some(Body::User(_)) | None => Vec::new(),
        }
    }

    /// Whether a call may have had an effect and has no outcome.
    #[must_use]
    pub fn has_started(&self, call: CallId) -> bool {
        self.started.contains(&call) || self.early.contains_key(&call)
    }

    /// The model that was asked last, as `provider/model`.
    #[must_use]
    pub fn asked(&self) -> Option<&str> {
        self.asked.as_deref()
    }

    /// The start of the machine that the newest process ran in.
    #[must_use]
    pub fn boot(&self) -> Option<&str> {
        self.boot.as_deref()
    }

    /// Processes of calls without an outcome.
    #[must_use]
    pub fn processes(&self) -> &[Process] {
        &self.processes
    }

    /// The number of the newest call; 0 before the first.
    #[must_use]
    pub const fn last_call(&self) -> u32 {
        self.calls
    }

    /// The next message's name.
    #[must_use]
    pub const fn next_message(&self) -> MessageId {
        MessageId(self.messages.saturating_add(1))
    }

    /// The newest step; 0 before the first.
    #[must_use]
    pub const fn last_step(&self) -> StepId {
        StepId(self.steps)
    }

    /// The turn under way; `None` between turns.
    #[must_use]
    pub const fn turn(&self) -> Option<Turn> {
        self.turn
    }

    /// How the newest turn that is over ended.
    #[must_use]
    pub const fn last_end(&self) -> Option<&TurnEnd> {
        self.last_end.as_ref()
    }
}

fn calls_of(blocks: &[Block]) -> impl Iterator<Item = CallId> {
    blocks.iter().filter_map(Block::as_call).map(|call| call.id)
}

/// All tokens of a request.
fn tokens(usage: &Usage) -> u64 {
    let Usage { input, cache_read, cache_write, output, reasoning: _ } = *usage;
    let parts = [input, cache_read, cache_write, output];
    parts.into_iter().flatten().fold(0, u64::saturating_add)
}

#[cfg(test)]
mod tests;
