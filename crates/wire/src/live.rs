//! What a caller is told while a reply still streams.
//!
//! Not here: the finished reply. It is read as a whole at the end (`decoder.rs`).

use std::collections::{BTreeMap, VecDeque};

use fanfold_transcript::{Call, CallId};

use crate::decoder::Limits;
use crate::error::DecodeError;

/// A step of a streaming reply.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Progress {
    /// A piece of the answer.
    Text(Box<str>),
    /// A piece of the model's thinking.
    Thinking(Box<str>),
    /// A call began; its arguments are still coming.
    CallOpened(CallId),
    /// The arguments of this call are complete: [`Decoder::call`](crate::Decoder::call) gives it.
    CallReady(CallId),
    /// The provider began the reply anew, before any call was ready: what was reported so far is
    /// not part of it. Ids of calls that were opened before are not used again.
    Restarted,
}

/// What was reported so far and the calls handed out with it.
#[derive(Debug)]
pub(crate) struct Live {
    progress: VecDeque<Progress>,
    /// The calls handed out, each with the number that were handed out before it.
    ready: BTreeMap<CallId, (usize, Call)>,
    ids: CallIds,
    spoke: bool,
}

impl Live {
    pub(crate) fn new(ids: CallIds) -> Self {
        Self { progress: VecDeque::new(), ready: BTreeMap::new(), ids, spoke: false }
    }

    pub(crate) fn poll(&mut self) -> Option<Progress> {
        self.progress.pop_front()
    }

    pub(crate) fn text(&mut self, piece: &str) {
        self.say(piece, Progress::Text);
    }

    pub(crate) fn thinking(&mut self, piece: &str) {
        self.say(piece, Progress::Thinking);
    }

    fn say(&mut self, piece: &str, progress: fn(Box<str>) -> Progress) {
        if !piece.is_empty() {
            self.spoke = true;
            self.progress.push_back(progress(piece.into()));
        }
    }

    /// Reports a new call and gives it its id.
    pub(crate) fn open(&mut self) -> Result<CallId, DecodeError> {
        let id = self.ids.next()?;
        self.spoke = true;
        self.progress.push_back(Progress::CallOpened(id));
        Ok(id)
    }

    /// Hands out a complete call, once. From now on it does not change.
    pub(crate) fn ready(&mut self, call: Call) {
        if self.ready.contains_key(&call.id) {
            return;
        }
        self.progress.push_back(Progress::CallReady(call.id));
        self.ready.insert(call.id, (self.ready.len(), call));
    }

    /// Forgets what was said; the ids of the next generation are returned for its final reading.
    /// `None` once a call was handed out: it may run already, and its reply has to keep it.
    pub(crate) fn restart(&mut self) -> Option<CallIds> {
        if !self.ready.is_empty() {
            return None;
        }
        if std::mem::replace(&mut self.spoke, false) {
            self.progress.push_back(Progress::Restarted);
        }
        Some(self.ids)
    }

    pub(crate) fn call(&self, id: CallId) -> Option<&Call> {
        self.ready.get(&id).map(|(_, call)| call)
    }

    /// Whether `id` was handed out no later than `call` was.
    pub(crate) fn is_out_with(&self, id: CallId, call: CallId) -> bool {
        let order = |id| self.ready.get(&id).map(|(order, _)| order);
        order(id).is_some_and(|of_id| order(call).is_some_and(|of_call| of_id <= of_call))
    }

    /// The call of this id, if it was handed out.
    pub(crate) fn take(&mut self, id: CallId) -> Option<Call> {
        self.ready.remove(&id).map(|(_, call)| call)
    }

    /// Whether any content has been reported of the present generation.
    pub(crate) const fn spoke(&self) -> bool {
        self.spoke
    }
}

/// The counter of the session's call ids, with the limit on the calls of one reply.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CallIds {
    next: u32,
    left: usize,
    limit: usize,
}

impl CallIds {
    pub(crate) const fn new(first: u32, limits: Limits) -> Self {
        Self { next: first, left: limits.calls_max, limit: limits.calls_max }
    }

    pub(crate) fn next(&mut self) -> Result<CallId, DecodeError> {
        self.left =
            self.left.checked_sub(1).ok_or(DecodeError::TooManyCalls { limit: self.limit })?;
        let id = CallId::new(self.next);
        self.next = self.next.saturating_add(1);
        Ok(id)
    }
}
