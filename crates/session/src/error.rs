//! What can be wrong before anything runs: always bad input, never a failed call.
//!
//! Not here: outcomes of calls. They are results, not errors.

use std::io;
use std::path::PathBuf;

use fanfold_agent::RuleError;
use fanfold_settings::SettingsError;
use fanfold_wire::DecodeError;

/// Why nothing was run.
#[derive(Debug, thiserror::Error)]
pub enum ExecError {
    /// The input is no reply.
    #[error("{0}")]
    Decode(#[from] DecodeError),
    /// A reply, but it asks for nothing.
    #[error("the reply holds no tool call; there is nothing to run")]
    NoCalls,
    /// An unknown name of a format.
    #[error("{0}")]
    Format(String),
    /// A rule of `--allow` or `--deny` that is none.
    #[error("{0}")]
    Rule(#[from] RuleError),
    /// Settings that cannot be used.
    #[error("{0}")]
    Settings(#[from] SettingsError),
    /// A settings file that cannot be read.
    #[error("cannot read {path}: {source}")]
    SettingsFile {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A number of parallel calls out of range.
    #[error("the number of parallel calls must be from 1 to {max}, not {given}")]
    Parallel {
        /// What was given.
        given: usize,
        /// The most there may be.
        max: usize,
    },
    /// A workspace that cannot be entered.
    #[error("cannot use the workspace {path}: {source}")]
    Workspace {
        /// The folder.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// No tool of this name.
    #[error("there is no tool {name:?}{hint}")]
    UnknownTool {
        /// The name.
        name: String,
        /// What might have been meant.
        hint: String,
    },
}
