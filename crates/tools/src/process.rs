//! Runs one child to its end: until it exits, times out or is told to stop; then ends what it left
//! behind.
//!
//! The end is the child's exit and a short drain, never the end of its output: a grandchild that
//! holds a pipe open cannot hang a call. Not here: what the output means (the tools) and its bounds
//! (`capture.rs`).

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWriteExt as _};
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};

pub(crate) use self::leader::Exit;
use self::leader::Leader;
use self::rest::Tally;
pub(crate) use self::spawn::SpawnError;
pub use self::{
    children::{Children, WatchProcesses},
    mark::Mark,
    sweep::Sweep,
};
use crate::capture::{Sink, Stream};
use crate::stop::StopCause;
use crate::tool::Run;

mod children;
mod leader;
mod mark;
mod reap;
mod rest;
mod scope;
mod spawn;
mod sweep;
mod table;

/// How long after the child's exit output is still read and descendants may end by themselves.
const DRAIN: Duration = Duration::from_millis(100);

/// How long a told process has before it is killed, where nothing else is configured.
pub(crate) const STOP_GRACE: Duration = Duration::from_secs(3);

/// What to run.
#[derive(Clone, Debug)]
pub(crate) struct Spec {
    /// The program, found on the path.
    pub(crate) program: OsString,
    /// Its arguments.
    pub(crate) arguments: Vec<OsString>,
    /// The working directory.
    pub(crate) directory: PathBuf,
    /// All of its standard input.
    pub(crate) input: Vec<u8>,
    /// Added to Fanfold's own environment, which is given on without its secrets.
    pub(crate) environment: &'static [(&'static str, &'static str)],
    /// How long it may run.
    pub(crate) timeout: Duration,
    /// How long a told process has before it is killed.
    pub(crate) grace: Duration,
}

/// How a child and its descendants ended. What they wrote is in the sink.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Ended {
    /// Why it came to an end.
    pub(crate) why: Why,
    /// How the child itself ended; `None` if not even a kill ended it in time.
    pub(crate) exit: Option<Exit>,
    /// Processes other than the child that had to be ended.
    pub(crate) left_behind: usize,
    /// Processes that could not be ended.
    pub(crate) stuck: usize,
}

/// Why a child came to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Why {
    /// It exited by itself.
    Exited,
    /// It ran longer than its own timeout.
    Timeout,
    /// The call was told to end.
    Told(StopCause),
}

/// Runs a child to its end. Dropping the future kills the child and its descendants.
///
/// # Errors
/// When it cannot be started.
pub(crate) async fn run(spec: &Spec, run: &Run) -> Result<Ended, SpawnError> {
    let mut leader = spawn::spawn(spec, run.mark().as_str(), &run.children.withheld).await?;
    if let Some(watch) = &run.children.watch {
        watch.started(leader.process_of(run.call));
    }
    let mut pipes = pipes(&mut leader, spec, &run.sink);
    let why = tokio::select! {
        biased;
        () = leader.exited() => Why::Exited,
        cause = run.stop.stopped() => Why::Told(cause),
        () = sleep(spec.timeout) => Why::Timeout,
    };
    let hurry = async {
        run.stop.killed().await;
    };
    let tally = match why {
        Why::Exited => {
            // What is just ending by itself, as after a pipe into a last small program, may do so.
            let by_itself = async {
                ends_of(&mut pipes).await;
                leader.alone().await;
            };
            match timeout(DRAIN, by_itself).await {
                Ok(()) => Tally::default(),
                Err(_) => {
                    pipes.shutdown().await;
                    leader.end(spec.grace, hurry).await
                }
            }
        }
        Why::Timeout | Why::Told(_) => {
            // It can still say its last words: they are read until it is gone.
            let tally = leader.end(spec.grace, hurry).await;
            timeout(DRAIN, ends_of(&mut pipes)).await.ok();
            pipes.shutdown().await;
            tally
        }
    };
    let exit = leader.exit().await;
    Ok(Ended { why, exit, left_behind: tally.ended, stuck: tally.stuck })
}

/// Tasks that write the child's input and copy its output into the sink. They end with the set.
fn pipes(leader: &mut Leader, spec: &Spec, sink: &Sink) -> JoinSet<()> {
    let mut pipes = JoinSet::new();
    if let Some(mut stdin) = leader.take_input() {
        let input = spec.input.clone();
        // A child need not read its input: that it is gone before the end is no failure.
        pipes.spawn(async move {
            stdin.write_all(&input).await.ok();
        });
    }
    let (stdout, stderr) = leader.take_output();
    if let Some(stdout) = stdout {
        pipes.spawn(copy(stdout, Stream::Stdout, sink.clone()));
    }
    if let Some(stderr) = stderr {
        pipes.spawn(copy(stderr, Stream::Stderr, sink.clone()));
    }
    pipes
}

async fn copy(mut from: impl AsyncRead + Unpin, stream: Stream, sink: Sink) {
    let mut buffer = vec![0; 32 * 1024];
    // A failing read ends the stream just as its end does: there is nothing more to be had.
    while let Ok(length @ 1..) = from.read(&mut buffer).await {
        sink.write(stream, &buffer[..length]);
    }
}

/// Waits until both streams have ended.
async fn ends_of(pipes: &mut JoinSet<()>) {
    while pipes.join_next().await.is_some() {}
}

/// Makes Fanfold the parent of descendants whose own parent has ended, so that none escapes. Called
/// once, by the engine; more calls change nothing. Does nothing where the system has no such thing.
///
/// # Errors
/// When the system refuses.
pub fn become_subreaper() -> std::io::Result<()> {
    #[cfg(target_os = "linux")]
    nix::sys::prctl::set_child_subreaper(true)?;
    Ok(())
}
