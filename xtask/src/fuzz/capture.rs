//! Target `capture`: output of programs, with escape sequences, broken characters and cuts.
//!
//! Held for any bytes and limits: how they were written changes nothing; what is kept is bounded,
//! free of escape sequences and NUL, and counted right. Not here: which escape sequences there are.

use fanfold_tools::{Captured, Limits, Sink, Stream};

use super::random::Random;
use super::search::Target;

pub(super) const TARGET: Target = Target { name: "capture", samples, words: &WORDS, check };

/// What is kept of either end. The default is there for inputs that fit. A tail of nothing is not:
/// whether the last line has its end is then not counted, and no tool keeps so little.
const LIMITS: [Limits; 5] = [
    Limits { head_bytes: 0, tail_bytes: 1 },
    Limits { head_bytes: 1, tail_bytes: 7 },
    Limits { head_bytes: 16, tail_bytes: 16 },
    Limits { head_bytes: 100, tail_bytes: 3 },
    Limits { head_bytes: 16 * 1024, tail_bytes: 16 * 1024 },
];

/// What the line about the middle takes at most, in bytes: four numbers of 20 digits and its words.
const NOTE_MAX: usize = 200;

const SAMPLES: [&str; 4] = [
    "\x1b[1;32m   Compiling\x1b[0m fanfold v0.1.0\r\n\x1b]0;title\x07done\n",
    "café 語 🦀\tplain\nand a last line without its end",
    "\x1b(B\x1bPq\x1b\\ 50 %\r 100 %\n\x1b[2K\x1b[1A",
    "\0\0\x08\x7f\u{85}\u{feff}\u{202e}abc",
];

const WORDS: [&str; 16] = [
    "\x1b",
    "\x1b[",
    "\x1b]",
    "\x1bP",
    "\x1b\\",
    "\x07",
    "\x1b[0m",
    "\x1b(",
    "\n",
    "\r\n",
    "\0",
    "é",
    "語",
    "🦀",
    "\u{fffd}",
    "a line of text\n",
];

fn samples() -> Vec<Vec<u8>> {
    let mut samples: Vec<Vec<u8>> = SAMPLES.map(|text| text.as_bytes().to_vec()).into();
    samples.push(b"\xff\xfe\xc3\xf0\x9f\xa6 \x9b31m \xe8\xaa".to_vec());
    samples
}

fn check(bytes: &[u8]) -> Result<(), String> {
    for limits in LIMITS {
        let whole = captured(bytes, limits, || bytes.len().max(1));
        let mut lengths = Random::new(1);
        let pieces = captured(bytes, limits, || lengths.length(40));
        if pieces != whole {
            return Err(format!("{limits:?}: {whole:?} is {pieces:?} in pieces"));
        }
        judge(bytes, limits, &whole)
            .map_err(|problem| format!("{limits:?}: {problem} in {whole:?}"))?;
    }
    Ok(())
}

fn captured(bytes: &[u8], limits: Limits, mut next_length: impl FnMut() -> usize) -> Captured {
    let sink = Sink::new(limits);
    let mut rest = bytes;
    while !rest.is_empty() {
        let (piece, after) = rest.split_at(next_length().min(rest.len()));
        sink.write(Stream::Stdout, piece);
        rest = after;
    }
    sink.captured(Stream::Stdout)
}

fn judge(bytes: &[u8], limits: Limits, kept: &Captured) -> Result<(), &'static str> {
    let room = limits.head_bytes + limits.tail_bytes;
    let line_ends = bytes.iter().filter(|byte| **byte == b'\n').count();
    let lines = line_ends + usize::from(bytes.last().is_some_and(|byte| *byte != b'\n'));
    let counts = [u64::try_from(bytes.len()), u64::try_from(lines)];
    let is_plain = bytes.iter().all(|byte| matches!(byte, b'\n' | b'\t' | b' '..=b'~'));
    if kept.text.contains(['\x1b', '\0']) {
        return Err("an escape or NUL character");
    }
    // A byte that is no character becomes one of three.
    if kept.text.len() > 3 * room.min(bytes.len()) + NOTE_MAX {
        return Err("more than the limits allow");
    }
    if counts != [Ok(kept.bytes), Ok(kept.lines)] {
        return Err("wrong counts");
    }
    if kept.cut.is_some() != (bytes.len() > room) {
        return Err("a cut where all fits, or none where it does not");
    }
    if is_plain && kept.cut.is_none() && kept.text.as_bytes() != bytes {
        return Err("another text than was written");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_should_not_be_kept_is_told() {
        let limits = Limits { head_bytes: 4, tail_bytes: 4 };
        let good = captured(b"a\nb", limits, || 3);
        assert_eq!(judge(b"a\nb", limits, &good), Ok(()));
        let wrong = |change: fn(&mut Captured)| {
            let mut kept = good.clone();
            change(&mut kept);
            judge(b"a\nb", limits, &kept).is_err()
        };
        assert!(wrong(|kept| kept.text.push('\x1b')));
        assert!(wrong(|kept| kept.text = "x".repeat(NOTE_MAX + 10)));
        assert!(wrong(|kept| kept.text.push('x')));
        assert!(wrong(|kept| kept.lines = 1));
        assert!(wrong(|kept| kept.bytes = 2));
    }
}
