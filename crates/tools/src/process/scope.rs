//! Which processes belong to a call, or to a session.
//!
//! Not here: what is done to them (`rest.rs`). A process that leaves its group, loses its parent and
//! clears its environment is known to belong to some call, but no longer to which: the sweep at the
//! end of a batch finds it.

use std::collections::BTreeSet;

use nix::sys::signal::killpg;
use nix::unistd::{Pid, getpgrp};

use super::reap;
use super::table::{self, Identity, Seen};

/// Whose processes are meant.
#[derive(Clone, Debug)]
pub(super) enum Scope {
    /// A child and its descendants.
    Family(Family),
    /// All whose mark begins with this, with their descendants, and adopted ones without any mark.
    Marked(Box<str>),
    /// What is left of groups that these led under an earlier Fanfold, with all that descends from it.
    Recorded(Box<[Identity]>),
}

/// A child, the group it leads, and all that descends from it.
#[derive(Clone, Debug)]
pub(super) struct Family {
    pub(super) leader: Identity,
    pub(super) mark: Box<str>,
}

impl Scope {
    /// The living processes of the scope, oldest first. Dead ones that nobody else waits for are
    /// waited for on the way.
    pub(super) async fn find(&self) -> Vec<Seen> {
        let scope = self.clone();
        // The task neither panics nor is aborted; with the runtime gone there is nobody to tell.
        tokio::task::spawn_blocking(move || scope.find_now()).await.unwrap_or_default()
    }

    /// The leader of a family.
    pub(super) const fn leader(&self) -> Option<Identity> {
        match self {
            Self::Family(family) => Some(family.leader),
            Self::Marked(_) | Self::Recorded(_) => None,
        }
    }

    fn find_now(&self) -> Vec<Seen> {
        let table = table::scan();
        let adopted = reap::adopted(&table);
        let roots = match self {
            Self::Family(family) if table.is_empty() => return family.find_blindly(),
            Self::Family(family) => family.roots(&table, &adopted),
            Self::Marked(prefix) => marked(prefix, &table, &adopted),
            Self::Recorded(leaders) => recorded(leaders, &table),
        };
        let members = with_descendants(roots, &table);
        let living = table.into_iter().filter(|seen| !seen.dead);
        let mut living: Vec<Seen> = living.filter(|seen| members.contains(&seen.id.pid)).collect();
        living.sort_unstable_by_key(|seen| seen.id);
        living
    }
}

impl Family {
    fn roots(&self, table: &[Seen], adopted: &[Seen]) -> BTreeSet<Pid> {
        let group = self.leader.pid;
        // The number of a group stays taken while it has members. A leader of that number who is not
        // ours means that all of them had ended before.
        let recycled = table.iter().any(|seen| seen.id.pid == group && seen.id != self.leader);
        let members = table
            .iter()
            .filter(|seen| seen.id == self.leader || (seen.group == group && !recycled));
        let marked = adopted
            .iter()
            .filter(|seen| table::mark_of(seen.id.pid).as_deref() == Some(&*self.mark));
        members.chain(marked).map(|seen| seen.id.pid).collect()
    }

    /// Without a table of processes: the group, as one process, while it has members.
    fn find_blindly(&self) -> Vec<Seen> {
        let group = self.leader.pid;
        let group = Seen { id: self.leader, parent: Pid::this(), group, dead: false };
        let lives = killpg(group.group, None).is_ok();
        lives.then_some(group).into_iter().collect()
    }
}

fn marked(prefix: &str, table: &[Seen], adopted: &[Seen]) -> BTreeSet<Pid> {
    let living = table.iter().filter(|seen| !seen.dead);
    let marked = living
        .filter(|seen| table::mark_of(seen.id.pid).is_some_and(|mark| mark.starts_with(prefix)));
    let unmarked = adopted.iter().filter(|seen| table::mark_of(seen.id.pid).is_none());
    marked.chain(unmarked).map(|seen| seen.id.pid).collect()
}

/// The members of the groups that these processes led, and still lead or have left behind.
///
/// Nothing else says of a recorded number that it is still the same, so every doubt spares the group.
fn recorded(leaders: &[Identity], table: &[Seen]) -> BTreeSet<Pid> {
    // This process may have been started into a group of such a number.
    let own = getpgrp();
    let leaders = leaders.iter().filter(|leader| leader.pid != own);
    leaders
        .flat_map(|leader| {
            let members = table.iter().filter(|seen| seen.group == leader.pid);
            let same = match table.iter().find(|seen| seen.id.pid == leader.pid) {
                // The number of a group stays taken while it has members, even without its leader.
                Some(seen) => seen.id == *leader,
                // Whoever joined a group did so after its leader had made it.
                None => members.clone().all(|seen| seen.id.start >= leader.start),
            };
            members.filter(move |_| same)
        })
        .map(|seen| seen.id.pid)
        .collect()
}

/// These processes and all that descend from them; never this process itself.
fn with_descendants(mut members: BTreeSet<Pid>, table: &[Seen]) -> BTreeSet<Pid> {
    let this = Pid::this();
    members.remove(&this);
    loop {
        let children = table.iter().filter(|seen| members.contains(&seen.parent));
        let children: Vec<Pid> =
            children.map(|seen| seen.id.pid).filter(|&pid| pid != this).collect();
        let known = members.len();
        members.extend(children);
        if members.len() == known {
            return members;
        }
    }
}
