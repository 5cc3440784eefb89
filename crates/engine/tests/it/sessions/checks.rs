//! What must hold after a crash and at the end, looked at from outside.

use std::collections::{BTreeMap, BTreeSet};

use fanfold_engine::Ended;
use fanfold_store::{Journaled, Line, LineBody, fold};
use fanfold_transcript::{AgentId, CallId, Fact, MessageId, Status};

use super::run::Tally;
use super::world::World;

/// What was told as safe has survived, in its order, and what survived makes sense.
pub(super) fn after_a_crash(seed: u64, left: &[u8], told: &[Fact]) {
    let journaled = Journaled::parse(left).expect("a journal of this version");
    assert!(
        journaled.problems.iter().all(|_| journaled.lines.is_empty()),
        "seed {seed}: {:?}",
        journaled.problems
    );
    let (_, problems) = fold(journaled.lines.iter().cloned(), AgentId(0));
    assert!(problems.is_empty(), "seed {seed}: {problems:?}");
    let written = facts(&journaled.lines);
    let mut rest = written.iter();
    for fact in told {
        assert!(
            rest.any(|written| *written == fact),
            "seed {seed}: it was told as safe, and is lost: {fact:?}\nof {}",
            String::from_utf8_lossy(left)
        );
    }
}

/// Every promise about a session that came to its end.
pub(super) fn at_the_end(
    seed: u64,
    ended: &Ended,
    journal: &[u8],
    told: &[Fact],
    world: &World,
) -> Tally {
    after_a_crash(seed, journal, told);
    let state = world.state();
    assert!(state.refusals.is_empty(), "seed {seed}: refused: {}", state.refusals.join("\n\n"));
    assert_eq!(state.running, 0, "seed {seed}: calls still run");
    let journaled = Journaled::parse(journal).expect("a journal of this version");
    let (folded, _) = fold(journaled.lines.iter().cloned(), AgentId(0));
    assert_eq!(folded, ended.conversation, "seed {seed}: the journal is the conversation");
    assert!(
        folded.view().is_ok(),
        "seed {seed}: calls without outcomes: {:?}",
        folded.open_calls()
    );
    let facts = facts(&journaled.lines);
    outcomes(seed, &facts, &state.ran);
    messages(seed, &facts);
    let count = |n: usize| u64::try_from(n).unwrap_or(u64::MAX);
    let parts: BTreeSet<CallId> = facts.iter().flat_map(|fact| early(fact)).collect();
    Tally {
        requests: state.requests,
        faults: state.faults,
        calls: count(state.ran.len()),
        early: count(parts.iter().filter(|call| state.ran.contains_key(call)).count()),
        turns: count(facts.iter().filter(|fact| matches!(fact, Fact::Turn(_))).count()),
        ..Tally::default()
    }
}

fn facts(lines: &[Line]) -> Vec<&Fact> {
    lines
        .iter()
        .filter_map(|line| match &line.body {
            LineBody::Fact(fact) => Some(fact),
            LineBody::Unknown(_) => None,
        })
        .collect()
}

fn early(fact: &Fact) -> Vec<CallId> {
    match fact {
        Fact::Part { blocks, .. } => {
            blocks.iter().filter_map(|block| block.as_call()).map(|call| call.id).collect()
        }
        _ => Vec::new(),
    }
}

/// Each call has one outcome; what ran was written down before; what is said not to have run did not;
/// nothing ran twice.
fn outcomes(seed: u64, facts: &[&Fact], ran: &BTreeMap<CallId, u32>) {
    let mut started = BTreeSet::new();
    let mut settled = BTreeMap::new();
    let mut asked = BTreeSet::new();
    for fact in facts {
        match fact {
            Fact::Started { call } => {
                assert!(
                    !settled.contains_key(call),
                    "seed {seed}: {call} starts after its outcome"
                );
                started.insert(*call);
            }
            Fact::Settled { call, outcome } => {
                let before = settled.insert(*call, outcome.status());
                assert_eq!(before, None, "seed {seed}: {call} has two outcomes");
            }
            Fact::Reply { reply, .. } => asked.extend(reply.calls().map(|call| call.id)),
            _ => {}
        }
    }
    for (call, times) in ran {
        assert_eq!(*times, 1, "seed {seed}: {call} ran {times} times");
        assert!(started.contains(call), "seed {seed}: {call} ran and nobody wrote that down");
        let status = settled.get(call);
        let may_have_run = status.is_some_and(|status| status.may_have_run());
        assert!(may_have_run, "seed {seed}: {call} ran and is said to be {status:?}");
    }
    for call in &asked {
        assert!(settled.contains_key(call), "seed {seed}: {call} has no outcome");
        let is_ok = settled.get(call) == Some(&Status::Ok);
        assert!(!is_ok || ran.contains_key(call), "seed {seed}: {call} is ok and never ran");
    }
    assert!(settled.keys().all(|call| asked.contains(call)), "seed {seed}: an orphan outcome");
}

/// Each message that was taken in became an entry at most once, in the order in which it was said.
fn messages(seed: u64, facts: &[&Fact]) {
    let said: Vec<MessageId> = facts
        .iter()
        .filter_map(|fact| match fact {
            Fact::Said { message, .. } => Some(*message),
            _ => None,
        })
        .collect();
    let delivered: Vec<MessageId> = facts
        .iter()
        .filter_map(|fact| match fact {
            Fact::User { message, .. } => Some(*message),
            _ => None,
        })
        .collect();
    assert_eq!(delivered, said[..delivered.len()], "seed {seed}: messages out of order or lost");
}
