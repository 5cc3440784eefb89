//! What passes between an agent and the door of its calls.
//!
//! Not here: what the door decides (`dispatch.rs`).

use fanfold_schedule::BatchId;
use fanfold_transcript::{CallId, Fact, Millis};

use super::{Agent, Effect, News, Settled, Stage};
use crate::dispatch::{self, Asked, When};
use crate::gate::Fit;

impl Agent {
    pub(super) fn changed(&mut self, now: Millis, call: CallId, fit: Fit) {
        let Some(asked) = self.call(call).cloned() else { return };
        let Some(batch) = self.batch() else { return };
        let asked = Asked { batch, call: &asked, fit, when: When::Now };
        self.door.handle(now, dispatch::Event::Changed(asked));
        self.pump();
    }

    fn batch(&self) -> Option<BatchId> {
        match &self.stage {
            Stage::Hearing(hearing) => hearing.batch,
            Stage::Working(work) => Some(work.batch),
            Stage::Idle | Stage::Resting { .. } | Stage::Checking { .. } => None,
        }
    }

    pub(super) fn settled(&mut self, settled: Settled) {
        let Settled { call, outcome, sights } = settled;
        let is_known = self.conversation.has_started(call)
            || self.conversation.transcript().call(call).is_some();
        if !is_known {
            self.unsaid.insert(call, outcome);
            return;
        }
        if !sights.is_empty() {
            self.note(Fact::Seen { call, sights });
        }
        self.note(Fact::Settled { call, outcome });
    }

    pub(super) fn tell_door(&mut self, now: Millis, event: dispatch::Event<'_>) {
        self.door.handle(now, event);
        self.pump();
    }

    /// Passes on what the door wants.
    pub(super) fn pump(&mut self) {
        while let Some(effect) = self.door.poll() {
            match effect {
                dispatch::Effect::Start(call) => {
                    self.note_part_until(call);
                    self.note(Fact::Started { call });
                    self.effects.push_back(Effect::Start(call));
                }
                dispatch::Effect::Ask { call, question } => {
                    self.effects.push_back(Effect::AskUser { call, question });
                }
                dispatch::Effect::Stop(call) => self.effects.push_back(Effect::Stop(call)),
                dispatch::Effect::Kill(call) => self.effects.push_back(Effect::Kill(call)),
                dispatch::Effect::Abandon(call) => self.effects.push_back(Effect::Abandon(call)),
                dispatch::Effect::Settle { call, outcome, record } => {
                    self.effects.push_back(Effect::Settle { call, outcome, record });
                }
                dispatch::Effect::Waiting { call, wait } => {
                    self.effects.push_back(Effect::Tell(News::Waiting(call, wait)));
                }
                dispatch::Effect::Sweep => {
                    if let Stage::Working(work) = &mut self.stage {
                        work.sweeping = true;
                        self.effects.push_back(Effect::Sweep);
                    }
                }
                dispatch::Effect::Done(batch) => {
                    if let Stage::Working(work) = &mut self.stage
                        && work.batch == batch
                    {
                        work.done = true;
                    }
                }
            }
        }
    }
}
