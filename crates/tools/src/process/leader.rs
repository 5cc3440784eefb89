//! A running child: the leader of its process group.
//!
//! Not here: how it is started (`spawn.rs`), and finding its descendants (`scope.rs`).

use std::os::unix::process::ExitStatusExt as _;
use std::pin::pin;
use std::process::ExitStatus;
use std::time::Duration;

use fanfold_transcript::{CallId, Process};
use nix::sys::signal::{Signal, killpg};
use tokio::process::{Child, ChildStderr, ChildStdin, ChildStdout};
use tokio::runtime::Handle;
use tokio::time::timeout;

use super::reap::Owned;
use super::rest::{self, Tally};
use super::scope::{Family, Scope};
use super::table::Identity;

/// How long to wait for the exit of a child that was killed.
const EXIT_WAIT: Duration = Duration::from_secs(1);

/// How a process ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exit {
    /// With this exit code.
    Code(i32),
    /// By this signal.
    Signal(i32),
}

impl Exit {
    /// The exit code as a shell tells it: 128 and the number of the signal.
    pub(crate) const fn code(self) -> i32 {
        match self {
            Self::Code(code) => code,
            Self::Signal(signal) => 128 + signal,
        }
    }
}

impl From<ExitStatus> for Exit {
    fn from(status: ExitStatus) -> Self {
        match (status.code(), status.signal()) {
            (Some(code), _) => Self::Code(code),
            (None, signal) => Self::Signal(signal.unwrap_or(0)),
        }
    }
}

/// A child that leads a process group. Dropped before [`Leader::end`] or [`Leader::alone`] is done,
/// it and its descendants are killed.
#[derive(Debug)]
pub(super) struct Leader {
    /// Absent only while it is dropped.
    process: Option<Running>,
    family: Family,
    ended: bool,
}

#[derive(Debug)]
struct Running {
    child: Child,
    exit: Option<Exit>,
    owned: Owned,
}

impl Leader {
    pub(super) const fn new(child: Child, owned: Owned, family: Family) -> Self {
        Self { process: Some(Running { child, exit: None, owned }), family, ended: false }
    }

    /// The child, as it is recorded.
    pub(super) const fn process_of(&self, call: CallId) -> Process {
        let Identity { start, pid } = self.family.leader;
        // The number of a process is positive, and the leader's is its group's.
        let pid = pid.as_raw().cast_unsigned();
        Process { call, pid, group: pid, start_ticks: start }
    }

    pub(super) fn take_input(&mut self) -> Option<ChildStdin> {
        self.process().child.stdin.take()
    }

    pub(super) fn take_output(&mut self) -> (Option<ChildStdout>, Option<ChildStderr>) {
        let process = self.process();
        (process.child.stdout.take(), process.child.stderr.take())
    }

    /// Waits until the child has exited.
    pub(super) async fn exited(&mut self) {
        self.process().exited().await;
    }

    /// How the child ended. Asked after [`Leader::end`], it waits only for what even a kill did not end.
    pub(super) async fn exit(&mut self) -> Option<Exit> {
        let process = self.process();
        timeout(EXIT_WAIT, process.exited()).await.ok();
        process.exit
    }

    /// Waits until nothing that descends from the child runs any more.
    pub(super) async fn alone(&mut self) {
        rest::gone(&Scope::Family(self.family.clone())).await;
        self.ended = true;
    }

    /// Ends the child, if it still runs, and all that descends from it. The grace is over when `hurry`
    /// is.
    pub(super) async fn end(&mut self, grace: Duration, hurry: impl Future<Output = ()>) -> Tally {
        let scope = Scope::Family(self.family.clone());
        let mut ending = pin!(rest::end(scope, grace, hurry));
        let tally = tokio::select! {
            tally = &mut ending => tally,
            () = self.process().exited() => ending.await,
        };
        self.ended = true;
        tally
    }

    fn process(&mut self) -> &mut Running {
        self.process.as_mut().expect("a leader has its child until it is dropped")
    }
}

impl Running {
    async fn exited(&mut self) {
        if self.exit.is_none() {
            self.exit = self.child.wait().await.ok().map(Exit::from);
        }
    }
}

impl Drop for Leader {
    fn drop(&mut self) {
        let Some(mut process) = self.process.take().filter(|_| !self.ended) else { return };
        if process.exit.is_none() {
            // Not waited for, so the number of the group is still its own.
            killpg(process.owned.pid(), Signal::SIGKILL).ok();
        }
        let scope = Scope::Family(self.family.clone());
        if let Ok(runtime) = Handle::try_current() {
            runtime.spawn(async move {
                rest::end(scope, Duration::ZERO, std::future::ready(())).await;
                process.exited().await;
            });
        }
    }
}
