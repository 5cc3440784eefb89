//! The body of the next request: what a view holds, in the form of one provider.
//!
//! Past bytes never change. What an entry is written as depends on that entry, on the endpoint and
//! the model that is asked, and on earlier entries only; so the messages of one request are a prefix
//! of those of the next, byte for byte, and a provider's cache and the seals on past thinking hold.
//!
//! Deliberately not here: address and headers (`fanfold-model`), and what is shown (`fanfold-compact`).

mod conversation;
mod retell;
mod shown;
mod thinking;

use fanfold_transcript::{Assistant, Block, Content, Json, Protocol, Sha256, View, Wire};
use serde_json::value::RawValue;

use crate::definitions::ToolDefinition;
use crate::ids::WireIds;
use crate::results::Answer;
use crate::{anthropic, chat, gemini, plain, responses};

use conversation::Conversation;

pub use thinking::{Effort, Thinking};

/// The most output tokens where nobody says how many. Only Anthropic needs a number.
pub(crate) const MAX_OUTPUT: u64 = 32_000;

/// The formats in which a model can be asked; Fanfold reads and answers more than these.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Endpoint {
    /// Anthropic Messages: `POST /v1/messages`.
    Anthropic,
    /// OpenAI Chat Completions and compatible servers: `POST /chat/completions`.
    OpenaiChat,
    /// OpenAI Responses: `POST /responses`.
    OpenaiResponses,
    /// Gemini: `POST /v1beta/models/MODEL:streamGenerateContent`.
    Gemini,
}

impl Endpoint {
    /// All of them.
    pub const ALL: [Self; 4] =
        [Self::Anthropic, Self::OpenaiChat, Self::OpenaiResponses, Self::Gemini];

    /// The endpoint of this wire; `None` where there is none to ask.
    #[must_use]
    pub const fn of(wire: Wire) -> Option<Self> {
        match wire {
            Wire::Anthropic => Some(Self::Anthropic),
            Wire::OpenaiChat => Some(Self::OpenaiChat),
            Wire::OpenaiResponses => Some(Self::OpenaiResponses),
            Wire::Gemini => Some(Self::Gemini),
            Wire::Bedrock | Wire::Cohere | Wire::Plain => None,
        }
    }

    /// The format of its replies.
    #[must_use]
    pub const fn wire(self) -> Wire {
        match self {
            Self::Anthropic => Wire::Anthropic,
            Self::OpenaiChat => Wire::OpenaiChat,
            Self::OpenaiResponses => Wire::OpenaiResponses,
            Self::Gemini => Wire::Gemini,
        }
    }

    pub(crate) fn form(self) -> &'static dyn Form {
        match self {
            Self::Anthropic => &anthropic::Request,
            Self::OpenaiChat => &chat::Request,
            Self::OpenaiResponses => &responses::Request,
            Self::Gemini => &gemini::Request,
        }
    }
}

/// Where the bytes of pictures and documents come from: this crate does no I/O.
pub trait MediaBytes {
    /// The bytes with this hash in base64; `None` when they are gone.
    fn base64(&self, sha256: &Sha256) -> Option<String>;
}

/// Everything a request is made of.
#[derive(Clone, Copy)]
pub struct RequestParts<'a> {
    /// The model's name at the provider. Gemini has it in the address instead.
    pub model: &'a str,
    /// The model as `provider/model`: what [`Source::asked`](fanfold_transcript::Source) is
    /// compared with.
    pub asked: &'a str,
    /// The system prompt; may be empty.
    pub system: &'a str,
    /// The tools on offer.
    pub tools: &'a [ToolDefinition<'a>],
    /// The conversation. Its calls all have their outcomes.
    pub view: &'a View<'a>,
    /// Output tokens at most; `None` leaves it to the provider, or is 32,000 for Anthropic.
    pub max_output: Option<u64>,
    /// How much the model is to think.
    pub thinking: Thinking,
    /// How tools are offered and called.
    pub protocol: Protocol,
    /// Where stored pictures and documents come from.
    pub media: &'a dyn MediaBytes,
    /// The same for every request of a conversation: the id of the session.
    pub cache_key: &'a str,
}

impl std::fmt::Debug for RequestParts<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("RequestParts")
            .field("asked", &self.asked)
            .field("entries", &self.view.entries().len())
            .finish_non_exhaustive()
    }
}

/// What a wire's body needs beside its messages.
pub(crate) struct Head<'a> {
    pub(crate) parts: &'a RequestParts<'a>,
    /// The system prompt with all that the protocol adds.
    pub(crate) system: &'a str,
    /// None with the plain protocol.
    pub(crate) tools: &'a [ToolDefinition<'a>],
    pub(crate) thinking: Thinking,
}

/// How one wire writes a request.
pub(crate) trait Form {
    /// What a user said: never nothing, and all of it can be shown.
    fn user(&self, content: &[Content]) -> Box<RawValue>;

    /// What the model said, as messages or items: empty when nothing of it is left.
    fn reply(&self, reply: &Assistant, ids: &WireIds) -> Vec<Box<RawValue>>;

    /// The results of the reply's calls, of which there is at least one.
    fn results(
        &self,
        reply: &Assistant,
        answers: &[Answer<'_>],
        ids: &WireIds,
    ) -> Vec<Box<RawValue>>;

    /// The whole body.
    fn body(&self, head: &Head<'_>, messages: &[Box<RawValue>]) -> Box<RawValue>;

    /// Whether thinking that this wire wrote cannot go back to it.
    fn is_lost(&self, thinking: &Block) -> bool;
}

/// Writes the requests of one conversation.
///
/// It keeps what it has written. Since past bytes never change, the next request to the same model
/// costs what is new in it, and a copy of the rest.
#[derive(Debug, Default)]
pub struct RequestWriter {
    past: Option<Conversation>,
}

impl RequestWriter {
    /// The body of the next request, as [`write_request`] has it.
    ///
    /// An entry is told apart by its id: of two requests that show entries of the same ids, the
    /// later one does not look at them again.
    pub fn write(&mut self, endpoint: Endpoint, parts: &RequestParts<'_>) -> Json {
        let continued = self.past.take().filter(|past| past.is_continued_by(endpoint, parts));
        let past =
            self.past.insert(continued.unwrap_or_else(|| Conversation::new(endpoint, parts)));
        past.go_on(parts);
        let thinking = if past.has_lost_thinking { Thinking::Off } else { parts.thinking };
        let described;
        let (system, tools) = match parts.protocol {
            Protocol::Native => (parts.system, parts.tools),
            Protocol::Plain => {
                described = plain::protocol::describe(parts.system, parts.tools);
                (&*described, &[][..])
            }
        };
        let head = Head { parts, system, tools, thinking };
        Json::from(endpoint.form().body(&head, &past.messages))
    }
}

/// The body of a request that is answered as a stream.
///
/// **Whose an entry is.** A reply of the same wire that was asked of the same model goes back with
/// its originals, as [`write_reply`](crate::write_reply) has it; so does one of the same wire that
/// names no model. Any other is told neutrally: its text and its calls in the endpoint's own form,
/// without thinking, seals, opaque blocks and originals. Results follow in one message a batch.
///
/// **Ids** are unique in the whole request: the first use of a wire id keeps it; one that is
/// repeated, missing or refused is replaced by `fanfold_` and the call's id, in call and result.
///
/// **What is left out** because the provider would refuse it: blank texts and what holds nothing
/// else; thinking whose seal is missing or that nothing follows. Pictures and documents that cannot
/// be shown leave a line of text. Where nothing is left before the first reply, or for Gemini between
/// two of them, a line says so: they refuse it otherwise.
///
/// **Thinking** is [`Off`](Thinking::Off) for this request, whatever was asked for, while replies
/// of the running tool loop have lost theirs: one was told neutrally, lost a block, or, where a
/// budget is set for Anthropic, does not begin with thinking.
#[must_use]
pub fn write_request(endpoint: Endpoint, parts: &RequestParts<'_>) -> Json {
    RequestWriter::default().write(endpoint, parts)
}
