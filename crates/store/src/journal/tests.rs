//! Journals: what is written, what is read back after every kind of harm, and what a failing disk does.

mod damage;
mod disk;
mod form;
mod writing;

use fanfold_settings::Durability;
use fanfold_transcript::{
    AgentId, Arguments, Assistant, Block, Call, CallId, Content, EntryId, Fact, MessageId, Millis,
    Outcome, Session, SessionId, Source, Speaker, StepId, TurnEnd, Wire,
};

use super::*;
use disk::Disk;

const ROOT: AgentId = AgentId(0);

/// A short session: a question, two calls that start while the reply streams, an answer.
fn facts() -> Vec<Fact> {
    let call = |n| Block::call(Call::new(CallId::new(n), "Ls", Arguments::none()));
    let source = || Source::new(Wire::Anthropic);
    let reply = |entry, parent, blocks| Fact::Reply {
        step: StepId(entry - 1),
        entry: EntryId(entry),
        parent: Some(EntryId(parent)),
        reply: Assistant::new(source(), blocks),
    };
    let settled =
        |n| Fact::Settled { call: CallId::new(n), outcome: Outcome::ok_text("\u{1f600}\n") };
    let message = MessageId(1);
    vec![
        Fact::Session(Session {
            session: SessionId::at(1_796_059_139, 1),
            workspace: "/home/user/work".into(),
            version: "0.1.0".into(),
            began_unix_ms: 1_796_059_139_000,
            seed: u64::MAX,
            boot: "b".into(),
        }),
        Fact::Said { message, by: Speaker::User, content: vec![Content::text("what\nis here?")] },
        Fact::User { entry: EntryId(1), parent: None, message },
        Fact::Request { step: StepId(1), attempt: 1, model: "script/x".into() },
        Fact::Part { step: StepId(1), source: source(), blocks: vec![call(1)] },
        Fact::Started { call: CallId::new(1) },
        settled(1),
        reply(2, 1, vec![call(1), call(2)]),
        Fact::Started { call: CallId::new(2) },
        settled(2),
        reply(3, 2, vec![Block::text("nothing")]),
        Fact::Turn(TurnEnd::Final { text: "nothing".into(), data: None }),
    ]
}

/// The bytes of a journal of these facts, a millisecond apart.
fn written(facts: &[Fact]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for (fact, n) in facts.iter().zip(1..) {
        line::write(&mut bytes, n, Millis(n), ROOT, fact);
    }
    bytes
}

fn facts_of(journaled: &Journaled) -> Vec<Fact> {
    let fact = |line: &Line| match &line.body {
        LineBody::Fact(fact) => fact.clone(),
        LineBody::Unknown(json) => panic!("unknown: {}", json.text()),
    };
    journaled.lines.iter().map(fact).collect()
}

fn lines_of(bytes: &[u8]) -> Vec<Vec<u8>> {
    bytes.split_inclusive(|&byte| byte == b'\n').map(<[u8]>::to_vec).collect()
}

fn problems(journaled: &Journaled) -> Vec<String> {
    journaled.problems.iter().map(ToString::to_string).collect()
}
