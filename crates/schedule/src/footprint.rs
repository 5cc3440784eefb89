//! What a call touches: groups, which order calls within a batch, and claims, which add a wait
//! between calls that touch the same thing.
//!
//! Not here: how a footprint is found. Each tool computes its own from the arguments; paths arrive
//! absolute, with links resolved.

use std::collections::BTreeSet;
use std::fmt;
use std::path::Path;

/// The groups of a footprint: Independent ⊂ Named ⊂ Exclusive.
///
/// Two calls of a batch conflict by group if their sets intersect; Exclusive is everything and
/// conflicts with all, Independent is the empty set and conflicts with none but Exclusive.
///
/// ```
/// use fanfold_schedule::Groups;
///
/// let fs = Groups::named("fs");
/// assert!(fs.conflict(&fs) && fs.conflict(&Groups::Exclusive));
/// assert!(!fs.conflict(&Groups::named("document")) && !fs.conflict(&Groups::independent()));
/// assert!(Groups::independent().conflict(&Groups::Exclusive));
/// assert_eq!(fs.clone().join(Groups::Exclusive), Groups::Exclusive);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Groups {
    /// The named groups; none of them is Independent.
    Named(BTreeSet<Box<str>>),
    /// Everything: a true barrier within its batch.
    Exclusive,
}

impl Groups {
    /// The empty set.
    #[must_use]
    pub const fn independent() -> Self {
        Self::Named(BTreeSet::new())
    }

    /// One named group.
    #[must_use]
    pub fn named(name: &str) -> Self {
        Self::Named(BTreeSet::from([name.into()]))
    }

    /// Whether two calls of one batch conflict by group.
    #[must_use]
    pub fn conflict(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Named(a), Self::Named(b)) => !a.is_disjoint(b),
            (Self::Exclusive, _) | (_, Self::Exclusive) => true,
        }
    }

    /// The smallest groups that hold both: those of an envelope are the join of its entries'.
    #[must_use]
    pub fn join(self, other: Self) -> Self {
        match (self, other) {
            (Self::Named(mut a), Self::Named(b)) => {
                a.extend(b);
                Self::Named(a)
            }
            (Self::Exclusive, _) | (_, Self::Exclusive) => Self::Exclusive,
        }
    }
}

impl fmt::Display for Groups {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Exclusive => f.write_str("exclusive"),
            Self::Named(names) if names.is_empty() => f.write_str("independent"),
            Self::Named(names) => {
                let names: Vec<&str> = names.iter().map(AsRef::as_ref).collect();
                f.write_str(&names.join("+"))
            }
        }
    }
}

/// What a claim does to its resource.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Access {
    /// Reads it. Two reads never conflict.
    Read,
    /// Writes it.
    Write,
}

/// A thing that calls may touch.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Resource {
    /// A file or a subtree, which counts as its root: `/a/b` overlaps `/a`, `/a/b` and `/a/b/c`.
    Path(Box<str>),
    /// Anything else by name: `mcp:SERVER`, `browser`, `document`, `terminal:N`.
    Named(Box<str>),
}

impl Resource {
    /// The resource of an absolute path whose links are resolved.
    ///
    /// Names that are no UTF-8 are folded together where they look alike: that can add a wait,
    /// never drop one.
    #[must_use]
    pub fn path(path: &Path) -> Self {
        Self::Path(path.to_string_lossy().into())
    }

    /// Whether touching both means touching the same thing.
    #[must_use]
    pub fn overlaps(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Named(a), Self::Named(b)) => a == b,
            (Self::Path(a), Self::Path(b)) => components(a).zip(components(b)).all(|(a, b)| a == b),
            (Self::Path(_), Self::Named(_)) | (Self::Named(_), Self::Path(_)) => false,
        }
    }
}

/// The names on the way to a path; doubled and trailing slashes and `.` mean nothing.
pub(crate) fn components(path: &str) -> impl Iterator<Item = &str> {
    path.split('/').filter(|name| !name.is_empty() && *name != ".")
}

impl fmt::Display for Resource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Path(path) => write!(f, "path:{path}"),
            Self::Named(name) => f.write_str(name),
        }
    }
}

/// One resource read or written.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Claim {
    /// What is touched.
    pub resource: Resource,
    /// How.
    pub access: Access,
}

impl Claim {
    /// Reads this resource.
    #[must_use]
    pub const fn read(resource: Resource) -> Self {
        Self { resource, access: Access::Read }
    }

    /// Writes this resource.
    #[must_use]
    pub const fn write(resource: Resource) -> Self {
        Self { resource, access: Access::Write }
    }

    /// Whether two calls of one batch with these claims must keep their order.
    ///
    /// ```
    /// use fanfold_schedule::{Claim, Resource};
    ///
    /// let path = |p: &str| Resource::Path(p.into());
    /// assert!(Claim::write(path("/w/a")).conflict(&Claim::read(path("/w/a"))));
    /// assert!(Claim::write(path("/w/a/b")).conflict(&Claim::read(path("/w"))));
    /// assert!(!Claim::read(path("/w/a")).conflict(&Claim::read(path("/w/a"))));
    /// assert!(!Claim::write(path("/w/a")).conflict(&Claim::write(path("/w/ab"))));
    /// ```
    #[must_use]
    pub fn conflict(&self, other: &Self) -> bool {
        let writes = self.access == Access::Write || other.access == Access::Write;
        writes && self.resource.overlaps(&other.resource)
    }
}

impl fmt::Display for Claim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let verb = match self.access {
            Access::Read => "reads",
            Access::Write => "writes",
        };
        write!(f, "{verb} {}", self.resource)
    }
}

/// What a call touches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Footprint {
    /// Its groups.
    pub groups: Groups,
    /// Its claims, in any order.
    pub claims: Vec<Claim>,
}

impl Footprint {
    /// Touches nothing.
    #[must_use]
    pub const fn independent() -> Self {
        Self { groups: Groups::independent(), claims: Vec::new() }
    }

    /// Touches nobody knows what: also the footprint of a tool whose own computation failed.
    #[must_use]
    pub const fn exclusive() -> Self {
        Self { groups: Groups::Exclusive, claims: Vec::new() }
    }

    /// This footprint with one more claim.
    #[must_use]
    pub fn with(mut self, claim: Claim) -> Self {
        self.claims.push(claim);
        self
    }

    /// What it writes. Across batches and jobs only writes conflict: writes are atomic, and readers
    /// see whole files.
    pub(crate) fn writes(&self) -> impl Iterator<Item = &Claim> {
        self.claims.iter().filter(|claim| claim.access == Access::Write)
    }

    /// Groups joined and claims united: the footprint of an envelope is that of its entries.
    #[must_use]
    pub fn join(mut self, other: Self) -> Self {
        self.claims.extend(other.claims);
        Self { groups: self.groups.join(other.groups), claims: self.claims }
    }
}
