//! Starts a child: in its own process group, marked, without Fanfold's secrets, and bound to die with
//! Fanfold.
//!
//! Not here: what happens to it then (`process.rs`).

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::process::Stdio;
use std::sync::mpsc::{Sender, channel};
use std::sync::{Mutex, PoisonError};

use tokio::process::Command;
use tokio::runtime::Handle;
use tokio::sync::oneshot;

use super::leader::Leader;
use super::scope::Family;
use super::table::{self, Identity};
use super::{Mark, Spec, reap};

/// The variables that Fanfold reads provider keys from. No tool gets them.
const KEYS: [&str; 4] = ["ANTHROPIC_API_KEY", "OPENAI_API_KEY", "GEMINI_API_KEY", "GOOGLE_API_KEY"];

/// Why a child could not be started. The text is for the model.
#[derive(Debug, thiserror::Error)]
pub(crate) enum SpawnError {
    /// No such program.
    #[error("cannot start {0}: no such program on the path")]
    NoProgram(String),
    /// No such directory.
    #[error("cannot start {0}: its working directory {1} does not exist")]
    NoDirectory(String, PathBuf),
    /// The program or its directory is forbidden.
    #[error("cannot start {0}: no permission to execute it, or to enter {1}")]
    NoPermission(String, PathBuf),
    /// The system's limit for arguments.
    #[error("cannot start {0}: the command is too long; write it to a file and run that")]
    TooLong(String),
    /// Anything else.
    #[error("cannot start {0}: {1}")]
    Other(String, io::Error),
}

/// Starts a child, which gets none of the variables `withheld`.
///
/// # Errors
/// When the system refuses; the error says why.
pub(super) async fn spawn(
    spec: &Spec,
    mark: &str,
    withheld: &[Box<str>],
) -> Result<Leader, SpawnError> {
    let (reply, answer) = oneshot::channel();
    let command = command(spec, mark, withheld);
    let (mark, runtime) = (mark.into(), Handle::current());
    let job = move || {
        let _entered = runtime.enter();
        // A leader that nobody takes any more is dropped here, which kills it.
        drop(reply.send(start(command, mark)));
    };
    let lost = || io::Error::other("the thread that starts processes failed");
    let sent = spawner().and_then(|jobs| jobs.send(Box::new(job)).map_err(|_| lost()));
    let started = match sent {
        Ok(()) => answer.await.unwrap_or_else(|_| Err(lost())),
        Err(error) => Err(error),
    };
    started.map_err(|error| explain(spec, error))
}

fn command(spec: &Spec, mark: &str, withheld: &[Box<str>]) -> Command {
    let mut command = Command::new(&spec.program);
    // First, so that no list of secrets takes the mark away.
    for key in KEYS.into_iter().chain(withheld.iter().map(AsRef::as_ref)) {
        command.env_remove(key);
    }
    command
        .args(&spec.arguments)
        .current_dir(&spec.directory)
        .envs(spec.environment.iter().copied())
        .env(Mark::VARIABLE, mark)
        .stdin(if spec.input.is_empty() { Stdio::null() } else { Stdio::piped() })
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .process_group(0)
        .kill_on_drop(true);
    die_with_this_process(&mut command);
    command
}

fn start(mut command: Command, mark: Box<str>) -> io::Result<Leader> {
    let (child, owned) = reap::own(|| command.spawn())?;
    // Not waited for yet, so it is in the table even if it has ended. Where there is no table, the
    // start does not matter.
    let seen = table::look(owned.pid());
    let leader = seen.map_or(Identity { start: 0, pid: owned.pid() }, |seen| seen.id);
    Ok(Leader::new(child, owned, Family { leader, mark }))
}

/// Has the child killed when its parent ends: the thread that starts it, which lives as long as this
/// process.
#[cfg(target_os = "linux")]
fn die_with_this_process(command: &mut Command) {
    use nix::sys::{prctl, signal::Signal};
    use nix::unistd::Pid;

    let parent = Pid::this();
    let in_child = move || {
        prctl::set_pdeathsig(Signal::SIGKILL)?;
        // The parent may have ended just before.
        if Pid::parent() == parent { Ok(()) } else { Err(io::ErrorKind::NotFound.into()) }
    };
    #[expect(unsafe_code, reason = "the parent-death signal can only be set in the child")]
    // SAFETY: between fork and exec only async-signal-safe calls are allowed. These are two plain
    // system calls; neither they nor the errors made of their numbers allocate or take a lock.
    unsafe {
        command.pre_exec(in_child);
    }
}

#[cfg(not(target_os = "linux"))]
fn die_with_this_process(_command: &mut Command) {}

type Job = Box<dyn FnOnce() + Send>;

/// The one thread that starts children. The parent-death signal means the thread, not the process, so
/// it must never end: a job that panics is caught.
fn spawner() -> io::Result<Sender<Job>> {
    static SPAWNER: Mutex<Option<Sender<Job>>> = Mutex::new(None);
    let mut spawner = SPAWNER.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(jobs) = &*spawner {
        return Ok(jobs.clone());
    }
    let (sender, jobs) = channel::<Job>();
    let work = move || {
        for job in jobs {
            // The asker learns of it by the reply that never comes.
            catch_unwind(AssertUnwindSafe(job)).ok();
        }
    };
    std::thread::Builder::new().name("spawner".into()).spawn(work)?;
    *spawner = Some(sender.clone());
    Ok(sender)
}

fn explain(spec: &Spec, error: io::Error) -> SpawnError {
    let program = spec.program.to_string_lossy().into_owned();
    let directory = spec.directory.clone();
    match error.kind() {
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory if !directory.is_dir() => {
            SpawnError::NoDirectory(program, directory)
        }
        io::ErrorKind::NotFound => SpawnError::NoProgram(program),
        io::ErrorKind::PermissionDenied => SpawnError::NoPermission(program, directory),
        io::ErrorKind::ArgumentListTooLong => SpawnError::TooLong(program),
        _ => SpawnError::Other(program, error),
    }
}

#[cfg(test)]
mod tests {
    use std::ffi::OsStr;
    use std::time::Duration;

    use super::*;

    fn spec(program: &str, directory: &str) -> Spec {
        Spec {
            program: program.into(),
            arguments: Vec::new(),
            directory: directory.into(),
            input: Vec::new(),
            environment: &[("PAGER", "cat")],
            timeout: Duration::from_secs(60),
            grace: Duration::ZERO,
        }
    }

    #[test]
    fn a_child_gets_its_mark_and_no_key() {
        let withheld = ["OWN_KEY".into(), Mark::VARIABLE.into(), "PAGER".into()];
        let command = command(&spec("true", "/"), "S:c1", &withheld);
        let changes: Vec<_> = command.as_std().get_envs().collect();
        let (mark, value) = (OsStr::new("FANFOLD_CALL"), OsStr::new("S:c1"));
        assert!(changes.contains(&(mark, Some(value))));
        assert!(changes.contains(&(OsStr::new("PAGER"), Some(OsStr::new("cat")))));
        for key in KEYS.into_iter().chain(["OWN_KEY"]) {
            assert!(changes.contains(&(OsStr::new(key), None)), "{key}");
        }
    }

    #[tokio::test]
    async fn a_failure_names_the_program_and_the_reason() {
        let table = [
            (spec("no-such-program", "/"), "no-such-program: no such program on the path"),
            (spec("/dev/null", "/"), "/dev/null: no permission to execute it, or to enter /"),
            (spec("true", "/no/such"), "true: its working directory /no/such does not exist"),
            (spec("true", "/dev/null"), "true: its working directory /dev/null does not exist"),
        ];
        for (spec, text) in table {
            let error = spawn(&spec, "S:c1", &[]).await.unwrap_err();
            assert_eq!(error.to_string(), format!("cannot start {text}"));
        }
    }

    #[tokio::test]
    async fn a_job_that_panics_does_not_end_the_thread() {
        spawner().unwrap().send(Box::new(|| panic!("a test of the spawner"))).unwrap();
        assert!(spawn(&spec("true", "/"), "S:c1", &[]).await.is_ok());
    }
}
