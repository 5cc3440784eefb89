//! Who claims what, found by resource: the latest earlier claim that conflicts with a new one.
//!
//! A tree over path components. A claim stands at its own node and, as a note, at every node above
//! it, so that a claim on a folder finds the claims below it without visiting them. All operations
//! cost the depth of the path times a logarithm, whatever the number of claims.
//! Not here: what is done about a conflict (`schedule.rs`).

use std::collections::{BTreeMap, BTreeSet};

use crate::call::Ticket;
use crate::footprint::{Access, Claim, Resource, components};

/// The claims of many calls.
#[derive(Debug)]
pub(crate) struct ClaimIndex {
    nodes: Vec<Node>,
    free: Vec<usize>,
}

#[derive(Debug, Default)]
struct Node {
    parent: usize,
    name: Box<str>,
    children: BTreeMap<Box<str>, usize>,
    /// Claims on exactly this resource.
    here: Uses,
    /// Claims on anything below it.
    below: Uses,
}

#[derive(Debug, Default)]
struct Uses {
    reads: BTreeSet<Ticket>,
    writes: BTreeSet<Ticket>,
}

/// Paths and named resources grow from roots of their own, so that they never overlap.
const PATHS: usize = 0;
const NAMES: usize = 1;

impl Default for ClaimIndex {
    fn default() -> Self {
        Self { nodes: vec![Node::default(), Node::default()], free: Vec::new() }
    }
}

impl ClaimIndex {
    /// Adds the claims of a call.
    pub(crate) fn insert<'a>(&mut self, ticket: Ticket, claims: impl Iterator<Item = &'a Claim>) {
        for claim in claims {
            let node = self.reach(&claim.resource);
            self.nodes[node].here.of(claim.access).insert(ticket);
            let mut above = node;
            while let Some(parent) = self.parent_of(above) {
                self.nodes[parent].below.of(claim.access).insert(ticket);
                above = parent;
            }
        }
    }

    /// Removes the claims of a call: the same ones that were added.
    pub(crate) fn remove<'a>(&mut self, ticket: Ticket, claims: impl Iterator<Item = &'a Claim>) {
        for claim in claims {
            let (mut node, exact) = self.descend(&claim.resource, |_, _| ());
            if exact {
                self.nodes[node].here.of(claim.access).remove(&ticket);
            }
            while let Some(parent) = self.parent_of(node) {
                self.nodes[parent].below.of(claim.access).remove(&ticket);
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
        let (node, exact) = self.descend(&claim.resource, |node, _| look(&node.here));
        if exact {
            look(&self.nodes[node].below);
        }
        latest
    }

    /// Walks down to the resource, visiting each node on the way, the last one included; gives the
    /// deepest node that exists and whether it is the resource itself.
    fn descend(&self, resource: &Resource, mut visit: impl FnMut(&Node, usize)) -> (usize, bool) {
        let (root, names) = steps(resource);
        let mut node = root;
        visit(&self.nodes[node], node);
        for name in names {
            match self.nodes[node].children.get(name) {
                None => return (node, false),
                Some(&child) => node = child,
            }
            visit(&self.nodes[node], node);
        }
        (node, true)
    }

    /// The node of a resource, made if needed.
    fn reach(&mut self, resource: &Resource) -> usize {
        let (mut node, names) = steps(resource);
        for name in names {
            node = match self.nodes[node].children.get(name) {
                Some(&child) => child,
                None => self.grow(node, name),
            };
        }
        node
    }

    fn grow(&mut self, parent: usize, name: &str) -> usize {
        let child = Node { parent, name: name.into(), ..Node::default() };
        let index = match self.free.pop() {
            Some(index) => {
                self.nodes[index] = child;
                index
            }
            None => {
                self.nodes.push(child);
                self.nodes.len() - 1
            }
        };
        self.nodes[parent].children.insert(name.into(), index);
        index
    }

    /// Drops a node that holds nothing.
    fn prune(&mut self, node: usize, parent: usize) {
        if self.nodes[node].is_empty() {
            let name = std::mem::take(&mut self.nodes[node].name);
            self.nodes[parent].children.remove(&name);
            self.free.push(node);
        }
    }

    const fn parent_of_root(node: usize) -> bool {
        node == PATHS || node == NAMES
    }

    fn parent_of(&self, node: usize) -> Option<usize> {
        (!Self::parent_of_root(node)).then(|| self.nodes[node].parent)
    }

    #[cfg(test)]
    pub(crate) fn is_empty(&self) -> bool {
        self.nodes[PATHS].is_empty() && self.nodes[NAMES].is_empty()
    }
}

impl Node {
    fn is_empty(&self) -> bool {
        self.children.is_empty() && self.here.is_empty() && self.below.is_empty()
    }
}

impl Uses {
    const fn of(&mut self, access: Access) -> &mut BTreeSet<Ticket> {
        match access {
            Access::Read => &mut self.reads,
            Access::Write => &mut self.writes,
        }
    }

    /// The latest use before `ticket` that conflicts with this access.
    fn latest(&self, ticket: Ticket, access: Access) -> Option<Ticket> {
        let last = |set: &BTreeSet<Ticket>| set.range(..ticket).next_back().copied();
        match access {
            Access::Read => last(&self.writes),
            Access::Write => last(&self.writes).max(last(&self.reads)),
        }
    }

    fn is_empty(&self) -> bool {
        self.reads.is_empty() && self.writes.is_empty()
    }
}

/// The root of a resource and the names from there down to it.
fn steps(resource: &Resource) -> (usize, impl Iterator<Item = &str>) {
    let (root, path, name) = match resource {
        Resource::Path(path) => (PATHS, &**path, None),
        Resource::Named(name) => (NAMES, "", Some(&**name)),
    };
    (root, components(path).chain(name))
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
