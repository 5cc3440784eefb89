//! When two calls may not overlap, written a second time from the words of the design.
//!
//! Not here: any use of the crate's own conflict rules. Paths in tests are written in one form,
//! so that a prefix of text is enough.

use fanfold_schedule::{Access, Claim, Footprint, Groups, Limits, Resource};

/// Whether two calls of a batch conflict, by group or by claim.
pub(crate) fn ordered(a: &Footprint, b: &Footprint, limits: Limits) -> bool {
    limits.slots == 1 || groups_meet(&a.groups, &b.groups) || (limits.claims && clash(a, b))
}

/// Whether the claims of two calls clash: the same thing, and one writes it.
pub(crate) fn clash(a: &Footprint, b: &Footprint) -> bool {
    let one_writes = |x: &Claim, y: &Claim| writes(x) || writes(y);
    meet(a, b, one_writes)
}

/// Whether both write the same thing: all that counts between agents and jobs.
pub(crate) fn both_write(a: &Footprint, b: &Footprint) -> bool {
    meet(a, b, |x, y| writes(x) && writes(y))
}

/// Whether `resource` is one that `a` claims and that clashes with a claim of `b`.
pub(crate) fn clash_on(resource: &Resource, a: &Footprint, b: &Footprint) -> bool {
    clash(&only(resource, a), b)
}

/// Whether `resource` is one that `a` writes, and `b` too.
pub(crate) fn both_write_on(resource: &Resource, a: &Footprint, b: &Footprint) -> bool {
    both_write(&only(resource, a), b)
}

/// Whether two calls share this group.
pub(crate) fn share(name: &str, a: &Footprint, b: &Footprint) -> bool {
    let member = |groups: &Groups| match groups {
        Groups::Named(names) => names.contains(name),
        Groups::Exclusive => false,
    };
    member(&a.groups) && member(&b.groups)
}

fn groups_meet(a: &Groups, b: &Groups) -> bool {
    match (a, b) {
        (Groups::Exclusive, _) | (_, Groups::Exclusive) => true,
        (Groups::Named(a), Groups::Named(b)) => a.iter().any(|name| b.contains(name)),
    }
}

fn meet(a: &Footprint, b: &Footprint, count: impl Fn(&Claim, &Claim) -> bool) -> bool {
    let touches =
        |x: &Claim| b.claims.iter().any(|y| count(x, y) && same(&x.resource, &y.resource));
    a.claims.iter().any(touches)
}

fn only(resource: &Resource, a: &Footprint) -> Footprint {
    let claims = a.claims.iter().filter(|claim| claim.resource == *resource).cloned().collect();
    Footprint { groups: a.groups.clone(), claims }
}

fn writes(claim: &Claim) -> bool {
    claim.access == Access::Write
}

fn same(a: &Resource, b: &Resource) -> bool {
    match (a, b) {
        (Resource::Named(a), Resource::Named(b)) => a == b,
        (Resource::Path(a), Resource::Path(b)) => within(a, b) || within(b, a),
        (Resource::Path(_), Resource::Named(_)) | (Resource::Named(_), Resource::Path(_)) => false,
    }
}

fn within(folder: &str, path: &str) -> bool {
    let rest = path.strip_prefix(folder.trim_end_matches('/'));
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}
