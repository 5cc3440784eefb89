//! What an earlier process left open: a reply half heard, calls without outcomes.
//!
//! Nothing is run again. The model reads what became of each call and decides.

use fanfold_transcript::{Assistant, CallId, Ending, Fact, Interruption, Outcome, Skip, Stop};

use super::Agent;

const INTERRUPTED: &str = "Fanfold itself ended while this call ran. It may or may not have taken \
    effect: check before repeating it.";

const SKIPPED: &str = "not run: Fanfold itself ended before this call started.";

impl Agent {
    /// Makes the conversation whole again.
    pub(super) fn recover(&mut self) {
        if let Some(heard) = self.conversation.hearing().cloned() {
            let calls = heard.blocks.iter().filter_map(|block| block.as_call());
            if calls.clone().any(|call| self.conversation.has_started(call.id)) {
                let mut reply = Assistant::new(heard.source, heard.blocks);
                reply.stop = Stop::Unfinished;
                let (entry, parent) =
                    (self.conversation.transcript().next_entry(), self.conversation.leaf());
                self.note(Fact::Reply { step: heard.step, entry, parent, reply });
            } else {
                self.note(Fact::Dropped { step: heard.step });
            }
        }
        for call in self.conversation.open_calls() {
            let outcome = self.lost(call);
            self.note(Fact::Settled { call, outcome });
        }
    }

    fn lost(&self, call: CallId) -> Outcome {
        if self.conversation.has_started(call) {
            Outcome::of_text(Ending::Interrupted(Interruption::Crashed), INTERRUPTED)
        } else {
            Outcome::of_text(Ending::Skipped(Skip::Crashed), SKIPPED)
        }
    }
}
