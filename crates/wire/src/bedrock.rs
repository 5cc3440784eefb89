//! Amazon Bedrock Converse.
//!
//! A content block is an object of one key that names its kind. A stream is read as JSON, each event
//! under its name. Not here: the binary framing in which the service sends its events.

mod read;
mod stream;
mod write;

pub(crate) use read::read;
pub(crate) use stream::Stream;
pub(crate) use write::{write, write_results};

/// The events of a stream.
pub(crate) const EVENTS: [&str; 6] = [
    "messageStart",
    "contentBlockStart",
    "contentBlockDelta",
    "contentBlockStop",
    "messageStop",
    "metadata",
];
