//! What a script says.
//!
//! Not here: reading it from JSON (`parse.rs`), and the defaults that depend on a request.

use fanfold_transcript::{Usage, Wire};
use serde::Deserialize;
use serde_json::Value;

/// A model written down. Read one with [`parse`](Script::parse) or [`read`](Script::read).
#[derive(Clone, Debug, PartialEq)]
pub struct Script {
    /// The format it speaks: Anthropic, OpenAI Chat, OpenAI Responses or Gemini.
    pub wire: Wire,
    /// The name it gives itself in its replies.
    pub model: Box<str>,
    /// What it answers.
    pub replies: Vec<ScriptedReply>,
}

/// One reply, and what goes wrong before it is given.
#[derive(Clone, Debug, PartialEq)]
pub struct ScriptedReply {
    /// Which requests it answers; `None`: those of its number.
    pub when: Option<When>,
    /// One is used up by each attempt, in this order.
    pub faults: Vec<ScriptedFault>,
    /// What is answered then.
    pub body: ReplyBody,
    /// With `when`: it answers every such request. Without: it answers all later numbers too.
    pub repeat: bool,
}

/// The answer itself. The set is closed.
#[derive(Clone, Debug, PartialEq)]
pub enum ReplyBody {
    /// Written: it is encoded for the wire that asks.
    Spoken(Spoken),
    /// Recorded: bytes of the script's own wire.
    Raw {
        /// In the order of time.
        chunks: Vec<RawChunk>,
        /// Whether the connection broke after them.
        broken: bool,
    },
    /// Nothing but the faults: there is no answer after the last one.
    FaultsOnly,
}

/// A written reply.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Spoken {
    /// In order.
    pub pieces: Vec<Piece>,
    /// Why it ends.
    pub stop: ScriptedStop,
    /// What it costs; estimated where it is `None`.
    pub usage: Usage,
    /// When it ends, in milliseconds since the request; `None`: with its last piece.
    pub ends_at_ms: Option<u64>,
}

/// A part of a written reply.
#[derive(Clone, Debug, PartialEq)]
pub struct Piece {
    /// What is said.
    pub said: Said,
    /// When it is complete, in milliseconds since the request; `None`: at once.
    pub at_ms: Option<u64>,
    /// Into how many deltas it is cut, where it is long enough. At least 1.
    pub chunks: usize,
}

/// What a piece says. The set is closed.
#[derive(Clone, Debug, PartialEq)]
pub enum Said {
    /// A piece of the answer.
    Text(Box<str>),
    /// A piece of thinking.
    Thinking(Box<str>),
    /// A tool call.
    Call(ScriptedCall),
}

/// A tool call of a written reply.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ScriptedCall {
    /// The tool's name.
    pub tool: Box<str>,
    /// An object; or the text of the arguments, which may be broken or cut.
    #[serde(default = "no_arguments")]
    pub arguments: Value,
    /// The provider's id; made up where it is `None`.
    #[serde(default)]
    pub id: Option<Box<str>>,
}

impl ScriptedCall {
    /// The text of the arguments as the model writes it.
    #[must_use]
    pub fn arguments_text(&self) -> String {
        match &self.arguments {
            Value::String(text) => text.clone(),
            Value::Null
            | Value::Bool(_)
            | Value::Number(_)
            | Value::Array(_)
            | Value::Object(_) => self.arguments.to_string(),
        }
    }
}

/// Why a written reply ends. The set is closed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ScriptedStop {
    /// Of itself, or to have its calls run.
    #[default]
    Finished,
    /// At the output limit.
    OutputLimit,
    /// The model refuses to go on.
    Refused,
}

/// Some bytes of a recorded reply.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RawChunk {
    /// When they came, in milliseconds since the request.
    pub at_ms: u64,
    /// The text of the stream.
    pub bytes: Box<str>,
}

/// Which requests a reply answers: all that is given must hold.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct When {
    /// Some string of the request holds this.
    #[serde(default)]
    pub contains: Option<Box<str>>,
    /// Some string of its last message holds this.
    #[serde(default)]
    pub last_contains: Option<Box<str>>,
    /// It is larger than this, at four bytes a token.
    #[serde(default)]
    pub tokens_above: Option<u64>,
    /// It holds exactly so many replies of the model.
    #[serde(default)]
    pub replies: Option<usize>,
}

/// What goes wrong instead of a reply. The set is closed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ScriptedFault {
    /// An HTTP status other than success.
    Status(StatusFault),
    /// The connection breaks.
    Broken(Break),
    /// Nothing comes for so many milliseconds, then the connection ends.
    Silent {
        /// Milliseconds.
        ms: u64,
    },
    /// A whole reply with nothing in it.
    Empty,
    /// A refusal of every request larger than this; it is never used up.
    PromptTooLong {
        /// Tokens, at four bytes each.
        above_tokens: u64,
    },
}

/// A refusal by HTTP status.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StatusFault {
    /// From 400 to 599.
    pub status: u16,
    /// The `Retry-After` header, in seconds.
    #[serde(default)]
    pub retry_after_s: Option<u64>,
    /// What the provider says; a usual text where it is `None`.
    #[serde(default)]
    pub message: Option<Box<str>>,
    /// The provider's word for it, such as `overloaded_error`; the usual one where it is `None`.
    #[serde(default)]
    pub code: Option<Box<str>>,
}

/// Where a connection breaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Break {
    /// After so many pieces of the reply.
    pub after: usize,
    /// And half of the bytes of the next one.
    #[serde(default)]
    pub mid_piece: bool,
}

fn no_arguments() -> Value {
    Value::Object(serde_json::Map::new())
}
