//! Draws the lives of calls, a line each: `.` waits, `=` runs, then the reasons it waited for.
//!
//! Not here: how they came about (`driver.rs`).

use std::collections::BTreeMap;
use std::fmt::Write as _;

use fanfold_transcript::CallId;

/// One column of the drawing.
const COLUMN_MS: u32 = 10;

/// When a call began to wait, to run, and ended; and the reasons on the way.
pub(crate) struct Life {
    begun_ms: u32,
    pub(crate) start_ms: Option<u32>,
    pub(crate) end_ms: Option<u32>,
    reasons: Vec<(u32, String)>,
}

impl Life {
    pub(crate) const fn begun(at_ms: u32) -> Self {
        Self { begun_ms: at_ms, start_ms: None, end_ms: None, reasons: Vec::new() }
    }

    /// Adds a reason if it is another than before.
    pub(crate) fn note(&mut self, at_ms: u32, reason: String) {
        if self.reasons.last().is_none_or(|(_, last)| *last != reason) {
            self.reasons.push((at_ms, reason));
        }
    }

    pub(crate) fn requeued(&mut self, at_ms: u32) {
        self.reasons.push((at_ms, "requeued".to_owned()));
    }

    fn column(&self, at_ms: u32) -> char {
        if at_ms < self.begun_ms || self.end_ms.is_some_and(|end| at_ms >= end) {
            ' '
        } else if self.start_ms.is_some_and(|start| at_ms >= start) {
            '='
        } else {
            '.'
        }
    }
}

/// The drawing; calls that never ended say so.
pub(crate) fn draw(lives: &BTreeMap<CallId, Life>) -> String {
    let times = lives.values().flat_map(|life| [Some(life.begun_ms), life.start_ms, life.end_ms]);
    let columns = times.flatten().max().unwrap_or(0).div_ceil(COLUMN_MS);
    let mut lines = Vec::new();
    for (call, life) in lives {
        let bar: String = (0..columns).map(|column| life.column(column * COLUMN_MS)).collect();
        let mut line = format!("{:<4} |{bar}|", call.to_string());
        for (at, reason) in &life.reasons {
            write!(line, "  {at}: {reason}").expect("a string takes all text");
        }
        if life.end_ms.is_none() {
            line.push_str("  never ended");
        }
        lines.push(line);
    }
    lines.join("\n")
}
