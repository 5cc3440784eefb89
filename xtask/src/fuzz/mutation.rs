//! One damaged input from the samples, by a handful of changes.
//!
//! Not here: what the samples and the words of a format are; each target has its own.

use std::ops::Range;

use super::random::Random;

/// The longest input, in bytes.
const BYTES_MAX: usize = 64 * 1024;

/// The most changes of one input.
const CHANGES_MAX: usize = 6;

/// How often a word is repeated at most: enough to pass every limit on nesting.
const REPEATS_MAX: usize = 700;

/// A sample with up to six changes, rarely none.
pub(super) fn mutated(random: &mut Random, samples: &[Vec<u8>], words: &[&str]) -> Vec<u8> {
    let mut input = random.pick(samples).cloned().unwrap_or_default();
    for _ in 0..random.below(CHANGES_MAX + 1) {
        change(&mut input, random, samples, words);
        input.truncate(BYTES_MAX);
    }
    input
}

fn change(input: &mut Vec<u8>, random: &mut Random, samples: &[Vec<u8>], words: &[&str]) {
    let at = random.below(input.len() + 1);
    let range = range(random, input.len());
    let word = random.pick(words).copied().unwrap_or_default().as_bytes();
    match random.below(12) {
        0 => flip_bit(input, random),
        1 => drop(input.splice(range, [byte(random)])),
        2 => input.insert(at, byte(random)),
        3 | 4 => drop(input.splice(at..at, word.iter().copied())),
        5 => drop(input.splice(range, word.iter().copied())),
        6 => {
            let many = word.repeat(random.length(REPEATS_MAX));
            input.splice(at..at, many);
        }
        7 => drop(input.drain(range)),
        8 => {
            let copy = input[range].to_vec();
            input.splice(at..at, copy);
        }
        9 => {
            let other = random.pick(samples).map_or(&[][..], Vec::as_slice);
            input.truncate(at);
            input.extend_from_slice(&other[random.below(other.len() + 1)..]);
        }
        10 => swap_lines(input, random),
        _ => input.truncate(at),
    }
}

/// A part, more often a short one.
fn range(random: &mut Random, length: usize) -> Range<usize> {
    if length == 0 {
        return 0..0;
    }
    let start = random.below(length);
    start..start + random.length(length - start)
}

/// Any byte, or one that texts are made of.
fn byte(random: &mut Random) -> u8 {
    let any = random.next().to_le_bytes()[0];
    if random.below(4) == 0 { any } else { b' ' + any % 95 }
}

fn flip_bit(input: &mut [u8], random: &mut Random) {
    let (at, bit) = (random.below(input.len()), random.below(8));
    if let Some(byte) = input.get_mut(at) {
        *byte ^= 1 << bit;
    }
}

fn swap_lines(input: &mut Vec<u8>, random: &mut Random) {
    let mut lines: Vec<&[u8]> = input.split_inclusive(|byte| *byte == b'\n').collect();
    let (one, other) = (random.below(lines.len()), random.below(lines.len()));
    if !lines.is_empty() {
        lines.swap(one, other);
        *input = lines.concat();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_seed_gives_one_input_and_another_seed_another() {
        let samples = [b"one sample\nof two lines".to_vec(), b"another".to_vec(), Vec::new()];
        let input = |seed| mutated(&mut Random::new(seed), &samples, &["word"]);
        let inputs: Vec<Vec<u8>> = (0..2_000).map(input).collect();
        assert_eq!(inputs, (0..2_000).map(input).collect::<Vec<_>>());
        let unlike: std::collections::BTreeSet<_> = inputs.iter().collect();
        assert!(unlike.len() > 1_000, "{}", unlike.len());
        assert!(inputs.iter().all(|input| input.len() <= BYTES_MAX));
        let has =
            |part: &[u8]| inputs.iter().any(|input| input.windows(part.len()).any(|w| w == part));
        assert!(has(b"wordword"), "words are repeated");
    }

    #[test]
    fn without_samples_and_words_there_is_still_an_input() {
        for seed in 0..200 {
            mutated(&mut Random::new(seed), &[], &[]);
        }
    }
}
