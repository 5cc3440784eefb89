//! What the model is shown of what was said and done: what to cut, what to keep.
//!
//! Today one thing: results are brought to their size before they are first sent ([`truncate`]).
//! Deliberately not here: reading or keeping anything, and the output of a running call, which is
//! bounded while it is made (`fanfold-tools`).
#![warn(clippy::wildcard_enum_match_arm)]

mod truncate;

pub use truncate::{Bounds, truncate};
