//! Anthropic Messages.
//!
//! Not here: headers.

mod read;
mod request;
mod stream;
mod write;

pub(crate) use read::{read, read_blocks};
pub(crate) use request::Request;
pub(crate) use stream::Stream;
pub(crate) use write::{write, write_results};
