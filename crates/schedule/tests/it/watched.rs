//! A schedule under watch: every operation is also entered in a second, naive book, and all
//! promises are checked after each.
//!
//! Not here: what is promised (`watched/checks.rs`).

mod checks;

use std::collections::BTreeMap;

use fanfold_schedule::{BatchId, Footprint, Hold, Lane, Limits, Role, Schedule, Wait};
use fanfold_transcript::CallId;

/// The schedule and the book about it.
pub(crate) struct Watched {
    schedule: Schedule,
    limits: Limits,
    paused: bool,
    /// Whether `next_ready` has said "none" since the last change.
    drained: bool,
    step: u32,
    arrivals: u32,
    calls: BTreeMap<CallId, Seen>,
    reasons: BTreeMap<CallId, Wait>,
    log: Vec<String>,
}

/// What the book knows of a call that has not ended.
struct Seen {
    arrival: u32,
    place: Place,
    role: Role,
    footprint: Footprint,
    phase: Phase,
    holds: Vec<Hold>,
    /// The step at which it was first seen in the claim queue, where it still is or from where it started.
    joined: Option<u32>,
    /// The step at which its footprint changed last.
    changed: u32,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Batch(BatchId),
    /// A job: after the members of the batch that arrived before its `parallel` call.
    After(BatchId, u32),
    Free,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Phase {
    Streaming,
    Waiting,
    Running,
}

impl Watched {
    pub(crate) fn new(limits: Limits) -> Self {
        Self {
            schedule: Schedule::new(limits),
            limits,
            paused: false,
            drained: true,
            step: 0,
            arrivals: 0,
            calls: BTreeMap::new(),
            reasons: BTreeMap::new(),
            log: vec![format!("{limits:?}")],
        }
    }

    pub(crate) fn open_batch(&mut self) -> BatchId {
        self.schedule.open_batch()
    }

    pub(crate) fn close_batch(&mut self, batch: BatchId) {
        self.schedule.close_batch(batch);
        self.check();
    }

    pub(crate) fn announce(&mut self, batch: BatchId, call: CallId) {
        self.note(format!("announce {call} in {batch:?}"));
        let place = Place::Batch(batch);
        self.enter(call, place, Role::Leaf, Footprint::exclusive());
        self.seen(call).phase = Phase::Streaming;
        self.schedule.announce(batch, call);
        self.check();
    }

    pub(crate) fn complete(&mut self, call: CallId, role: Role, footprint: Footprint) {
        self.note(format!("complete {call} {role:?} {}", brief(&footprint)));
        let step = self.step;
        let seen = self.seen(call);
        (seen.role, seen.footprint, seen.changed) = (role, footprint.clone(), step);
        seen.phase = Phase::Waiting;
        self.schedule.complete(call, role, footprint);
        self.check();
    }

    pub(crate) fn submit(&mut self, call: CallId, lane: Lane, role: Role, footprint: Footprint) {
        self.note(format!("submit {call} {lane:?} {role:?} {}", brief(&footprint)));
        let place = match lane {
            Lane::Batch(batch) => Place::Batch(batch),
            Lane::Alone { after } => {
                after.map_or(Place::Free, |parallel| self.place_after(parallel))
            }
        };
        self.enter(call, place, role, footprint.clone());
        self.schedule.submit(call, lane, role, footprint);
        self.check();
    }

    pub(crate) fn hold(&mut self, call: CallId, hold: Hold) {
        self.note(format!("hold {call} {hold:?}"));
        let seen = self.seen(call);
        seen.holds.push(hold);
        if seen.phase == Phase::Waiting {
            seen.joined = None;
        }
        self.schedule.hold(call, hold);
        self.check();
    }

    pub(crate) fn release(&mut self, call: CallId, hold: Hold) {
        self.note(format!("release {call} {hold:?}"));
        self.seen(call).holds.retain(|held| *held != hold);
        self.schedule.release(call, hold);
        self.check();
    }

    pub(crate) fn pause(&mut self) {
        self.note("pause".to_owned());
        self.paused = true;
        self.schedule.pause();
        self.check();
    }

    pub(crate) fn resume(&mut self) {
        self.note("resume".to_owned());
        self.paused = false;
        self.schedule.resume();
        self.check();
    }

    pub(crate) fn next_ready(&mut self) -> Option<CallId> {
        let call = self.schedule.next_ready();
        self.check_choice(call);
        match call {
            Some(call) => {
                self.note(format!("start {call}"));
                self.check_start(call);
                self.seen(call).phase = Phase::Running;
            }
            None => self.drained = true,
        }
        self.check();
        call
    }

    pub(crate) fn requeue(&mut self, call: CallId, footprint: Footprint) {
        self.note(format!("requeue {call} {}", brief(&footprint)));
        let step = self.step;
        let seen = self.seen(call);
        (seen.phase, seen.joined, seen.changed) = (Phase::Waiting, None, step);
        seen.footprint = footprint.clone();
        self.schedule.requeue(call, footprint);
        self.check();
    }

    pub(crate) fn finish(&mut self, call: CallId) {
        self.note(format!("finish {call}"));
        self.calls.remove(&call).expect("a call of the book");
        self.schedule.finish(call);
        self.check();
    }

    pub(crate) fn why_waiting(&self, call: CallId) -> Option<Wait> {
        self.schedule.why_waiting(call)
    }

    /// The open calls in this phase, in the order of their ids.
    pub(crate) fn in_phase(&self, phase: Phase) -> Vec<CallId> {
        let fits = |(id, seen): (&CallId, &Seen)| (seen.phase == phase).then_some(*id);
        self.calls.iter().filter_map(fits).collect()
    }

    /// The holds on open calls.
    pub(crate) fn holds(&self) -> Vec<(CallId, Hold)> {
        let of = |(id, seen): (&CallId, &Seen)| {
            seen.holds.iter().map(|hold| (*id, *hold)).collect::<Vec<_>>()
        };
        self.calls.iter().flat_map(of).collect()
    }

    pub(crate) fn is_open(&self, call: CallId) -> bool {
        self.calls.contains_key(&call)
    }

    pub(crate) const fn is_paused(&self) -> bool {
        self.paused
    }

    /// Adds a line to the log.
    pub(crate) fn remark(&mut self, line: &str) {
        self.log.push(line.to_owned());
    }

    /// What was done so far, a line each.
    pub(crate) fn log(&self) -> String {
        self.log.join("\n")
    }

    fn enter(&mut self, call: CallId, place: Place, role: Role, footprint: Footprint) {
        let (arrival, changed) = (self.arrivals, self.step);
        self.arrivals += 1;
        let (phase, holds) = (Phase::Waiting, Vec::new());
        let seen = Seen { arrival, place, role, footprint, phase, holds, joined: None, changed };
        assert!(self.calls.insert(call, seen).is_none(), "{call} twice");
    }

    fn place_after(&self, parallel: CallId) -> Place {
        let Some(parallel) = self.calls.get(&parallel) else { return Place::Free };
        match parallel.place {
            Place::Batch(batch) => Place::After(batch, parallel.arrival),
            Place::After(..) | Place::Free => Place::Free,
        }
    }

    fn note(&mut self, line: String) {
        self.step += 1;
        self.drained = false;
        self.log.push(line);
    }

    fn seen(&mut self, call: CallId) -> &mut Seen {
        self.calls.get_mut(&call).unwrap_or_else(|| panic!("{call} is not in the book"))
    }
}

/// A footprint in a few words, for logs.
pub(crate) fn brief(footprint: &Footprint) -> String {
    let claims: Vec<String> = footprint.claims.iter().map(ToString::to_string).collect();
    format!("{} [{}]", footprint.groups, claims.join(", "))
}
