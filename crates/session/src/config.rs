//! The settings in force: defaults < the user's file < the workspace's file < the environment < flags.
//!
//! Not here: what a layer may say (`fanfold-settings`), how settings are shown (`settings_view.rs`).

mod files;
mod trust;

use std::path::{Path, PathBuf};

use fanfold_settings::{Environment, Key, Layer, LayerKind, Settings, Stack};

use crate::error::ExecError;

pub(crate) use files::{FileState, SettingsFile, read, workspace_file};
pub(crate) use trust::{TrustStore, fanfold_home};

/// What the command line says over the files.
#[derive(Clone, Copy, Debug, Default)]
pub struct Overrides {
    /// `--max-parallel`.
    pub max_parallel_tools: Option<usize>,
}

/// The settings in force, where each was said, and what is to be said about them.
#[derive(Debug)]
pub(crate) struct Loaded {
    /// The settings.
    pub(crate) settings: Settings,
    /// The layers they come from.
    pub(crate) stack: Stack,
    /// What was ignored and why: for the user.
    pub(crate) notices: Vec<String>,
    /// What was ignored for good reason: for the user who asks for details.
    pub(crate) asides: Vec<String>,
    /// The files that were looked at, the weaker first.
    pub(crate) files: Vec<SettingsFile>,
}

/// Reads the settings for a workspace.
///
/// # Errors
/// When a file cannot be read, or a layer cannot be used. A missing file says nothing.
pub(crate) fn load(workspace: &Path, overrides: Overrides) -> Result<Loaded, ExecError> {
    let mut stack = Stack::default();
    let mut notices = Vec::new();
    let found = find(workspace, &mut notices)?;
    for Found { file, bytes } in &found {
        let name = file.path.display().to_string();
        let layer = Layer::file(bytes, file.layer, &name)?;
        if file.state == FileState::Untrusted {
            let (layer, ignored) = layer.narrowed(&stack, &name);
            stack.lay(layer);
            notices.extend(ignored);
        } else {
            stack.lay(layer);
        }
    }
    let environment = Environment::read(std::env::vars_os())?;
    stack.lay(environment.layer);
    if let Some(given) = overrides.max_parallel_tools {
        let key = Key::of(&["max_parallel_tools"]);
        stack.lay(Layer::flag(&key, &given.into(), "--max-parallel")?);
    }
    let settings = stack.settings()?;
    let files = found.into_iter().map(|found| found.file).collect();
    Ok(Loaded { settings, stack, notices, asides: environment.ignored, files })
}

/// The files that are looked at for a workspace, the weaker first.
///
/// # Errors
/// When one cannot be read.
pub(crate) fn files(
    workspace: &Path,
    notices: &mut Vec<String>,
) -> Result<Vec<SettingsFile>, ExecError> {
    Ok(find(workspace, notices)?.into_iter().map(|found| found.file).collect())
}

/// A file and its bytes; none if it is missing.
struct Found {
    file: SettingsFile,
    bytes: Vec<u8>,
}

fn find(workspace: &Path, notices: &mut Vec<String>) -> Result<Vec<Found>, ExecError> {
    let mut all = Vec::new();
    if let Some(path) = files::user_file() {
        all.push(found(path, LayerKind::User, |_, _| FileState::Own)?);
    }
    all.push(found(workspace_file(workspace), LayerKind::Workspace, |path, bytes| {
        match TrustStore::open() {
            Ok(store) if store.trusts(path, bytes) => FileState::Trusted,
            Ok(_) => FileState::Untrusted,
            Err(error) => {
                notices.push(format!("{error}; no workspace's settings are trusted"));
                FileState::Untrusted
            }
        }
    })?);
    Ok(all)
}

fn found(
    path: PathBuf,
    layer: LayerKind,
    state: impl FnOnce(&Path, &[u8]) -> FileState,
) -> Result<Found, ExecError> {
    let bytes = read(&path)?;
    let state = bytes.as_ref().map_or(FileState::Missing, |bytes| state(&path, bytes));
    Ok(Found { file: SettingsFile { path, layer, state }, bytes: bytes.unwrap_or_default() })
}
