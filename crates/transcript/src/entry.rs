//! Entries of a conversation and the blocks of a reply.
//!
//! Not here: results. They live in the calls of an assistant entry.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::call::Call;
use crate::content::Content;
use crate::ids::EntryId;
use crate::json::Json;

/// One entry; `id` and `parent` make the conversation a tree whose leaves are its forks.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// Its own id.
    pub id: EntryId,
    /// The entry it continues; `None` for a first one.
    pub parent: Option<EntryId>,
    /// What was said.
    pub body: Body,
}

/// What an entry says. The set is closed.
#[derive(Clone, Debug, PartialEq)]
pub enum Body {
    /// What a user said.
    User(User),
    /// What the model said, with its calls.
    Assistant(Assistant),
}

/// What a user said: text and media.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct User {
    /// In the order given.
    pub content: Vec<Content>,
}

impl User {
    /// A user entry of one text.
    #[must_use]
    pub fn text(text: &str) -> Self {
        Self { content: vec![Content::text(text)] }
    }
}

/// One reply of a model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Assistant {
    /// In the order of the wire.
    pub blocks: Vec<Block>,
    /// Where the reply came from.
    pub source: Source,
    /// Why it ended.
    pub stop: Stop,
    /// What it cost, as far as the provider said.
    pub usage: Usage,
}

impl Assistant {
    /// A reply that ended of itself, of unknown cost.
    #[must_use]
    pub fn new(source: Source, blocks: Vec<Block>) -> Self {
        Self { blocks, source, stop: Stop::Finished, usage: Usage::default() }
    }

    /// The calls, in the order in which the model wrote them.
    pub fn calls(&self) -> impl Iterator<Item = &Call> {
        self.blocks.iter().filter_map(Block::as_call)
    }

    /// The calls, to be settled.
    pub fn calls_mut(&mut self) -> impl Iterator<Item = &mut Call> {
        self.blocks.iter_mut().filter_map(|block| match &mut block.body {
            BlockBody::Call(call) => Some(call),
            BlockBody::Content(_) | BlockBody::Thinking(_) => None,
        })
    }

    /// The text of the reply without thinking, pieces joined as they came.
    #[must_use]
    pub fn text(&self) -> String {
        let text = |block: &Block| match &block.body {
            BlockBody::Content(content) => content.as_text().map(str::to_owned),
            BlockBody::Thinking(_) | BlockBody::Call(_) => None,
        };
        self.blocks.iter().filter_map(text).collect()
    }
}

/// One block of a reply.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Block {
    /// What it is.
    #[serde(flatten)]
    pub body: BlockBody,
    /// The provider's seal on it (a signature or encrypted content): shown byte for byte or not at all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub signature: Option<Box<str>>,
    /// The block as the wire wrote it, for giving it back unchanged to the same wire.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub original: Option<Json>,
}

/// What a block is. The set is closed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BlockBody {
    /// Text, media, data, or what only the wire understands.
    Content(Content),
    /// The model's thinking; empty where the provider shows only its seal.
    Thinking(Box<str>),
    /// A tool call.
    Call(Call),
}

impl Block {
    /// A block that no wire wrote.
    #[must_use]
    pub const fn new(body: BlockBody) -> Self {
        Self { body, signature: None, original: None }
    }

    /// A text block.
    #[must_use]
    pub fn text(text: &str) -> Self {
        Self::new(BlockBody::Content(Content::text(text)))
    }

    /// A call.
    #[must_use]
    pub const fn call(call: Call) -> Self {
        Self::new(BlockBody::Call(call))
    }

    /// The call in it, if it is one.
    #[must_use]
    pub const fn as_call(&self) -> Option<&Call> {
        match &self.body {
            BlockBody::Call(call) => Some(call),
            BlockBody::Content(_) | BlockBody::Thinking(_) => None,
        }
    }
}

/// The formats in which providers and programs speak.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Wire {
    /// Anthropic Messages.
    Anthropic,
    /// OpenAI Chat Completions, and every server compatible with it.
    OpenaiChat,
    /// OpenAI Responses.
    OpenaiResponses,
    /// Gemini `generateContent`.
    Gemini,
    /// Amazon Bedrock Converse.
    Bedrock,
    /// Cohere Chat, second version.
    Cohere,
    /// Calls written as plain JSON.
    Plain,
}

impl Wire {
    /// All of them, in the order of the documentation.
    pub const ALL: [Self; 7] = [
        Self::Anthropic,
        Self::OpenaiChat,
        Self::OpenaiResponses,
        Self::Gemini,
        Self::Bedrock,
        Self::Cohere,
        Self::Plain,
    ];

    /// The name used on the command line and in files.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Anthropic => "anthropic",
            Self::OpenaiChat => "openai-chat",
            Self::OpenaiResponses => "openai-responses",
            Self::Gemini => "gemini",
            Self::Bedrock => "bedrock",
            Self::Cohere => "cohere",
            Self::Plain => "plain",
        }
    }
}

impl fmt::Display for Wire {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for Wire {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let names = Self::ALL.map(Self::as_str).join(", ");
        let found = Self::ALL.into_iter().find(|wire| wire.as_str() == name);
        found.ok_or_else(|| format!("unknown format {name:?}; one of {names}"))
    }
}

/// Where a reply came from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Source {
    /// The format, which is also the format of every `original` in the reply.
    pub wire: Wire,
    /// The model that was asked, as `provider/model`; `None` for a recording. What a provider has
    /// sealed is shown to the very same one only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub asked: Option<Box<str>>,
    /// The model, as the reply names it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<Box<str>>,
    /// The provider's id of the reply.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub response_id: Option<Box<str>>,
    /// A JSON object: what the wire says about the message as a whole and Fanfold does not interpret.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub extras: Option<Json>,
}

impl Source {
    /// A reply of this wire, without more.
    #[must_use]
    pub const fn new(wire: Wire) -> Self {
        Self { wire, asked: None, model: None, response_id: None, extras: None }
    }
}

/// Why a reply ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stop {
    /// Of itself, or to have its calls run.
    Finished,
    /// At the output limit.
    OutputLimit,
    /// The provider or the model refused to go on.
    Refused,
    /// The stream ended without saying why.
    Unfinished,
    /// For a reason that only the provider knows, in its own word.
    Other(Box<str>),
}

/// What a request cost, in tokens; `None` where the provider does not say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Usage {
    /// Input, without the part read from or written to a cache.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub input: Option<u64>,
    /// Input read from a cache.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cache_read: Option<u64>,
    /// Input written to a cache.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cache_write: Option<u64>,
    /// Output, reasoning included.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output: Option<u64>,
    /// The part of the output that was reasoning.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reasoning: Option<u64>,
}
