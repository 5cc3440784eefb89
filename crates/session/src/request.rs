//! What a front end asks for.
//!
//! Not here: what the settings add to it (`prepare.rs`).

use std::path::{Path, PathBuf};

use crate::config::Overrides;

/// What to run, and with which freedom.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// The bytes of the reply.
    pub reply: Vec<u8>,
    /// The name of its format; `None` to find out.
    pub format: Option<String>,
    /// The folder the calls act in.
    pub workspace: PathBuf,
    /// What the command line says over the settings.
    pub overrides: Overrides,
    /// Rules that allow.
    pub allow: Vec<String>,
    /// Rules that deny; they win.
    pub deny: Vec<String>,
    /// Allow what no rule denies.
    pub yes: bool,
    /// Whether somebody answers when a call needs an approval.
    pub asks: bool,
    /// The folder in which every call is recorded; `None` for nowhere.
    pub records: Option<PathBuf>,
}

impl Request {
    pub(crate) fn freedom(&self) -> Freedom<'_> {
        Freedom {
            workspace: &self.workspace,
            overrides: self.overrides,
            allow: &self.allow,
            deny: &self.deny,
            yes: self.yes,
            asks: self.asks,
        }
    }
}

/// Where calls act and what they may.
pub(crate) struct Freedom<'a> {
    pub(crate) workspace: &'a Path,
    pub(crate) overrides: Overrides,
    pub(crate) allow: &'a [String],
    pub(crate) deny: &'a [String],
    pub(crate) yes: bool,
    pub(crate) asks: bool,
}
