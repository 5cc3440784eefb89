//! Where a value was said.

use std::fmt;
use std::sync::Arc;

/// The layers, from the weakest to the strongest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum LayerKind {
    /// Nobody said anything.
    Default,
    /// The user's own file.
    User,
    /// The workspace's file, which may have come with a cloned repository.
    Workspace,
    /// A `FANFOLD_*` variable.
    Environment,
    /// A flag of the command line.
    Flag,
}

impl LayerKind {
    /// One word for it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Default => "default",
            Self::User => "user",
            Self::Workspace => "workspace",
            Self::Environment => "environment",
            Self::Flag => "flag",
        }
    }
}

/// Where a value was said: `FILE:LINE`, a variable, a flag, or `default`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    /// In which layer.
    pub layer: LayerKind,
    /// The file, the variable or the flag.
    pub name: Arc<str>,
    /// The line of a file, from 1.
    pub line: Option<usize>,
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) => write!(f, "{}:{line}", self.name),
            None => f.write_str(&self.name),
        }
    }
}
