//! A conversation from the lines of its journal.
//!
//! Not here: how lines are read (`reader.rs`), and what a fact does (`fanfold-transcript`).

use fanfold_transcript::{AgentId, Conversation, Ending, EntryId, Fact, Interruption, Outcome};

use super::line::{Line, LineBody};
use super::problem::{Damage, Problem};

/// What the model reads of a call whose outcome is lost.
const LOST: &str = "The outcome of this call is lost, because a part of the session's journal is \
    damaged. It may or may not have taken effect: check before you repeat it.";

/// Who was asked for a reply that stands behind a loss: nobody who will ever be asked again.
const NOBODY: &str = "";

/// Takes in the facts of one agent, in order. From a gap in the sequence numbers on, which is where a
/// line was lost, an entry without its parent continues the newest one. A fact that does not follow
/// is left out, and said. Calls that must have had an outcome, since the conversation went on after
/// them, are interrupted where it is lost: else nothing could ever be sent again.
///
/// What a provider sealed behind a past that is lost it would refuse behind another. So replies
/// after a loss count as somebody else's, up to the next process: that one began with what is left.
#[must_use]
pub fn fold(lines: impl IntoIterator<Item = Line>, agent: AgentId) -> (Conversation, Vec<Problem>) {
    let mut folding = Folding::default();
    let mut last_seq = 0;
    for line in lines {
        if line.seq != last_seq + 1 {
            folding.lose();
        }
        last_seq = line.seq;
        let LineBody::Fact(fact) = line.body else { continue };
        if line.agent == agent {
            folding.take(line.number, fact);
        }
    }
    (folding.conversation, folding.problems)
}

#[derive(Default)]
struct Folding {
    conversation: Conversation,
    problems: Vec<Problem>,
    /// Something was lost.
    has_lost: bool,
    /// What comes now was said behind something that is lost.
    is_behind: bool,
}

impl Folding {
    fn lose(&mut self) {
        (self.has_lost, self.is_behind) = (true, true);
    }

    /// Takes in the fact of a line.
    fn take(&mut self, line: u64, mut fact: Fact) {
        self.settle_lost(line, &fact);
        self.look_behind(&mut fact);
        let taken = match self.has_lost {
            false => self.conversation.apply(fact),
            true => self.conversation.apply_after_loss(fact),
        };
        if let Err(error) = taken {
            // What follows from a fact that is left out will not follow either.
            self.lose();
            self.problems.push(Problem { line, what: Damage::DoesNotFollow(error) });
        }
    }

    /// Interrupts calls whose outcomes must have been in a line that is lost.
    fn settle_lost(&mut self, line: u64, fact: &Fact) {
        let goes_on = matches!(
            fact,
            Fact::User { .. } | Fact::Request { .. } | Fact::Part { .. } | Fact::Reply { .. }
        );
        let open = if goes_on { self.conversation.open_calls() } else { Vec::new() };
        for call in open {
            let outcome = Outcome::of_text(Ending::Interrupted(Interruption::Crashed), LOST);
            if self.conversation.apply(Fact::Settled { call, outcome }).is_ok() {
                self.lose();
                self.problems.push(Problem { line, what: Damage::OutcomeLost(call) });
            }
        }
    }

    /// Makes a reply behind a loss somebody else's.
    fn look_behind(&mut self, fact: &mut Fact) {
        let is_known = |parent: &Option<EntryId>| {
            parent.is_none_or(|parent| self.conversation.transcript().entry(parent).is_some())
        };
        match fact {
            Fact::Resumed { .. } => self.is_behind = false,
            Fact::User { parent, .. } => self.is_behind |= !is_known(parent),
            Fact::Part { source, .. } if self.is_behind => source.asked = Some(NOBODY.into()),
            Fact::Reply { parent, reply, .. } => {
                self.is_behind |= !is_known(parent);
                if self.is_behind {
                    reply.source.asked = Some(NOBODY.into());
                }
            }
            Fact::Session(_)
            | Fact::Prompt(_)
            | Fact::Said { .. }
            | Fact::Request { .. }
            | Fact::Part { .. }
            | Fact::Dropped { .. }
            | Fact::Answered { .. }
            | Fact::Started { .. }
            | Fact::Process(_)
            | Fact::Settled { .. }
            | Fact::Seen { .. }
            | Fact::Usage(_)
            | Fact::Turn(_) => {}
        }
    }
}
