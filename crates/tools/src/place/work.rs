//! File work of a call on its own thread, and how it is told to end.
//!
//! File calls of the system block and cannot be taken back, so the work looks at its [`Halt`]
//! between them. Not here: the signal itself (`stop.rs`).

use std::io::{self, Read};
use std::panic::resume_unwind;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use fanfold_transcript::{Ending, Interruption, Outcome};

use crate::place::Place;
use crate::stop::{StopCause, StopSignal};
use crate::tool::Run;

/// Tells file work that it should end.
#[derive(Clone, Debug)]
pub(crate) struct Halt {
    stop: StopSignal,
    abandoned: Arc<AtomicBool>,
}

impl Halt {
    /// How the call ends, once it has to.
    pub(crate) fn ending(&self) -> Option<Ending> {
        let abandoned = self.abandoned.load(Ordering::Relaxed);
        let abandoned = abandoned.then_some(Ending::Interrupted(Interruption::Stopped));
        self.stop.cause().map(StopCause::ending).or(abandoned)
    }

    /// A reader that gives an error once the call has to end.
    pub(crate) const fn watch<R: Read>(&self, reader: R) -> Watched<'_, R> {
        Watched { reader, halt: self }
    }
}

/// A reader that fails once its call has to end.
#[derive(Debug)]
pub(crate) struct Watched<'a, R> {
    reader: R,
    halt: &'a Halt,
}

impl<R: Read> Read for Watched<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self.halt.ending() {
            Some(_) => Err(io::Error::other("the call was ended")),
            None => self.reader.read(buffer),
        }
    }
}

/// Runs `work` on a thread where it may block.
///
/// A stop lets it end by itself with what it has; when the grace is over too, the outcome no longer
/// waits for it. Dropping the future halts the work.
pub(crate) async fn off_thread(
    run: Run,
    work: impl FnOnce(&Place, &Halt) -> Outcome + Send + 'static,
) -> Outcome {
    finished_off_thread(run, work).await.unwrap_or_else(|ended_early| ended_early)
}

/// The same for work that is only a part of a call: an error is the outcome of a call that ended
/// before its work did.
pub(crate) async fn finished_off_thread<T: Send + 'static>(
    run: Run,
    work: impl FnOnce(&Place, &Halt) -> T + Send + 'static,
) -> Result<T, Outcome> {
    let abandoned = Arc::new(AtomicBool::new(false));
    let _guard = Abandon(Arc::clone(&abandoned));
    let Run { place, stop, .. } = run;
    let halt = Halt { stop: stop.clone(), abandoned };
    let work = tokio::task::spawn_blocking(move || work(&place, &halt));
    tokio::select! {
        ended = work => match ended {
            Ok(done) => Ok(done),
            Err(error) if error.is_panic() => resume_unwind(error.into_panic()),
            Err(_) => Err(ended_early(Ending::Interrupted(Interruption::Stopped))),
        },
        cause = stop.killed() => Err(ended_early(cause.ending())),
    }
}

fn ended_early(ending: Ending) -> Outcome {
    Outcome::of_text(ending, "ended while the file system had not answered")
}

/// Halts the work of a future that is dropped.
struct Abandon(Arc<AtomicBool>);

impl Drop for Abandon {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use tokio::sync::oneshot;

    use super::*;
    use crate::place::scene::Scene;
    use crate::stop::StopHandle;

    /// Starts work that tells when it runs and then reads on and on until it is halted.
    fn endless(run: Run) -> (oneshot::Receiver<()>, mpsc::Receiver<Ending>, crate::Running) {
        let (running, is_running) = oneshot::channel();
        let (halted, is_halted) = mpsc::channel();
        let work = off_thread(run, move |_, halt| {
            let mut reader = halt.watch(io::repeat(b'x'));
            reader.read_exact(&mut [0; 8]).unwrap();
            running.send(()).unwrap();
            io::copy(&mut reader, &mut io::sink()).unwrap_err();
            let ending = halt.ending().unwrap();
            halted.send(ending).unwrap();
            Outcome::of_text(ending, "what there was")
        });
        (is_running, is_halted, Box::pin(work))
    }

    #[tokio::test]
    async fn a_stop_lets_the_work_end_with_what_it_has() {
        let (handle, stop) = StopHandle::new();
        let (is_running, _is_halted, work) = endless(Scene::new().run_with(stop));
        let work = tokio::spawn(work);
        is_running.await.unwrap();
        handle.stop(StopCause::Cancel);
        assert_eq!(work.await.unwrap(), Outcome::of_text(Ending::Cancelled, "what there was"));
    }

    #[tokio::test]
    async fn a_kill_does_not_wait_for_the_file_system() {
        let (handle, stop) = StopHandle::new();
        let (release, released) = mpsc::channel::<()>();
        let (running, is_running) = oneshot::channel();
        let work = tokio::spawn(off_thread(Scene::new().run_with(stop), move |_, _| {
            running.send(()).unwrap();
            // Stands for a call of the system that does not come back.
            released.recv().unwrap_err();
            Outcome::ok_text("too late")
        }));
        is_running.await.unwrap();
        handle.stop(StopCause::Deadline);
        handle.kill(StopCause::Deadline);
        let outcome = work.await.unwrap();
        assert_eq!(outcome.ending, Ending::TimedOut);
        drop(release);
    }

    #[tokio::test]
    async fn dropping_the_future_halts_the_work() {
        let (_handle, stop) = StopHandle::new();
        let (is_running, is_halted, work) = endless(Scene::new().run_with(stop));
        let work = tokio::spawn(work);
        is_running.await.unwrap();
        work.abort();
        assert!(work.await.unwrap_err().is_cancelled());
        let ending = tokio::task::spawn_blocking(move || is_halted.recv()).await.unwrap();
        assert_eq!(ending, Ok(Ending::Interrupted(Interruption::Stopped)));
    }

    #[tokio::test]
    async fn a_panic_goes_on_to_whoever_runs_the_call() {
        let (_handle, stop) = StopHandle::new();
        let run = Scene::new().run_with(stop);
        let work = tokio::spawn(off_thread(run, |_, _| panic!("on purpose")));
        let panic = work.await.unwrap_err().into_panic();
        assert_eq!(panic.downcast_ref::<&str>(), Some(&"on purpose"));
    }
}
