//! Whole turns: answers, calls, messages in between, limits, corrections, restarts.

use fanfold_transcript::{Arguments, Block, Body, Call, EntryId, Skip, Stop, Usage};
use fanfold_wire::FaultKind;
use serde_json::json;

use super::super::*;
use super::desk::{Desk, call, policy, reply};

#[test]
fn a_turn_without_calls() {
    let mut desk = Desk::new(policy());
    assert_eq!(desk.say("hi"), "said m1, e1 is m1, request 001/1, ASK 001 from c1");
    assert_eq!(
        desk.replied(vec![Block::text("hello")]),
        r#"usage, e2 is a reply [], final "hello""#
    );
    assert!(desk.agent.is_idle());
    assert_eq!(desk.say("again"), "said m2, e3 is m2, request 002/1, ASK 002 from c1");
    desk.folded();
}

#[test]
fn calls_of_a_whole_reply_run_and_their_outcomes_are_answered() {
    let mut desk = Desk::new(policy());
    desk.say("go");
    let blocks = vec![Block::call(call(1, "Read")), Block::call(call(2, "Nope"))];
    assert_eq!(
        desk.replied(blocks),
        "usage, e2 is a reply [c1 c2], c1 starts, START c1, SETTLE c2 declined, c2 is declined"
    );
    assert_eq!(desk.ended(1), "SETTLE c1 ok, c1 is ok, request 002/1, ASK 002 from c3");
    desk.folded();
}

#[test]
fn what_is_said_meanwhile_is_heard_at_the_next_boundary() {
    let mut desk = Desk::new(policy());
    desk.say("go");
    assert_eq!(desk.say("and that"), "said m2");
    desk.replied(vec![Block::call(call(1, "Read"))]);
    assert_eq!(desk.say("and this"), "said m3");
    assert_eq!(
        desk.ended(1),
        "SETTLE c1 ok, c1 is ok, e3 is m2, e4 is m3, request 002/1, ASK 002 from c2"
    );
    // Said while the answer was written: the turn goes on instead of ending.
    desk.say("wait");
    assert_eq!(
        desk.replied(vec![Block::text("done")]),
        "usage, e5 is a reply [], e6 is m4, request 003/1, ASK 003 from c2"
    );
    desk.folded();
}

#[test]
fn response_ends_the_turn() {
    let mut desk = Desk::new(policy());
    desk.say("go");
    let arguments = json!({"text": "done", "data": {"n": 1}}).as_object().unwrap().clone();
    let response = Call::new(CallId::new(1), "response", Arguments::strict(arguments));
    desk.replied(vec![Block::call(response)]);
    assert_eq!(desk.ended(1), r#"SETTLE c1 ok, c1 is ok, final "done""#);
    assert_eq!(desk.say("thanks"), "said m2, e3 is m2, request 002/1, ASK 002 from c2");
    desk.folded();
}

#[test]
fn an_answer_of_the_wrong_form_is_sent_back_once() {
    let mut desk = Desk::new(Policy { checks_answer: true, ..policy() });
    desk.say("go");
    assert_eq!(desk.replied(vec![Block::text("1")]), "usage, e2 is a reply [], CHECK");
    let wrong = || Event::Checked(Err("not an object".into()));
    assert_eq!(desk.tell(wrong()), "said m2, e3 is m2, request 002/1, ASK 002 from c1");
    desk.replied(vec![Block::text("2")]);
    assert_eq!(
        desk.tell(wrong()),
        "failed: the answer is not of the form asked for: not an object"
    );
    desk.say("go");
    desk.replied(vec![Block::text("{}")]);
    assert_eq!(desk.tell(Event::Checked(Ok(()))), r#"final "{}""#);
    desk.folded();
}

#[test]
fn limits_end_a_turn_before_the_next_request() {
    let limits = |limits| Desk::new(Policy { limits, ..policy() });
    let none = policy().limits;
    let step = |desk: &mut Desk, n: u32| {
        let mut reply = reply(vec![Block::call(call(n, "Read"))]);
        reply.usage = Usage { input: Some(10), output: Some(5), ..Usage::default() };
        desk.replied_with(reply);
        desk.ended(n)
    };
    let mut desk = limits(TurnLimits { steps: 2, ..none });
    desk.say("go");
    step(&mut desk, 1);
    assert!(step(&mut desk, 2).ends_with("limit: the limit of 2 steps is reached"));
    // The next turn counts anew.
    assert!(desk.say("go on").ends_with("ASK 003 from c3"));
    let mut desk = limits(TurnLimits { tokens: Some(30), ..none });
    desk.say("go");
    assert!(step(&mut desk, 1).ends_with("ASK 002 from c2"));
    assert!(step(&mut desk, 2).ends_with("limit: the limit of 30 tokens is reached (30 used)"));
    let mut desk = limits(TurnLimits { cost_usd: Some(0.75), ..none });
    desk.say("go");
    step(&mut desk, 1);
    assert!(step(&mut desk, 2).ends_with("limit: the limit of $0.75 is reached ($1.0000 used)"));
    desk.folded();
}

#[test]
fn passing_faults_are_tried_again_and_others_are_not() {
    let mut desk = Desk::new(policy());
    desk.say("go");
    assert_eq!(desk.fails(FaultKind::Overloaded), "(retry 2)");
    assert_eq!(desk.wait(), "request 001/2, ASK 001 from c1");
    assert_eq!(desk.replied(vec![]), "usage, (retry 3)");
    desk.wait();
    assert_eq!(desk.fails(FaultKind::Server), "failed: no (after 3 attempts)");
    // The prompt stands; the next message joins it.
    desk.say("again");
    assert_eq!(desk.fails(FaultKind::Auth), "failed: no");
    desk.folded();
}

#[test]
fn refused_and_cut_answers_are_no_answers() {
    for (stop, said) in [
        (Stop::Refused, "failed: the model refused to go on"),
        (Stop::OutputLimit, "failed: the answer was cut by the output limit"),
    ] {
        let mut desk = Desk::new(policy());
        desk.say("go");
        let mut reply = reply(vec![Block::text("so")]);
        reply.stop = stop;
        let wants = desk.replied_with(reply);
        assert!(wants.ends_with(said), "{wants}");
        desk.folded();
    }
}

#[test]
fn after_a_crash_what_ran_is_interrupted_and_what_did_not_is_skipped() {
    let mut desk = Desk::new(policy());
    desk.say("go");
    desk.replied(vec![Block::call(call(1, "Edit")), Block::call(call(2, "Edit"))]);
    let mut next = Desk::with(desk.folded(), policy());
    assert_eq!(next.wants(), "c1 is interrupted, c2 is skipped");
    let second = next.agent.conversation().transcript().call(CallId::new(2)).unwrap();
    let ending = second.outcome().unwrap().ending;
    assert_eq!(ending, fanfold_transcript::Ending::Skipped(Skip::Crashed));
    assert_eq!(next.tell(Event::Continue), "request 002/1, ASK 002 from c3");
}

#[test]
fn after_a_crash_in_a_stream_only_what_started_is_kept() {
    let mut desk = Desk::new(policy());
    desk.say("go");
    desk.ready(1, "Read");
    desk.ended(1);
    let mut next = Desk::with(desk.folded(), policy());
    assert_eq!(next.wants(), "e2 is a reply [c1]");
    assert_eq!(next.tell(Event::Continue), "request 002/1, ASK 002 from c2");
    // Nothing had started: the same request once more.
    let mut desk = Desk::new(policy());
    desk.say("go");
    let mut next = Desk::with(desk.folded(), policy());
    assert_eq!(next.wants(), "");
    assert_eq!(next.say("now"), "said m2, e2 is m2, request 002/1, ASK 002 from c1");
}

#[test]
fn an_answered_turn_that_a_crash_cut_off_ends_when_it_goes_on() {
    let mut desk = Desk::new(policy());
    desk.say("go");
    desk.replied(vec![Block::text("done")]);
    assert!(matches!(desk.facts.pop(), Some(Fact::Turn(_))));
    let mut conversation = Conversation::default();
    for fact in desk.facts {
        conversation.apply(fact).unwrap();
    }
    let mut next = Desk::with(conversation, policy());
    assert_eq!(next.tell(Event::Continue), r#"final "done""#);
    assert_eq!(next.tell(Event::Continue), "(nothing to do)");
}

#[test]
fn a_response_read_by_a_guess_ends_the_turn_too() {
    let mut desk = Desk::new(policy());
    desk.say("go");
    let object = json!({"text": "done"}).as_object().unwrap().clone();
    let problem = fanfold_transcript::ArgumentsProblem::NotJson("cut".into());
    let arguments = Arguments::Guessed { object, problem };
    desk.replied(vec![Block::call(Call::new(CallId::new(1), "response", arguments))]);
    assert_eq!(desk.ended(1), r#"SETTLE c1 ok, c1 is ok, final "done""#);
    desk.folded();
}

#[test]
fn after_a_response_there_is_nothing_to_go_on_with() {
    let mut desk = Desk::new(policy());
    desk.say("go");
    let arguments = json!({"text": "done"}).as_object().unwrap().clone();
    let response = Call::new(CallId::new(1), "response", Arguments::strict(arguments));
    desk.replied(vec![Block::call(response)]);
    desk.ended(1);
    assert_eq!(desk.tell(Event::Continue), "(nothing to do)");
    desk.folded();
}

#[test]
fn a_verdict_that_comes_after_a_stop_changes_nothing() {
    let mut desk = Desk::new(Policy { checks_answer: true, ..policy() });
    desk.say("go");
    desk.replied(vec![Block::text("1")]);
    desk.tell(Event::Stop);
    desk.say("on");
    assert_eq!(desk.tell(Event::Checked(Ok(()))), "");
    assert_eq!(desk.replied(vec![Block::text("2")]), "usage, e4 is a reply [], CHECK");
    assert_eq!(desk.tell(Event::Checked(Ok(()))), r#"final "2""#);
    desk.folded();
}

#[test]
fn another_model_is_another_models_from_the_next_request_on() {
    let asked = |desk: &Desk, entry: u32| {
        let entry = desk.agent.conversation().transcript().entry(EntryId(entry)).unwrap();
        let Body::Assistant(reply) = &entry.body else { panic!("a reply") };
        (reply.source.asked.clone().unwrap(), reply.source.wire)
    };
    let other = || ModelInUse { asked: "other/model".into(), wire: Wire::Gemini };
    let first = || ("test/model".into(), Wire::Anthropic);
    for breaks in [false, true] {
        let mut desk = Desk::new(policy());
        desk.say("go");
        desk.tell(Event::Model(other()));
        desk.ready(1, "Read");
        if breaks {
            desk.fails(FaultKind::Broken);
        } else {
            desk.replied(vec![Block::call(call(1, "Read"))]);
        }
        desk.ended(1);
        assert_eq!(asked(&desk, 2), first(), "it broke: {breaks}");
        let parts = desk.facts.iter().filter_map(|fact| match fact {
            Fact::Part { source, .. } => Some((source.asked.clone().unwrap(), source.wire)),
            _ => None,
        });
        assert_eq!(parts.collect::<Vec<_>>(), [first()]);
        assert!(
            matches!(desk.facts.last(), Some(Fact::Request { model, .. }) if **model == *"other/model")
        );
        desk.folded();
    }
}

#[test]
fn a_new_message_begins_a_new_turn_even_when_a_crash_cut_the_last_one_off() {
    let limits = TurnLimits { steps: 1, ..policy().limits };
    let mut desk = Desk::new(Policy { limits, ..policy() });
    desk.say("go");
    desk.replied(vec![Block::call(call(1, "Read"))]);
    let mut next = Desk::with(desk.folded(), Policy { limits, ..policy() });
    next.wants();
    assert_eq!(next.say("now"), "said m2, e3 is m2, request 002/1, ASK 002 from c2");
}

#[test]
fn an_answer_to_a_question_that_nobody_asks_any_more_is_no_fact() {
    let mut desk = Desk::new(policy());
    desk.say("go");
    let answer = Event::Answered { call: CallId::new(1), answer: Answer::Allow };
    assert_eq!(desk.tell(answer), "");
}
