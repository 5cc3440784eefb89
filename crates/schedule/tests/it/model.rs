//! What serial execution would give: cells with versions, which calls read and write.
//!
//! A call notes the versions it sees at its start and again at its end, and leaves its own number in
//! the cells it writes; while it runs these are torn. Equal notes and equal cells at the end mean
//! that no overlap could be seen. Not here: groups, claims and conflicts. Only cells are known.

/// From here on one cell a call, up to four, that it alone changes: a barrier must see them settled.
pub(crate) const OWN: usize = 4;
/// The rest of the world: all calls see it, and only Exclusive ones change it.
pub(crate) const WORLD: usize = 0;
const CELLS: usize = 12;

/// The cells a call touches, a bit each.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Touch {
    pub(crate) reads: u32,
    pub(crate) writes: u32,
}

impl Touch {
    /// Touches everything.
    pub(crate) const EVERYTHING: Self = Self { reads: u32::MAX, writes: u32::MAX };

    pub(crate) const fn union(self, other: Self) -> Self {
        Self { reads: self.reads | other.reads, writes: self.writes | other.writes }
    }

    /// Sees `cell`.
    pub(crate) const fn sees(cell: usize) -> Self {
        Self { reads: 1 << cell, writes: 0 }
    }

    /// Sees and changes `cell`.
    pub(crate) const fn changes(cell: usize) -> Self {
        Self { reads: 1 << cell, writes: 1 << cell }
    }

    /// Whether swapping the two could be seen.
    pub(crate) const fn order_matters(self, other: Self) -> bool {
        self.writes & (other.reads | other.writes) != 0 || self.reads & other.writes != 0
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Version {
    Fresh,
    Torn(usize),
    By(usize),
}

/// The cells, and what each call saw in them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct World {
    cells: [Version; CELLS],
    seen: Vec<Vec<Version>>,
}

impl World {
    pub(crate) fn new(calls: usize) -> Self {
        Self { cells: [Version::Fresh; CELLS], seen: vec![Vec::new(); calls] }
    }

    /// The world after running the calls one after another.
    pub(crate) fn serial(touches: &[Touch]) -> Self {
        let mut world = Self::new(touches.len());
        for (n, touch) in touches.iter().enumerate() {
            world.start(n, *touch);
            world.end(n, *touch);
        }
        world
    }

    pub(crate) fn start(&mut self, n: usize, touch: Touch) {
        let seen = self.read(touch.reads);
        self.seen[n].extend(seen);
        self.write(touch.writes, Version::Torn(n));
    }

    pub(crate) fn end(&mut self, n: usize, touch: Touch) {
        let seen = self.read(touch.reads);
        self.seen[n].extend(seen);
        self.write(touch.writes, Version::By(n));
    }

    fn read(&self, bits: u32) -> Vec<Version> {
        let versions = self.cells.iter().enumerate();
        versions.filter(|(cell, _)| bits >> cell & 1 == 1).map(|(_, version)| *version).collect()
    }

    fn write(&mut self, bits: u32, version: Version) {
        for (cell, at) in self.cells.iter_mut().enumerate() {
            if bits >> cell & 1 == 1 {
                *at = version;
            }
        }
    }
}
