//! What can be wrong before anything runs: always bad input, never a failed call.
//!
//! Not here: outcomes of calls. They are results, not errors.

use std::io;
use std::path::PathBuf;

use fanfold_agent::RuleError;
use fanfold_engine::RecordsError;
use fanfold_settings::SettingsError;
use fanfold_tools::BadFolder;
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
    /// The record of trusted settings cannot be read or written.
    #[error("cannot use {path}: {source}")]
    TrustFile {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A variable that should name Fanfold's own folder, or the one it is in, does not.
    #[error("{0} must be an absolute path")]
    Home(&'static str),
    /// No settings where some were to be trusted.
    #[error("there are no settings at {0}")]
    NoSettings(PathBuf),
    /// A workspace, or a folder beside it, that cannot be used.
    #[error("{0}")]
    Folder(#[from] BadFolder),
    /// A folder that cannot hold records.
    #[error("{0}")]
    Records(#[from] RecordsError),
    /// No tool of this name.
    #[error("there is no tool {name:?}{hint}")]
    UnknownTool {
        /// The name.
        name: String,
        /// What might have been meant.
        hint: String,
    },
}
