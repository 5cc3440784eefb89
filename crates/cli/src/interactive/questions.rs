//! Calls that wait for a yes or a no, in the order in which they asked.
//!
//! Not here: how a question looks (`interactive.rs`).

use std::collections::VecDeque;

use fanfold_session::CallId;

/// The open questions.
#[derive(Debug, Default)]
pub(super) struct Questions(VecDeque<(CallId, String)>);

impl Questions {
    /// Puts one more at the end, with its text.
    pub(super) fn put(&mut self, call: CallId, text: String) {
        self.0.push_back((call, text));
    }

    /// Nothing is asked any longer.
    pub(super) fn clear(&mut self) {
        self.0.clear();
    }

    /// The call asks no longer: it was answered, or it is over.
    pub(super) fn remove(&mut self, call: CallId) {
        self.0.retain(|(open, _)| *open != call);
    }

    /// The call that an answer is for: the one it names, else the first that asked. It asks no longer
    /// then.
    pub(super) fn take(&mut self, named: Option<&str>) -> Option<CallId> {
        let at = match named {
            Some(name) => self.0.iter().position(|(call, _)| call.to_string() == name)?,
            None => 0,
        };
        self.0.remove(at).map(|(call, _)| call)
    }

    /// The call whose turn it is.
    pub(super) fn first(&self) -> Option<CallId> {
        self.0.front().map(|(call, _)| *call)
    }

    /// What is asked about the call whose turn it is.
    pub(super) fn text(&self) -> Option<&str> {
        self.0.front().map(|(_, text)| &**text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_for_the_first_or_the_named_one() {
        let calls = [1, 2, 3, 4].map(CallId::new);
        let mut questions = Questions::default();
        calls.into_iter().for_each(|call| questions.put(call, format!("{call}?")));
        questions.remove(calls[3]);
        assert_eq!(questions.take(Some("c2")), Some(calls[1]));
        assert_eq!(questions.take(Some("c2")), None);
        assert_eq!(questions.take(None), Some(calls[0]));
        assert_eq!((questions.first(), questions.text()), (Some(calls[2]), Some("c3?")));
        assert_eq!(questions.take(Some("c4")), None);
        assert_eq!(questions.take(None), Some(calls[2]));
        assert_eq!(questions.take(None), None);
        questions.put(calls[0], String::new());
        questions.clear();
        assert_eq!(questions.first(), None);
    }
}
