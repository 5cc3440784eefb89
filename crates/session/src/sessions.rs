//! Sessions as a front end lists, shows and removes them. None of it needs the session's lock but
//! removing.
//!
//! Not here: working in one (`run.rs`).

use fanfold_store::{Journaled, LastTurn, SessionSummary, fold};
use fanfold_transcript::{Assistant, BlockBody, Body, Call, Content, Entry, SessionId, TurnEnd};
use serde::Serialize;

use crate::opened::{ROOT, sessions};
use crate::run_error::RunError;

/// One session in a list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SessionView {
    /// Its id.
    pub id: SessionId,
    /// The folder its calls act in, where that can be told.
    pub workspace: Option<String>,
    /// When it began, in milliseconds since 1970, UTC.
    pub began_unix_ms: Option<u64>,
    /// When something last happened in it, likewise.
    pub last_unix_ms: Option<u64>,
    /// How many turns are over.
    pub turns: u32,
    /// The first thing the user said, in one line.
    pub first_text: Option<String>,
    /// Whether a process has it now.
    pub is_running: bool,
    /// How its newest turn stands: `none`, `open`, `answered`, `stopped`, `limit` or `failed`.
    pub last_turn: &'static str,
    /// What all its files take.
    pub bytes: u64,
}

/// A session to be read by a person.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SessionShown {
    /// Its id.
    pub id: SessionId,
    /// The folder its calls act in.
    pub workspace: Option<String>,
    /// What was said and done, oldest first.
    pub entries: Vec<ShownEntry>,
    /// Messages that wait for the next turn.
    pub waiting: Vec<String>,
    /// What is wrong with its journal.
    pub problems: Vec<String>,
}

/// One entry of a conversation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "by", rename_all = "snake_case")]
pub enum ShownEntry {
    /// What the user said.
    User {
        /// The text; media as a word in brackets.
        text: String,
    },
    /// What the model said and asked for.
    Model {
        /// The model, as `provider/model`, where that is known.
        model: Option<String>,
        /// Its thinking, where it shows any.
        thinking: String,
        /// Its text.
        text: String,
        /// Its calls, in order.
        calls: Vec<ShownCall>,
    },
}

/// One call.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ShownCall {
    /// Its id.
    pub id: String,
    /// The tool.
    pub tool: String,
    /// The arguments, as the model wrote them.
    pub arguments: String,
    /// The status word; `None` while it has no outcome.
    pub status: Option<&'static str>,
    /// The reason word.
    pub reason: Option<&'static str>,
    /// What the model read.
    pub result: String,
}

/// All sessions, newest first.
///
/// # Errors
/// When the folder of sessions cannot be read.
pub fn list_sessions() -> Result<Vec<SessionView>, RunError> {
    Ok(sessions()?.list()?.into_iter().map(view).collect())
}

/// A session: its id, the beginning of one, or `last`. It may be running, and its journal damaged.
///
/// # Errors
/// When there is none of this name, or its journal cannot be read at all.
pub fn show_session(name: &str) -> Result<SessionShown, RunError> {
    let folder = sessions()?.open(name)?;
    let journaled = Journaled::read(&folder.journal_path())?;
    let mut problems = journaled.problems;
    let (conversation, unfit) = fold(journaled.lines, ROOT);
    problems.extend(unfit);
    let waiting = conversation.waiting().map(|message| text_of(&message.content)).collect();
    let path = conversation.leaf().map(|leaf| conversation.transcript().path(leaf));
    Ok(SessionShown {
        id: folder.id().clone(),
        workspace: conversation.session().map(|session| session.workspace.to_string()),
        entries: path.unwrap_or_default().into_iter().map(entry).collect(),
        waiting,
        problems: problems.iter().map(ToString::to_string).collect(),
    })
}

/// Removes a session for good: its id, or the beginning of one.
///
/// # Errors
/// When there is none of this name, it is running, or it cannot be removed.
pub fn remove_session(name: &str) -> Result<SessionId, RunError> {
    let home = sessions()?;
    let id = home.open(name)?.id().clone();
    home.remove(&id)?;
    Ok(id)
}

fn view(summary: SessionSummary) -> SessionView {
    let last_turn = match &summary.last_turn {
        LastTurn::None => "none",
        LastTurn::Open => "open",
        LastTurn::Over(TurnEnd::Final { .. }) => "answered",
        LastTurn::Over(TurnEnd::Stopped) => "stopped",
        LastTurn::Over(TurnEnd::Limit { .. }) => "limit",
        LastTurn::Over(TurnEnd::Failed { .. }) => "failed",
    };
    SessionView {
        id: summary.id,
        workspace: summary.workspace.map(Into::into),
        began_unix_ms: summary.began_unix_ms,
        last_unix_ms: summary.last_unix_ms,
        turns: summary.turns,
        first_text: summary.first_text.map(Into::into),
        is_running: summary.is_running,
        last_turn,
        bytes: summary.bytes,
    }
}

fn entry(entry: &Entry) -> ShownEntry {
    match &entry.body {
        Body::User(user) => ShownEntry::User { text: text_of(&user.content) },
        Body::Assistant(reply) => ShownEntry::Model {
            model: reply.source.asked.as_deref().map(str::to_owned),
            thinking: thinking(reply),
            text: reply.text(),
            calls: reply.calls().map(call).collect(),
        },
    }
}

fn thinking(reply: &Assistant) -> String {
    let thinking = reply.blocks.iter().filter_map(|block| match &block.body {
        BlockBody::Thinking(text) => Some(&**text),
        BlockBody::Content(_) | BlockBody::Call(_) => None,
    });
    thinking.collect()
}

fn call(call: &Call) -> ShownCall {
    let outcome = call.outcome();
    ShownCall {
        id: call.id.to_string(),
        tool: call.tool.to_string(),
        arguments: call.sent.to_string(),
        status: outcome.map(|outcome| outcome.status().as_str()),
        reason: outcome.and_then(|outcome| outcome.ending.reason()),
        result: outcome.map(|outcome| text_of(&outcome.content)).unwrap_or_default(),
    }
}

fn text_of(content: &[Content]) -> String {
    let texts: Vec<String> = content
        .iter()
        .map(|content| match content {
            Content::Image(media) | Content::Document(media) => format!("[{}]", media.media_type),
            Content::Text(text) => text.to_string(),
            Content::Json(json) | Content::Opaque(json) => json.text().to_owned(),
        })
        .collect();
    texts.join("\n")
}
