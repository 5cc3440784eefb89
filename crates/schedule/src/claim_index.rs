//! Who claims what, found by resource: the latest earlier claim that conflicts with a new one.
//!
//! A tree over path components. A claim stands at its own node. What stands below a node is noted at
//! it only once somebody claims the node itself, since nobody else asks: a claim on a file costs one
//! walk down its path, and a claim on a folder finds the claims below it without visiting them.
//! Not here: what is done about a conflict (`schedule.rs`).

mod tickets;

use std::collections::BTreeMap;

use crate::call::Ticket;
use crate::footprint::{Access, Claim, Resource, components};
use tickets::Tickets;

/// A component's name, by its hash: two names of one hash could only add a wait, never drop one.
type Name = u64;

/// The claims of many calls.
#[derive(Debug)]
pub(crate) struct ClaimIndex {
    nodes: Vec<Node>,
    free: Vec<u32>,
}

#[derive(Debug, Default)]
struct Node {
    parent: u32,
    name: Name,
    children: BTreeMap<Name, u32>,
    /// Claims on exactly this resource.
    here: Uses,
    /// Claims on anything below it; kept while `tracked`.
    below: Uses,
    /// Whether this resource itself has been claimed since the node was made.
    tracked: bool,
}

#[derive(Debug, Default)]
struct Uses {
    reads: Tickets,
    writes: Tickets,
}

/// Paths and named resources grow from roots of their own, so that they never overlap.
const PATHS: u32 = 0;
const NAMES: u32 = 1;

impl Default for ClaimIndex {
    fn default() -> Self {
        Self { nodes: vec![Node::default(), Node::default()], free: Vec::new() }
    }
}

impl ClaimIndex {
    /// Adds the claims of a call.
    pub(crate) fn insert<'a>(&mut self, ticket: Ticket, claims: impl Iterator<Item = &'a Claim>) {
        for claim in claims {
            let node = self.reach(&claim.resource, |above| {
                if above.tracked {
                    above.below.of(claim.access).insert(ticket);
                }
            });
            if !self.node(node).tracked {
                self.track(node);
            }
            self.node_mut(node).here.of(claim.access).insert(ticket);
        }
    }

    /// Removes the claims of a call: the same ones that were added.
    pub(crate) fn remove<'a>(&mut self, ticket: Ticket, claims: impl Iterator<Item = &'a Claim>) {
        for claim in claims {
            let (mut node, exact) = self.descend(&claim.resource, |_| ());
            if exact {
                self.node_mut(node).here.of(claim.access).remove(ticket);
            }
            while let Some(parent) = self.parent_of(node) {
                let above = self.node_mut(parent);
                if above.tracked {
                    above.below.of(claim.access).remove(ticket);
                }
                self.prune(node, parent);
                node = parent;
            }
        }
    }

    /// The latest call before `ticket` whose claims conflict with one of these.
    pub(crate) fn latest_before<'a>(
        &self,
        ticket: Ticket,
        claims: impl Iterator<Item = &'a Claim>,
    ) -> Option<Ticket> {
        claims.filter_map(|claim| self.latest_conflict(ticket, claim)).max()
    }

    fn latest_conflict(&self, ticket: Ticket, claim: &Claim) -> Option<Ticket> {
        let mut latest = None;
        let mut look = |uses: &Uses| latest = latest.max(uses.latest(ticket, claim.access));
        let (node, exact) = self.descend(&claim.resource, |node| look(&node.here));
        if exact && self.node(node).tracked {
            look(&self.node(node).below);
        } else if exact {
            self.each_below(node, |node| look(&node.here));
        }
        latest
    }

    /// Walks down to the resource, visiting each node on the way, the last one included; gives the
    /// deepest node that exists and whether it is the resource itself.
    fn descend(&self, resource: &Resource, mut visit: impl FnMut(&Node)) -> (u32, bool) {
        let (mut node, names) = steps(resource);
        visit(self.node(node));
        for name in names {
            match self.node(node).children.get(&name) {
                None => return (node, false),
                Some(&child) => node = child,
            }
            visit(self.node(node));
        }
        (node, true)
    }

    /// The node of a resource, made if needed; visits each node above it.
    fn reach(&mut self, resource: &Resource, mut visit: impl FnMut(&mut Node)) -> u32 {
        let (mut node, names) = steps(resource);
        for name in names {
            visit(self.node_mut(node));
            node = match self.node(node).children.get(&name) {
                Some(&child) => child,
                None => self.grow(node, name),
            };
        }
        node
    }

    fn grow(&mut self, parent: u32, name: Name) -> u32 {
        let child = Node { parent, name, ..Node::default() };
        let index = match self.free.pop() {
            Some(index) => {
                *self.node_mut(index) = child;
                index
            }
            None => {
                self.nodes.push(child);
                u32::try_from(self.nodes.len() - 1).expect("fewer than 2^32 resources")
            }
        };
        self.node_mut(parent).children.insert(name, index);
        index
    }

    /// Begins to note what stands below a node.
    fn track(&mut self, node: u32) {
        let mut below = Uses::default();
        self.each_below(node, |node| {
            node.here.reads.each(|ticket| below.reads.insert(ticket));
            node.here.writes.each(|ticket| below.writes.insert(ticket));
        });
        let node = self.node_mut(node);
        node.below = below;
        node.tracked = true;
    }

    fn each_below(&self, node: u32, mut visit: impl FnMut(&Node)) {
        let mut open: Vec<u32> = self.node(node).children.values().copied().collect();
        while let Some(node) = open.pop() {
            let node = self.node(node);
            visit(node);
            open.extend(node.children.values());
        }
    }

    /// Drops a node that holds nothing.
    fn prune(&mut self, node: u32, parent: u32) {
        if self.node(node).is_empty() {
            let name = std::mem::take(self.node_mut(node)).name;
            self.node_mut(parent).children.remove(&name);
            self.free.push(node);
        }
    }

    fn parent_of(&self, node: u32) -> Option<u32> {
        (node != PATHS && node != NAMES).then(|| self.node(node).parent)
    }

    fn node(&self, index: u32) -> &Node {
        &self.nodes[index as usize]
    }

    fn node_mut(&mut self, index: u32) -> &mut Node {
        &mut self.nodes[index as usize]
    }

    #[cfg(test)]
    pub(crate) fn is_empty(&self) -> bool {
        self.node(PATHS).is_empty() && self.node(NAMES).is_empty()
    }
}

impl Node {
    fn is_empty(&self) -> bool {
        self.children.is_empty() && self.here.is_empty()
    }
}

impl Uses {
    const fn of(&mut self, access: Access) -> &mut Tickets {
        match access {
            Access::Read => &mut self.reads,
            Access::Write => &mut self.writes,
        }
    }

    /// The latest use before `ticket` that conflicts with this access.
    fn latest(&self, ticket: Ticket, access: Access) -> Option<Ticket> {
        let write = self.writes.last_before(ticket);
        match access {
            Access::Read => write,
            Access::Write => write.max(self.reads.last_before(ticket)),
        }
    }

    fn is_empty(&self) -> bool {
        self.reads.is_empty() && self.writes.is_empty()
    }
}

/// The root of a resource and the names from there down to it.
fn steps(resource: &Resource) -> (u32, impl Iterator<Item = Name>) {
    let (root, path, name) = match resource {
        Resource::Path(path) => (PATHS, &**path, None),
        Resource::Named(name) => (NAMES, "", Some(&**name)),
    };
    (root, components(path).chain(name).map(hash))
}

/// Eight bytes at a time, by rotate, xor and multiply as in rustc's own hasher: names are short, and
/// the same name must have the same hash in every run.
fn hash(name: &str) -> Name {
    let seed = Name::try_from(name.len()).unwrap_or(Name::MAX);
    name.as_bytes().chunks(8).fold(seed, |hash, chunk| {
        let mut word = [0; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        (hash.rotate_left(5) ^ Name::from_le_bytes(word)).wrapping_mul(0x517c_c1b7_2722_0a95)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn claims(text: &str) -> Vec<Claim> {
        let claim = |word: &str| {
            let (access, resource) = word.split_once(':').unwrap();
            let resource = if resource.starts_with('/') {
                Resource::Path(resource.into())
            } else {
                Resource::Named(resource.into())
            };
            if access == "w" { Claim::write(resource) } else { Claim::read(resource) }
        };
        text.split_whitespace().map(claim).collect()
    }

    #[test]
    fn finds_the_latest_earlier_conflict() {
        let mut index = ClaimIndex::default();
        let held = ["r:/w/src", "w:/w/src/a", "r:/w/src/a", "w:browser", "w:/", "r:/w/src/a/b"];
        for (n, text) in held.iter().enumerate() {
            index.insert(Ticket::new(n, n), claims(text).iter());
        }
        let find = |before: usize, text: &str| {
            let found = index.latest_before(Ticket::new(before, 0), claims(text).iter());
            found.map(|ticket| ticket.key())
        };
        let table = [
            (6, "r:/w/src/a", Some(4)),
            (4, "r:/w/src/a", Some(1)),
            (4, "w:/w/src/a", Some(2)),
            (1, "w:/w", Some(0)),
            (1, "w:/w/src/zzz", Some(0)),
            (1, "w:/w/sr", None),
            (4, "r:/w/other", None),
            (4, "r:browser", Some(3)),
            (3, "r:browser", None),
            (6, "w://w/./src/a/b/", Some(5)),
            (6, "w:/browser", Some(4)),
            (4, "w:/browser w:browser", Some(3)),
        ];
        for (before, text, expected) in table {
            assert_eq!(find(before, text), expected, "{text} before {before}");
        }
    }

    #[test]
    fn leaves_nothing_behind() {
        let mut index = ClaimIndex::default();
        let all = ["r:/a/b w:/a/b", "w:/a r:/a/b/c", "w:x r:y w:/", "r:/a/b/c/d/e"];
        for (n, text) in all.iter().enumerate() {
            index.insert(Ticket::new(n, n), claims(text).iter());
        }
        for (n, text) in all.iter().enumerate() {
            assert!(!index.is_empty());
            index.remove(Ticket::new(n, n), claims(text).iter());
        }
        assert!(index.is_empty());
        index.insert(Ticket::new(9, 9), claims("w:/z").iter());
        assert_eq!(index.nodes.len(), 2 + 1 + 6, "freed nodes are used again");
    }
}
