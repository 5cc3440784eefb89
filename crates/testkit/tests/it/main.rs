//! The strict provider: for every rule a request that keeps it and one that breaks it.
//!
//! Not here: the made-up tools, which the tests of other crates use and thereby test.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod anthropic;
mod chat;
mod client;
mod gemini;
mod past;
mod responses;
mod server;
mod session;
mod support;
