//! What the schedule keeps of one call.
//!
//! Not here: how a call moves from one state to the next (`schedule.rs`).

use fanfold_transcript::CallId;

use crate::footprint::Footprint;

/// The calls of one model reply.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct BatchId(pub(crate) u32);

/// A call's place in the order of arrival, and where to find it. Ordered by arrival.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Ticket {
    order: u32,
    key: u32,
}

impl Ticket {
    pub(crate) fn new(order: usize, key: usize) -> Self {
        let narrow = |n| u32::try_from(n).expect("fewer than 2^32 calls in a session");
        Self { order: narrow(order), key: narrow(key) }
    }

    /// Index into the schedule's calls.
    pub(crate) const fn key(self) -> usize {
        self.key as usize
    }

    /// The same call under another order: that of the claim queue.
    pub(crate) fn queued_as(self, order: usize) -> Self {
        Self::new(order, self.key())
    }

    /// The smallest ticket that comes after this one.
    pub(crate) const fn next(self) -> Self {
        Self { order: self.order, key: self.key + 1 }
    }
}

/// Whether a call does work itself or only arranges that of others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Does work: takes a slot and its claims.
    Leaf,
    /// `parallel`, `multi_tool` and `call_subordinate`: their footprint orders them within their batch,
    /// but they hold no slot and no claims, so whoever waits holds nothing.
    Coordinator,
}

/// Where a call stands in the order of things.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lane {
    /// In a batch: waits for each earlier call of it with which it conflicts.
    Batch(BatchId),
    /// On its own: a job, or an entry of an envelope. Groups do not apply to it; claims and slots do.
    Alone {
        /// The `parallel` call that starts it: the job also waits for each sibling before that call
        /// with which its claims conflict.
        after: Option<CallId>,
    },
}

/// What keeps a call from starting that no other call can end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hold {
    /// An approval is asked for.
    Approval,
    /// The limit of agents alive is reached.
    AgentPlace,
    /// The reply that asks for it is still streaming, and it may not start before its end.
    Reply,
}

/// The holds on one call.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Holds(u8);

impl Holds {
    /// Every kind, the one to name first in front.
    const ALL: [Hold; 3] = [Hold::Approval, Hold::AgentPlace, Hold::Reply];

    pub(crate) const fn set(&mut self, hold: Hold, on: bool) {
        if on {
            self.0 |= Self::bit(hold);
        } else {
            self.0 &= !Self::bit(hold);
        }
    }

    /// The hold to name as the reason, if there is one.
    pub(crate) fn first(self) -> Option<Hold> {
        Self::ALL.into_iter().find(|&hold| self.0 & Self::bit(hold) != 0)
    }

    const fn bit(hold: Hold) -> u8 {
        match hold {
            Hold::Approval => 1,
            Hold::AgentPlace => 2,
            Hold::Reply => 4,
        }
    }
}

/// The state of a call that has not ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum State {
    /// Its arguments are still streaming: it counts as Exclusive.
    Streaming,
    /// Held, by something that is no call.
    Held(Hold),
    /// Waits for a call of its batch that comes before it in list order, or runs already.
    Behind(Ticket),
    /// In the claim queue, behind the holder of a claim.
    Queued {
        /// Its own place in the queue.
        place: Ticket,
        /// The queued or running call it waits for.
        holder: Ticket,
    },
    /// Only a slot is missing, or for a coordinator nothing.
    Ready {
        /// Its place in the queue, which it keeps until it ends.
        place: Ticket,
    },
    /// It runs.
    Running {
        /// Its place in the queue, which later ones wait behind.
        place: Ticket,
    },
}

/// One call that has not ended.
#[derive(Debug)]
pub(crate) struct Node {
    pub(crate) id: CallId,
    pub(crate) ticket: Ticket,
    pub(crate) role: Role,
    pub(crate) state: State,
    pub(crate) holds: Holds,
    /// Its batch, and whether it is a member or only comes after one of its members.
    pub(crate) membership: Membership,
    pub(crate) footprint: Footprint,
    /// Calls to look at again when this one ends or changes, each with the turn at which it asked.
    pub(crate) waiters: Vec<(u32, u32)>,
    /// Grows with every change of state, so that a waiter that has moved on is not disturbed.
    pub(crate) turn: u32,
    /// Its footprint changed after it was ordered: it must also wait for conflicting later siblings that run.
    pub(crate) requeued: bool,
}

/// What a call has to do with a batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Membership {
    /// Ordered among the members by groups and claims.
    Member(BatchId),
    /// A job: ordered by claims alone, after the members before this ticket.
    After(BatchId, Ticket),
    /// Nothing.
    None,
}
