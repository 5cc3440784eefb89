//! The one place where time comes from.

use fanfold_transcript::Millis;
use tokio::time::Instant;

/// Monotonic milliseconds since it was made.
#[derive(Clone, Copy, Debug)]
pub struct Clock {
    start: Instant,
}

impl Clock {
    /// A clock that starts now. It is tokio's, so that a test can pause it.
    #[must_use]
    pub fn start() -> Self {
        Self { start: Instant::now() }
    }

    /// The time now.
    #[must_use]
    pub fn now(&self) -> Millis {
        Millis(u64::try_from(self.start.elapsed().as_millis()).unwrap_or(u64::MAX))
    }

    /// When `at` comes, for a timer.
    #[must_use]
    pub fn instant(&self, at: Millis) -> Instant {
        self.start + std::time::Duration::from_millis(at.0)
    }
}
