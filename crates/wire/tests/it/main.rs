//! Replies as they are decoded, followed while they stream, and written back.
//!
//! The recordings beside this folder are our own, in the forms the providers document.
#![expect(clippy::unwrap_used, reason = "a test fails by a panic")]

mod arguments;
mod cases;
mod forms;
mod oddities;
mod plain;
mod property;
mod recordings;
mod request;
mod support;
mod taken;
mod writing;
