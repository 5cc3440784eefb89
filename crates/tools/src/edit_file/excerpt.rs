//! The changed lines of an edit with the lines around them, as in a unified diff, bounded.
//!
//! Not here: the edit itself (`splice.rs`).

use std::ops::Range;

use super::splice::{Change, Edited};
use crate::place::Rows;
use crate::quote::shortened;

/// Lines around a change.
const CONTEXT: usize = 3;

/// Rows that are shown.
const ROWS_MAX: usize = 60;

/// Bytes that are shown.
const BYTES_MAX: usize = 8 * 1024;

/// The changed lines: `@@ -line,count +line,count @@`, then rows that begin with a blank, `-` or `+`.
pub(super) fn excerpt(old: &[u8], edited: &Edited) -> String {
    let mut rows = Rows::new(ROWS_MAX, BYTES_MAX);
    let changes = whole_lines(old, &edited.content, &edited.changes);
    let mut lines = Lines { old, new: &edited.content, passed: (0, 0), number: (1, 1) };
    let mut hunks = changes.as_slice();
    while let Some((hunk, rest)) = next_hunk(old, hunks) {
        if rows.is_full() {
            break;
        }
        lines.push_hunk(hunk, &mut rows);
        hunks = rest;
    }
    let shown = u64::try_from(edited.changes.len()).unwrap_or(u64::MAX);
    let more = edited.count > shown || !hunks.is_empty() || rows.left_out() > 0;
    rows.close([more.then(|| "more changes are not shown".to_owned())])
}

/// The changes extended to whole lines, those of one line made one.
fn whole_lines(old: &[u8], new: &[u8], changes: &[Change]) -> Vec<Change> {
    let mut joined: Vec<Change> = Vec::new();
    for change in changes {
        match joined.last_mut() {
            // Nothing but a part of a line stands between them.
            Some(last) if !old[last.old.end..change.old.start].contains(&b'\n') => {
                last.old.end = change.old.end;
                last.new.end = change.new.end;
            }
            Some(_) | None => joined.push(change.clone()),
        }
    }
    for change in &mut joined {
        // Before and behind a change both contents are the same, so they grow by the same bytes.
        let before = change.old.start - line_start(old, change.old.start);
        change.old.start -= before;
        change.new.start -= before;
        if !(is_line_start(old, change.old.end) && is_line_start(new, change.new.end)) {
            let rest = &old[change.old.end..];
            let behind =
                rest.iter().position(|&byte| byte == b'\n').map_or(rest.len(), |at| at + 1);
            change.old.end += behind;
            change.new.end += behind;
        }
    }
    joined
}

/// The changes whose surroundings touch, and those after them.
fn next_hunk<'a>(old: &[u8], changes: &'a [Change]) -> Option<(&'a [Change], &'a [Change])> {
    let near = |pair: &[Change]| {
        let between = &old[pair[0].old.end..pair[1].old.start];
        count(between) <= 2 * CONTEXT
    };
    let more = changes.windows(2).take_while(|pair| near(pair)).count();
    (!changes.is_empty()).then(|| changes.split_at(more + 1))
}

/// Both contents, read from their beginnings to their ends.
struct Lines<'a> {
    old: &'a [u8],
    new: &'a [u8],
    /// Bytes whose lines are counted.
    passed: (usize, usize),
    /// The lines after those.
    number: (usize, usize),
}

impl Lines<'_> {
    fn push_hunk(&mut self, changes: &[Change], rows: &mut Rows) {
        let (Some(first), Some(last)) = (changes.first(), changes.last()) else { return };
        let start = back(self.old, first.old.start);
        let before = first.old.start - start;
        let end = forth(self.old, last.old.end);
        let old = start..end;
        let new = first.new.start - before..last.new.end + (end - last.old.end);
        self.pass(old.start, new.start);
        let (old_count, new_count) = (count(&self.old[old]), count(&self.new[new.clone()]));
        let (old_number, new_number) = self.number;
        rows.push(&format!("@@ -{old_number},{old_count} +{new_number},{new_count} @@"));
        let mut at = start;
        for change in changes {
            push(rows, ' ', &self.old[at..change.old.start]);
            push(rows, '-', &self.old[change.old.clone()]);
            push(rows, '+', &self.new[change.new.clone()]);
            at = change.old.end;
        }
        push(rows, ' ', &self.old[at..end]);
    }

    fn pass(&mut self, old: usize, new: usize) {
        let lines = |content: &[u8], range: Range<usize>| {
            content[range].iter().filter(|&&byte| byte == b'\n').count()
        };
        self.number.0 += lines(self.old, self.passed.0..old);
        self.number.1 += lines(self.new, self.passed.1..new);
        self.passed = (old, new);
    }
}

fn push(rows: &mut Rows, sign: char, lines: &[u8]) {
    for line in lines.split_inclusive(|&byte| byte == b'\n') {
        if rows.is_full() {
            rows.leave_out(1);
            return;
        }
        let line = String::from_utf8_lossy(line);
        let line = line.strip_suffix('\n').unwrap_or(&line);
        rows.push(&format!("{sign}{}", shortened(line.strip_suffix('\r').unwrap_or(line))));
    }
}

/// Lines, the last one counted too when it has no end.
fn count(lines: &[u8]) -> usize {
    lines.split_inclusive(|&byte| byte == b'\n').count()
}

fn is_line_start(content: &[u8], at: usize) -> bool {
    at == 0 || at == content.len() || content[at - 1] == b'\n'
}

fn line_start(content: &[u8], at: usize) -> usize {
    content[..at].iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1)
}

/// Some lines before a line start.
fn back(content: &[u8], mut at: usize) -> usize {
    for _ in 0..CONTEXT {
        at = line_start(content, at.saturating_sub(1));
    }
    at
}

/// Some lines behind a line start.
fn forth(content: &[u8], mut at: usize) -> usize {
    for _ in 0..CONTEXT {
        let rest = &content[at..];
        at += rest.iter().position(|&byte| byte == b'\n').map_or(rest.len(), |end| end + 1);
    }
    at
}
