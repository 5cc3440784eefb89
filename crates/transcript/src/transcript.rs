//! The whole record of a conversation: a tree of entries that only grows.
//!
//! Not here: what the model is shown of it (`view.rs`).

use std::collections::BTreeMap;

use crate::call::Call;
use crate::entry::{Body, Entry};
use crate::ids::{CallId, EntryId};
use crate::outcome::Outcome;

/// All entries ever said, in order of arrival. Nothing is edited, nothing is removed; an open call
/// gets its outcome, once.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Transcript {
    entries: Vec<Entry>,
    /// Where each call lives: entry and block index.
    calls: BTreeMap<CallId, (usize, usize)>,
}

/// An entry that cannot be appended.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AppendError {
    /// The parent does not exist.
    #[error("no entry {0} to continue")]
    NoParent(EntryId),
    /// Ids only grow.
    #[error("entry id {0} is not above those in use")]
    OldEntry(EntryId),
    /// A call id is taken: ids come from the session's one counter.
    #[error("call id {0} is already in use")]
    DuplicateCall(CallId),
}

/// An outcome that cannot be recorded.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SettleError {
    /// No such call: an orphan result cannot be written down.
    #[error("no call {0}")]
    NoCall(CallId),
    /// The call has its outcome.
    #[error("call {0} already has its outcome")]
    AlreadySettled(CallId),
}

impl Transcript {
    /// Adds an entry after `parent`. Several entries with one parent are forks.
    ///
    /// # Errors
    /// When the parent does not exist, or a call id of the entry is taken. Nothing is changed then.
    pub fn append(&mut self, parent: Option<EntryId>, body: Body) -> Result<EntryId, AppendError> {
        let id = self.next_entry();
        self.append_as(id, parent, body)?;
        Ok(id)
    }

    /// The id of the next entry.
    #[must_use]
    pub fn next_entry(&self) -> EntryId {
        EntryId(self.entries.last().map_or(0, |last| last.id.0).saturating_add(1))
    }

    /// Adds an entry under an id that was given to it before, such as in a journal; gaps are allowed.
    ///
    /// # Errors
    /// When the id is not above all others, the parent does not exist, or a call id of the entry is
    /// taken. Nothing is changed then.
    pub fn append_as(
        &mut self,
        id: EntryId,
        parent: Option<EntryId>,
        body: Body,
    ) -> Result<(), AppendError> {
        if id < self.next_entry() || self.entries.last().is_some_and(|last| last.id == id) {
            return Err(AppendError::OldEntry(id));
        }
        if let Some(parent) = parent.filter(|&parent| self.entry(parent).is_none()) {
            return Err(AppendError::NoParent(parent));
        }
        let index = self.entries.len();
        let mut added = BTreeMap::new();
        for (block, call) in calls_of(&body) {
            if self.calls.contains_key(&call.id) || added.insert(call.id, (index, block)).is_some()
            {
                return Err(AppendError::DuplicateCall(call.id));
            }
        }
        self.calls.extend(added);
        self.entries.push(Entry { id, parent, body });
        Ok(())
    }

    /// Records the one outcome of a call.
    ///
    /// # Errors
    /// When there is no such call, or it has its outcome already; nothing is changed then.
    pub fn settle(&mut self, id: CallId, outcome: Outcome) -> Result<(), SettleError> {
        let &(entry, block) = self.calls.get(&id).ok_or(SettleError::NoCall(id))?;
        let Body::Assistant(reply) = &mut self.entries[entry].body else {
            unreachable!("only assistant entries are indexed by call");
        };
        let crate::BlockBody::Call(call) = &mut reply.blocks[block].body else {
            unreachable!("only call blocks are indexed by call");
        };
        call.settle(outcome).map_err(|error| SettleError::AlreadySettled(error.0))
    }

    /// The entry of this id.
    #[must_use]
    pub fn entry(&self, id: EntryId) -> Option<&Entry> {
        // Without gaps, the usual case, an entry stands at its own number.
        let guess = usize::try_from(id.0).ok()?.checked_sub(1)?;
        match self.entries.get(guess) {
            Some(entry) if entry.id == id => Some(entry),
            Some(_) | None => {
                let at = self.entries.binary_search_by_key(&id, |entry| entry.id).ok()?;
                self.entries.get(at)
            }
        }
    }

    /// The call of this id.
    #[must_use]
    pub fn call(&self, id: CallId) -> Option<&Call> {
        let &(entry, block) = self.calls.get(&id)?;
        match &self.entries[entry].body {
            Body::Assistant(reply) => reply.blocks[block].as_call(),
            Body::User(_) => None,
        }
    }

    /// Every entry, in order of arrival.
    #[must_use]
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// The entries from the first one down to `leaf`; empty when `leaf` does not exist.
    #[must_use]
    pub fn path(&self, leaf: EntryId) -> Vec<&Entry> {
        let mut path = Vec::new();
        let mut next = self.entry(leaf);
        while let Some(entry) = next {
            path.push(entry);
            next = entry.parent.and_then(|parent| self.entry(parent));
        }
        path.reverse();
        path
    }
}

fn calls_of(body: &Body) -> Vec<(usize, &Call)> {
    match body {
        Body::User(_) => Vec::new(),
        Body::Assistant(reply) => {
            let calls = reply.blocks.iter().enumerate();
            calls.filter_map(|(index, block)| Some((index, block.as_call()?))).collect()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Arguments, Assistant, Block, Source, User, View, Wire};

    fn reply(calls: &[u32]) -> Body {
        let call = |&n: &u32| Block::call(Call::new(CallId::new(n), "Ls", Arguments::none()));
        let blocks = calls.iter().map(call).collect();
        Body::Assistant(Assistant::new(Source::new(Wire::Plain), blocks))
    }

    #[test]
    fn an_orphan_or_second_result_cannot_be_written_down() {
        let mut transcript = Transcript::default();
        transcript.append(None, reply(&[1])).unwrap();
        let settle = |t: &mut Transcript, n| t.settle(CallId::new(n), Outcome::ok_text("x"));
        assert_eq!(settle(&mut transcript, 2), Err(SettleError::NoCall(CallId::new(2))));
        assert_eq!(settle(&mut transcript, 1), Ok(()));
        assert_eq!(settle(&mut transcript, 1), Err(SettleError::AlreadySettled(CallId::new(1))));
    }

    #[test]
    fn call_ids_are_unique_and_a_refused_entry_leaves_no_trace() {
        let mut transcript = Transcript::default();
        let taken = |n| Err(AppendError::DuplicateCall(CallId::new(n)));
        assert_eq!(transcript.append(None, reply(&[1, 2, 1])), taken(1));
        transcript.append(None, reply(&[1, 2])).unwrap();
        assert_eq!(transcript.append(None, reply(&[3, 2])), taken(2));
        assert!(transcript.call(CallId::new(3)).is_none());
        assert_eq!(transcript.entries().len(), 1);
        let gone = EntryId(9);
        let orphan = transcript.append(Some(gone), Body::User(User::text("x")));
        assert_eq!(orphan, Err(AppendError::NoParent(gone)));
        let last = EntryId(u32::MAX);
        transcript.append_as(last, None, Body::User(User::text("x"))).unwrap();
        let again = transcript.append_as(last, Some(last), Body::User(User::text("x")));
        assert_eq!(again, Err(AppendError::OldEntry(last)), "it would be its own parent");
    }

    #[test]
    fn a_fork_is_a_new_leaf_and_each_leaf_has_its_own_view() {
        let mut transcript = Transcript::default();
        let root = transcript.append(None, Body::User(User::text("go"))).unwrap();
        let left = transcript.append(Some(root), reply(&[1])).unwrap();
        let right = transcript.append(Some(root), reply(&[2])).unwrap();
        transcript.settle(CallId::new(2), Outcome::ok_text("x")).unwrap();
        assert_eq!(View::of(&transcript, left).unwrap_err().open, [CallId::new(1)]);
        assert_eq!(View::of(&transcript, right).unwrap().message_count(), 3);
    }
}
