//! Turns, event by event. After each test the conversation is the fold of what was noted.

mod desk;
mod stopping;
mod streaming;
mod turns;
