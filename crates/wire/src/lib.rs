//! Provider formats to and from the transcript.
//!
//! A [`Decoder`] takes the bytes of one reply, a document or a stream, and gives an
//! [`Assistant`](fanfold_transcript::Assistant) entry; calls of a stream are handed out as soon as
//! their own arguments are complete. [`write_reply`] and [`write_results`] give it back in the same
//! wire: what a wire carries and Fanfold does not interpret survives byte for byte. Reading is
//! tolerant in visible stages; a call that was cut is never repaired. [`write_request`] makes the
//! whole body of the next request of a conversation, and [`read_refusal`] says why one failed.
//!
//! Deliberately not here: HTTP (`fanfold-model`), which calls may run with a guess
//! (`fanfold-agent`), and what the model is shown (`fanfold-compact`, later).
//!
//! ```
//! use fanfold_transcript::{Outcome, Wire};
//!
//! let text = br#"{"tool_calls": [{"tool_name": "Ls", "tool_args": {"path": "src"}}]}"#;
//! let mut reply = fanfold_wire::decode(text, None, 1)?;
//! assert_eq!(reply.source.wire, Wire::Plain);
//! for call in reply.calls_mut() {
//!     call.settle(Outcome::ok_text("lib.rs"))?;
//! }
//! let results = fanfold_wire::write_results(&reply)?;
//! assert_eq!(results.text(), r#"[{"tool_name":"Ls","outcome":"ok","result":"lib.rs"}]"#);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![warn(clippy::wildcard_enum_match_arm)]

mod anthropic;
mod arguments;
mod assembly;
mod bedrock;
mod call_text;
mod chat;
mod cohere;
mod cursor;
mod decoder;
mod definitions;
mod detect;
mod document;
mod error;
mod fault;
mod framing;
mod gemini;
mod ids;
mod literal;
mod live;
mod media;
mod merge;
mod notation;
mod original;
mod plain;
mod raw;
mod refusal;
mod request;
mod responses;
mod results;
mod scan;
mod write;

pub use fanfold_transcript::Protocol;

pub use decoder::{Decoder, Limits, decode};
pub use definitions::{ToolDefinition, write_definitions};
pub use error::{DecodeError, ProviderError};
pub use fault::{Fault, FaultKind};
pub use live::Progress;
pub use plain::protocol::read_plain;
pub use refusal::read_refusal;
pub use request::{
    Effort, Endpoint, MediaBytes, RequestParts, RequestWriter, Thinking, write_request,
};
pub use write::{write_reply, write_results};
