//! Why a call waits: always one true reason.
//!
//! Not here: how long it waited. The schedule has no clock.

use std::fmt;

use fanfold_transcript::CallId;

use crate::call::Hold;
use crate::footprint::{Claim, Footprint, Groups, Resource};

/// The reason why a call does not run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wait {
    /// Its own arguments are still streaming.
    Arguments,
    /// A call of its batch that comes first.
    Earlier {
        /// That call.
        call: CallId,
        /// What they conflict on.
        conflict: Conflict,
    },
    /// A claim held, or asked for earlier, by a call of another batch or a job.
    Claim {
        /// That call.
        holder: CallId,
        /// What both write.
        resource: Resource,
    },
    /// All slots are taken.
    Slot,
    /// Something else must be granted first.
    Held(Hold),
    /// The whole schedule is paused.
    Paused,
}

impl Wait {
    /// The call that is waited for, where it is one.
    #[must_use]
    pub const fn call(&self) -> Option<CallId> {
        match self {
            Self::Earlier { call, .. } | Self::Claim { holder: call, .. } => Some(*call),
            Self::Arguments | Self::Slot | Self::Held(_) | Self::Paused => None,
        }
    }

    /// The reason in a few words, without the call.
    #[must_use]
    pub fn reason(&self) -> String {
        match self {
            Self::Arguments => "its arguments are still streaming".to_owned(),
            Self::Earlier { conflict, .. } => conflict.to_string(),
            Self::Claim { resource, .. } => format!("claim {resource}"),
            Self::Slot => "no free slot".to_owned(),
            Self::Held(Hold::Approval) => "approval".to_owned(),
            Self::Held(Hold::AgentPlace) => "no agent place".to_owned(),
            Self::Held(Hold::Reply) => "the reply is still streaming".to_owned(),
            Self::Paused => "paused".to_owned(),
        }
    }
}

impl fmt::Display for Wait {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.call() {
            Some(call) => write!(f, "{call} ({})", self.reason()),
            None => f.write_str(&self.reason()),
        }
    }
}

/// What two calls of a batch conflict on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Conflict {
    /// One of them is Exclusive, or a single slot makes every call so.
    Exclusive,
    /// They share this group.
    Group(Box<str>),
    /// They touch this resource, and at least one writes it.
    Claim(Resource),
}

impl Conflict {
    /// What two footprints of one batch conflict on; Exclusive when nothing finer is known.
    pub(crate) fn between(waiting: &Footprint, earlier: &Footprint) -> Self {
        match (&waiting.groups, &earlier.groups) {
            (Groups::Named(a), Groups::Named(b)) => {
                let group = a.intersection(b).next().cloned().map(Self::Group);
                let claim = || shared_resource(waiting, earlier).map(Self::Claim);
                group.or_else(claim).unwrap_or(Self::Exclusive)
            }
            (Groups::Exclusive, _) | (_, Groups::Exclusive) => Self::Exclusive,
        }
    }
}

impl fmt::Display for Conflict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Exclusive => f.write_str("exclusive"),
            Self::Group(name) => write!(f, "group {name}"),
            Self::Claim(resource) => write!(f, "claim {resource}"),
        }
    }
}

/// The first resource of `a` that conflicts with a claim of `b`.
pub(crate) fn shared_resource(a: &Footprint, b: &Footprint) -> Option<Resource> {
    let clashes = |claim: &&Claim| b.claims.iter().any(|other| claim.conflict(other));
    a.claims.iter().find(clashes).map(|claim| claim.resource.clone())
}

/// The first resource of `a` that both write.
///
/// # Panics
/// When `a` writes nothing: it would not wait for a claim.
pub(crate) fn written_by_both(a: &Footprint, b: &Footprint) -> Resource {
    let clashes = |claim: &&Claim| b.writes().any(|other| claim.conflict(other));
    // Without a clash two names share a hash, and any resource that `a` writes may be the one.
    let claim = a.writes().find(clashes).or_else(|| a.writes().next());
    claim.expect("only a write waits for a claim").resource.clone()
}
