//! Cohere Chat, second version.
//!
//! Its message is one of Chat Completions with a plan beside the calls, so it is read and written as
//! one. Not here but in `chat`: that message.

mod read;
mod stream;

pub(crate) use read::read;
pub(crate) use stream::Stream;
