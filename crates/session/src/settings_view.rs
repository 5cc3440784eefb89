//! The settings as a user looks at them: each value with where it was said, the files, their trust.
//!
//! Not here: how the settings come about (`config.rs`), how they are printed.

use std::io;
use std::path::{Path, PathBuf};

use fanfold_settings::{Entry, Key};
use serde::Serialize;
use serde_json::Value;

use crate::config::{self, Overrides, SettingsFile, TrustStore, read, workspace_file};
use crate::error::ExecError;

/// The settings in force in a workspace.
#[derive(Clone, Debug, Serialize)]
pub struct SettingsView {
    /// Every value, in the order of the keys.
    pub settings: Vec<SettingView>,
    /// The files that were looked at, the weaker first.
    pub files: Vec<FileView>,
    /// What was ignored and why.
    pub notices: Vec<String>,
    /// What was ignored for good reason, such as a variable that names no setting.
    pub asides: Vec<String>,
}

/// One value.
#[derive(Clone, Debug, Serialize)]
pub struct SettingView {
    /// The key, with dots between its levels.
    pub key: String,
    /// The value in force.
    pub value: Value,
    /// Where it was said; more than one place where lists are joined.
    pub from: Vec<FromView>,
}

/// Where a value was said.
#[derive(Clone, Debug, Serialize)]
pub struct FromView {
    /// `default`, `user`, `workspace`, `environment` or `flag`.
    pub layer: &'static str,
    /// The file, the variable or the flag.
    pub name: String,
    /// The line of a file, from 1.
    pub line: Option<usize>,
}

/// A file that may hold settings.
#[derive(Clone, Debug, Serialize)]
pub struct FileView {
    /// Where it is, or would be.
    pub path: PathBuf,
    /// `user` or `workspace`.
    pub layer: &'static str,
    /// `missing`, `own`, `trusted` or `not trusted`.
    pub state: &'static str,
}

/// A file that was trusted.
#[derive(Clone, Debug)]
pub struct TrustedFile {
    /// The file.
    pub path: PathBuf,
    /// The SHA-256 of its bytes, in hexadecimal.
    pub sha256: String,
}

/// The settings in force in a workspace.
///
/// # Errors
/// When a layer cannot be read or used.
pub fn view_settings(workspace: &Path) -> Result<SettingsView, ExecError> {
    check(workspace)?;
    let loaded = config::load(workspace, Overrides::default())?;
    Ok(SettingsView {
        settings: loaded.stack.iter().map(setting).collect(),
        files: loaded.files.iter().map(file).collect(),
        notices: loaded.notices,
        asides: loaded.asides,
    })
}

/// The files that are looked at for a workspace, and notices; what they say plays no part.
///
/// # Errors
/// When one cannot be read.
pub fn view_settings_files(workspace: &Path) -> Result<(Vec<FileView>, Vec<String>), ExecError> {
    check(workspace)?;
    let mut notices = Vec::new();
    let files = config::files(workspace, &mut notices)?;
    Ok((files.iter().map(file).collect(), notices))
}

/// Trusts the settings of a workspace as they are now.
///
/// # Errors
/// When there are none, when they cannot be used, or when the trust cannot be stored.
pub fn trust_settings(workspace: &Path) -> Result<TrustedFile, ExecError> {
    check(workspace)?;
    // What cannot be used is not worth trusting; the user learns why.
    config::load(workspace, Overrides::default())?;
    let path = workspace_file(workspace);
    let bytes = read(&path)?.ok_or_else(|| ExecError::NoSettings(path.clone()))?;
    let sha256 = TrustStore::open()?.trust(&path, &bytes)?;
    Ok(TrustedFile { path, sha256 })
}

/// A misspelled workspace would look like one without settings.
fn check(workspace: &Path) -> Result<(), ExecError> {
    let is_folder = std::fs::metadata(workspace).and_then(|metadata| {
        if metadata.is_dir() { Ok(()) } else { Err(io::ErrorKind::NotADirectory.into()) }
    });
    is_folder.map_err(|source| ExecError::SettingsFile { path: workspace.to_owned(), source })
}

fn setting((key, entry): (&Key, &Entry)) -> SettingView {
    let from = entry.origins.iter().map(|origin| FromView {
        layer: origin.layer.as_str(),
        name: origin.name.to_string(),
        line: origin.line,
    });
    SettingView { key: key.to_string(), value: entry.value.clone(), from: from.collect() }
}

fn file(file: &SettingsFile) -> FileView {
    FileView { path: file.path.clone(), layer: file.layer.as_str(), state: file.state.as_str() }
}
