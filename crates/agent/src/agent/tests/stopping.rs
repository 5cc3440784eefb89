//! A stop at every point of a turn: nothing starts after it, what had finished is kept, the next
//! message works.

use fanfold_transcript::Block;
use fanfold_wire::FaultKind;

use super::super::*;
use super::desk::{Desk, call, policy};

#[test]
fn while_text_streams() {
    let mut desk = Desk::new(policy());
    desk.say("go");
    desk.tell(Event::Text("so far".into()));
    desk.tell(Event::Opened(CallId::new(1)));
    assert_eq!(desk.tell(Event::Stop), "HUSH, e2 is a reply [], stopped");
    assert_eq!(desk.say("on"), "said m2, e3 is m2, request 002/1, ASK 002 from c2");
    desk.folded();
}

#[test]
fn before_anything_was_heard() {
    let mut desk = Desk::new(policy());
    desk.say("go");
    assert_eq!(desk.tell(Event::Stop), "HUSH, stopped");
    assert_eq!(desk.say("on"), "said m2, e2 is m2, request 002/1, ASK 002 from c1");
    desk.folded();
}

#[test]
fn while_a_call_of_a_streaming_reply_runs() {
    let mut desk = Desk::new(policy());
    desk.say("go");
    desk.ready(1, "Edit");
    desk.ready(2, "Read");
    assert_eq!(desk.tell(Event::Stop), "HUSH, STOP c1, SETTLE c2 skipped, e2 is a reply [c1]");
    assert_eq!(desk.ended(1), "SETTLE c1 ok, SWEEP, c1 is ok, stopped");
    assert!(desk.say("on").ends_with("ASK 002 from c3"));
    desk.folded();
}

#[test]
fn while_calls_run_and_wait() {
    let mut desk = Desk::new(policy());
    desk.say("go");
    desk.replied(vec![Block::call(call(1, "Edit")), Block::call(call(2, "Edit"))]);
    assert_eq!(desk.tell(Event::Stop), "STOP c1, SETTLE c2 skipped, c2 is skipped");
    assert_eq!(desk.wait(), "KILL c1");
    assert_eq!(desk.wait(), "ABANDON c1, SETTLE c1 interrupted, SWEEP, c1 is interrupted, stopped");
    assert!(desk.say("on").ends_with("ASK 002 from c3"));
    desk.folded();
}

#[test]
fn a_call_that_was_about_to_start_never_does() {
    let mut desk = Desk::new(policy());
    desk.say("go");
    desk.replied(vec![Block::call(call(1, "Edit"))]);
    desk.tell(Event::Stop);
    let wants = desk.tell(Event::NeverStarted(CallId::new(1)));
    assert_eq!(wants, "SETTLE c1 skipped, SWEEP, c1 is skipped, stopped");
    desk.folded();
}

#[test]
fn while_waiting_to_ask_again_or_for_a_check() {
    let mut desk = Desk::new(Policy { checks_answer: true, ..policy() });
    desk.say("go");
    desk.fails(FaultKind::RateLimited);
    assert_eq!(desk.tell(Event::Stop), "stopped");
    assert_eq!(desk.agent.deadline(), None);
    desk.say("on");
    desk.replied(vec![Block::text("1")]);
    assert_eq!(desk.tell(Event::Stop), "stopped");
    assert_eq!(desk.tell(Event::Checked(Ok(()))), "");
    assert_eq!(desk.tell(Event::Stop), "");
    desk.folded();
}

#[test]
fn what_was_said_before_a_stop_waits_for_the_next_turn() {
    let mut desk = Desk::new(policy());
    desk.say("go");
    desk.say("and that");
    desk.tell(Event::Stop);
    assert_eq!(desk.tell(Event::Continue), "e2 is m2, request 002/1, ASK 002 from c1");
    desk.folded();
}
