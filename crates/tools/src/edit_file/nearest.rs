//! The lines of a file that are most like a text that is not in it.
//!
//! Not here: near names of files (`place/near.rs`).

use std::collections::BTreeMap;

use crate::quote::shortened;

/// Places that are offered.
const OFFERED: usize = 3;

/// Lines of each that are shown.
const LINES_SHOWN: usize = 6;

/// Lines of the file that are looked at.
const LINES_LOOKED_AT: usize = 20_000;

/// Lines of the text that are looked for.
const WANTED_MAX: usize = 50;

/// Bytes of a line that are compared.
const LINE_BYTES: usize = 200;

/// How alike a line must be, where 1 is the same.
const ALIKE: f64 = 0.5;

/// What is to be said behind the name of a file: that `wanted` is not in it, and what comes near.
pub(super) fn not_found(text: &str, wanted: &str) -> String {
    let lines: Vec<&str> = text.lines().take(LINES_LOOKED_AT).collect();
    let squeezed: Vec<String> = lines.iter().map(|line| squeeze(line)).collect();
    let wanted: Vec<String> = wanted.lines().take(WANTED_MAX).map(squeeze).collect();
    let starts = best(&scores(&squeezed, &wanted), wanted.len());
    if starts.is_empty() {
        return ": old_string is not in it, nor anything like it".to_owned();
    }
    let mut rows = Vec::new();
    for start in starts {
        let same = squeezed.get(start..start + wanted.len()).is_some_and(|lines| lines == wanted);
        let note = if same { " (differs only in white space)" } else { "" };
        rows.push(format!("--{note}"));
        let shown = wanted.len().min(LINES_SHOWN);
        for (number, line) in lines.iter().enumerate().skip(start).take(shown) {
            rows.push(format!("{:>6}\t{}", number + 1, shortened(line)));
        }
    }
    format!(": old_string is not in it; nearest lines:\n{}", rows.join("\n"))
}

/// The line without white space and byte-order mark, as far as lines are compared.
fn squeeze(line: &str) -> String {
    let mut squeezed: String = line.split_whitespace().collect();
    if squeezed.starts_with('\u{feff}') {
        squeezed.remove(0);
    }
    let end = (0..=LINE_BYTES.min(squeezed.len())).rev().find(|&at| squeezed.is_char_boundary(at));
    squeezed.truncate(end.unwrap_or_default());
    squeezed
}

/// How well the wanted lines fit from each line on: equal lines count by their length, and so does
/// the longest wanted line where one is only like it.
fn scores(lines: &[String], wanted: &[String]) -> BTreeMap<usize, f64> {
    let mut places: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (at, line) in wanted.iter().enumerate().filter(|(_, line)| !line.is_empty()) {
        places.entry(line).or_default().push(at);
    }
    let longest = wanted.iter().enumerate().max_by_key(|(_, line)| line.len());
    let mut scores = BTreeMap::new();
    for (number, line) in lines.iter().enumerate() {
        let equal = places.get(line.as_str()).into_iter().flatten();
        let mut add = |at: usize, score: f64| {
            if let Some(start) = number.checked_sub(at) {
                *scores.entry(start).or_default() += score;
            }
        };
        equal.for_each(|&at| add(at, weight(line)));
        if let Some((at, longest)) = longest.filter(|(_, longest)| *longest != line) {
            let alike = alike(line, longest);
            if alike >= ALIKE {
                add(at, alike * weight(longest));
            }
        }
    }
    scores
}

fn alike(line: &str, wanted: &str) -> f64 {
    // Lines of very different lengths are not alike, whatever stands in them.
    let (short, long) = (line.len().min(wanted.len()), line.len().max(wanted.len()));
    if short * 3 < long { 0.0 } else { strsim::sorensen_dice(line, wanted) }
}

fn weight(line: &str) -> f64 {
    u32::try_from(line.len()).map_or(f64::MAX, f64::from)
}

/// The best starts that do not overlap, in the order of the file.
fn best(scores: &BTreeMap<usize, f64>, length: usize) -> Vec<usize> {
    let mut ranked: Vec<(usize, f64)> = scores.iter().map(|(&at, &score)| (at, score)).collect();
    ranked.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    let mut starts: Vec<usize> = Vec::new();
    for (start, _) in ranked {
        if starts.len() < OFFERED && starts.iter().all(|other| start.abs_diff(*other) >= length) {
            starts.push(start);
        }
    }
    starts.sort_unstable();
    starts
}
