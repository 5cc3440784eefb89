//! OpenAI Chat Completions, and the many servers that speak it.
//!
//! A reply is one message with a key for everything, so the blocks of a reply keep as their original
//! the piece of the message they came from: `{"content": …}`, `{"reasoning_content": …}`,
//! `{"function_call": …}`, a part of `content`, or an element of `tool_calls`. Other keys of the
//! message are its extras. Not here: choices after the first.

mod calls;
mod read;
mod request;
mod stream;
mod write;

pub(crate) use read::{read, read_message};
pub(crate) use request::Request;
pub(crate) use stream::Stream;
pub(crate) use write::{write, write_results};

/// Where servers put the model's thinking, in order of preference; the last is Cohere's.
const THINKING: [&str; 3] = ["reasoning_content", "reasoning", "tool_plan"];
