//! What is said on stderr while calls run: a line per finished call, and on a terminal a live row for
//! each that waits or runs.
//!
//! Not here: the drawing of a finished run (`timeline.rs`).

use std::collections::BTreeMap;
use std::io::{self, IsTerminal as _, Write as _};
use std::time::Duration;

use fanfold_session::{CallId, Change, Update};
use indicatif::{MultiProgress, ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Rows shown live at most; the next call gets one when another has ended.
const ROWS_MAX: usize = 24;

/// Lines to stderr. That stderr is closed is no reason to fail. What is quoted from others, such as a
/// settings file, cannot write to the terminal.
pub(crate) fn say(text: &str) {
    let lines: Vec<String> = text.split('\n').map(|line| clean(line, usize::MAX)).collect();
    writeln!(io::stderr().lock(), "{}", lines.join("\n")).ok();
}

/// The progress of one batch.
#[derive(Debug)]
pub(crate) struct Progress {
    calls: BTreeMap<CallId, Shown>,
    live: Option<MultiProgress>,
}

#[derive(Debug)]
struct Shown {
    /// Id and tool, made fit for one line.
    title: String,
    arguments: String,
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
            Change::Asking { .. } => self.redraw(call, "? {wide_msg}", "waits for your answer"),
            Change::Waiting { waits_for, reason } => {
                let what = match waits_for {
                    Some(other) => format!("waits for {other} ({reason})"),
                    None => format!("waits ({reason})"),
                };
                self.redraw(call, "· {wide_msg}", &what);
            }
            Change::Started => self.redraw(call, "{spinner} {wide_msg} {elapsed}", "runs"),
            Change::Ended { status, reason, ran_ms, bytes } => {
                let reason = reason.filter(|_| status != "ok").map(|r| format!(" ({r})"));
                let ran = ran_ms.map(|ms| format!(" in {}", seconds(ms))).unwrap_or_default();
                let what = format!("{status}{}{ran}, {bytes} bytes", reason.unwrap_or_default());
                self.ended(call, &what);
            }
        }
    }

    /// Says lines without spoiling the live rows, from anywhere.
    pub(crate) fn voice(&self) -> impl Fn(&str) + Send + 'static {
        let live = self.live.clone();
        move |text| match &live {
            Some(live) => live.suspend(|| say(text)),
            None => say(text),
        }
    }

    /// Nothing more will come.
    pub(crate) fn finish(self) {
        for row in self.calls.into_values().filter_map(|shown| shown.row) {
            row.finish_and_clear();
        }
    }

    /// What a call is, in one line.
    pub(crate) fn line_of(&self, call: CallId) -> String {
        let shown = self.calls.get(&call);
        shown.map(|shown| format!("{}  {}", shown.title, shown.arguments)).unwrap_or_default()
    }

    /// Keeps the live rows still, so that somebody can type, until they are let go.
    pub(crate) fn stillness(&self) -> Stillness {
        Stillness(self.live.clone())
    }

    fn asked(&mut self, call: CallId, tool: &str, arguments: &str) {
        let title = format!("{:<4} {}", call.to_string(), clean(tool, 40));
        self.calls.insert(call, Shown { title, arguments: clean(arguments, 60), row: None });
    }

    fn redraw(&mut self, call: CallId, template: &str, what: &str) {
        let Some(live) = &self.live else { return };
        let rows = self.calls.values().filter(|shown| shown.row.is_some()).count();
        let Some(Shown { title, arguments, row }) = self.calls.get_mut(&call) else { return };
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
        let Some(shown) = self.calls.get_mut(&call) else { return };
        if let Some(row) = shown.row.take() {
            row.finish_and_clear();
        }
        let line = format!("{} {what}", shown.title);
        self.voice()(&line);
    }
}

/// Live rows that can be kept still, from anywhere.
#[derive(Clone, Debug)]
pub(crate) struct Stillness(Option<MultiProgress>);

impl Stillness {
    /// Nothing is redrawn from now on.
    pub(crate) fn begin(&self) {
        if let Some(live) = &self.0 {
            live.clear().ok();
            live.set_draw_target(ProgressDrawTarget::hidden());
        }
    }

    /// The rows are drawn again.
    pub(crate) fn end(&self) {
        if let Some(live) = &self.0 {
            live.set_draw_target(ProgressDrawTarget::stderr());
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
    let shown = |c: char| if c.is_control() || is_direction(c) { '\u{fffd}' } else { c };
    let mut cleaned: String = text.chars().take(max).map(shown).collect();
    if text.chars().count() > max {
        cleaned.pop();
        cleaned.push('…');
    }
    cleaned
}

/// Whether this character turns the direction of those after it, also of ours.
const fn is_direction(c: char) -> bool {
    matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_model_cannot_write_to_the_terminal() {
        assert_eq!(clean("a\x1b[2Jb\nc", 20), "a\u{fffd}[2Jb\u{fffd}c");
        assert_eq!(clean("a\u{202e}b\u{9b}c", 20), "a\u{fffd}b\u{fffd}c");
        assert_eq!(clean("abcdef", 4), "abc…");
        assert_eq!(clean("abcd", 4), "abcd");
    }
}
