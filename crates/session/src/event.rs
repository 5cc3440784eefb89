//! What a front end is told while an agent works: `run --json` prints just this, a line for each.
//!
//! The names are a promise to programs that read them. Not here: how it is drawn, and the updates of a
//! single batch (`update.rs`).

use fanfold_transcript::{CallId, SessionId, StepId};
use serde::Serialize;
use serde_json::Value;

/// One event.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Event {
    /// The version of this format.
    pub v: u32,
    /// Its number, from 1, without gaps.
    pub seq: u64,
    /// Milliseconds since the session began.
    pub t_ms: u64,
    /// The agent it is about.
    pub agent: String,
    /// What happened.
    #[serde(flatten)]
    pub what: What,
}

/// What happened. The set is closed.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum What {
    /// The session is open: the first event.
    Session {
        /// Its id.
        session: SessionId,
        /// The folder its calls act in.
        workspace: String,
        /// The model, as `provider/model`.
        model: String,
        /// Whether it was there before.
        resumed: bool,
    },
    /// Text of the model.
    Text {
        /// The step.
        step: StepId,
        /// The text.
        text: String,
        /// Whether it is a piece, told as it comes. The whole text of a reply is told once more when
        /// the reply is over; pieces of a reply that broke are void then.
        partial: bool,
    },
    /// Thinking of the model, in pieces.
    Thinking {
        /// The step.
        step: StepId,
        /// The piece.
        text: String,
    },
    /// A call.
    Call {
        /// Its id.
        call: CallId,
        /// What happened to it.
        #[serde(flatten)]
        change: CallChange,
    },
    /// A call needs an approval; others run meanwhile. Answered by an order of the same call.
    Approval {
        /// The call.
        call: CallId,
        /// Why it is asked for, as the end of a sentence.
        why: String,
    },
    /// What a request cost.
    Usage {
        /// The model, as `provider/model`.
        model: String,
        /// The provider's name for the request.
        request_id: Option<String>,
        /// Input tokens, without the cached part.
        input: Option<u64>,
        /// Input tokens read from a cache.
        cache_read: Option<u64>,
        /// Input tokens written to a cache.
        cache_write: Option<u64>,
        /// Output tokens, reasoning included.
        output: Option<u64>,
        /// Output tokens of reasoning.
        reasoning: Option<u64>,
        /// In US dollars, where the price is known.
        #[serde(skip_serializing_if = "Option::is_none")]
        cost_usd: Option<f64>,
    },
    /// Something the user should know.
    Notice {
        /// In a sentence.
        text: String,
    },
    /// The turn ended without an answer.
    Error {
        /// Why, in a sentence.
        text: String,
    },
    /// The turn is over: the last event of a turn.
    Final {
        /// The answer; empty without one.
        text: String,
        /// What `response` gave beside it.
        #[serde(skip_serializing_if = "Option::is_none")]
        data: Option<Value>,
        /// How the turn ended.
        ended: HowEnded,
    },
}

/// What happened to a call. The set is closed.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "state", rename_all = "snake_case")]
pub enum CallChange {
    /// The model asks for it. Told once, before anything else of this call.
    Asked {
        /// The tool.
        tool: String,
        /// Its arguments in one line, bounded.
        arguments: String,
    },
    /// It waits.
    Waiting {
        /// For which call, where it is one.
        #[serde(rename = "for")]
        waits_for: Option<String>,
        /// Why, in a few words.
        reason: String,
    },
    /// It runs.
    Started,
    /// It wrote these lines.
    Output {
        /// `stdout` or `stderr`.
        stream: &'static str,
        /// The lines, as plain text.
        text: String,
    },
    /// It has its outcome.
    Ended {
        /// The status word.
        status: &'static str,
        /// The reason word; `None` for `ok`.
        reason: Option<&'static str>,
        /// How long it ran, in milliseconds; `None` when it never did.
        ran_ms: Option<u64>,
        /// Bytes it produced.
        bytes: u64,
    },
}

/// How a turn ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum HowEnded {
    /// With an answer.
    Answered,
    /// By a stop.
    Stopped,
    /// At a limit of the turn.
    Limit,
    /// Without an answer that can be used.
    Failed,
}
