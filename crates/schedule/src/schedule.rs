//! The schedule: a plain value that says which call may start now.
//!
//! A call passes through `Streaming → Held → Behind → Queued → Ready → Running`, skipping what does
//! not apply. Two orders meet in it. *Within a batch* a call waits for the earlier ones it conflicts
//! with, by group or claim. *Across batches and jobs* only writes of the same thing conflict, and the
//! claim queue orders them by arrival: a call joins it only when nothing but claims and slots keeps
//! it, and takes both in one step. Every wait points to a call that is earlier in its order or
//! runs, so there is no deadlock; and none but those, so there is no starvation.
//!
//! A waiting call registers with the one call it waits for and is looked at again only when that
//! one ends. This file is what callers see; `schedule/moves.rs` is how a call gets from one state
//! to the next. Not here: time, tasks, tools.

mod moves;

use std::collections::{BTreeMap, BTreeSet};

use fanfold_transcript::CallId;

use crate::batch::Batch;
use crate::call::{BatchId, Hold, Lane, Membership, Node, Role, State, Ticket};
use crate::claim_index::ClaimIndex;
use crate::footprint::Footprint;
use crate::wait::{Conflict, Wait, shared_resource, written_by_both};

/// How much may run, and what orders it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Leaf calls that may run at once, over all batches and jobs; at least 1. With 1, the calls of a
    /// batch run strictly one by one in list order.
    pub slots: usize,
    /// Whether claims count (`scheduling.claims`); without them groups alone order.
    pub claims: bool,
}

impl Default for Limits {
    fn default() -> Self {
        Self { slots: 10, claims: true }
    }
}

/// Which calls wait, which may start, which run.
///
/// Invariants: conflicting calls of a batch never overlap and start in list order; two calls that
/// write the same thing never overlap; at most `slots` leaf calls run; if nothing runs and nothing
/// is held or streaming, either something is ready or nothing waits.
///
/// # Panics
/// Naming a call or a batch that the schedule does not know, or a call twice, is a bug of the caller
/// and panics: ids come from the session's own counter.
#[derive(Debug)]
pub struct Schedule {
    limits: Limits,
    paused: bool,
    nodes: Vec<Option<Node>>,
    free: Vec<usize>,
    keys: BTreeMap<CallId, usize>,
    batches: BTreeMap<BatchId, Batch>,
    batch_count: u32,
    /// Calls ever submitted: the order of arrival.
    arrivals: usize,
    /// Calls that ever joined the claim queue: the order of claims.
    queued: usize,
    /// Writes of queued and running calls.
    claims: ClaimIndex,
    ready_leaves: BTreeSet<Ticket>,
    ready_coordinators: BTreeSet<Ticket>,
    running_leaves: usize,
    /// Calls whose state changed and was not asked for yet.
    moved: BTreeSet<usize>,
}

impl Schedule {
    /// An empty schedule.
    #[must_use]
    pub fn new(limits: Limits) -> Self {
        assert!(limits.slots > 0, "at least one slot");
        Self {
            limits,
            paused: false,
            nodes: Vec::new(),
            free: Vec::new(),
            keys: BTreeMap::new(),
            batches: BTreeMap::new(),
            batch_count: 0,
            arrivals: 0,
            queued: 0,
            claims: ClaimIndex::default(),
            ready_leaves: BTreeSet::new(),
            ready_coordinators: BTreeSet::new(),
            running_leaves: 0,
            moved: BTreeSet::new(),
        }
    }

    /// Begins a batch: the calls of one reply.
    pub fn open_batch(&mut self) -> BatchId {
        self.batch_count += 1;
        let id = BatchId(self.batch_count);
        self.batches.insert(id, Batch::default());
        id
    }

    /// No more calls will come for this batch.
    pub fn close_batch(&mut self, id: BatchId) {
        let batch = self.batches.get_mut(&id).expect("an open batch");
        batch.closed = true;
        self.drop_if_done(id);
    }

    /// A call of a batch whose arguments are still streaming. It counts as Exclusive until
    /// [`complete`](Self::complete).
    pub fn announce(&mut self, batch: BatchId, call: CallId) {
        self.admit(call, Lane::Batch(batch), Role::Leaf, Footprint::exclusive());
    }

    /// The arguments of an announced call are complete.
    pub fn complete(&mut self, call: CallId, role: Role, footprint: Footprint) {
        let key = self.key(call);
        assert_eq!(self.node(key).state, State::Streaming, "an announced call");
        self.node_mut(key).role = role;
        self.change_footprint(key, footprint);
        self.look_again(key);
        self.wake_waiters(key);
    }

    /// A call with complete arguments.
    pub fn submit(&mut self, call: CallId, lane: Lane, role: Role, footprint: Footprint) {
        let key = self.admit(call, lane, role, footprint);
        self.look_again(key);
    }

    /// Keeps a call from starting. A running call is not touched.
    pub fn hold(&mut self, call: CallId, hold: Hold) {
        let key = self.key(call);
        self.node_mut(key).holds.set(hold, true);
        if !matches!(self.node(key).state, State::Running { .. } | State::Streaming) {
            self.leave_queue(key);
            self.look_again(key);
            self.wake_waiters(key);
        }
    }

    /// Lifts a hold.
    pub fn release(&mut self, call: CallId, hold: Hold) {
        let key = self.key(call);
        self.node_mut(key).holds.set(hold, false);
        if matches!(self.node(key).state, State::Held(_)) {
            self.look_again(key);
        }
    }

    /// Nothing starts until [`resume`](Self::resume); what runs goes on.
    pub const fn pause(&mut self) {
        self.paused = true;
    }

    /// Ends a pause.
    pub const fn resume(&mut self) {
        self.paused = false;
    }

    /// Takes the next call that may start: its slot and its claims are taken in this one step.
    ///
    /// Its footprint should now be computed again; if it changed, give it to
    /// [`requeue`](Self::requeue), else run the call and then [`finish`](Self::finish) it.
    pub fn next_ready(&mut self) -> Option<CallId> {
        if self.paused {
            return None;
        }
        let coordinator = self.ready_coordinators.pop_first();
        let ticket = coordinator.or_else(|| {
            let slot_free = self.running_leaves < self.limits.slots;
            if slot_free { self.ready_leaves.pop_first() } else { None }
        })?;
        let key = ticket.key();
        let State::Ready { place } = self.node(key).state else {
            unreachable!("only ready calls are in the ready sets");
        };
        if self.node(key).role == Role::Leaf {
            self.running_leaves += 1;
        }
        self.enter(key, State::Running { place });
        Some(self.node(key).id)
    }

    /// A call that was about to start turned out to touch something else: it gives everything back
    /// and queues again with its new footprint, in its old place of its batch.
    pub fn requeue(&mut self, call: CallId, footprint: Footprint) {
        let key = self.key(call);
        assert_ne!(self.node(key).state, State::Streaming, "a call with a footprint to change");
        self.leave_queue(key);
        self.node_mut(key).requeued = true;
        self.change_footprint(key, footprint);
        self.look_again(key);
        self.recall_later_siblings(key);
        self.wake_waiters(key);
    }

    /// The call has ended, or will never start. Gives back its footprint, for the record.
    pub fn finish(&mut self, call: CallId) -> Footprint {
        let key = self.key(call);
        self.leave_queue(key);
        let node = self.nodes[key].take().expect("a known call");
        self.keys.remove(&call);
        if let Membership::Member(id) = node.membership {
            let order = self.order();
            let batch = self.batches.get_mut(&id).expect("a batch lives as long as its calls");
            batch.remove(node.ticket, &node.footprint, order);
            self.drop_if_done(id);
        }
        self.free.push(key);
        for (waiter, turn) in node.waiters {
            self.look_if_still_waiting(waiter as usize, turn);
        }
        node.footprint
    }

    /// Why a call does not run; `None` when it runs, or is not known.
    #[must_use]
    pub fn why_waiting(&self, call: CallId) -> Option<Wait> {
        let &key = self.keys.get(&call)?;
        let node = self.node(key);
        match node.state {
            State::Streaming => Some(Wait::Arguments),
            State::Held(hold) => Some(Wait::Held(hold)),
            State::Behind(earlier) => {
                let earlier = self.node(earlier.key());
                let conflict = match node.membership {
                    Membership::Member(_) => Conflict::between(&node.footprint, &earlier.footprint),
                    Membership::After(..) | Membership::None => {
                        let resource = shared_resource(&node.footprint, &earlier.footprint);
                        resource.map_or(Conflict::Exclusive, Conflict::Claim)
                    }
                };
                Some(Wait::Earlier { call: earlier.id, conflict })
            }
            State::Queued { holder, .. } => {
                let holder = self.node(holder.key());
                let resource = written_by_both(&node.footprint, &holder.footprint);
                Some(Wait::Claim { holder: holder.id, resource })
            }
            State::Ready { .. } => Some(if self.paused { Wait::Paused } else { Wait::Slot }),
            State::Running { .. } => None,
        }
    }

    /// What a call touches, as last given; `None` for a call that is not known.
    #[must_use]
    pub fn footprint(&self, call: CallId) -> Option<&Footprint> {
        self.keys.get(&call).map(|&key| &self.node(key).footprint)
    }

    /// A call whose state changed since it was last given out here: its reason to wait may be another
    /// now. A call that changed and ended is left out.
    pub fn next_moved(&mut self) -> Option<CallId> {
        while let Some(key) = self.moved.pop_first() {
            if let Some(node) = &self.nodes[key] {
                return Some(node.id);
            }
        }
        None
    }

    /// Leaf calls that run: each holds a slot.
    #[must_use]
    pub const fn running_count(&self) -> usize {
        self.running_leaves
    }

    /// Calls that have not ended, running ones included.
    #[must_use]
    pub fn open_count(&self) -> usize {
        self.keys.len()
    }
}
