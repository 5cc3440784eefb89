//! Anthropic Messages.
//!
//! Not here: requests as a whole, and headers.

mod read;
mod stream;
mod write;

pub(crate) use read::{read, read_blocks};
pub(crate) use stream::Stream;
pub(crate) use write::{write, write_results};
