//! Why a model did not give a whole reply, as far as it decides what happens next.
//!
//! Not here: what does happen next (`fanfold-agent`), and reading the bytes of an error (`refusal.rs`).

use std::fmt;

/// A request without a whole reply.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Which kind: it decides whether asking again may help.
    pub kind: FaultKind,
    /// What was said, for a person. One line.
    pub said: Box<str>,
    /// How long the provider wants to be left alone, in milliseconds.
    pub retry_after_ms: Option<u64>,
}

/// Which kind of fault. The set is closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FaultKind {
    /// No connection, or it broke before a reply began.
    Network,
    /// Nothing came within the time allowed.
    Timeout,
    /// Too many requests: HTTP 429.
    RateLimited,
    /// The provider has too much to do: HTTP 529 or 503, `overloaded_error`.
    Overloaded,
    /// The provider's own trouble: other HTTP 5xx.
    Server,
    /// The stream ended before the reply did, or became unreadable.
    Broken,
    /// A reply without anything in it.
    Empty,
    /// The request does not fit the model's context window.
    TooLong {
        /// Tokens of the request, where the provider says so.
        tokens: Option<u64>,
        /// Tokens there is room for, where the provider says so.
        limit: Option<u64>,
    },
    /// The key is missing, wrong, or may not do this: HTTP 401, 403.
    Auth,
    /// The account has no money or no quota left; waiting does not help.
    Quota,
    /// The provider refuses the request as it is: other HTTP 4xx.
    Refused,
}

impl FaultKind {
    /// Whether the same request may do better a little later.
    #[must_use]
    pub const fn is_passing(self) -> bool {
        match self {
            Self::Network
            | Self::Timeout
            | Self::RateLimited
            | Self::Overloaded
            | Self::Server
            | Self::Broken
            | Self::Empty => true,
            Self::TooLong { .. } | Self::Auth | Self::Quota | Self::Refused => false,
        }
    }

    /// The word used in events.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Network => "network",
            Self::Timeout => "timeout",
            Self::RateLimited => "rate_limited",
            Self::Overloaded => "overloaded",
            Self::Server => "server",
            Self::Broken => "broken_stream",
            Self::Empty => "empty_reply",
            Self::TooLong { .. } => "too_long",
            Self::Auth => "auth",
            Self::Quota => "quota",
            Self::Refused => "refused",
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.said)
    }
}

impl std::error::Error for Fault {}
