//! The order of calls within one batch: each waits for the earlier ones it conflicts with.
//!
//! Not here: the claim queue and slots, which span batches (`schedule.rs`).

use std::collections::{BTreeMap, BTreeSet};

use crate::call::Ticket;
use crate::claim_index::ClaimIndex;
use crate::footprint::{Footprint, Groups};

/// What orders the calls of a batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Order {
    /// Whether claims count.
    pub(crate) claims: bool,
    /// Whether every call is a barrier: with a single slot a batch runs strictly in list order.
    pub(crate) serial: bool,
}

impl Order {
    const fn is_barrier(self, groups: &Groups) -> bool {
        self.serial || matches!(groups, Groups::Exclusive)
    }
}

/// The calls of a batch that have not ended, indexed by what they conflict on.
#[derive(Debug, Default)]
pub(crate) struct Batch {
    open: BTreeSet<Ticket>,
    barriers: BTreeSet<Ticket>,
    groups: BTreeMap<Box<str>, BTreeSet<Ticket>>,
    claims: ClaimIndex,
    /// No more calls will come.
    pub(crate) closed: bool,
}

impl Batch {
    /// Adds a call.
    pub(crate) fn insert(&mut self, ticket: Ticket, footprint: &Footprint, order: Order) {
        self.open.insert(ticket);
        match &footprint.groups {
            groups if order.is_barrier(groups) => {
                self.barriers.insert(ticket);
            }
            Groups::Exclusive => {}
            Groups::Named(names) => {
                for name in names {
                    match self.groups.get_mut(name) {
                        Some(members) => members.insert(ticket),
                        None => self.groups.entry(name.clone()).or_default().insert(ticket),
                    };
                }
            }
        }
        if order.claims {
            self.claims.insert(ticket, footprint.claims.iter());
        }
    }

    /// Removes a call: the same footprint with which it was added.
    pub(crate) fn remove(&mut self, ticket: Ticket, footprint: &Footprint, order: Order) {
        self.open.remove(&ticket);
        match &footprint.groups {
            groups if order.is_barrier(groups) => {
                self.barriers.remove(&ticket);
            }
            Groups::Exclusive => {}
            Groups::Named(names) => {
                for name in names {
                    if let Some(members) = self.groups.get_mut(name) {
                        members.remove(&ticket);
                        if members.is_empty() {
                            self.groups.remove(name);
                        }
                    }
                }
            }
        }
        if order.claims {
            self.claims.remove(ticket, footprint.claims.iter());
        }
    }

    /// An earlier call that conflicts with this one, if there is any: the latest by barrier, else by
    /// group, else by claim. The latest, because it is the likeliest to end last.
    pub(crate) fn predecessor(
        &self,
        ticket: Ticket,
        footprint: &Footprint,
        order: Order,
    ) -> Option<Ticket> {
        let names = match &footprint.groups {
            groups if order.is_barrier(groups) => return last_before(&self.open, ticket),
            Groups::Exclusive => return None,
            Groups::Named(names) => names,
        };
        let group = || {
            let members = names.iter().filter_map(|name| self.groups.get(name));
            members.filter_map(|members| last_before(members, ticket)).max()
        };
        let claim = || if order.claims { self.claim_before(ticket, footprint) } else { None };
        last_before(&self.barriers, ticket).or_else(group).or_else(claim)
    }

    /// The latest member before `ticket` whose claims conflict with this footprint's.
    pub(crate) fn claim_before(&self, ticket: Ticket, footprint: &Footprint) -> Option<Ticket> {
        self.claims.latest_before(ticket, footprint.claims.iter())
    }

    /// The calls after `ticket` that have not ended, in order.
    pub(crate) fn after(&self, ticket: Ticket) -> impl Iterator<Item = Ticket> {
        self.open.range(ticket.next()..).copied()
    }

    /// Whether every call has ended and no more will come.
    pub(crate) fn is_done(&self) -> bool {
        self.closed && self.open.is_empty()
    }
}

fn last_before(set: &BTreeSet<Ticket>, ticket: Ticket) -> Option<Ticket> {
    set.range(..ticket).next_back().copied()
}
