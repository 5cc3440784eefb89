//! What may have been meant by a key that there is not.

use crate::key::Key;
use crate::shape::{Section, Shape};

/// Names longer than this are no misspelling of ours.
const NAME_MAX: usize = 100;

/// What to say after an unknown key: the nearest valid key, else those that may stand there.
pub(crate) fn instead_of(name: &str, key: &Key, section: &Section) -> String {
    let known = || section.keys.iter().map(|(known, _)| known.as_str());
    let elsewhere = || every_key().into_iter().find(|key| key.levels().last() == Some(&name));
    match nearest(name, known()).map(|near| key.child(near)).or_else(elsewhere) {
        Some(near) => format!("; did you mean {near}?"),
        None => format!("; the keys here are {}", known().collect::<Vec<_>>().join(", ")),
    }
}

/// The candidate that is most like the name, if one is like it at all; case does not count.
pub(crate) fn nearest<'a>(
    name: &str,
    candidates: impl Iterator<Item = &'a str>,
) -> Option<&'a str> {
    if name.len() > NAME_MAX {
        return None;
    }
    let name = name.to_lowercase();
    let scored = candidates
        .map(|candidate| (strsim::jaro_winkler(&name, &candidate.to_lowercase()), candidate));
    let best = scored.max_by(|(a, _), (b, _)| a.total_cmp(b));
    best.filter(|(score, _)| *score > 0.8).map(|(_, candidate)| candidate)
}

/// Every key whose name is fixed.
pub(crate) fn every_key() -> Vec<Key> {
    let mut keys = Vec::new();
    collect(Shape::root(), &Key::default(), &mut keys);
    keys
}

fn collect(shape: &Shape, key: &Key, keys: &mut Vec<Key>) {
    if let Shape::Section(section) = shape {
        for (name, shape) in &section.keys {
            let child = key.child(name);
            collect(shape, &child, keys);
            keys.push(child);
        }
    }
}
