//! What a journal holds: one thing that happened to an agent's conversation.
//!
//! A conversation is the fold of its facts ([`Conversation`](crate::Conversation)), live and after a
//! restart alike. Not here: sequence numbers, times and lines (`fanfold-store`), and when a fact is
//! written (`fanfold-agent`).

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::content::Content;
use crate::entry::{Assistant, Block, Source, Usage};
use crate::ids::{CallId, EntryId, MessageId, SessionId, StepId};
use crate::json::Json;
use crate::outcome::Outcome;

/// One thing that happened. The set is closed; the names are those of the journal.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Fact {
    /// The session began: the first line of every journal.
    Session(Session),
    /// Another process took the session up again.
    Resumed {
        /// The version of Fanfold.
        version: Box<str>,
        /// The start of the machine that it ran in.
        boot: Box<str>,
    },
    /// What stands in front of the conversation: fixed when it begins.
    Prompt(Prompt),
    /// A message was taken in. It becomes an entry at the next step boundary.
    Said {
        /// Its name.
        message: MessageId,
        /// Who said it.
        by: Speaker,
        /// What.
        content: Vec<Content>,
    },
    /// A message became an entry.
    User {
        /// The entry.
        entry: EntryId,
        /// The entry it continues.
        parent: Option<EntryId>,
        /// The message.
        message: MessageId,
    },
    /// A model is asked.
    Request {
        /// For this step.
        step: StepId,
        /// The how-manieth time, from 1.
        attempt: u32,
        /// `provider/model`.
        model: Box<str>,
    },
    /// Blocks of a reply that still streams: a call among them is about to start.
    Part {
        /// The step.
        step: StepId,
        /// Where the reply comes from.
        source: Source,
        /// The blocks since the last part.
        blocks: Vec<Block>,
    },
    /// What was heard of a reply is no part of the conversation: nothing of it ran.
    Dropped {
        /// The step.
        step: StepId,
    },
    /// A reply is an entry. It holds all that its parts held, at least up to the last call that started.
    Reply {
        /// The step.
        step: StepId,
        /// The entry.
        entry: EntryId,
        /// The entry it continues.
        parent: Option<EntryId>,
        /// The reply; its calls get their outcomes by facts of their own.
        reply: Assistant,
    },
    /// Somebody answered a call that needed an approval.
    Answered {
        /// The call.
        call: CallId,
        /// Whether it may run.
        allowed: bool,
    },
    /// A call is about to start. From here on it may have an effect.
    Started {
        /// The call.
        call: CallId,
    },
    /// A call started a process.
    Process(Process),
    /// A call has its one outcome, as the model will read it.
    Settled {
        /// The call.
        call: CallId,
        /// The outcome.
        outcome: Outcome,
    },
    /// What a call saw of files, in the words of the tools: guards against stale writes after a restart.
    Seen {
        /// The call.
        call: CallId,
        /// What it saw.
        sights: Vec<Value>,
    },
    /// What a request cost.
    Usage(Spent),
    /// A turn is over.
    Turn(TurnEnd),
}

/// How a session began.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Session {
    /// Its id, which is also the name of its folder.
    pub session: SessionId,
    /// The folder its calls act in.
    pub workspace: Box<str>,
    /// The version of Fanfold.
    pub version: Box<str>,
    /// When it began, in milliseconds since 1970, UTC: time 0 of the session.
    pub began_unix_ms: u64,
    /// What all chance in the session comes from.
    pub seed: u64,
    /// The start of the machine that it began in: numbers of processes mean nothing in another.
    pub boot: Box<str>,
}

/// What stands in front of a conversation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Prompt {
    /// The system prompt.
    pub system: Box<str>,
    /// The tools, as they are offered.
    pub tools: Vec<OfferedTool>,
    /// How the model asks for calls.
    pub protocol: Protocol,
}

/// A tool as it is offered to a model.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OfferedTool {
    /// Its name.
    pub name: Box<str>,
    /// What it does.
    pub description: Box<str>,
    /// JSON Schema of its arguments.
    pub input_schema: Json,
}

/// How a model asks for calls.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Protocol {
    /// By the provider's own form of tool calls.
    #[default]
    Native,
    /// By JSON objects in its text, for models without tool calls.
    Plain,
}

/// Who said a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Speaker {
    /// The user.
    User,
    /// Fanfold itself, such as with what is wrong with an answer.
    Harness,
}

/// A process that a call started: known by its number and its start, since numbers are used again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Process {
    /// The call.
    pub call: CallId,
    /// Its number.
    pub pid: u32,
    /// The number of its process group.
    pub group: u32,
    /// When it started, in clock ticks since the machine did.
    pub start_ticks: u64,
}

/// What one request cost.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Spent {
    /// The step.
    pub step: StepId,
    /// `provider/model`.
    pub model: Box<str>,
    /// The provider's name for the request.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub request_id: Option<Box<str>>,
    /// In tokens.
    #[serde(flatten)]
    pub usage: Usage,
    /// In US dollars, where the price is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost_usd: Option<f64>,
}

/// How a turn ended. The set is closed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "ended", rename_all = "snake_case")]
pub enum TurnEnd {
    /// With an answer.
    Final {
        /// The answer.
        text: Box<str>,
        /// What `response` gave beside it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        data: Option<Value>,
    },
    /// By a stop.
    Stopped,
    /// At a limit of the turn.
    Limit {
        /// Which.
        said: Box<str>,
    },
    /// Without an answer that can be used.
    Failed {
        /// Why.
        said: Box<str>,
    },
}
