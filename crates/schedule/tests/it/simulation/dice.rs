//! Chance from a seed (`SplitMix64`), and the footprints drawn with it.
//!
//! Not here: what happens in a run.

use fanfold_schedule::{Claim, Footprint, Groups, Resource};

/// A source of chance.
pub(crate) struct Dice(u64);

impl Dice {
    pub(crate) const fn new(seed: u64) -> Self {
        Self(seed)
    }

    fn roll(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `limit`, which is not 0.
    pub(crate) fn below(&mut self, limit: usize) -> usize {
        let limit = u64::try_from(limit).expect("small numbers");
        usize::try_from(self.roll() % limit).expect("small numbers")
    }

    /// True in `percent` of 100 cases.
    pub(crate) fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// One of these, if there is any.
    pub(crate) fn pick<T: Copy>(&mut self, all: &[T]) -> Option<T> {
        (!all.is_empty()).then(|| all[self.below(all.len())])
    }

    /// A footprint as tools have them.
    pub(crate) fn footprint(&mut self) -> Footprint {
        let groups = match self.below(10) {
            0 => Groups::Exclusive,
            1..=2 => Groups::named("fs"),
            3 => Groups::named("document").join(Groups::named("fs")),
            4 => Groups::named("document"),
            _ => Groups::independent(),
        };
        let claims = (0..self.below(4)).map(|_| self.claim()).collect();
        Footprint { groups, claims }
    }

    fn claim(&mut self) -> Claim {
        const PATHS: [&str; 8] = ["/", "/a", "/a/b", "/a/b/c", "/a/bc", "/d", "/d/e", "/d/f"];
        const NAMES: [&str; 2] = ["browser", "a"];
        let resource = match self.below(10) {
            n if n < PATHS.len() => Resource::Path(PATHS[n].into()),
            n => Resource::Named(NAMES[n - PATHS.len()].into()),
        };
        if self.chance(50) { Claim::write(resource) } else { Claim::read(resource) }
    }
}
