//! The door, driven by hand: what starts, what is told, what is settled, and when.

use fanfold_schedule::{Claim, Groups, Resource};
use fanfold_transcript::{Arguments, Call, Subject};

use super::*;
use crate::gate::{Fit, Permissions};

/// A door over the tool `t` with one batch, and a log of its effects.
struct Scene {
    door: Dispatch,
    batch: BatchId,
}

impl Scene {
    fn new(slots: usize) -> Self {
        let rule = |name: &str| vec![name.parse().unwrap()];
        let permissions =
            Permissions { deny: rule("denied"), allow: rule("w"), ..Default::default() };
        let gate = Gate::new(
            permissions,
            [("t", true), ("denied", true), ("w", false), ("q", false)]
                .map(|(name, reads)| (name.into(), reads)),
        );
        let limits = Limits { slots, claims: true };
        let mut door = Dispatch::new(gate, limits, Grace { stop_ms: 3000, kill_ms: 1000 });
        let batch = door.open_batch();
        Self { door, batch }
    }

    fn ask(&mut self, now: u64, n: u32, tool: &str, footprint: Footprint) -> Vec<String> {
        let call = Call::new(CallId::new(n), tool, Arguments::none());
        self.send(now, Event::Asked(asked(self.batch, &call, footprint)))
    }

    fn change(&mut self, now: u64, n: u32, tool: &str, footprint: Footprint) -> Vec<String> {
        let call = Call::new(CallId::new(n), tool, Arguments::none());
        self.send(now, Event::Changed(asked(self.batch, &call, footprint)))
    }

    fn answer(&mut self, now: u64, n: u32, answer: Answer) -> Vec<String> {
        self.send(now, Event::Answered { call: CallId::new(n), answer })
    }

    fn end(&mut self, now: u64, n: u32) -> Vec<String> {
        let outcome = Outcome::ok_text("x");
        self.send(now, Event::Ended { call: CallId::new(n), outcome })
    }

    fn close(&mut self, now: u64) -> Vec<String> {
        self.send(now, Event::Closed(self.batch))
    }

    fn send(&mut self, now: u64, event: Event<'_>) -> Vec<String> {
        self.door.handle(Millis(now), event);
        std::iter::from_fn(|| self.door.poll()).map(|effect| line(&effect)).collect()
    }
}

fn asked(batch: BatchId, call: &Call, footprint: Footprint) -> Asked<'_> {
    let fit = Fit::Fits { role: Role::Leaf, footprint, subject: Subject::Opaque };
    Asked { batch, call, fit, when: When::Now }
}

fn line(effect: &Effect) -> String {
    match effect {
        Effect::Start(call) => format!("start {call}"),
        Effect::Ask { call, .. } => format!("ask {call}"),
        Effect::Stop(call) => format!("stop {call}"),
        Effect::Kill(call) => format!("kill {call}"),
        Effect::Abandon(call) => format!("abandon {call}"),
        Effect::Waiting { call, wait } => format!("{call} waits: {wait}"),
        Effect::Sweep => "sweep".to_owned(),
        Effect::Done(_) => "done".to_owned(),
        Effect::Settle { call, outcome, record } => {
            let reason = outcome.ending.reason().unwrap_or("-");
            let waits: Vec<String> =
                record.waits.iter().map(|span| format!("{} {}ms", span.wait, span.ms)).collect();
            format!("{call} {} {reason} [{}]", outcome.status(), waits.join(", "))
        }
    }
}

fn writes(path: &str) -> Footprint {
    let claim = Claim::write(Resource::Path(path.into()));
    Footprint { groups: Groups::independent(), claims: vec![claim] }
}

#[test]
fn a_conflict_waits_and_its_record_says_why_and_how_long() {
    let mut scene = Scene::new(10);
    assert_eq!(scene.ask(0, 1, "t", writes("/a")), ["start c1"]);
    assert_eq!(scene.ask(0, 2, "t", writes("/a")), ["c2 waits: c1 (claim path:/a)"]);
    assert_eq!(scene.ask(0, 3, "t", writes("/b")), ["start c3"]);
    assert_eq!(scene.end(7, 1), ["c1 ok - []", "start c2"]);
    assert_eq!(scene.end(8, 3), ["c3 ok - []"]);
    assert_eq!(scene.close(8), [""; 0]);
    assert_eq!(scene.end(9, 2), ["c2 ok - [c1 (claim path:/a) 7ms]", "done"]);
}

#[test]
fn a_refused_call_is_settled_at_once_and_keeps_nobody_waiting() {
    let mut scene = Scene::new(1);
    assert_eq!(
        scene.ask(0, 1, "denied", Footprint::exclusive()),
        ["c1 declined denied_by_rule []"]
    );
    assert_eq!(scene.ask(0, 2, "nope", Footprint::exclusive()), ["c2 declined unknown_tool []"]);
    assert_eq!(scene.ask(0, 3, "t", Footprint::independent()), ["start c3"]);
    assert_eq!(scene.ask(0, 4, "t", Footprint::independent()), ["c4 waits: c3 (exclusive)"]);
}

// https://github.com/openclaw/openclaw/pull/102276
#[test]
fn after_a_stop_nothing_starts_and_every_call_is_settled() {
    let mut scene = Scene::new(1);
    scene.ask(0, 1, "t", Footprint::independent());
    scene.ask(0, 2, "t", Footprint::independent());
    scene.close(0);
    assert_eq!(scene.door.deadline(), None);
    let told = scene.send(5, Event::Stop);
    assert_eq!(told, ["stop c1", "c2 skipped stopped [c1 (exclusive) 5ms]"]);
    assert_eq!(scene.door.deadline(), Some(Millis(3005)));
    assert_eq!(scene.send(6, Event::Stop), [""; 0], "a second stop changes nothing");
    assert_eq!(scene.send(3005, Event::Tick), ["kill c1"]);
    assert_eq!(scene.door.deadline(), Some(Millis(4005)));
    let given_up = scene.send(4005, Event::Tick);
    assert_eq!(given_up, ["abandon c1", "c1 interrupted stopped []", "sweep", "done"]);
    assert_eq!(scene.end(5000, 1), [""; 0], "the first outcome stands");
}

#[test]
fn what_had_finished_before_the_stop_is_kept() {
    let mut scene = Scene::new(10);
    scene.ask(0, 1, "t", Footprint::independent());
    scene.ask(0, 2, "t", Footprint::independent());
    scene.ask(0, 3, "t", Footprint::exclusive());
    assert_eq!(scene.end(1, 1), ["c1 ok - []"]);
    assert_eq!(scene.send(2, Event::Kill), ["kill c2", "c3 skipped stopped [c2 (exclusive) 2ms]"]);
    assert_eq!(scene.end(3, 2), ["c2 ok - []"]);
    let late = scene.ask(4, 4, "t", Footprint::independent());
    assert_eq!(late, ["c4 skipped stopped []"]);
    assert_eq!(scene.close(5), ["sweep", "done"]);
}

#[test]
fn a_changed_footprint_queues_again() {
    let mut scene = Scene::new(10);
    scene.ask(0, 1, "t", writes("/a"));
    assert_eq!(scene.ask(0, 2, "t", writes("/link")), ["start c2"]);
    assert_eq!(scene.change(0, 2, "t", writes("/a")), ["c2 waits: c1 (claim path:/a)"]);
    assert_eq!(scene.end(4, 1), ["c1 ok - []", "start c2"]);
    assert_eq!(scene.end(6, 2), ["c2 ok - [c1 (claim path:/a) 4ms]"]);
}

#[test]
fn what_may_have_started_processes_is_followed_by_a_sweep() {
    for (tool, end) in
        [("t", vec!["c1 ok - []", "done"]), ("w", vec!["c1 ok - []", "sweep", "done"])]
    {
        let mut scene = Scene::new(10);
        scene.ask(0, 1, tool, Footprint::independent());
        scene.close(0);
        assert_eq!(scene.end(1, 1), end);
    }
}

#[test]
fn a_question_waits_while_others_run_and_its_answer_touches_one_call() {
    let mut scene = Scene::new(10);
    scene.door = scene.door.with_somebody_to_ask();
    assert_eq!(scene.ask(0, 1, "q", writes("/a")), ["ask c1", "c1 waits: approval"]);
    assert_eq!(scene.ask(0, 2, "q", writes("/b")), ["ask c2", "c2 waits: approval"]);
    assert_eq!(scene.ask(0, 3, "t", writes("/c")), ["start c3"]);
    assert_eq!(scene.ask(0, 4, "t", writes("/a")), ["c4 waits: c1 (claim path:/a)"]);
    assert_eq!(scene.answer(5, 2, Answer::Allow), ["start c2"]);
    let denied = ["c1 declined denied_by_user [approval 9ms]", "start c4"];
    assert_eq!(scene.answer(9, 1, Answer::Deny), denied);
    assert_eq!(scene.answer(9, 1, Answer::Allow), [""; 0], "the first answer stands");
    assert_eq!(scene.end(11, 2), ["c2 ok - [approval 5ms]"]);
    assert_eq!(scene.ask(12, 5, "q", writes("/d")), ["ask c5", "c5 waits: approval"]);
    assert_eq!(
        scene.send(13, Event::Stop),
        ["stop c3", "stop c4", "c5 skipped stopped [approval 1ms]"]
    );
}

#[test]
fn nobody_to_ask_is_a_refusal_of_its_own() {
    let mut scene = Scene::new(10);
    assert_eq!(scene.ask(0, 1, "q", writes("/a")), ["c1 declined nobody_to_ask []"]);
}

#[test]
fn a_call_that_changed_is_judged_again_before_it_starts() {
    let mut scene = Scene::new(10);
    scene.door = scene.door.with_somebody_to_ask();
    scene.ask(0, 1, "q", writes("/a"));
    assert_eq!(scene.answer(1, 1, Answer::Allow), ["start c1"]);
    assert_eq!(scene.change(2, 1, "q", writes("/b")), ["ask c1", "c1 waits: approval"]);
    assert_eq!(scene.answer(3, 1, Answer::Allow), ["start c1"]);
    assert_eq!(
        scene.change(4, 1, "denied", writes("/c")),
        ["c1 declined denied_by_rule [approval 1ms, approval 1ms]"]
    );
}
