//! The tasks of running calls: started, told to stop, joined. A panic becomes an outcome of its call.
//!
//! Not here: when to start or stop one (`fanfold-agent`, through `batch.rs`).

use std::any::Any;
use std::collections::BTreeMap;

use fanfold_tools::{Prepared, Run, StopHandle};
use fanfold_transcript::{CallId, Ending, Failure, Interruption, Outcome};
use tokio::task::{AbortHandle, Id, JoinError, JoinSet};

/// Characters of a panic's text that the model is shown.
const PANIC_CHARS_MAX: usize = 1_000;

/// The running calls of a driver. Dropping it drops them all.
#[derive(Debug, Default)]
pub(crate) struct Tasks {
    set: JoinSet<(CallId, Outcome)>,
    running: BTreeMap<CallId, Handles>,
}

#[derive(Debug)]
struct Handles {
    stop: StopHandle,
    abort: AbortHandle,
}

impl Tasks {
    /// Starts a call.
    pub(crate) fn start(&mut self, prepared: Box<dyn Prepared>, run: Run, stop: StopHandle) {
        let call = run.call;
        // Inside the task, so that a tool that panics before its first await harms nobody else.
        let abort = self.set.spawn(async move { (call, prepared.run(run).await) });
        self.running.insert(call, Handles { stop, abort });
    }

    /// The handle by which a running call is told to end.
    pub(crate) fn stop_handle(&self, call: CallId) -> Option<&StopHandle> {
        self.running.get(&call).map(|handles| &handles.stop)
    }

    /// Drops a running call without waiting for it; it will not be joined.
    pub(crate) fn abandon(&mut self, call: CallId) {
        if let Some(handles) = self.running.remove(&call) {
            handles.abort.abort();
        }
    }

    /// Waits for the next call to end; `None` when none runs.
    pub(crate) async fn next_ended(&mut self) -> Option<(CallId, Outcome)> {
        loop {
            let joined = self.set.join_next().await?;
            if let Some(ended) = self.ended(joined) {
                return Some(ended);
            }
        }
    }

    /// A call that has ended already.
    pub(crate) fn try_next_ended(&mut self) -> Option<(CallId, Outcome)> {
        loop {
            let joined = self.set.try_join_next()?;
            if let Some(ended) = self.ended(joined) {
                return Some(ended);
            }
        }
    }

    /// The call of a task that is over; `None` if it was abandoned.
    fn ended(&mut self, joined: Result<(CallId, Outcome), JoinError>) -> Option<(CallId, Outcome)> {
        let (call, outcome) = match joined {
            Ok(ended) => ended,
            Err(error) => (self.call_of(error.id())?, outcome_of(error)),
        };
        self.running.remove(&call)?;
        Some((call, outcome))
    }

    /// Only a panic asks: a task that returns says itself whose it is.
    fn call_of(&self, task: Id) -> Option<CallId> {
        let mut running = self.running.iter();
        running.find(|(_, handles)| handles.abort.id() == task).map(|(&call, _)| call)
    }
}

fn outcome_of(error: JoinError) -> Outcome {
    match error.try_into_panic() {
        Ok(payload) => {
            let said: String = panic_text(&*payload).chars().take(PANIC_CHARS_MAX).collect();
            let text = format!("the tool panicked: {said}");
            Outcome::of_text(Ending::Failed(Failure::Panicked), text)
        }
        Err(_) => Outcome::of_text(Ending::Interrupted(Interruption::Stopped), "stopped"),
    }
}

/// What a panic said, if it said it in words.
pub(crate) fn panic_text(payload: &(dyn Any + Send)) -> &str {
    let text = payload.downcast_ref::<&str>().copied();
    text.or_else(|| payload.downcast_ref::<String>().map(String::as_str)).unwrap_or("no message")
}
