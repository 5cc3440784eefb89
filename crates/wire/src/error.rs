//! Why bytes could not be read as a reply, told to a person.
//!
//! Not here: arguments that cannot be read. They belong to their call, which is declined in band.

use fanfold_transcript::Wire;

/// Bytes that are not one reply. Nothing of them may be run.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DecodeError {
    /// Nothing but white space.
    #[error("the input is empty; expected the reply of a model")]
    Empty,
    /// No JSON where JSON belongs.
    #[error("{place} is not JSON: {problem}")]
    NotJson {
        /// Which part of the input.
        place: String,
        /// What the JSON reader says, and the start of the text.
        problem: String,
    },
    /// JSON of another format than the one asked for.
    #[error("the input looks like {found}, not like {asked}")]
    WrongWire {
        /// The format asked for.
        asked: Wire,
        /// The format found.
        found: Wire,
    },
    /// A stream of events of which none belongs to a reply.
    #[error("the stream holds no event of a known format")]
    NoEvent,
    /// The right format, but without the part that holds the reply.
    #[error("no reply in the {wire} input: expected {expected}")]
    NoReply {
        /// The format.
        wire: Wire,
        /// What should be there.
        expected: &'static str,
    },
    /// An entry of plain calls that is no call. Its siblings are not run either.
    #[error("entry {index} is not a call: found {found}; expected one of {expected}")]
    NotACall {
        /// Its place in the list, counted from 1.
        index: usize,
        /// What stands there.
        found: String,
        /// The shapes of a plain call.
        expected: &'static str,
    },
    /// A second reply or value after the first.
    #[error(
        "the input holds more than one reply; give one at a time, or several plain calls in one array"
    )]
    SeveralReplies,
    /// The provider reports an error instead of a reply.
    #[error("{0}")]
    Provider(ProviderError),
    /// More bytes than the limit.
    #[error("the reply is larger than the limit of {limit} bytes")]
    TooLarge {
        /// The limit in bytes.
        limit: usize,
    },
    /// More calls than the limit.
    #[error("the reply holds more than {limit} calls")]
    TooManyCalls {
        /// The limit.
        limit: usize,
    },
    /// Nested deeper than the limit.
    #[error("the reply is nested deeper than {limit} levels")]
    TooDeep {
        /// The limit in levels.
        limit: usize,
    },
}

/// What a provider says went wrong.
#[derive(Clone, Debug, Default, PartialEq, Eq, thiserror::Error)]
#[error("the provider reports an error: {message}{}", generated(failed_generation.as_deref()))]
pub struct ProviderError {
    /// The provider's message, or its whole error as JSON where it has none.
    pub message: String,
    /// The provider's word for the kind of error, such as `overloaded_error`.
    pub kind: Option<String>,
    /// The text the model wrote, where the provider refused it and gives it back.
    pub failed_generation: Option<String>,
}

fn generated(text: Option<&str>) -> String {
    text.filter(|text| !text.is_empty())
        .map(|text| format!("; the model wrote: {text}"))
        .unwrap_or_default()
}
