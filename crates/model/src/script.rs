//! The scripted model: replies from a file, with real timing and faults, without key or network.
//!
//! A [`Script`] says what is answered, a [`Player`] picks the answer to a request and turns it into
//! the bytes of a wire's stream, and a [`ScriptModel`] is a model that hears those bytes. A server
//! can be fed by the same `Player`. A [`Recorder`] writes a script from what a real model sends.
//! `docs/scripts.md` describes the file.
//!
//! Not here: how bytes are heard (`hearing.rs`).

mod encode;
mod format;
mod parse;
mod play;
mod record;
mod refusal;
mod request;
mod scripted;

pub use encode::{Answer, Chunk, End, Saying, encode};
pub use format::{
    Break, Piece, RawChunk, ReplyBody, Said, Script, ScriptedCall, ScriptedFault, ScriptedReply,
    ScriptedStop, Spoken, StatusFault, When,
};
pub use parse::ScriptError;
pub use play::Player;
pub use record::Recorder;
pub use request::replies_in;
pub use scripted::{ScriptModel, reply_with};
