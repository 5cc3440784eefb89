//! Proof of overlap without a clock: everyone arrives before anyone leaves.
//!
//! Not here: any bound on time but the one that turns a missed meeting into a failure.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::Barrier;

/// How long a meeting is waited for. Generous: it is only reached when a test fails.
const PATIENCE: Duration = Duration::from_secs(30);

/// A place where a number of calls meet.
#[derive(Clone, Debug)]
pub struct Meeting(Arc<Barrier>);

impl Meeting {
    /// A meeting of this many.
    #[must_use]
    pub fn of(count: usize) -> Self {
        Self(Arc::new(Barrier::new(count)))
    }

    /// Arrives and waits for all the others.
    ///
    /// # Errors
    /// When they do not come: the calls do not overlap.
    pub async fn arrive(&self) -> Result<(), &'static str> {
        let met = tokio::time::timeout(PATIENCE, self.0.wait()).await;
        met.map(|_| ()).map_err(|_| "the others never came: the calls did not overlap")
    }
}
