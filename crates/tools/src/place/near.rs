//! Names close to one that does not exist.
//!
//! Not here: near names of tools and settings, which know all their names in advance.

use std::path::PathBuf;

use super::Resolved;

/// How many near names are offered.
const OFFERED: usize = 3;

/// How many names of a directory are looked at.
const LOOKED_AT: usize = 10_000;

/// The paths beside a missing one whose names are most like its own; at most three.
pub(super) fn names(missing: &Resolved) -> Vec<PathBuf> {
    let (Some(parent), Some(name)) = (missing.path.parent(), missing.path.file_name()) else {
        return Vec::new();
    };
    if !parent.starts_with(&missing.root) {
        return Vec::new();
    }
    let wanted = name.to_string_lossy().to_lowercase();
    let entries = std::fs::read_dir(parent).into_iter().flatten().flatten();
    let scored = entries.take(LOOKED_AT).filter_map(|entry| {
        let name = entry.file_name();
        let distance = distance(&wanted, &name.to_string_lossy().to_lowercase())?;
        Some((distance, parent.join(name)))
    });
    let mut scored: Vec<_> = scored.collect();
    scored.sort();
    scored.into_iter().take(OFFERED).map(|(_, path)| path).collect()
}

/// How far apart two names are; `None` when nobody would take one for the other.
fn distance(wanted: &str, name: &str) -> Option<usize> {
    let edits = strsim::osa_distance(wanted, name);
    let typo = edits <= wanted.chars().count().div_ceil(3);
    // `main` for `main.rs`, and the other way round.
    let begins = name.starts_with(wanted) || wanted.starts_with(name);
    (typo || begins).then_some(edits)
}
