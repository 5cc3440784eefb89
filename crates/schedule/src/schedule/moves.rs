//! How a call gets from one state to the next.
//!
//! Not here: what callers may ask for (`schedule.rs`).

use fanfold_transcript::CallId;

use super::Schedule;
use crate::batch::{Batch, Order};
use crate::call::{BatchId, Holds, Lane, Membership, Node, Role, State, Ticket};
use crate::footprint::Footprint;
use crate::wait::shared_resource;

impl Schedule {
    pub(super) fn admit(
        &mut self,
        id: CallId,
        lane: Lane,
        role: Role,
        footprint: Footprint,
    ) -> usize {
        let key = self.free.pop().unwrap_or_else(|| {
            self.nodes.push(None);
            self.nodes.len() - 1
        });
        let ticket = Ticket::new(self.arrivals, key);
        self.arrivals += 1;
        let (membership, order) = (self.membership(lane), self.order());
        if let Membership::Member(id) = membership {
            let batch = self.batches.get_mut(&id).expect("an open batch");
            assert!(!batch.closed, "a closed batch takes no more calls");
            batch.insert(ticket, &footprint, order);
        }
        self.nodes[key] = Some(Node {
            id,
            ticket,
            role,
            state: State::Streaming,
            holds: Holds::default(),
            membership,
            footprint,
            waiters: Vec::new(),
            turn: 0,
            requeued: false,
        });
        assert!(self.keys.insert(id, key).is_none(), "{id} is submitted once");
        key
    }

    fn membership(&self, lane: Lane) -> Membership {
        match lane {
            Lane::Batch(id) => Membership::Member(id),
            Lane::Alone { after: None } => Membership::None,
            Lane::Alone { after: Some(parallel) } => {
                let parallel = self.keys.get(&parallel).map(|&key| self.node(key));
                match parallel.map(|node| (node.membership, node.ticket)) {
                    Some((Membership::Member(id), ticket)) => Membership::After(id, ticket),
                    Some((Membership::After(..) | Membership::None, _)) | None => Membership::None,
                }
            }
        }
    }

    pub(super) const fn order(&self) -> Order {
        Order { claims: self.limits.claims, serial: self.limits.slots == 1 }
    }

    /// Finds the state of a call that is neither queued nor running, and enters it.
    pub(super) fn look_again(&mut self, key: usize) {
        if let Some(hold) = self.node(key).holds.first() {
            self.enter(key, State::Held(hold));
        } else if let Some(earlier) = self.predecessor(key) {
            self.enter(key, State::Behind(earlier));
            self.wait_for(key, earlier.key());
        } else {
            self.join_queue(key);
        }
    }

    /// The call that must end before this one may join the claim queue.
    fn predecessor(&self, key: usize) -> Option<Ticket> {
        let node = self.node(key);
        match node.membership {
            Membership::Member(id) => {
                let batch = &self.batches[&id];
                let earlier = batch.predecessor(node.ticket, &node.footprint, self.order());
                earlier.or_else(|| self.running_sibling(node, batch))
            }
            Membership::After(id, parallel) if self.limits.claims => {
                self.batches.get(&id)?.claim_before(parallel, &node.footprint)
            }
            Membership::After(..) | Membership::None => None,
        }
    }

    /// A later sibling that runs and conflicts: only a changed footprint can have one.
    fn running_sibling(&self, node: &Node, batch: &Batch) -> Option<Ticket> {
        if !node.requeued {
            return None;
        }
        batch.after(node.ticket).find(|ticket| {
            let sibling = self.node(ticket.key());
            matches!(sibling.state, State::Running { .. }) && self.conflict(node, sibling)
        })
    }

    fn conflict(&self, a: &Node, b: &Node) -> bool {
        self.order().serial
            || a.footprint.groups.conflict(&b.footprint.groups)
            || (self.limits.claims && shared_resource(&a.footprint, &b.footprint).is_some())
    }

    /// Joins the claim queue, behind every earlier queued or running call that writes the same thing.
    fn join_queue(&mut self, key: usize) {
        let place = self.node(key).ticket.queued_as(self.queued);
        self.queued += 1;
        if self.claims_count(key) {
            let node = self.nodes[key].as_ref().expect("a known call");
            self.claims.insert(place, node.footprint.writes());
        }
        self.advance_in_queue(key, place);
    }

    /// Waits for the latest conflicting call before it in the queue, or is ready.
    fn advance_in_queue(&mut self, key: usize, place: Ticket) {
        let ahead = if self.claims_count(key) {
            self.claims.latest_before(place, self.node(key).footprint.writes())
        } else {
            None
        };
        if let Some(holder) = ahead {
            self.enter(key, State::Queued { place, holder });
            self.wait_for(key, holder.key());
        } else {
            self.enter(key, State::Ready { place });
            let ticket = self.node(key).ticket;
            match self.node(key).role {
                Role::Leaf => self.ready_leaves.insert(ticket),
                Role::Coordinator => self.ready_coordinators.insert(ticket),
            };
        }
    }

    /// Gives back the place in the queue, the claims and the slot, whichever it has.
    pub(super) fn leave_queue(&mut self, key: usize) {
        let (state, ticket, role) = {
            let node = self.node(key);
            (node.state, node.ticket, node.role)
        };
        let place = match state {
            State::Streaming | State::Held(_) | State::Behind(_) => return,
            State::Queued { place, .. } => place,
            State::Ready { place } => {
                self.ready_leaves.remove(&ticket);
                self.ready_coordinators.remove(&ticket);
                place
            }
            State::Running { place } => {
                if role == Role::Leaf {
                    self.running_leaves -= 1;
                }
                place
            }
        };
        if self.claims_count(key) {
            let node = self.nodes[key].as_ref().expect("a known call");
            self.claims.remove(place, node.footprint.writes());
        }
    }

    /// Whether the call takes claims: a coordinator holds none.
    fn claims_count(&self, key: usize) -> bool {
        self.limits.claims && self.node(key).role == Role::Leaf
    }

    pub(super) fn change_footprint(&mut self, key: usize, footprint: Footprint) {
        let order = self.order();
        let node = self.nodes[key].as_mut().expect("a known call");
        if let Membership::Member(id) = node.membership {
            let batch = self.batches.get_mut(&id).expect("a batch lives as long as its calls");
            batch.remove(node.ticket, &node.footprint, order);
            batch.insert(node.ticket, &footprint, order);
        }
        node.footprint = footprint;
    }

    /// Later siblings that are queued and conflict with a changed footprint go back behind its call.
    pub(super) fn recall_later_siblings(&mut self, key: usize) {
        let node = self.node(key);
        let Membership::Member(id) = node.membership else { return };
        let recalled = |ticket: &Ticket| {
            let sibling = self.node(ticket.key());
            let queued = matches!(sibling.state, State::Queued { .. } | State::Ready { .. });
            queued && self.conflict(node, sibling)
        };
        let recalled: Vec<Ticket> = self.batches[&id].after(node.ticket).filter(recalled).collect();
        for sibling in recalled.into_iter().map(Ticket::key) {
            self.leave_queue(sibling);
            self.look_again(sibling);
            self.wake_waiters(sibling);
        }
    }

    fn wait_for(&mut self, key: usize, other: usize) {
        let turn = self.node(key).turn;
        let key = u32::try_from(key).expect("fewer than 2^32 calls in a session");
        self.node_mut(other).waiters.push((key, turn));
    }

    pub(super) fn wake_waiters(&mut self, key: usize) {
        for (waiter, turn) in std::mem::take(&mut self.node_mut(key).waiters) {
            self.look_if_still_waiting(waiter as usize, turn);
        }
    }

    pub(super) fn look_if_still_waiting(&mut self, key: usize, turn: u32) {
        let Some(node) = self.nodes[key].as_ref().filter(|node| node.turn == turn) else { return };
        match node.state {
            State::Behind(_) => self.look_again(key),
            State::Queued { place, .. } => self.advance_in_queue(key, place),
            State::Streaming | State::Held(_) | State::Ready { .. } | State::Running { .. } => {}
        }
    }

    pub(super) fn enter(&mut self, key: usize, state: State) {
        let node = self.node_mut(key);
        node.state = state;
        node.turn += 1;
        self.moved.insert(key);
    }

    pub(super) fn drop_if_done(&mut self, id: BatchId) {
        if self.batches.get(&id).is_some_and(Batch::is_done) {
            self.batches.remove(&id);
        }
    }

    pub(super) fn key(&self, call: CallId) -> usize {
        *self.keys.get(&call).unwrap_or_else(|| panic!("{call} is not in the schedule"))
    }

    pub(super) fn node(&self, key: usize) -> &Node {
        self.nodes[key].as_ref().expect("a known call")
    }

    pub(super) fn node_mut(&mut self, key: usize) -> &mut Node {
        self.nodes[key].as_mut().expect("a known call")
    }
}
