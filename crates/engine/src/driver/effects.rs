//! Carrying out what an agent wants, none of it before the notes in front of it are safe.
//!
//! Not here: what it wants (`fanfold-agent`).

use std::time::Duration;

use fanfold_agent::{AgentEffect as Effect, AgentEvent as Event, Record, Settled};
use fanfold_store::Progress as Written;
use fanfold_tools::Sweep;
use fanfold_transcript::{CallId, Outcome};
use fanfold_wire::{Fault, FaultKind};

use super::{Driver, Ended, JournalLost, Sight, Wanted};
use crate::calls::{Calls, Launch};

impl Driver<'_> {
    /// Does all that can be done now.
    pub(super) fn work(&mut self) {
        loop {
            self.collect();
            let safe = self.safe();
            match self.wanted.front() {
                Some(&(after, _)) if after <= safe => {}
                Some(_) | None => return,
            }
            match self.wanted.pop_front() {
                Some((seq, Wanted::Tell(fact))) if seq <= self.durable() => {
                    self.see(Sight::Fact(&fact));
                }
                // It came after the journal was lost: nobody is told that it is safe.
                Some((_, Wanted::Tell(_))) => {}
                Some((_, Wanted::Do(effect))) => self.perform(effect),
                Some((_, Wanted::Sit(seat))) => self.seat = *seat,
                None => {}
            }
        }
    }

    /// Takes what the agent wants. Notes go to the journal at once, and what only ends something does
    /// not wait for them.
    fn collect(&mut self) {
        let now = self.desk.clock.now();
        while let Some(effect) = self.agent.poll() {
            let wanted = match effect {
                Effect::Note(fact) => {
                    self.noted = self.desk.journal.append(now, self.desk.id, &fact);
                    Wanted::Tell(fact)
                }
                Effect::Hush => {
                    self.hush();
                    continue;
                }
                Effect::Stop(call) => {
                    self.end_call(call, |calls| calls.stop(call));
                    continue;
                }
                Effect::Kill(call) => {
                    self.end_call(call, |calls| calls.kill(call));
                    continue;
                }
                Effect::Abandon(call) => {
                    self.end_call(call, |calls| calls.abandon(call));
                    continue;
                }
                Effect::Ask { .. }
                | Effect::Start(_)
                | Effect::AskUser { .. }
                | Effect::Settle { .. }
                | Effect::Sweep
                | Effect::Check { .. }
                | Effect::Tell(_) => Wanted::Do(effect),
            };
            self.wanted.push_back((self.noted, wanted));
        }
    }

    /// The newest note that is safe. Once the journal is lost nothing is, and nothing waits for it:
    /// what is left to do is to stop.
    fn safe(&self) -> u64 {
        if self.lost.is_some() { u64::MAX } else { self.durable() }
    }

    /// The newest note that is in the journal.
    fn durable(&self) -> u64 {
        match &*self.written.borrow() {
            Written::Written { seq } | Written::Failed { seq, .. } => *seq,
        }
    }

    /// Hears no more of the reply. A request that is not sent yet never is.
    fn hush(&mut self) {
        self.hearing = None;
        self.wanted.retain(|(_, wanted)| !matches!(wanted, Wanted::Do(Effect::Ask { .. })));
    }

    /// Ends a running call. One that still waits to be safe in the journal never starts.
    fn end_call(&mut self, call: CallId, end: impl FnOnce(&mut Calls<'_>)) {
        let starts = |(_, wanted): &(u64, Wanted)| match wanted {
            Wanted::Do(Effect::Start(id)) => *id == call,
            Wanted::Do(_) | Wanted::Tell(_) | Wanted::Sit(_) => false,
        };
        match self.wanted.iter().position(starts) {
            Some(at) => {
                self.wanted.remove(at);
                self.tell(Event::NeverStarted(call));
            }
            None => end(&mut self.calls),
        }
    }

    fn perform(&mut self, effect: Effect) {
        match effect {
            // Done when they were collected.
            Effect::Note(_)
            | Effect::Hush
            | Effect::Stop(_)
            | Effect::Kill(_)
            | Effect::Abandon(_) => {}
            Effect::Ask { first_call, .. } => self.ask(first_call),
            Effect::Start(call) => self.start(call),
            Effect::AskUser { call, question } => self.ask_user(call, &question),
            Effect::Settle { call, outcome, record } => self.settle(call, outcome, &record),
            Effect::Sweep => self.sweep(),
            Effect::Check { text, data } => {
                let verdict = match self.desk.form {
                    Some(form) => form.check(&text, data.as_ref()),
                    None => Ok(()),
                };
                self.tell(Event::Checked(verdict.map_err(Into::into)));
            }
            Effect::Tell(news) => self.see(Sight::News(&news)),
        }
    }

    fn ask(&mut self, first_call: u32) {
        if let Some(lost) = &self.lost {
            let said = lost.to_string().into();
            let fault = Fault { kind: FaultKind::Refused, said, retry_after_ms: None };
            return self.tell(Event::Failed(fault));
        }
        let conversation = self.agent.conversation();
        let step = conversation.last_step();
        self.calls.begin_step(self.desk.id, step);
        let hearing = self.seat.ask(&mut self.requests, conversation, self.desk.media, first_call);
        self.hearing = Some(hearing);
    }

    fn start(&mut self, call: CallId) {
        if self.lost.is_some() {
            return self.tell(Event::NeverStarted(call));
        }
        match self.calls.start(call, self.agent.footprint(call)) {
            Launch::Gone => {}
            Launch::Changed(fit) => self.tell(Event::Changed { call, fit }),
            Launch::Started => self.see(Sight::Started(call)),
        }
    }

    fn settle(&mut self, call: CallId, outcome: Outcome, record: &Record) {
        self.asking.remove(&call);
        // What it wrote last comes before its end.
        self.peek_at(call);
        let mut outcome = self.calls.settle(call, outcome, record);
        outcome.content = self.kept(outcome.content);
        self.see(Sight::Ended(call, &outcome, record));
        let sights = self.setting.reads.take_sights_of(call);
        let sights = sights.iter().filter_map(|sight| serde_json::to_value(sight).ok()).collect();
        self.tell(Event::Settled(Settled { call, outcome, sights }));
    }

    fn sweep(&mut self) {
        let session = self.setting.session.clone();
        let grace = Duration::from_millis(self.setting.grace.kill_ms);
        self.chores.spawn(async move {
            Sweep::end_marked(session.as_str(), grace).await;
            Event::Swept
        });
    }

    /// Whether nothing more will come.
    pub(super) fn is_over(&self) -> bool {
        let is_idle = self.agent.is_idle() && self.wanted.is_empty() && self.chores.is_empty();
        self.closing && is_idle
    }

    pub(super) fn ended(mut self) -> Result<Ended, JournalLost> {
        // What was noted before the agent began is waited for by nobody else.
        self.note_written();
        match self.lost {
            Some(lost) => Err(lost),
            None => {
                let conversation = self.agent.into_conversation();
                Ok(Ended { conversation, notice: self.calls.notice() })
            }
        }
    }
}
