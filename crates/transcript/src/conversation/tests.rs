//! Facts in, conversation out; and the form of each fact in a journal.

use super::*;
use crate::{Arguments, Call, Ending, Interruption, Json, Wire};

fn call(n: u32) -> Block {
    Block::call(Call::new(CallId::new(n), "Ls", Arguments::none()))
}

fn said(n: u32) -> Fact {
    let content = vec![Content::text("go")];
    Fact::Said { message: MessageId(n), by: Speaker::User, content }
}

fn user(entry: u32, parent: Option<u32>, message: u32) -> Fact {
    let (entry, parent) = (EntryId(entry), parent.map(EntryId));
    Fact::User { entry, parent, message: MessageId(message) }
}

fn reply(entry: u32, parent: u32, blocks: Vec<Block>) -> Fact {
    let reply = Assistant::new(Source::new(Wire::Anthropic), blocks);
    Fact::Reply { step: StepId(1), entry: EntryId(entry), parent: Some(EntryId(parent)), reply }
}

fn part(blocks: Vec<Block>) -> Fact {
    Fact::Part { step: StepId(1), source: Source::new(Wire::Anthropic), blocks }
}

fn settled(n: u32) -> Fact {
    Fact::Settled { call: CallId::new(n), outcome: Outcome::ok_text("x") }
}

fn fold(facts: Vec<Fact>) -> Conversation {
    let mut conversation = Conversation::default();
    for fact in facts {
        conversation.apply(fact).unwrap();
    }
    conversation
}

#[test]
fn an_outcome_may_come_before_the_reply_is_an_entry() {
    let started = Fact::Started { call: CallId::new(1) };
    let mut conversation =
        fold(vec![said(1), user(1, None, 1), part(vec![call(1)]), started, settled(1)]);
    assert_eq!(conversation.last_call(), 1);
    assert!(conversation.has_started(CallId::new(1)));
    let again = conversation.apply(settled(1));
    assert_eq!(again, Err(SettleError::AlreadySettled(CallId::new(1)).into()));
    conversation.apply(reply(2, 1, vec![call(1), call(2)])).unwrap();
    assert_eq!(conversation.open_calls(), [CallId::new(2)]);
    conversation.apply(settled(2)).unwrap();
    assert_eq!(conversation.view().unwrap().message_count(), 3);
}

#[test]
fn a_fact_that_does_not_follow_changes_nothing() {
    let mut conversation = fold(vec![said(1), user(1, None, 1)]);
    let before = conversation.clone();
    assert_eq!(conversation.apply(user(2, Some(1), 1)), Err(FactError::NoMessage(MessageId(1))));
    assert!(conversation.apply(reply(1, 1, vec![])).is_err());
    assert!(conversation.apply(reply(5, 4, vec![])).is_err());
    assert!(conversation.apply(settled(1)).is_err());
    assert_eq!(conversation, before);
}

#[test]
fn after_a_loss_an_entry_continues_the_newest() {
    let mut conversation = fold(vec![said(1), user(1, None, 1)]);
    conversation.apply_after_loss(reply(5, 4, vec![call(7)])).unwrap();
    assert_eq!(conversation.open_calls(), [CallId::new(7)]);
    conversation.apply(settled(7)).unwrap();
    assert_eq!(conversation.view().unwrap().entries().len(), 2);
}

#[test]
fn a_fact_reads_back_as_it_was_written() {
    let mut block = call(3);
    block.signature = Some("seal".into());
    block.original = Some(Json::parse("{ \"a\":\n1.0 }").unwrap());
    let ending = Ending::Interrupted(Interruption::Crashed);
    let outcome = Outcome { exit_code: Some(1), ..Outcome::of_text(ending, "?") };
    let facts = [
        said(1),
        user(1, None, 1),
        part(vec![Block::text("hi"), block]),
        Fact::Settled { call: CallId::new(3), outcome },
        Fact::Turn(TurnEnd::Stopped),
    ];
    let lines: Vec<String> =
        facts.iter().map(|fact| serde_json::to_string(fact).unwrap()).collect();
    assert_eq!(
        lines.join("\n"),
        r#"{"type":"said","message":"m1","by":"user","content":[{"text":"go"}]}
{"type":"user","entry":"e1","parent":null,"message":"m1"}
{"type":"part","step":"001","source":{"wire":"anthropic"},"blocks":[{"content":{"text":"hi"}},{"call":{"id":"c3","tool":"Ls","sent":"{}","arguments":{"object":{"object":{},"reading":"strict"}}},"signature":"seal","original":"{ \"a\":\n1.0 }"}]}
{"type":"settled","call":"c3","outcome":{"status":"interrupted","reason":"crashed","content":[{"text":"?"}],"exit_code":1,"bytes":1}}
{"type":"turn","ended":"stopped"}"#
    );
    for (fact, line) in facts.iter().zip(&lines) {
        assert_eq!(serde_json::from_str::<Fact>(line).unwrap(), *fact);
    }
}

#[test]
fn a_fact_that_comes_twice_does_not_follow() {
    let mut conversation = fold(vec![said(1), user(1, None, 1), part(vec![call(1)])]);
    let before = conversation.clone();
    let taken = |n| Err(AppendError::DuplicateCall(CallId::new(n)).into());
    assert_eq!(conversation.apply(part(vec![call(1)])), taken(1));
    assert_eq!(conversation.apply(part(vec![call(2), call(2)])), taken(2));
    assert_eq!(conversation, before);
    conversation.apply(reply(2, 1, vec![call(1)])).unwrap();
    assert_eq!(conversation.apply(part(vec![call(1)])), taken(1));
}

#[test]
fn a_number_far_above_all_before_it_does_not_follow() {
    let last = u32::MAX;
    let mut conversation = fold(vec![said(1), user(1, None, 1), said(2)]);
    let before = conversation.clone();
    let call_far = Err(FactError::TooFar("c4294967295".into()));
    let entry_far = Err(FactError::TooFar("e4294967295".into()));
    assert_eq!(conversation.apply(part(vec![call(last)])), call_far);
    assert_eq!(conversation.apply(reply(2, 1, vec![call(last)])), call_far);
    assert_eq!(conversation.apply(reply(last, 1, vec![])), entry_far);
    assert_eq!(conversation.apply(user(last, Some(1), 2)), entry_far);
    assert_eq!(conversation, before);
}
