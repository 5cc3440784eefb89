//! A tool call, which owns its outcome.
//!
//! Not here: whether the call may run (`fanfold-agent`), when (`fanfold-schedule`), and how broken
//! arguments are read (`fanfold-wire`).

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::ids::CallId;
use crate::outcome::Outcome;

/// How far the arguments had to be bent to be read. The outcome notes it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reading {
    /// Strict JSON, an object, as it should be.
    #[default]
    Strict,
    /// A JSON string that holds JSON, a code fence, or text after a complete value.
    Unwrapped,
    /// Another complete grammar, read without guessing: Python or JavaScript literals.
    Literal,
}

impl Reading {
    /// The word used in results and reports; `None` where there is nothing to note.
    #[must_use]
    pub const fn note(self) -> Option<&'static str> {
        match self {
            Self::Strict => None,
            Self::Unwrapped => Some("unwrapped"),
            Self::Literal => Some("literal"),
        }
    }
}

/// Why arguments could not be read as an object.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ArgumentsProblem {
    /// Not JSON by any tolerated reading.
    #[error("the arguments are not valid JSON: {0}")]
    NotJson(Box<str>),
    /// JSON, but no object.
    #[error("the arguments must be a JSON object, not {0}")]
    NotAnObject(Cow<'static, str>),
    /// Two or more complete objects in a row; taking the first silently would drop a call.
    #[error("the arguments hold several JSON objects in a row; send one call for each")]
    SeveralObjects,
    /// A plain call without any arguments, which therefore must be named.
    #[error("the call has no arguments: give them as an object in `{0}`")]
    Missing(Cow<'static, str>),
}

/// The arguments of a call, parsed once, where the call is read.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Arguments {
    /// A JSON object.
    Object {
        /// The arguments by name, in the order in which the model wrote them.
        object: Map<String, Value>,
        /// How they were read.
        reading: Reading,
    },
    /// Broken, with a guess at what was meant: missing quotes or closers are added.
    ///
    /// Only a tool that only reads may run with the guess; for any other the call is declined with
    /// `repaired_guess`. So [`object`](Self::object) does not give it: whoever wants it has to ask
    /// for the [`guess`](Self::guess) by name.
    Guessed {
        /// The guess. It is never shown as what the model wrote.
        object: Map<String, Value>,
        /// Why nothing better could be read.
        problem: ArgumentsProblem,
    },
    /// Complete, but not readable: the call is declined with `bad_arguments`.
    Unreadable(ArgumentsProblem),
    /// Cut by the output limit or by the end of a stream: the call is declined with
    /// `cut_arguments`, never repaired, never run.
    Cut,
}

impl Arguments {
    /// The empty object.
    #[must_use]
    pub fn none() -> Self {
        Self::strict(Map::new())
    }

    /// Arguments read strictly.
    #[must_use]
    pub const fn strict(object: Map<String, Value>) -> Self {
        Self::Object { object, reading: Reading::Strict }
    }

    /// The object, where the arguments are readable without a guess.
    #[must_use]
    pub const fn object(&self) -> Option<&Map<String, Value>> {
        match self {
            Self::Object { object, .. } => Some(object),
            Self::Guessed { .. } | Self::Unreadable(_) | Self::Cut => None,
        }
    }

    /// The guess, where there is only one; for tools that only read.
    #[must_use]
    pub const fn guess(&self) -> Option<&Map<String, Value>> {
        match self {
            Self::Guessed { object, .. } => Some(object),
            Self::Object { .. } | Self::Unreadable(_) | Self::Cut => None,
        }
    }

    /// The word for how the arguments were bent; `None` where they are strict or not readable.
    #[must_use]
    pub const fn note(&self) -> Option<&'static str> {
        match self {
            Self::Object { reading, .. } => reading.note(),
            Self::Guessed { .. } => Some("guessed"),
            Self::Unreadable(_) | Self::Cut => None,
        }
    }
}

/// A second outcome for a call that has one. The first stands.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("call {0} already has its outcome")]
pub struct AlreadySettled(pub CallId);

/// One tool call of a reply.
///
/// Invariant: it has at most one outcome, and once given the outcome never changes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Call {
    /// The harness's own id: unique in the session.
    pub id: CallId,
    /// The provider's id, as sent; `None` where the wire has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wire_id: Option<Box<str>>,
    /// The tool's name, as the model wrote it.
    pub tool: Box<str>,
    /// The arguments as the model wrote them, byte for byte, where they were text; else their JSON.
    pub sent: Box<str>,
    /// The arguments, parsed.
    pub arguments: Arguments,
    /// Not written with the call: it comes later, in a fact of its own.
    #[serde(skip)]
    outcome: Option<Outcome>,
}

impl Call {
    /// A call without a wire id; `sent` is the JSON of its arguments.
    #[must_use]
    pub fn new(id: CallId, tool: &str, arguments: Arguments) -> Self {
        let sent = match arguments.object() {
            Some(object) => serde_json::to_string(object).expect("a JSON object serializes"),
            None => String::new(),
        };
        Self { id, wire_id: None, tool: tool.into(), sent: sent.into(), arguments, outcome: None }
    }

    /// The outcome, once settled.
    #[must_use]
    pub const fn outcome(&self) -> Option<&Outcome> {
        self.outcome.as_ref()
    }

    /// Gives the call its one outcome.
    ///
    /// # Errors
    /// When it has one already; the first stands.
    pub fn settle(&mut self, outcome: Outcome) -> Result<(), AlreadySettled> {
        if self.outcome.is_some() {
            return Err(AlreadySettled(self.id));
        }
        self.outcome = Some(outcome);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_guess_is_no_object() {
        let problem = ArgumentsProblem::NotAnObject("a guess".into());
        let guessed = Arguments::Guessed { object: Map::new(), problem };
        assert_eq!((guessed.object(), guessed.guess()), (None, Some(&Map::new())));
        assert_eq!((Arguments::none().guess(), Arguments::Cut.guess()), (None, None));
    }

    #[test]
    fn the_first_outcome_stands() {
        let mut call = Call::new(CallId::new(1), "Ls", Arguments::none());
        call.settle(Outcome::ok_text("a")).unwrap();
        assert_eq!(call.settle(Outcome::ok_text("b")), Err(AlreadySettled(CallId::new(1))));
        assert_eq!(call.outcome().unwrap().text(), "a");
    }
}
