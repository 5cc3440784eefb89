//! The settings: their types, how layers merge, and errors that say where.
//!
//! A layer is one file's text; the session reads the files. Today two keys are known,
//! `max_parallel_tools` and `permissions.additional_directories`; other keys are left alone.
//! Not here: I/O, environment variables, the gate itself.
//!
//! ```
//! use fanfold_settings::{Layer, Scope, Settings};
//!
//! let user = Layer::parse("// mine\n{ \"max_parallel_tools\": 4 }", "settings.json", Scope::User)?;
//! let settings = Settings::default().merge(user);
//! assert_eq!(settings.max_parallel_tools, 4);
//! # Ok::<(), fanfold_settings::SettingsError>(())
//! ```
#![warn(clippy::wildcard_enum_match_arm)]

mod layer;

use std::path::PathBuf;

pub use layer::{Layer, Scope, SettingsError};

/// The most calls that may ever be allowed to run at once.
pub const MAX_PARALLEL_TOOLS: usize = 1_000;

/// The settings in force.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Leaf calls running at once, over the whole session: 1 to 1,000.
    pub max_parallel_tools: usize,
    /// Folders beside the workspace that file tools may reach.
    pub additional_directories: Vec<PathBuf>,
    /// What was ignored and why: for the user.
    pub notices: Vec<String>,
}

impl Default for Settings {
    fn default() -> Self {
        Self { max_parallel_tools: 10, additional_directories: Vec::new(), notices: Vec::new() }
    }
}

impl Settings {
    /// These settings with a later layer laid over them.
    #[must_use]
    pub fn merge(mut self, layer: Layer) -> Self {
        if let Some(count) = layer.max_parallel_tools {
            self.max_parallel_tools = count;
        }
        if let Some(directories) = layer.additional_directories {
            self.additional_directories = directories;
        }
        self.notices.extend(layer.notices);
        self
    }
}
