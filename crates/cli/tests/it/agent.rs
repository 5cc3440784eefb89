//! An agent end to end: the real binary over HTTP against a provider that refuses what the real ones
//! refuse.
//!
//! Not here: what `run` prints (`run.rs`), which needs no provider.

mod crash;
mod damage;
mod provider;
mod resume;
pub(crate) mod site;
mod stops;
mod streaming;
mod wires;

/// A model of each wire: what `--model` is given.
pub(crate) const MODELS: [&str; 4] = [
    "anthropic/claude-sonnet-4-5",
    "openai/gpt-5",
    "openai-chat/gpt-5.5",
    "gemini/gemini-3.8-flash",
];
