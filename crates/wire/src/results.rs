//! What a model is told about a call, before a wire gives it its form.
//!
//! Not here: how much of an output is shown. The content of an outcome is bounded when it is made.

use fanfold_transcript::{
    Arguments, Assistant, Call, Content, Ending, Failure, MediaSource, OpenCalls, Outcome, Status,
};
use serde_json::Value;

use crate::media;

/// How much of a guess is shown.
const GUESS_CHARS_MAX: usize = 400;

/// The answer to one call.
#[derive(Debug)]
pub(crate) struct Answer<'a> {
    pub(crate) call: &'a Call,
    pub(crate) outcome: &'a Outcome,
    pub(crate) is_ok: bool,
    pub(crate) text: String,
    /// Images and documents that a request can carry, those of a success only.
    pub(crate) media: Vec<&'a Content>,
}

/// The answers to all calls, in their order.
pub(crate) fn answers(reply: &Assistant) -> Result<Vec<Answer<'_>>, OpenCalls> {
    let open: Vec<_> =
        reply.calls().filter(|call| call.outcome().is_none()).map(|call| call.id).collect();
    if !open.is_empty() {
        return Err(OpenCalls { open });
    }
    let answer = |call| Some(answer(call, Call::outcome(call)?));
    Ok(reply.calls().filter_map(answer).collect())
}

fn answer<'a>(call: &'a Call, outcome: &'a Outcome) -> Answer<'a> {
    let is_ok = outcome.is_ok();
    let all_media = outcome.content.iter().filter(|content| media::of(content).is_some());
    let (kept, shown): (Vec<_>, Vec<_>) = all_media.filter(|_| is_ok).partition(is_kept);
    let mut lines: Vec<String> = headline(outcome.ending).into_iter().collect();
    let body = outcome.text();
    lines.extend((!body.is_empty()).then_some(body));
    lines.extend(kept.into_iter().filter_map(note));
    lines.extend(tolerance(call, outcome));
    Answer { call, outcome, is_ok, text: lines.join("\n"), media: shown }
}

/// Says how the arguments had to be bent. What was only guessed is shown where a call ran with it:
/// the refusal of one that did not says it already.
fn tolerance(call: &Call, outcome: &Outcome) -> Option<String> {
    if let Arguments::Guessed { object, problem } = &call.arguments {
        let guess = Value::Object(object.clone()).to_string();
        let shown: String = guess.chars().take(GUESS_CHARS_MAX).collect();
        let dots = if shown.len() < guess.len() { "…" } else { "" };
        let ran = outcome.status() != Status::Declined;
        return ran.then(|| format!("({problem}; they were guessed to mean {shown}{dots})"));
    }
    let note = call.arguments.note()?;
    Some(format!("(arguments were read tolerantly: {note})"))
}

/// Names status and reason where the text alone would not tell: a tool's own error and a process's
/// exit code speak for themselves.
fn headline(ending: Ending) -> Option<String> {
    match ending {
        Ending::Ok | Ending::Failed(Failure::ToolError | Failure::ExitCode) => None,
        Ending::Failed(Failure::Panicked)
        | Ending::Declined(_)
        | Ending::Cancelled
        | Ending::TimedOut
        | Ending::Interrupted(_)
        | Ending::Skipped(_) => {
            let status = ending.status().as_str();
            let reason = ending.reason().filter(|reason| *reason != status);
            Some(match reason {
                Some(reason) => format!("[{status}: {reason}]"),
                None => format!("[{status}]"),
            })
        }
    }
}

/// Whether the bytes are in a store, out of reach of a pure crate.
fn is_kept(content: &&Content) -> bool {
    media::of(content).is_some_and(|media| matches!(media.source, MediaSource::Stored { .. }))
}

/// A line in place of media that the wire cannot carry.
pub(crate) fn note(content: &Content) -> Option<String> {
    media::of(content).map(media::note)
}

impl Answer<'_> {
    /// The text, with a line for each image or document, for a wire whose results are text only.
    pub(crate) fn text_only(&self) -> String {
        let notes = self.media.iter().filter_map(|media| note(media));
        let text = Some(self.text.clone()).filter(|text| !text.is_empty());
        text.into_iter().chain(notes).collect::<Vec<_>>().join("\n")
    }
}
