//! Turns, event by event. After each test the conversation is the fold of what was noted.
#![expect(clippy::wildcard_enum_match_arm, reason = "a test looks for one fact among all")]

mod desk;
mod stopping;
mod streaming;
mod turns;
