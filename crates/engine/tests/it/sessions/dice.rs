//! Chance from a seed (`SplitMix64`).

/// A source of chance.
#[derive(Debug)]
pub(super) struct Dice(u64);

impl Dice {
    pub(super) const fn new(seed: u64) -> Self {
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
    pub(super) fn below(&mut self, limit: u64) -> u64 {
        self.roll() % limit
    }

    /// An index below `limit`, which is not 0.
    pub(super) fn index(&mut self, limit: usize) -> usize {
        let limit = u64::try_from(limit).expect("small numbers");
        usize::try_from(self.below(limit)).expect("small numbers")
    }

    /// True in `percent` of 100 cases.
    pub(super) fn chance(&mut self, percent: u64) -> bool {
        self.below(100) < percent
    }

    /// Another source, independent of what is drawn from this one later.
    pub(super) fn split(&mut self) -> Self {
        Self(self.roll())
    }
}
