//! What every wire's stream has in common: events in, one reply out.
//!
//! An assembly puts the stream together into what the whole reply would have held and reads that
//! with the reader of whole replies. Only the moment when a call is complete is its own affair.

use std::fmt;

use fanfold_transcript::{Assistant, Block, CallId};

use crate::error::DecodeError;
use crate::live::Live;
use crate::raw::RawObject;

/// The stream of one reply in one wire.
pub(crate) trait Assembly: fmt::Debug + Send + Sync {
    /// Takes the next event and reports what it brings.
    fn event(&mut self, event: &RawObject, live: &mut Live) -> Result<(), DecodeError>;

    /// The stream says that it is complete.
    fn done(&mut self) {}

    /// Whether the stream has said that nothing of the reply follows. A wire that never says so, as
    /// Gemini's, ends with its bytes.
    fn is_over(&self) -> bool;

    /// The blocks up to this call, which was handed out, that were not taken before, as the end of
    /// the reply will read them.
    fn take_blocks(&mut self, call: CallId, live: &Live) -> Vec<Block>;

    /// The reply; what did not end before the stream did is cut.
    fn finish(self: Box<Self>) -> Result<Assistant, DecodeError>;
}
