//! Calls that start while their reply streams, and replies that do not come to their end.

use fanfold_transcript::{Block, Stop};
use fanfold_wire::FaultKind;

use super::super::*;
use super::desk::{Desk, call, policy, reply};

#[test]
fn a_call_starts_when_it_and_all_before_it_are_complete() {
    let mut desk = Desk::new(policy());
    desk.say("go");
    desk.tell(Event::Opened(CallId::new(1)));
    desk.tell(Event::Opened(CallId::new(2)));
    assert!(!desk.ready(2, "Read").contains("START"), "c1 may turn out to be anything");
    assert_eq!(desk.ready(1, "Read"), "part of 2, c1 starts, START c1, c2 starts, START c2");
}

#[test]
fn a_call_may_end_before_its_reply_does() {
    let mut desk = Desk::new(policy());
    desk.say("go");
    assert_eq!(desk.ready(1, "Read"), "part of 1, c1 starts, START c1");
    assert_eq!(desk.ended(1), "SETTLE c1 ok, c1 is ok");
    assert_eq!(desk.ready(2, "Edit"), "part of 1, c2 starts, START c2");
    let blocks = vec![Block::call(call(1, "Read")), Block::call(call(2, "Edit"))];
    assert_eq!(desk.replied(blocks), "usage, e2 is a reply [c1 c2]");
    assert_eq!(desk.ended(2), "SETTLE c2 ok, SWEEP, c2 is ok, request 002/1, ASK 002 from c3");
    desk.folded();
}

#[test]
fn a_stream_that_breaks_before_a_call_started_is_forgotten() {
    let mut desk = Desk::new(policy());
    desk.say("go");
    desk.tell(Event::Text("so".into()));
    desk.tell(Event::Opened(CallId::new(1)));
    assert_eq!(desk.fails(FaultKind::Broken), "(retry 2)");
    // Its number is not used again.
    assert_eq!(desk.wait(), "request 001/2, ASK 001 from c2");
    desk.folded();
}

#[test]
fn no_call_of_a_broken_reply_starts_because_another_is_taken_back() {
    let mut desk = Desk::new(Policy { streaming: StreamingStart::ReadOnly, ..policy() });
    desk.say("go");
    desk.ready(1, "Edit");
    desk.ready(2, "Read");
    desk.ready(3, "Read");
    assert_eq!(desk.fails(FaultKind::Broken), "(retry 2)");
    desk.folded();
}

#[test]
fn a_stream_that_breaks_after_a_call_started_ends_there() {
    let mut desk = Desk::new(policy());
    desk.say("go");
    desk.ready(1, "Edit");
    desk.ready(2, "Edit");
    assert_eq!(desk.fails(FaultKind::Broken), "(cut short), e2 is a reply [c1]");
    assert_eq!(desk.ended(1), "SETTLE c1 ok, SWEEP, c1 is ok, request 002/1, ASK 002 from c3");
    desk.folded();
}

#[test]
fn a_refusal_in_mid_stream_keeps_what_ran_and_ends_the_turn() {
    let mut desk = Desk::new(policy());
    desk.say("go");
    desk.ready(1, "Read");
    let mut reply = reply(vec![Block::call(call(1, "Read")), Block::call(call(2, "Edit"))]);
    reply.stop = Stop::Refused;
    assert_eq!(desk.replied_with(reply), "usage, e2 is a reply [c1]");
    assert_eq!(desk.ended(1), "SETTLE c1 ok, c1 is ok, failed: the model refused to go on");
    desk.folded();
}

#[test]
fn calls_can_be_kept_until_the_reply_is_whole() {
    for (streaming, early) in [(StreamingStart::ReadOnly, true), (StreamingStart::Off, false)] {
        let mut desk = Desk::new(Policy { streaming, ..policy() });
        desk.say("go");
        assert_eq!(desk.ready(1, "Read").contains("START c1"), early);
        if early {
            desk.ended(1);
        }
        assert!(!desk.ready(2, "Edit").contains("START"));
        let blocks = vec![Block::call(call(1, "Read")), Block::call(call(2, "Edit"))];
        let wants = desk.replied(blocks);
        assert_eq!(wants.contains("START c2"), early, "{wants}");
        assert_eq!(wants.contains("START c1"), !early, "{wants}");
        desk.folded();
    }
}

#[test]
fn a_fresh_start_of_the_provider_is_one_reply() {
    let mut desk = Desk::new(policy());
    desk.say("go");
    desk.tell(Event::Opened(CallId::new(1)));
    assert_eq!(desk.tell(Event::Restarted), "(restarted)");
    desk.tell(Event::Opened(CallId::new(2)));
    assert!(desk.ready(2, "Read").contains("START c2"));
    assert_eq!(desk.replied(vec![Block::call(call(2, "Read"))]), "usage, e2 is a reply [c2]");
    assert!(desk.ended(2).ends_with("ASK 002 from c3"));
    desk.folded();
}
