//! How many lines two contents differ by.
//!
//! Not here: which lines; an edit shows those (`edit_file/excerpt.rs`).

use std::fmt;

use crate::place::grouped;

/// Changed lines that are counted.
const CHANGES_MAX: usize = 2_000;

/// The lines by which a content differs from another: the fewest that must go and come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Difference {
    /// So many.
    Lines {
        /// Only in the old one.
        removed: usize,
        /// Only in the new one.
        added: usize,
    },
    /// Too many to be counted.
    Many,
}

impl Difference {
    /// The difference; `None` between equal contents.
    pub(super) fn between(old: &[u8], new: &[u8]) -> Option<Self> {
        if old == new {
            return None;
        }
        let mut old: &[&[u8]] = &old.split_inclusive(|&byte| byte == b'\n').collect::<Vec<_>>();
        let mut new: &[&[u8]] = &new.split_inclusive(|&byte| byte == b'\n').collect::<Vec<_>>();
        while let ([a, old_rest @ ..], [b, new_rest @ ..]) = (old, new)
            && a == b
        {
            (old, new) = (old_rest, new_rest);
        }
        while let ([old_rest @ .., a], [new_rest @ .., b]) = (old, new)
            && a == b
        {
            (old, new) = (old_rest, new_rest);
        }
        Some(fewest(old, new).map_or(Self::Many, |changes| {
            // Both counts follow from their sum and from how much longer one content is.
            let removed = (changes + old.len()).saturating_sub(new.len()) / 2;
            Self::Lines { removed, added: changes - removed }
        }))
    }
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let number = |n: usize| grouped(u64::try_from(n).unwrap_or(u64::MAX));
        match *self {
            Self::Lines { removed, added } => {
                let all = number(removed + added);
                write!(f, "{all} lines ({} removed, {} added)", number(removed), number(added))
            }
            Self::Many => write!(f, "more than {} lines", number(CHANGES_MAX)),
        }
    }
}

/// The fewest lines to remove and add, by Myers' greedy walk along diagonals.
fn fewest(old: &[&[u8]], new: &[&[u8]]) -> Option<usize> {
    // How far into `old` each diagonal is reached; diagonal `k` stands at `CHANGES_MAX + 1 + k`.
    let mut reached = vec![0; 2 * CHANGES_MAX + 3];
    for changes in 0..=CHANGES_MAX {
        // From `-changes` to `changes`, by two.
        for at in (CHANGES_MAX + 1 - changes..=CHANGES_MAX + 1 + changes).step_by(2) {
            let (below, above) = (reached[at - 1], reached[at + 1]);
            let lowest = at + changes == CHANGES_MAX + 1;
            let highest = at == CHANGES_MAX + 1 + changes;
            let adds = lowest || !highest && below < above;
            let mut x: usize = if changes == 0 {
                0
            } else if adds {
                above
            } else {
                below + 1
            };
            // On diagonal `k`, the place in `new` is `x - k`.
            let Some(mut y) = (x + CHANGES_MAX + 1).checked_sub(at) else { continue };
            while x < old.len() && y < new.len() && old[x] == new[y] {
                (x, y) = (x + 1, y + 1);
            }
            reached[at] = x;
            if x >= old.len() && y >= new.len() {
                return Some(changes);
            }
        }
    }
    None
}
