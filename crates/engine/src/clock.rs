//! The one place where time comes from.

use std::time::Duration;

use fanfold_transcript::Millis;
use tokio::time::Instant;

/// Monotonic milliseconds since it was made.
#[derive(Clone, Copy, Debug)]
pub struct Clock {
    start: Instant,
    /// What had passed before, in milliseconds.
    ahead_ms: u64,
}

impl Clock {
    /// A clock that starts now. It is tokio's, so that a test can pause it.
    #[must_use]
    pub fn start() -> Self {
        Self::started_ago(0)
    }

    /// The time now.
    #[must_use]
    pub fn now(&self) -> Millis {
        let passed = u64::try_from(self.start.elapsed().as_millis()).unwrap_or(u64::MAX);
        Millis(passed.saturating_add(self.ahead_ms))
    }

    /// A clock of something that began `ms` milliseconds ago.
    #[must_use]
    pub fn started_ago(ms: u64) -> Self {
        Self { start: Instant::now(), ahead_ms: ms }
    }

    /// Waits until `at` comes; for ever when there is none.
    pub async fn until(&self, at: Option<Millis>) {
        match at {
            Some(at) => {
                let ms = at.0.saturating_sub(self.ahead_ms);
                tokio::time::sleep_until(self.start + Duration::from_millis(ms)).await;
            }
            None => std::future::pending().await,
        }
    }
}
