//! The settings in force: defaults < the user's file < the workspace's file < flags.
//!
//! Not here: what a file may say (`fanfold-settings`).

use std::io;
use std::path::{Path, PathBuf};

use fanfold_settings::{Layer, MAX_PARALLEL_TOOLS, Scope, Settings};

use crate::error::ExecError;

/// What the command line says over the files.
#[derive(Clone, Copy, Debug, Default)]
pub struct Overrides {
    /// `--max-parallel`.
    pub max_parallel_tools: Option<usize>,
}

/// Reads the settings for a workspace.
///
/// # Errors
/// When a file cannot be read or used, or an override is out of range. A missing file says nothing.
pub(crate) fn load(workspace: &Path, overrides: Overrides) -> Result<Settings, ExecError> {
    let mut settings = Settings::default();
    if let Some(path) = user_file() {
        settings = settings.merge(layer(&path, Scope::User)?);
    }
    let path = workspace.join(".fanfold/settings.json");
    settings = settings.merge(layer(&path, Scope::Workspace)?);
    if let Some(given) = overrides.max_parallel_tools {
        if !(1..=MAX_PARALLEL_TOOLS).contains(&given) {
            return Err(ExecError::Parallel { given, max: MAX_PARALLEL_TOOLS });
        }
        settings.max_parallel_tools = given;
    }
    Ok(settings)
}

fn layer(path: &Path, scope: Scope) -> Result<Layer, ExecError> {
    match std::fs::read_to_string(path) {
        Ok(text) => Ok(Layer::parse(&text, &path.display().to_string(), scope)?),
        Err(error) if is_absent(&error) => Ok(Layer::default()),
        Err(source) => Err(ExecError::SettingsFile { path: path.to_owned(), source }),
    }
}

fn is_absent(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}

/// `$XDG_CONFIG_HOME/fanfold/settings.json`, by default under `~/.config`.
fn user_file() -> Option<PathBuf> {
    let absolute =
        |name| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let config = absolute("XDG_CONFIG_HOME").or_else(|| Some(absolute("HOME")?.join(".config")))?;
    Some(config.join("fanfold/settings.json"))
}
