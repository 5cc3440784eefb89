//! Which call may start now, and why another must wait.
//!
//! Not here: tasks, time, tools. A [`Schedule`] is a plain value over call ids and footprints.
#![warn(clippy::wildcard_enum_match_arm)]

mod footprint;

pub use footprint::{Access, Claim, Footprint, Groups, Resource};
