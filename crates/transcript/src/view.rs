//! What the model is shown of a transcript.
//!
//! A view is the only thing from which a request may be made, and it cannot be made of a path with
//! an unanswered call. Compaction will change views, never the transcript; its rewrites are not here yet.

use crate::entry::{Body, Entry};
use crate::ids::{CallId, EntryId};
use crate::size::Size;
use crate::transcript::Transcript;

/// The entries on the way to a leaf, every call of them answered.
#[derive(Clone, Debug, Default)]
pub struct View<'a> {
    entries: Vec<&'a Entry>,
}

/// A path that cannot be shown yet: these calls have no outcome.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{} of the conversation's calls have no outcome yet", open.len())]
pub struct OpenCalls {
    /// The unanswered calls, in order.
    pub open: Vec<CallId>,
}

impl<'a> View<'a> {
    /// The view of the conversation that ends at `leaf`; empty when there is no such entry.
    ///
    /// # Errors
    /// When a call on the way has no outcome.
    pub fn of(transcript: &'a Transcript, leaf: EntryId) -> Result<Self, OpenCalls> {
        let entries = transcript.path(leaf);
        let open: Vec<CallId> = entries.iter().flat_map(|entry| open_calls(entry)).collect();
        if open.is_empty() { Ok(Self { entries }) } else { Err(OpenCalls { open }) }
    }

    /// The entries, oldest first.
    #[must_use]
    pub fn entries(&self) -> &[&'a Entry] {
        &self.entries
    }

    /// Messages: an assistant entry, the results of one batch, and a user entry count one each.
    #[must_use]
    pub fn message_count(&self) -> usize {
        let messages = |entry: &&Entry| match &entry.body {
            Body::User(_) => 1,
            Body::Assistant(reply) => 1 + usize::from(reply.calls().next().is_some()),
        };
        self.entries.iter().map(messages).sum()
    }

    /// The size of all that is shown.
    #[must_use]
    pub fn size(&self) -> Size {
        self.entries.iter().map(|entry| Size::of_entry(entry)).fold(Size::default(), |a, b| a + b)
    }
}

fn open_calls(entry: &Entry) -> Vec<CallId> {
    match &entry.body {
        Body::User(_) => Vec::new(),
        Body::Assistant(reply) => {
            reply.calls().filter(|call| call.outcome().is_none()).map(|call| call.id).collect()
        }
    }
}
