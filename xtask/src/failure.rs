//! Why a command did not succeed.
//!
//! Not here: findings of `tidy`, which are data until they are printed.

/// Why a command did not succeed.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// The command line is wrong.
    #[error("{0}")]
    Usage(String),
    /// A check failed, or a program it needs could not be run.
    #[error("{0}")]
    Check(String),
}

impl Failure {
    /// A failed check.
    pub(crate) fn check(what: impl Into<String>) -> Self {
        Self::Check(what.into())
    }
}
