//! A session as a person reads it: who said what, and what came of each call.
//!
//! Not here: the whole of long results; `--json` has them.

use fanfold_session::{SessionShown, ShownCall, ShownEntry};

use crate::voice::{clean, clean_lines};

/// Lines of a result that are shown.
const RESULT_LINES_MAX: usize = 3;

/// Characters of a line of a call.
const LINE_CHARS_MAX: usize = 100;

/// The session, without a final newline.
pub(super) fn draw(session: &SessionShown) -> String {
    let mut parts = vec![head(session)];
    parts.extend(session.entries.iter().map(entry));
    parts.extend(
        session.waiting.iter().map(|text| format!("{}\n  (waits for the next turn)", quoted(text))),
    );
    parts.join("\n\n")
}

fn head(session: &SessionShown) -> String {
    let workspace = session.workspace.as_deref().map(|path| format!(" in {path}"));
    clean(&format!("session {}{}", session.id, workspace.unwrap_or_default()), usize::MAX)
}

fn entry(entry: &ShownEntry) -> String {
    match entry {
        ShownEntry::User { text } => quoted(text),
        ShownEntry::Model { model: _, thinking: _, text, calls } => {
            let text = clean_lines(text.trim_end());
            let said = Some(text).filter(|text| !text.is_empty());
            said.into_iter().chain(calls.iter().map(call)).collect::<Vec<_>>().join("\n")
        }
    }
}

/// What the user said, told apart from what the model said.
fn quoted(text: &str) -> String {
    let line = |line: &str| format!("> {}", clean_lines(line));
    text.trim_end().split('\n').map(line).collect::<Vec<_>>().join("\n")
}

fn call(call: &ShownCall) -> String {
    let ShownCall { id, tool, arguments, status, reason, result } = call;
    let status = status.unwrap_or("no outcome yet");
    let reason = reason.map(|reason| format!(" ({reason})")).unwrap_or_default();
    let arguments = arguments.split_whitespace().collect::<Vec<_>>().join(" ");
    let head = format!("  {id} {tool} {status}{reason}  {arguments}");
    let mut lines = vec![clean(&head, LINE_CHARS_MAX)];
    let mut of_result = result.trim_end().lines();
    let shown = of_result.by_ref().take(RESULT_LINES_MAX);
    let line = |line: &str| format!("     {}", clean(&line.replace('\t', "  "), LINE_CHARS_MAX));
    lines.extend(shown.map(line));
    let more = of_result.count();
    if more > 0 {
        lines.push(format!("     … {more} more lines"));
    }
    lines.join("\n")
}
