//! What was said and done in a conversation: entries, calls with their outcomes, sizes, the view.
//!
//! The heart of the model is one decision: **a call owns its outcome**. A result is not an entry of
//! its own, so an orphaned, duplicated or misplaced result cannot be written down, and a request
//! can be made only from a [`View`], which refuses a path with an unanswered call.
//!
//! Deliberately not here: how a provider writes any of this (`fanfold-wire`), what may be left out
//! of a view (`fanfold-compact`, later), and where it is kept on disk (`fanfold-store`, later).
//!
//! ```
//! use fanfold_transcript::{
//!     Arguments, Assistant, Block, Body, Call, CallId, Outcome, Source, Transcript, User, View, Wire,
//! };
//!
//! let mut transcript = Transcript::default();
//! let question = transcript.append(None, Body::User(User::text("what is in src?")))?;
//! let call = Call::new(CallId::new(1), "Ls", Arguments::none());
//! let reply = Assistant::new(Source::new(Wire::Anthropic), vec![Block::call(call)]);
//! let reply = transcript.append(Some(question), Body::Assistant(reply))?;
//!
//! // An unanswered call cannot be sent.
//! assert_eq!(View::of(&transcript, reply).unwrap_err().open, [CallId::new(1)]);
//! transcript.settle(CallId::new(1), Outcome::ok_text("lib.rs"))?;
//! assert_eq!(View::of(&transcript, reply)?.message_count(), 3);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![warn(clippy::wildcard_enum_match_arm)]

mod call;
mod content;
mod conversation;
mod entry;
mod fact;
mod ids;
mod json;
mod outcome;
mod size;
mod stream;
mod subject;
mod transcript;
mod view;

pub use call::{AlreadySettled, Arguments, ArgumentsProblem, Call, Reading};
pub use content::{Content, Media, MediaSource, Sha256};
pub use conversation::{Conversation, FactError, Heard, Message, Turn};
pub use entry::{Assistant, Block, BlockBody, Body, Entry, Source, Stop, Usage, User, Wire};
pub use fact::{Fact, OfferedTool, Process, Prompt, Protocol, Session, Speaker, Spent, TurnEnd};
pub use ids::{AgentId, CallHandle, CallId, EntryId, IdError, JobId, MessageId, SessionId, StepId};
pub use json::{Json, JsonError};
pub use outcome::{
    Cut, Decline, Ending, Failure, Interruption, Outcome, Skip, Status, UnknownReason,
};
pub use size::Size;
pub use stream::{RecordHandle, Recorded, Stream};
pub use subject::{Command, Line, Subject, Word};
pub use transcript::{AppendError, SettleError, Transcript};
pub use view::{OpenCalls, View};

/// Monotonic time in milliseconds since the session began.
///
/// Pure crates take it as an argument: an `Instant` cannot be made up in a test nor written down.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Millis(pub u64);

impl Millis {
    /// The time since `earlier`, or zero when `earlier` lies ahead.
    #[must_use]
    pub const fn since(self, earlier: Self) -> u64 {
        self.0.saturating_sub(earlier.0)
    }

    /// This moment, `ms` milliseconds later; stops at the end of time instead of wrapping.
    #[must_use]
    pub const fn plus(self, ms: u64) -> Self {
        Self(self.0.saturating_add(ms))
    }
}
