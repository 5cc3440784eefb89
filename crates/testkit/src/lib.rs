//! What the tests are built of: made-up tools, a meeting point that proves overlap, a small batch setting.
//!
//! Used from `tests/`, `benches/` and the chores only; nothing here ships. Not here: the strict
//! provider server and scripts, which come with the model.

mod meeting;
mod setting;
mod tool;

pub use meeting::Meeting;
pub use setting::{allow_all, reply, setting};
pub use tool::MadeTool;
