//! A conversation from the lines of its journal.
//!
//! Not here: how lines are read (`reader.rs`), and what a fact does (`fanfold-transcript`).

use fanfold_transcript::{AgentId, Conversation, Ending, Fact, Interruption, Outcome};

use super::line::{Line, LineBody};
use super::problem::{Damage, Problem};

/// What the model reads of a call whose outcome is lost.
const LOST: &str = "The outcome of this call is lost, because a part of the session's journal is \
    damaged. It may or may not have taken effect: check before you repeat it.";

/// Takes in the facts of one agent, in order. From a gap in the sequence numbers on, which is where a
/// line was lost, an entry without its parent continues the newest one. A fact that does not follow
/// is left out, and said. Calls that must have had an outcome, since the conversation went on after
/// them, are interrupted where it is lost: else nothing could ever be sent again.
#[must_use]
pub fn fold(lines: impl IntoIterator<Item = Line>, agent: AgentId) -> (Conversation, Vec<Problem>) {
    let mut folding = Folding::default();
    let (mut last_seq, mut is_whole) = (0, true);
    for line in lines {
        is_whole &= line.seq == last_seq + 1;
        last_seq = line.seq;
        let LineBody::Fact(fact) = line.body else { continue };
        if line.agent == agent {
            // What follows from a fact that is left out will not follow either.
            is_whole &= folding.take(line.number, fact, is_whole);
        }
    }
    (folding.conversation, folding.problems)
}

#[derive(Default)]
struct Folding {
    conversation: Conversation,
    problems: Vec<Problem>,
}

impl Folding {
    /// Takes in the fact of a line; `false` when something is wrong with it.
    fn take(&mut self, line: u64, fact: Fact, is_whole: bool) -> bool {
        let goes_on = matches!(
            fact,
            Fact::User { .. } | Fact::Request { .. } | Fact::Part { .. } | Fact::Reply { .. }
        );
        let open = if goes_on { self.conversation.open_calls() } else { Vec::new() };
        let taken = match is_whole {
            true => self.conversation.apply(fact),
            false => self.conversation.apply_after_loss(fact),
        };
        if let Err(error) = taken {
            self.problems.push(Problem { line, what: Damage::DoesNotFollow(error) });
            return false;
        }
        for &call in &open {
            let outcome = Outcome::of_text(Ending::Interrupted(Interruption::Crashed), LOST);
            if self.conversation.apply(Fact::Settled { call, outcome }).is_ok() {
                self.problems.push(Problem { line, what: Damage::OutcomeLost(call) });
            }
        }
        open.is_empty()
    }
}
