//! Level 1 (a): a result over its bounds keeps its head and its tail, before it is first sent.
//!
//! What was never sent in full costs no cache when it is cut. Not here: which results are exempt
//! because their tool pages by itself (`fanfold-engine` knows the tool).

use fanfold_transcript::{Content, Cut, Outcome, Recorded};

/// The least that a bound in bytes counts as: the marker needs room.
const BYTES_MIN: usize = 1024;

/// The first line of a process's result, which is not counted.
const EXIT_LINE: &str = "Exit code: ";

/// How much of one result is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// Lines, the marker counted, a first line `Exit code: …` not; 0 counts as 1.
    pub lines: usize,
    /// Bytes; less than 1,024 counts as 1,024. `None`: as many as the lines have.
    pub bytes: Option<usize>,
}

impl Bounds {
    /// Nothing is cut.
    pub const NONE: Self = Self { lines: usize::MAX, bytes: None };
}

impl Default for Bounds {
    fn default() -> Self {
        Self { lines: 100, bytes: None }
    }
}

/// Cuts each text of an outcome that is over its bounds down to its head and tail, with a line
/// between them that says how much there was and under which handles the rest can be read.
///
/// Cuts fall on character boundaries. Images and documents are left alone; JSON that is cut becomes
/// text. Doing it twice does nothing more.
pub fn truncate(outcome: &mut Outcome, bounds: Bounds, records: &[Recorded]) {
    let mut cut = None;
    for content in &mut outcome.content {
        let shorter = match content.as_text() {
            Some(text) if !fits(text, bounds) => {
                let lines = count(body(text).split_inclusive('\n').count());
                let all = outcome.cut.clone().unwrap_or(Cut { bytes: outcome.bytes, lines });
                let shorter = shortened(text, bounds, &marker(&all, records));
                cut = Some(all);
                shorter
            }
            Some(_) | None => continue,
        };
        *content = Content::text(shorter);
    }
    outcome.cut = cut.or(outcome.cut.take());
}

/// A text's lines as they are counted.
fn body(text: &str) -> &str {
    match text.split_once('\n') {
        Some((first, rest)) if first.starts_with(EXIT_LINE) => rest,
        Some(_) | None => text,
    }
}

fn fits(text: &str, bounds: Bounds) -> bool {
    let more_lines = body(text).split_inclusive('\n').nth(bounds.lines.max(1)).is_some();
    !more_lines && text.len() <= bytes_max(bounds)
}

fn bytes_max(bounds: Bounds) -> usize {
    bounds.bytes.map_or(usize::MAX, |bytes| bytes.max(BYTES_MIN))
}

fn marker(all: &Cut, records: &[Recorded]) -> String {
    let names: Vec<String> = records.iter().map(Recorded::to_string).collect();
    let names = names.join(", ");
    let handles = if names.is_empty() { names } else { format!("; full output: {names}") };
    let Cut { bytes, lines } = all;
    format!("[lines left out here, of {bytes} bytes in {lines} lines{handles}]\n")
}

/// Head, marker and tail of a text that does not fit.
fn shortened(text: &str, bounds: Bounds, marker: &str) -> String {
    let body = body(text);
    let exit_line = &text[..text.len() - body.len()];
    let lines = bounds.lines.max(1) - 1;
    // One more byte may be needed to end the head's last line.
    let bytes = bytes_max(bounds).saturating_sub(exit_line.len() + marker.len() + 1);
    let head = head(body, lines.div_ceil(2), bytes.div_ceil(2));
    let tail = tail(body, lines / 2, bytes / 2);
    let line_end = if head.is_empty() || head.ends_with('\n') { "" } else { "\n" };
    [exit_line, head, line_end, marker, tail].concat()
}

fn head(text: &str, lines: usize, bytes: usize) -> &str {
    let length: usize = text.split_inclusive('\n').take(lines).map(str::len).sum();
    &text[..text.floor_char_boundary(length.min(bytes))]
}

fn tail(text: &str, lines: usize, bytes: usize) -> &str {
    let length: usize = text.split_inclusive('\n').rev().take(lines).map(str::len).sum();
    &text[text.ceil_char_boundary(text.len() - length.min(bytes))..]
}

fn count(length: usize) -> u64 {
    u64::try_from(length).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests;
