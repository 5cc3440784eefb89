//! Tries input after input on one target, until time is up or one fails.
//!
//! Not here: what must hold for an input. Each target has a file of its own.

use std::any::Any;
use std::fmt;
use std::panic::catch_unwind;
use std::time::{Duration, Instant};

use super::mutation::mutated;
use super::random::Random;
use super::shrink::shrunk;

/// Something that reads inputs.
pub(super) struct Target {
    pub(super) name: &'static str,
    /// What it reads: right, or nearly so.
    pub(super) samples: fn() -> Vec<Vec<u8>>,
    /// What its inputs are made of.
    pub(super) words: &'static [&'static str],
    /// What does not hold for an input, if something does not. It may panic.
    pub(super) check: fn(&[u8]) -> Result<(), String>,
}

/// An input that failed.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Found {
    pub(super) seed: u64,
    /// Made small; the seed gives the long one.
    pub(super) input: Vec<u8>,
    pub(super) problem: String,
}

/// What was tried.
#[derive(Debug, Default)]
pub(super) struct Tally {
    inputs: u64,
    slowest: Duration,
    slowest_seed: u64,
}

/// Tries the inputs of the seeds from `first_seed` on; at least one, whatever the time.
pub(super) fn search(target: &Target, first_seed: u64, time: Duration) -> (Tally, Option<Found>) {
    let samples = (target.samples)();
    let mut tally = Tally::default();
    let begun = Instant::now();
    loop {
        let seed = first_seed.wrapping_add(tally.inputs);
        let input = mutated(&mut Random::new(seed), &samples, target.words);
        let input_begun = Instant::now();
        let verdict = verdict(target, &input);
        tally.add(seed, input_begun.elapsed());
        if verdict.is_err() {
            return (tally, Some(found(target, seed, input)));
        }
        if begun.elapsed() >= time {
            return (tally, None);
        }
    }
}

fn found(target: &Target, seed: u64, input: Vec<u8>) -> Found {
    let input = shrunk(input, |shorter| verdict(target, shorter).is_err());
    // The shorter input may fail in another way; what is told must fit what is shown.
    let problem = verdict(target, &input).err().unwrap_or_default();
    Found { seed, input, problem }
}

/// What the target says to an input; a panic is a failure.
pub(super) fn verdict(target: &Target, input: &[u8]) -> Result<(), String> {
    let check = target.check;
    let caught = catch_unwind(|| check(input));
    caught.unwrap_or_else(|payload| Err(format!("panicked: {}", message(&*payload))))
}

fn message(payload: &(dyn Any + Send)) -> &str {
    let text = payload.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| payload.downcast_ref::<&str>().copied()).unwrap_or("without a text")
}

impl Tally {
    fn add(&mut self, seed: u64, took: Duration) {
        self.inputs += 1;
        if took > self.slowest {
            (self.slowest, self.slowest_seed) = (took, seed);
        }
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (inputs, ms) = (self.inputs, self.slowest.as_millis());
        write!(f, "{inputs} inputs, the slowest {ms} ms (seed {})", self.slowest_seed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Longer than any of these searches takes.
    const PATIENCE: Duration = Duration::from_secs(60);

    fn target(check: fn(&[u8]) -> Result<(), String>) -> Target {
        let samples = || vec![b"let x = 1;".to_vec(), b"call(x, 2)".to_vec()];
        Target { name: "planted", samples, words: &["unlock", "("], check }
    }

    fn has(input: &[u8], part: &str) -> bool {
        String::from_utf8_lossy(input).contains(part)
    }

    #[test]
    fn a_planted_bug_is_found_made_small_and_repeated_by_its_seed() {
        let planted = target(|input| {
            let fails = has(input, "unlock") && has(input, "((");
            if fails { Err("it opened".to_owned()) } else { Ok(()) }
        });
        let found = search(&planted, 1, PATIENCE).1.unwrap();
        assert!(matches!(&*found.input, b"unlock((" | b"((unlock"), "{found:?}");
        assert_eq!(found.problem, "it opened");
        let again = search(&planted, found.seed, Duration::ZERO);
        assert_eq!((again.0.inputs, again.1), (1, Some(found)));
    }

    #[test]
    fn a_planted_panic_is_found_with_its_text() {
        let planted = target(|input| {
            assert!(!has(input, "unlock"), "locked in");
            Ok(())
        });
        let found = search(&planted, 1, PATIENCE).1.unwrap();
        assert_eq!((&*found.input, &*found.problem), (&b"unlock"[..], "panicked: locked in"));
    }

    #[test]
    fn without_a_bug_nothing_is_found() {
        let (tally, found) = search(&target(|_| Ok(())), 1, Duration::ZERO);
        assert_eq!((tally.inputs, found), (1, None));
    }
}
