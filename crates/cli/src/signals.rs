//! Signals as presses: the first one stops, the second one kills, and so does Ctrl-\ at once.
//!
//! A hangup that was ignored when the program began stays ignored: that is what `nohup` asks for.
//! Children run in process groups of their own, so a Ctrl-C reaches Fanfold alone. Not here: what a
//! press is turned into.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::{Notify, mpsc};

/// How hard a stop is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Press {
    /// What runs is told to end.
    Stop,
    /// What runs is killed.
    Kill,
}

/// The stops there were.
#[derive(Debug, Default)]
pub(crate) struct Stops {
    any: AtomicBool,
    too_late: Notify,
    after_a_kill: Notify,
}

impl Stops {
    /// Whether there was one.
    pub(crate) fn any(&self) -> bool {
        self.any.load(Ordering::SeqCst)
    }

    /// Waits for one that comes when nothing takes commands any more.
    pub(crate) async fn too_late(&self) {
        self.too_late.notified().await;
    }

    /// Waits for one that comes when everything was to be killed already.
    pub(crate) async fn after_a_kill(&self) {
        self.after_a_kill.notified().await;
    }
}

/// Sends a command for each Ctrl-C, Ctrl-\, SIGTERM or SIGHUP and says so.
pub(crate) fn forward<C: Send + 'static>(
    commands: mpsc::Sender<C>,
    command: fn(Press) -> C,
    say: impl Fn(&str) + Send + 'static,
) -> io::Result<Arc<Stops>> {
    // Asked before the runtime takes the signal over.
    let hangups = !hangups_are_ignored();
    let mut interrupt = signal(SignalKind::interrupt())?;
    let mut quit = signal(SignalKind::quit())?;
    let mut terminate = signal(SignalKind::terminate())?;
    let mut hangup = signal(SignalKind::hangup())?;
    let stops = Arc::new(Stops::default());
    let seen = Arc::clone(&stops);
    tokio::spawn(async move {
        let (mut next, mut killed) = (Press::Stop, false);
        loop {
            tokio::select! {
                _ = interrupt.recv() => {}
                _ = quit.recv() => next = Press::Kill,
                _ = terminate.recv() => {}
                _ = hangup.recv(), if hangups => {}
            }
            seen.any.store(true, Ordering::SeqCst);
            if commands.is_closed() {
                seen.too_late.notify_one();
                return;
            }
            if killed {
                seen.after_a_kill.notify_one();
            }
            say(match next {
                Press::Stop => "stopping; once more to kill",
                Press::Kill => "killing",
            });
            // More of them than are taken say nothing new.
            commands.try_send(command(next)).ok();
            killed = next == Press::Kill;
            next = Press::Kill;
        }
    });
    Ok(stops)
}

/// Whether hangups were ignored by whoever started the program. Asked where `/proc` tells.
fn hangups_are_ignored() -> bool {
    const HANGUP: u64 = 1;
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    ignored
        .and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok())
        .is_some_and(|mask| mask & HANGUP != 0)
}
