//! Draws what happens while an agent works.
//!
//! Not here: what a terminal is asked (`approvals.rs`, `interactive/questions.rs`), and `--json`,
//! which draws nothing.

use fanfold_session::{CallChange, CallId, Change, HowEnded, What};
use serde_json::Value;

use crate::progress::Progress;
use crate::speech::Speech;
use crate::tally::Tally;
use crate::voice::Voice;

/// What a person sees of an agent.
#[derive(Debug)]
pub(crate) struct View {
    speech: Speech,
    progress: Progress,
    tally: Tally,
}

impl View {
    /// The text goes here, everything else is said with this voice.
    pub(crate) fn new(speech: Speech, voice: Voice) -> Self {
        Self { speech, progress: Progress::new(voice), tally: Tally::default() }
    }

    /// Draws one event.
    pub(crate) fn see(&mut self, what: What) {
        self.tally.add(&what);
        match what {
            What::Session { session, model, resumed, workspace: _ } => {
                let resumed = if resumed { ", resumed" } else { "" };
                self.say(&format!("session {session} ({model}{resumed})"));
            }
            What::Text { text, partial: true, step: _ } => {
                self.speech.piece(&text, self.progress.has_rows());
            }
            What::Text { text, partial: false, step: _ } => self.speech.whole(&text),
            What::Call { call, change } => self.change(call, change),
            What::Approval { call, why } => {
                self.speech.end_line();
                self.progress.update(call, Change::Asking { why });
            }
            What::Thinking { .. } | What::Usage { .. } => {}
            What::Notice { text } | What::Error { text } => self.say(&format!("fanfold: {text}")),
            What::Final { text, data, ended } => {
                self.end(&text, data.as_ref());
                if ended == HowEnded::Stopped {
                    self.say("stopped");
                }
            }
        }
    }

    /// Says lines between all the rest.
    pub(crate) fn say(&mut self, text: &str) {
        self.speech.end_line();
        self.progress.voice().say(text);
    }

    /// What calls look like.
    pub(crate) const fn progress(&self) -> &Progress {
        &self.progress
    }

    /// The end of the view; gives what the text was written to.
    pub(crate) fn finish(self) -> Speech {
        self.progress.finish();
        self.speech
    }

    fn change(&mut self, call: CallId, change: CallChange) {
        let change = match change {
            CallChange::Asked { tool, arguments } => Change::Asked { tool, arguments },
            CallChange::Waiting { waits_for, reason } => Change::Waiting { waits_for, reason },
            CallChange::Started => Change::Started,
            CallChange::Output { text, stream: _ } => return self.progress.output(call, &text),
            CallChange::Ended { status, reason, ran_ms, bytes } => {
                Change::Ended { status, reason, ran_ms, bytes }
            }
        };
        // No row and no line stands beside text.
        self.speech.end_line();
        self.progress.update(call, change);
    }

    fn end(&mut self, text: &str, data: Option<&Value>) {
        self.speech.answer(text);
        // An answer that was asked for as JSON is its own data.
        let is_said = |data: &Value| serde_json::from_str::<Value>(text).is_ok_and(|t| t == *data);
        if let Some(data) = data.filter(|data| !is_said(data)) {
            self.speech.answer(&data.to_string());
        }
        if let Some(line) = self.tally.take_line() {
            self.say(&line);
        }
    }
}
