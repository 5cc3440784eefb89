//! Chance that a seed decides: SplitMix64 (Steele, Lea and Flood, 2014).
//!
//! Neighbouring seeds give unlike numbers, so inputs are simply counted. Not here: real chance.

/// A stream of numbers.
#[derive(Debug)]
pub(super) struct Random(u64);

impl Random {
    pub(super) const fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub(super) const fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number from 0 to below `bound`, or 0 when that is 0. Slightly uneven, which does not matter here.
    pub(super) fn below(&mut self, bound: usize) -> usize {
        let bound = u64::try_from(bound).unwrap_or(u64::MAX).max(1);
        usize::try_from(self.next() % bound).unwrap_or_default()
    }

    /// One of several; `None` when there is none.
    pub(super) fn pick<'a, T>(&mut self, list: &'a [T]) -> Option<&'a T> {
        list.get(self.below(list.len()))
    }

    /// A small number from 1 to `most`: small ones are likelier, as a halved range is drawn from.
    pub(super) fn length(&mut self, most: usize) -> usize {
        let halvings = self.below(12);
        1 + self.below((most >> halvings).max(1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_numbers_are_those_of_the_paper() {
        let mut random = Random::new(1_234_567);
        let numbers = [random.next(), random.next(), random.next()];
        let expected =
            [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423];
        assert_eq!(numbers, expected);
    }

    #[test]
    fn bounds_hold() {
        let mut random = Random::new(1);
        assert_eq!((random.below(0), random.pick::<u8>(&[])), (0, None));
        for most in 1..200 {
            assert!(random.below(most) < most && (1..=most).contains(&random.length(most)));
        }
    }
}
