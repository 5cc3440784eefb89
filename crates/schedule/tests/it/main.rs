//! The schedule seen from outside: tables in text, all small cases, properties, simulations.
//!
//! Not here: tests of private parts, which stand next to them.
#![expect(clippy::unwrap_used, reason = "a test fails by a panic")]

mod conflict;
mod draw;
mod driver;
mod model;
mod notation;
mod properties;
mod simulation;
mod small_cases;
mod tables;
mod watched;
