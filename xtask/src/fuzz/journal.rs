//! Target `journal`: the bytes of a session's journal.
//!
//! Held for any bytes: they are read, folded and gone on with. After that every call has its outcome,
//! nothing is half heard, and what was noted leads to the same conversation when it is folded again.
//! Where only whole lines are lost, doubled or moved, every provider takes the next request. Not
//! here: what is kept of which damage, of which the store's own tests have tables.

mod written;

use std::collections::BTreeSet;

use fanfold_agent::{
    Agent, AgentEffect, AgentEvent, Dispatch, Gate, Grace, ModelInUse, Permissions, Policy,
    TurnLimits,
};
use fanfold_schedule::Limits;
use fanfold_settings::StreamingStart;
use fanfold_store::{Journaled, fold};
use fanfold_testkit::strict::Past;
use fanfold_transcript::{AgentId, Content, Conversation, Millis, Protocol, Wire};
use fanfold_wire::Thinking;

use self::written::samples;
use super::request::Providers;
use super::search::Target;

pub(super) const TARGET: Target = Target { name: "journal", samples, words: &WORDS, check };

const WORDS: [&str; 30] = [
    "\n",
    "{",
    "}",
    "\"",
    "null",
    "0",
    "1",
    "4294967295",
    "9007199254740992",
    "c1",
    "c2",
    "c4294967295",
    "a1",
    "\"v\":2",
    "\"parent\":null",
    "\"parent\":1",
    "\"entry\":4294967295",
    "\"message\":4294967295",
    "\"step\":4294967295",
    "\"type\":\"later\"",
    "\"type\":\"part\"",
    "\"type\":\"reply\"",
    "\"type\":\"settled\"",
    "\"stop\":\"unfinished\"",
    "\"status\":\"ok\"",
    "{\"v\":1,\"seq\":3,\"t_ms\":0,\"agent\":\"a0\",\"type\":\"started\",\"call\":\"c1\"}\n",
    "{\"v\":1,\"seq\":4,\"t_ms\":0,\"agent\":\"a0\",\"type\":\"dropped\",\"step\":1}\n",
    "{\"v\":1,\"seq\":5,\"t_ms\":0,\"agent\":\"a0\",\"type\":\"turn\",\"ended\":\"stopped\"}\n",
    "{\"v\":1,\"seq\":6,\"t_ms\":0,\"agent\":\"a0\",\"type\":\"user\",\"entry\":9,\"parent\":1,\"message\":1}\n",
    "{\"v\":1,\"seq\":7,\"t_ms\":0,\"agent\":\"a0\",\"type\":\"later\",\"x\":1}\n",
];

fn check(bytes: &[u8]) -> Result<(), String> {
    // A journal of a newer version is left alone.
    let Ok(journaled) = Journaled::parse(bytes) else { return Ok(()) };
    let is_whole_lines = is_whole_lines(bytes, &journaled);
    let (before, _) = fold(journaled.lines, AgentId(0));
    let mut agent = agent(before.clone());
    // A message is what a session is gone on with; an open turn takes it along.
    agent.handle(Millis(1), AgentEvent::Said(vec![Content::text("go on")]));
    let asks = asks_and_folds_alike(&mut agent, before)?;
    let after = agent.conversation();
    if after.hearing().is_some() || !after.open_calls().is_empty() {
        return Err(format!("something is open: {:?}, {:?}", after.hearing(), after.open_calls()));
    }
    let view = after.view().map_err(|open| format!("{open}: {:?}", open.open))?;
    if asks && is_whole_lines {
        let protocol = after.prompt().map_or(Protocol::Native, |prompt| prompt.protocol);
        Providers::new(Past::Free).take(&view, protocol, Thinking::Off)?;
    }
    Ok(())
}

/// Carries out what the agent wants, on a copy: whether it asks its model.
fn asks_and_folds_alike(agent: &mut Agent, mut copy: Conversation) -> Result<bool, String> {
    let mut asks = false;
    while let Some(effect) = agent.poll() {
        match effect {
            AgentEffect::Note(fact) => {
                let told = format!("{fact:?}");
                copy.apply(fact).map_err(|error| format!("{error}, noting {told}"))?;
            }
            AgentEffect::Ask { .. } => asks = true,
            AgentEffect::Tell(_) => {}
            AgentEffect::Hush
            | AgentEffect::Start(_)
            | AgentEffect::AskUser { .. }
            | AgentEffect::Stop(_)
            | AgentEffect::Kill(_)
            | AgentEffect::Abandon(_)
            | AgentEffect::Settle { .. }
            | AgentEffect::Sweep
            | AgentEffect::Check { .. } => return Err(format!("it wants {effect:?}")),
        }
    }
    if copy == *agent.conversation() {
        return Ok(asks);
    }
    Err(format!("noted: {copy:?}, but it is {:?}", agent.conversation()))
}

fn agent(conversation: Conversation) -> Agent {
    let policy = Policy {
        streaming: StreamingStart::All,
        attempts: 3,
        limits: TurnLimits { steps: u32::MAX, tokens: None, cost_usd: None },
        checks_answer: false,
        seed: 7,
    };
    let gate = Gate::new(Permissions::default(), []);
    let door = Dispatch::new(gate, Limits::default(), Grace { stop_ms: 100, kill_ms: 100 });
    let model = ModelInUse { asked: "anthropic/claude-opus-4-6".into(), wire: Wire::Anthropic };
    Agent::new(conversation, door, policy, model)
}

/// Whether each line that was read is one of the same sample, as it was.
fn is_whole_lines(bytes: &[u8], journaled: &Journaled) -> bool {
    let lines: Vec<&[u8]> = bytes.split_inclusive(|byte| *byte == b'\n').collect();
    let read: BTreeSet<&[u8]> = journaled
        .lines
        .iter()
        .filter_map(|line| lines.get(usize::try_from(line.number).ok()?.checked_sub(1)?).copied())
        .collect();
    samples().iter().any(|sample| {
        let own: BTreeSet<&[u8]> = sample.split_inclusive(|byte| *byte == b'\n').collect();
        read.is_subset(&own)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_as_they_were_are_told_from_changed_ones() {
        let sample = samples().remove(0);
        let is_whole = |bytes: &[u8]| is_whole_lines(bytes, &Journaled::parse(bytes).unwrap());
        assert!(is_whole(&sample));
        let text = String::from_utf8(sample).unwrap();
        let lines: Vec<&str> = text.split_inclusive('\n').collect();
        assert!(is_whole([lines[0], "damaged\n", lines[3], lines[2]].concat().as_bytes()));
        assert!(!is_whole(text.replace("Message 1", "Message 7").as_bytes()));
    }

    #[test]
    fn a_conversation_that_is_not_the_fold_of_its_facts_is_told() {
        let (conversation, _) = fold(Journaled::parse(&samples()[0]).unwrap().lines, AgentId(0));
        let mut agent = agent(conversation);
        let told = asks_and_folds_alike(&mut agent, Conversation::default()).unwrap_err();
        assert!(told.contains("noting") || told.contains("noted"), "{told}");
    }
}
