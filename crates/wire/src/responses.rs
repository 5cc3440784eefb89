//! OpenAI Responses.
//!
//! A reply is a list of items; each item is one block. Not here: items that a provider runs by
//! itself, such as web searches. They are carried, not read.

mod read;
mod request;
mod stream;
mod write;

pub(crate) use read::{read, read_items};
pub(crate) use request::Request;
pub(crate) use stream::Stream;
pub(crate) use write::{write, write_results};
