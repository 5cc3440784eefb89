//! What a workspace may say that nobody trusted: it may only narrow. A repository cannot arm itself.
//!
//! Not here: who trusted what.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::key::Key;
use crate::layer::Layer;
use crate::stack::Stack;

/// More keys than this are counted, not named.
const NAMED_MAX: usize = 20;

/// What such a file may do with a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Freedom {
    /// Set it.
    Free,
    /// Lower it.
    Downwards,
    /// Nothing.
    Ignored,
}

impl Layer {
    /// What is left of the layer of a workspace that nobody trusted, and notices for what is not.
    /// `below` is what the weaker layers say, `file` the name of its file.
    #[must_use]
    pub fn narrowed(self, below: &Stack, file: &str) -> (Self, Vec<String>) {
        let mut kept = Self::default();
        let mut notices = Vec::new();
        let mut ignored = BTreeSet::new();
        for (key, leaf) in self.leaves {
            match freedom(&key) {
                Freedom::Ignored => {
                    ignored.insert(whole(&key));
                    continue;
                }
                Freedom::Downwards => {
                    let now = below.get(&key).map_or(&Value::Null, |entry| &entry.value);
                    if !is_lower(&leaf.value, now) {
                        notices.push(format!(
                            "{}: {key} = {} is ignored: a workspace that is not trusted cannot raise \
                             it from {now}",
                            leaf.origin, leaf.value
                        ));
                        continue;
                    }
                }
                Freedom::Free => {}
            }
            kept.leaves.insert(key, leaf);
        }
        if !ignored.is_empty() {
            notices.push(format!(
                "{file}: ignored until you trust this file (fanfold settings trust): {}",
                names(&ignored)
            ));
        }
        (kept, notices)
    }
}

fn freedom(key: &Key) -> Freedom {
    match key.levels().as_slice() {
        ["max_parallel_tools"]
        | ["limits" | "tool_output", ..]
        | ["compaction", "micro", "max_tool_result_lines"] => Freedom::Downwards,
        ["compaction", "auto", "model"] => Freedom::Ignored,
        // An entry of a table stands for itself only when it is empty.
        ["compaction" | "scheduling", ..]
        | ["permissions", "ask" | "deny"]
        | ["models", _]
        | ["models", _, "context_window" | "max_output_tokens"] => Freedom::Free,
        _ => Freedom::Ignored,
    }
}

/// Whether a limit is not above another; null is no limit.
fn is_lower(new: &Value, now: &Value) -> bool {
    now.is_null() || new.as_u64().zip(now.as_u64()).is_some_and(|(new, now)| new <= now)
}

/// The key as a person thinks of it: a tool, not each part of it.
fn whole(key: &Key) -> Key {
    match key.levels().as_slice() {
        ["tools", name, ..] => Key::of(&["tools", name]),
        _ => key.clone(),
    }
}

fn names(keys: &BTreeSet<Key>) -> String {
    let named: Vec<String> = keys.iter().take(NAMED_MAX).map(Key::to_string).collect();
    let more = keys.len() - named.len();
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!("{}{more}", named.join(", "))
}
