//! Draws a finished run: one row per call, dots while it waited, bars while it ran.
//!
//! Not here: how the times were taken.

use fanfold_session::{CallReport, Report};

use crate::progress::seconds;
use crate::voice::clean;

/// Columns of the drawing itself.
const WIDTH: u64 = 60;

/// The drawing, without a final newline.
pub(crate) fn draw(report: &Report) -> String {
    let width = |name: fn(&CallReport) -> &str, most: usize| {
        let longest = report.calls.iter().map(|call| name(call).chars().count()).max();
        longest.unwrap_or(0).min(most)
    };
    let id_width = width(|call| &call.id, 8);
    let tool_width = width(|call| &call.tool, 24);
    let mut rows = vec![format!(
        "{:id_width$} {:tool_width$} 0{:>59} {} slots",
        "",
        "",
        seconds(report.makespan_ms),
        report.slots
    )];
    for call in &report.calls {
        let tool = clean(&call.tool, tool_width.max(1));
        rows.push(format!(
            "{:id_width$} {tool:tool_width$} {} {}",
            call.id,
            bar(call, report.makespan_ms),
            ending(call)
        ));
    }
    rows.join("\n")
}

fn bar(call: &CallReport, makespan_ms: u64) -> String {
    let column = |ms: u64| ms.min(makespan_ms) * WIDTH / makespan_ms.max(1);
    let ended = column(call.ended_ms);
    let started = call.started_ms.map_or(ended, column);
    // A call that ran gets at least one column, however short it was.
    let ran = if call.started_ms.is_some() { (ended - started).max(1) } else { 0 };
    let started = started.min(WIDTH - ran);
    let mut bar = String::new();
    for position in 0..WIDTH {
        bar.push(match position {
            p if p < started => '·',
            p if p < started + ran => '█',
            _ => ' ',
        });
    }
    bar
}

fn ending(call: &CallReport) -> String {
    let reason = call.reason.map(|reason| format!(" ({reason})")).unwrap_or_default();
    let ran = call.started_ms.map(|started| call.ended_ms.saturating_sub(started));
    let ran = ran.map(|ms| format!(" {}", seconds(ms))).unwrap_or_default();
    let waits: Vec<String> = call
        .waits
        .iter()
        .map(|wait| match &wait.waits_for {
            Some(other) => format!("{other} ({}) {}", wait.reason, seconds(wait.ms)),
            None => format!("{} {}", wait.reason, seconds(wait.ms)),
        })
        .collect();
    let waits =
        if waits.is_empty() { String::new() } else { format!("  waited: {}", waits.join(", ")) };
    format!("{}{reason}{ran}{waits}", call.status)
}
