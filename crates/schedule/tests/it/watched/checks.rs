//! What is promised at every step, whatever was done: starts, reasons, limits, progress.
//!
//! Not here: that the results equal those of serial execution (`model.rs`).

use std::collections::{BTreeMap, BTreeSet};

use fanfold_schedule::{Conflict, Groups, Role, Wait};
use fanfold_transcript::CallId;

use super::{Phase, Place, Seen, Watched};
use crate::conflict;

/// One call with its name.
type Named<'a> = (CallId, &'a Seen);

impl Watched {
    /// `next_ready` gives any ready coordinator, or the first ready leaf if a slot is free.
    pub(super) fn check_choice(&self, chosen: Option<CallId>) {
        if self.paused {
            assert_eq!(chosen, None, "nothing starts in a pause");
            return;
        }
        let is_ready = |id: &CallId| self.reasons.get(id) == Some(&Wait::Slot);
        let ready: Vec<Named<'_>> = self.named().filter(|(id, _)| is_ready(id)).collect();
        let leaves = || ready.iter().filter(|(_, seen)| seen.role == Role::Leaf);
        let first = leaves().min_by_key(|(_, seen)| seen.arrival).map(|(id, _)| *id);
        let slot_free = self.running_leaves() < self.limits.slots;
        match chosen {
            Some(call) if self.calls[&call].role == Role::Coordinator => {
                assert!(is_ready(&call), "{call} was not ready");
            }
            Some(call) => {
                assert!(slot_free, "{call} starts without a slot");
                assert_eq!(Some(call), first, "leaves start in list order");
            }
            None => {
                let idle = ready.len() == leaves().count();
                assert!(idle, "a ready coordinator does not start");
                assert!(first.is_none() || !slot_free, "{first:?} is ready and does not start");
            }
        }
    }

    /// A call that starts waits for nothing, and passes nobody in the claim queue.
    pub(super) fn check_start(&self, call: CallId) {
        let seen = &self.calls[&call];
        assert_eq!(seen.phase, Phase::Waiting, "{call} starts");
        assert_eq!(seen.holds, [], "{call} starts while held");
        assert_eq!(self.first_blocker(seen), None, "{call} starts before an earlier call");
        for (other, theirs) in self.named().filter(|(other, _)| *other != call) {
            if !self.claims_meet(seen, theirs) {
                continue;
            }
            assert_ne!(theirs.phase, Phase::Running, "{call} and {other} write the same thing");
            let passed = theirs.joined.is_some_and(|joined| Some(joined) < seen.joined);
            assert!(!passed, "{call} passes {other} in the claim queue");
        }
    }

    /// All that holds between operations.
    pub(super) fn check(&mut self) {
        let reasons: BTreeMap<CallId, Wait> = self
            .calls
            .keys()
            .filter_map(|id| self.schedule.why_waiting(*id).map(|why| (*id, why)))
            .collect();
        let step = self.step;
        for (id, seen) in &mut self.calls {
            match reasons.get(id) {
                Some(Wait::Claim { .. } | Wait::Slot | Wait::Paused) => {
                    seen.joined = seen.joined.or(Some(step));
                }
                Some(Wait::Arguments | Wait::Earlier { .. } | Wait::Held(_)) => seen.joined = None,
                None => {}
            }
        }
        for (id, seen) in self.named() {
            self.check_reason((id, seen), reasons.get(&id));
        }
        self.check_moved(&reasons);
        self.reasons = reasons;
        assert_eq!(self.schedule.open_count(), self.calls.len(), "open calls");
        assert_eq!(self.schedule.running_count(), self.running_leaves(), "running leaves");
        assert!(self.running_leaves() <= self.limits.slots, "more run than there are slots");
        self.check_progress();
    }

    /// If nothing runs, and nothing is held or streaming, nothing waits.
    fn check_progress(&self) {
        let excused = |seen: &Seen| seen.phase != Phase::Waiting || !seen.holds.is_empty();
        let stuck = self.drained && !self.paused && !self.calls.values().any(excused);
        assert!(
            !stuck || self.calls.is_empty(),
            "nothing runs, and these wait: {:?}",
            self.reasons
        );
    }

    /// A call whose reason changed is given out by `next_moved`.
    fn check_moved(&mut self, reasons: &BTreeMap<CallId, Wait>) {
        let moved: BTreeSet<CallId> = std::iter::from_fn(|| self.schedule.next_moved()).collect();
        for (id, why) in reasons {
            let before = self.reasons.get(id);
            let by_pause = |why: &Wait| matches!(why, Wait::Slot | Wait::Paused);
            let silent = *why == Wait::Arguments || (by_pause(why) && before.is_some_and(by_pause));
            let told = before == Some(why) || silent || moved.contains(id);
            assert!(told, "{id} moved from {before:?} to {why:?} unseen");
        }
    }

    fn check_reason(&self, (id, seen): Named<'_>, why: Option<&Wait>) {
        let expected = match why {
            None => Phase::Running,
            Some(Wait::Arguments) => Phase::Streaming,
            Some(_) => Phase::Waiting,
        };
        assert_eq!(seen.phase, expected, "{id} waits: {why:?}");
        match why {
            None | Some(Wait::Arguments) => return,
            Some(Wait::Held(hold)) => {
                assert!(seen.holds.contains(hold), "{id} is not held by {hold:?}");
                return;
            }
            Some(_) => assert_eq!(seen.holds, [], "{id} is held, not {why:?}"),
        }
        let blocker = self.first_blocker(seen);
        match why {
            Some(Wait::Earlier { call, conflict }) => {
                let earlier = self.calls.get(call).unwrap_or_else(|| panic!("{call} has ended"));
                assert!(self.blocks(earlier, seen), "{id} need not wait for {call}");
                assert!(self.is_true(conflict, seen, earlier), "{id} and {call}: {conflict}?");
            }
            Some(Wait::Claim { holder, resource }) => {
                assert_eq!(blocker, None, "{id} queues while it must wait for an earlier call");
                let theirs = self.calls.get(holder).unwrap_or_else(|| panic!("{holder} has ended"));
                assert!(theirs.joined.is_some(), "{id} waits for {holder}, which is not queued");
                assert!(theirs.joined <= seen.joined, "{id} was queued before {holder}");
                let both = conflict::both_write_on(resource, &seen.footprint, &theirs.footprint);
                assert!(both && self.claims_meet(seen, theirs), "{id}, {holder}: {resource}?");
            }
            Some(Wait::Slot | Wait::Paused) => {
                assert_eq!(blocker, None, "{id} is ready before an earlier call");
                assert_eq!(why == Some(&Wait::Paused), self.paused, "{id}: {why:?}");
                let full = seen.role == Role::Leaf && self.running_leaves() == self.limits.slots;
                assert!(full || self.paused || !self.drained, "{id} is kept without a reason");
            }
            None | Some(Wait::Arguments | Wait::Held(_)) => {}
        }
    }

    fn is_true(&self, conflict: &Conflict, waiting: &Seen, earlier: &Seen) -> bool {
        let (a, b) = (&waiting.footprint, &earlier.footprint);
        match conflict {
            Conflict::Exclusive => {
                let barrier = [a, b].iter().any(|f| f.groups == Groups::Exclusive);
                matches!(waiting.place, Place::Batch(_)) && (barrier || self.limits.slots == 1)
            }
            Conflict::Group(name) => conflict::share(name, a, b),
            Conflict::Claim(resource) => conflict::clash_on(resource, a, b),
        }
    }

    fn first_blocker(&self, seen: &Seen) -> Option<CallId> {
        self.named().find(|(_, other)| self.blocks(other, seen)).map(|(id, _)| id)
    }

    /// Whether `x` may not join the claim queue before `y` has ended.
    fn blocks(&self, y: &Seen, x: &Seen) -> bool {
        match x.place {
            Place::Batch(_) => {
                let first = y.arrival < x.arrival || y.phase == Phase::Running;
                let others = y.place == x.place && y.arrival != x.arrival;
                others && first && conflict::ordered(&y.footprint, &x.footprint, self.limits)
            }
            Place::After(batch, parallel) => {
                let before = y.place == Place::Batch(batch) && y.arrival < parallel;
                // What changes after the job has joined the queue is too late.
                let known = x.joined.is_none_or(|joined| y.changed <= joined);
                self.limits.claims && before && known && conflict::clash(&y.footprint, &x.footprint)
            }
            Place::Free => false,
        }
    }

    /// Whether the claims of two leaf calls meet in the queue, whatever their batches.
    fn claims_meet(&self, a: &Seen, b: &Seen) -> bool {
        let leaves = a.role == Role::Leaf && b.role == Role::Leaf;
        leaves && self.limits.claims && conflict::both_write(&a.footprint, &b.footprint)
    }

    fn running_leaves(&self) -> usize {
        let runs = |seen: &&Seen| seen.role == Role::Leaf && seen.phase == Phase::Running;
        self.calls.values().filter(runs).count()
    }

    fn named(&self) -> impl Iterator<Item = Named<'_>> {
        self.calls.iter().map(|(id, seen)| (*id, seen))
    }
}
