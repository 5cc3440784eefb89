//! The settings: their types, how layers merge, and errors that say where.
//!
//! A layer is what one file, the environment or a flag says ([`Layer`], [`Environment`]); a [`Stack`] of
//! them gives the typed [`Settings`] in force and for each value where it was said. Everything follows
//! from the types: the schema from them, the check of a file from the schema.
//! Not here: I/O, the environment itself, who trusts what, the gate.
//!
//! ```
//! use fanfold_settings::{Key, Layer, LayerKind, Stack};
//!
//! let text = b"// mine\n{ \"max_parallel_tools\": 4 }";
//! let mut stack = Stack::default();
//! stack.lay(Layer::file(text, LayerKind::User, "settings.json")?);
//! assert_eq!(stack.settings()?.max_parallel_tools, 4);
//! let entry = stack.get(&Key::of(&["max_parallel_tools"])).unwrap();
//! assert_eq!(entry.origins[0].to_string(), "settings.json:2");
//! # Ok::<(), fanfold_settings::SettingsError>(())
//! ```
#![warn(clippy::wildcard_enum_match_arm)]

mod command_tool;
mod compaction;
mod environment;
mod key;
mod kind;
mod layer;
mod limits;
mod nearest;
mod origin;
mod problem;
mod reader;
mod schema;
mod settings;
mod shape;
mod stack;
mod text;
mod trust;

pub use command_tool::{CommandTool, Groups, WholeGroup};
pub use compaction::{Auto, Compaction, Micro, Reactive, Rewrite};
pub use environment::Environment;
pub use key::Key;
pub use layer::{FILE_BYTES_MAX, Layer};
pub use limits::{Limits, ToolOutput};
pub use origin::{LayerKind, Origin};
pub use problem::{Problem, SettingsError};
pub use schema::schema_text;
pub use settings::{Durability, FsGroup, Model, Permissions, Scheduling, Settings, StreamingStart};
pub use stack::{Entry, Stack};
