//! Gemini `generateContent` and `streamGenerateContent`.
//!
//! A whole reply has the shape of a chunk, so there is one reader: a whole reply is a stream of one
//! chunk. Not here: candidates after the first.

mod partial_args;
mod read;
mod request;
mod stream;
mod write;

pub(crate) use request::Request;
pub(crate) use stream::Stream;
pub(crate) use write::{SIGNATURE, STAND_IN, write, write_results};
