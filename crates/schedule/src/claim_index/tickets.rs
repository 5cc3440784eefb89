//! A set of calls that is mostly empty or of one: then it needs no memory of its own.

use std::collections::BTreeSet;

use crate::call::Ticket;

/// Calls in their order.
#[derive(Debug, Default)]
pub(super) enum Tickets {
    #[default]
    None,
    One(Ticket),
    Many(BTreeSet<Ticket>),
}

impl Tickets {
    pub(super) fn insert(&mut self, ticket: Ticket) {
        match self {
            Self::None => *self = Self::One(ticket),
            Self::One(known) if *known == ticket => {}
            Self::One(known) => *self = Self::Many(BTreeSet::from([*known, ticket])),
            Self::Many(set) => {
                set.insert(ticket);
            }
        }
    }

    pub(super) fn remove(&mut self, ticket: Ticket) {
        match self {
            Self::One(known) if *known == ticket => *self = Self::None,
            Self::None | Self::One(_) => {}
            Self::Many(set) => {
                set.remove(&ticket);
                if set.is_empty() {
                    *self = Self::None;
                }
            }
        }
    }

    pub(super) fn last_before(&self, ticket: Ticket) -> Option<Ticket> {
        match self {
            Self::None => None,
            Self::One(known) => Some(*known).filter(|known| *known < ticket),
            Self::Many(set) => set.range(..ticket).next_back().copied(),
        }
    }

    pub(super) fn each(&self, mut visit: impl FnMut(Ticket)) {
        match self {
            Self::None => {}
            Self::One(ticket) => visit(*ticket),
            Self::Many(set) => set.iter().copied().for_each(visit),
        }
    }

    pub(super) const fn is_empty(&self) -> bool {
        matches!(self, Self::None)
    }
}
