//! What is said of calls while they run: a line per finished call, and on a terminal a live row for
//! each that waits or runs.
//!
//! Not here: where lines go (`voice.rs`), and the drawing of a finished run (`timeline.rs`).

use std::collections::BTreeMap;
use std::time::Duration;

use fanfold_session::{CallId, Change};
use indicatif::{ProgressBar, ProgressStyle};

use crate::voice::{Voice, clean};

/// Rows shown live at most; the next call gets one when another has ended.
const ROWS_MAX: usize = 24;

/// Characters of a line that a running call wrote.
const LINE_CHARS_MAX: usize = 200;

/// Characters of the arguments in a line.
const ARGUMENTS_CHARS_MAX: usize = 60;

/// Characters of the arguments in a question: nobody is to allow what was never shown.
const QUESTION_CHARS_MAX: usize = 4_000;

/// The progress of calls.
#[derive(Debug)]
pub(crate) struct Progress {
    /// Those that have not ended.
    calls: BTreeMap<CallId, Shown>,
    voice: Voice,
}

#[derive(Debug)]
struct Shown {
    /// Id and tool, made fit for one line.
    title: String,
    arguments: String,
    /// The arguments for whoever has to allow the call.
    in_full: String,
    row: Option<ProgressBar>,
}

impl Progress {
    /// Says what there is to say with this voice.
    pub(crate) const fn new(voice: Voice) -> Self {
        Self { calls: BTreeMap::new(), voice }
    }

    /// Takes in a change of a call.
    pub(crate) fn update(&mut self, call: CallId, change: Change) {
        match change {
            Change::Asked { tool, arguments } => self.asked(call, &tool, &arguments),
            Change::Asking { .. } => self.redraw(call, "? {wide_msg}", "waits for your answer"),
            Change::Waiting { waits_for, reason } => {
                let what = match waits_for {
                    Some(other) => format!("waits for {other} ({reason})"),
                    None => format!("waits ({reason})"),
                };
                self.redraw(call, "· {wide_msg}", &what);
            }
            Change::Started => {
                self.redraw(call, "{spinner} {wide_msg} {elapsed}", "runs");
                // Where no row can stand, a line says what is going on.
                if let Voice::Above(_) = self.voice {
                    self.voice.say(&format!("▸ {}", self.line_of(call)));
                }
            }
            Change::Ended { status, reason, ran_ms, bytes } => {
                let reason = reason.filter(|_| status != "ok").map(|r| format!(" ({r})"));
                let ran = ran_ms.map(|ms| format!(" in {}", seconds(ms))).unwrap_or_default();
                let what = format!("{status}{}{ran}, {bytes} bytes", reason.unwrap_or_default());
                self.ended(call, &what);
            }
        }
    }

    /// Shows the newest line that a running call wrote, where it has a row.
    pub(crate) fn output(&self, call: CallId, text: &str) {
        let shown = self.calls.get(&call);
        let Some((shown, row)) = shown.and_then(|s| Some((s, s.row.as_ref()?))) else { return };
        if let Some(line) = text.lines().rev().find(|line| !line.trim().is_empty()) {
            row.set_message(format!("{} runs  {}", shown.title, clean(line, LINE_CHARS_MAX)));
        }
    }

    /// How lines are said without spoiling the live rows.
    pub(crate) const fn voice(&self) -> &Voice {
        &self.voice
    }

    /// Whether a row stands on the terminal.
    pub(crate) fn has_rows(&self) -> bool {
        self.calls.values().any(|shown| shown.row.is_some())
    }

    /// Nothing more will come.
    pub(crate) fn finish(self) {
        for row in self.calls.into_values().filter_map(|shown| shown.row) {
            row.finish_and_clear();
        }
    }

    /// What is asked of whoever has to allow a call, without the request for an answer.
    pub(crate) fn question_of(&self, call: CallId, why: &str) -> String {
        let shown = self.calls.get(&call);
        let line = shown.map(|shown| format!("{}  {}", shown.title, shown.in_full));
        format!("{}\n     {why}", line.unwrap_or_default())
    }

    /// What a call is, in one line.
    fn line_of(&self, call: CallId) -> String {
        let shown = self.calls.get(&call);
        shown.map(|shown| format!("{}  {}", shown.title, shown.arguments)).unwrap_or_default()
    }

    fn asked(&mut self, call: CallId, tool: &str, arguments: &str) {
        let title = format!("{:<4} {}", call.to_string(), clean(tool, 40));
        let in_full = in_full(arguments);
        let arguments = clean(arguments, ARGUMENTS_CHARS_MAX);
        self.calls.insert(call, Shown { title, arguments, in_full, row: None });
    }

    fn redraw(&mut self, call: CallId, template: &str, what: &str) {
        let Some(live) = self.voice.rows() else { return };
        let rows = self.calls.values().filter(|shown| shown.row.is_some()).count();
        let Some(Shown { title, arguments, row, .. }) = self.calls.get_mut(&call) else { return };
        if row.is_none() && rows >= ROWS_MAX {
            return;
        }
        let row = row.get_or_insert_with(|| {
            let row = live.add(ProgressBar::new_spinner());
            row.enable_steady_tick(Duration::from_millis(100));
            row
        });
        row.set_style(style(template));
        row.reset_elapsed();
        // The arguments last: they are what a narrow terminal cuts off.
        row.set_message(format!("{title} {what}  {arguments}"));
    }

    fn ended(&mut self, call: CallId, what: &str) {
        let Some(Shown { title, arguments, row, .. }) = self.calls.remove(&call) else { return };
        if let Some(row) = row {
            row.finish_and_clear();
        }
        self.voice.say(format!("{title} {what}  {arguments}").trim_end());
    }
}

/// Arguments in one line; that some of them are left out cannot be overlooked.
fn in_full(arguments: &str) -> String {
    let shown = clean(arguments, QUESTION_CHARS_MAX);
    match arguments.chars().count().checked_sub(QUESTION_CHARS_MAX) {
        None | Some(0) => shown,
        // The mark of the cut takes the place of one more.
        Some(more) => format!("{shown} ({} more characters are not shown)", more + 1),
    }
}

fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_spinner())
}

/// Milliseconds as a person reads them.
pub(crate) fn seconds(ms: u64) -> String {
    if ms < 1000 { format!("{ms} ms") } else { format!("{}.{} s", ms / 1000, ms % 1000 / 100) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_question_shows_the_arguments_or_says_what_is_missing() {
        let long = "x".repeat(QUESTION_CHARS_MAX);
        assert_eq!(in_full(&long), long);
        let cut = in_full(&format!("{long}yz"));
        assert!(cut.ends_with("x… (3 more characters are not shown)"), "{cut}");
    }
}
