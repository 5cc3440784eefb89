//! What is said on stderr while calls run: live rows on a terminal, a line per finished call elsewhere.
//!
//! Not here: the drawing of a finished run (`timeline.rs`).

use std::collections::BTreeMap;
use std::io::{self, IsTerminal as _, Write as _};
use std::time::Duration;

use fanfold_session::{Change, Update};
use indicatif::{MultiProgress, ProgressBar, ProgressStyle};

/// Rows shown live at most; a larger batch is told line by line.
const ROWS_MAX: usize = 24;

/// One line to stderr. That stderr is closed is no reason to fail.
pub(crate) fn say(text: &str) {
    writeln!(io::stderr().lock(), "{text}").ok();
}

/// The progress of one batch.
#[derive(Debug)]
pub(crate) struct Progress {
    calls: BTreeMap<String, Shown>,
    live: Option<MultiProgress>,
}

#[derive(Debug)]
struct Shown {
    /// Id, tool and arguments, made fit for one line.
    title: String,
    tool: String,
    row: Option<ProgressBar>,
}

impl Progress {
    /// Live rows if stderr is a terminal.
    pub(crate) fn start() -> Self {
        let live = io::stderr().is_terminal().then(MultiProgress::new);
        Self { calls: BTreeMap::new(), live }
    }

    /// Takes in a change.
    pub(crate) fn update(&mut self, update: Update) {
        let Update { call, change, at_ms: _ } = update;
        match change {
            Change::Asked { tool, arguments } => self.asked(call, &tool, &arguments),
            Change::Waiting { waits_for, reason } => {
                let what = match waits_for {
                    Some(other) => format!("waits for {other} ({reason})"),
                    None => format!("waits ({reason})"),
                };
                self.redraw(&call, "· {wide_msg}", &what);
            }
            Change::Started => self.redraw(&call, "{spinner} {wide_msg} {elapsed}", "runs"),
            Change::Ended { status, reason, ran_ms, bytes } => {
                let reason = reason.filter(|_| status != "ok").map(|r| format!(" ({r})"));
                let ran = ran_ms.map(|ms| format!(" in {}", seconds(ms))).unwrap_or_default();
                let what = format!("{status}{}{ran}, {bytes} bytes", reason.unwrap_or_default());
                self.ended(&call, &what);
            }
        }
    }

    /// Nothing more will come.
    pub(crate) fn finish(self) {
        for shown in self.calls.into_values() {
            if let Some(row) = shown.row {
                row.abandon();
            }
        }
    }

    fn asked(&mut self, call: String, tool: &str, arguments: &str) {
        let tool = clean(tool, 40);
        let title = format!("{call:<4} {tool} {}", clean(arguments, 60));
        let row = self.live.as_ref().filter(|_| self.calls.len() < ROWS_MAX).map(|live| {
            let row = live.add(ProgressBar::new_spinner());
            row.enable_steady_tick(Duration::from_millis(100));
            row
        });
        self.calls.insert(call, Shown { title, tool, row });
    }

    fn redraw(&self, call: &str, template: &str, what: &str) {
        let Some(Shown { title, row: Some(row), .. }) = self.calls.get(call) else { return };
        row.set_style(style(template));
        row.reset_elapsed();
        row.set_message(format!("{title}  {what}"));
    }

    fn ended(&self, call: &str, what: &str) {
        let Some(shown) = self.calls.get(call) else { return };
        match &shown.row {
            Some(row) => {
                row.set_style(style("  {wide_msg}"));
                row.finish_with_message(format!("{}  {what}", shown.title));
            }
            None => say(&format!("{call:<4} {} {what}", shown.tool)),
        }
    }
}

fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_spinner())
}

/// Milliseconds as a person reads them.
pub(crate) fn seconds(ms: u64) -> String {
    if ms < 1000 { format!("{ms} ms") } else { format!("{}.{} s", ms / 1000, ms % 1000 / 100) }
}

/// A text of the model in one line, without control characters, at most `max` characters long.
pub(crate) fn clean(text: &str, max: usize) -> String {
    let shown = |c: char| if c.is_control() { '\u{fffd}' } else { c };
    let mut cleaned: String = text.chars().take(max).map(shown).collect();
    if text.chars().count() > max {
        cleaned.pop();
        cleaned.push('…');
    }
    cleaned
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_model_cannot_write_to_the_terminal() {
        assert_eq!(clean("a\x1b[2Jb\nc", 20), "a\u{fffd}[2Jb\u{fffd}c");
        assert_eq!(clean("abcdef", 4), "abc…");
        assert_eq!(clean("abcd", 4), "abcd");
    }
}
