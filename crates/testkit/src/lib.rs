//! What the tests are built of: made-up tools, a meeting point that proves overlap, a small batch
//! setting, and a provider that refuses what the real ones refuse.
//!
//! Used from `tests/`, `benches/` and the chores only; nothing here ships. Not here: scripts, which
//! come with the model.

mod meeting;
mod server;
mod setting;
pub mod strict;
mod tool;

pub use meeting::Meeting;
pub use server::{Received, StrictServer};
pub use setting::{allow_all, reply, setting};
pub use tool::MadeTool;
