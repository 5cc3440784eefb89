//! What the four writers of events have in common.
//!
//! Not here: any one provider.

use serde_json::Value;

use crate::script::format::{ScriptedCall, ScriptedStop};

/// Writes one reply as events. Each string is sent at one moment; the first of a piece opens what
/// has to be opened, the last one closes it.
pub(super) trait Write {
    /// What comes before the first piece.
    fn begin(&mut self) -> String;

    /// A piece of text; there is at least one delta.
    fn text(&mut self, deltas: &[&str]) -> Vec<String>;

    /// A piece of thinking, whole and in deltas.
    fn thinking(&mut self, whole: &str, deltas: &[&str]) -> Vec<String>;

    /// A call with the deltas of its arguments; `cut` when the output limit fell into them.
    fn call(&mut self, call: &ScriptedCall, deltas: &[&str], cut: bool) -> Vec<String>;

    /// What comes after the last piece.
    fn end(&mut self, stop: ScriptedStop) -> String;
}

/// An event by its data alone.
pub(super) fn unnamed(event: &Value) -> String {
    format!("data: {event}\n\n")
}

/// An event that is also named by its type.
pub(super) fn named(event: &Value) -> String {
    let name = event.get("type").and_then(Value::as_str).unwrap_or_default();
    format!("event: {name}\ndata: {event}\n\n")
}

/// The events of the deltas, with what opens and closes the piece.
pub(super) fn framed(open: &str, mut deltas: Vec<String>, close: &str) -> Vec<String> {
    if let Some(first) = deltas.first_mut() {
        first.insert_str(0, open);
    }
    if let Some(last) = deltas.last_mut() {
        last.push_str(close);
    }
    deltas
}
