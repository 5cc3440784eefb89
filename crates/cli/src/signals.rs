//! Signals as commands: the first one stops, the second one kills.
//!
//! Children run in process groups of their own, so a Ctrl-C reaches Fanfold alone.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use fanfold_session::Command;
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::sync::mpsc;

use crate::progress;

/// Sends a command for each Ctrl-C, SIGTERM or SIGHUP; what it gives tells whether there was one.
pub(crate) fn forward(commands: mpsc::Sender<Command>) -> io::Result<Arc<AtomicBool>> {
    let mut interrupt = signal(SignalKind::interrupt())?;
    let mut terminate = signal(SignalKind::terminate())?;
    let mut hangup = signal(SignalKind::hangup())?;
    let stopped = Arc::new(AtomicBool::new(false));
    let seen = Arc::clone(&stopped);
    tokio::spawn(async move {
        let mut next = Command::Stop;
        loop {
            any(&mut interrupt, &mut terminate, &mut hangup).await;
            seen.store(true, Ordering::SeqCst);
            progress::say(match next {
                Command::Stop => "stopping; once more to kill",
                Command::Kill => "killing",
            });
            if commands.send(next).await.is_err() {
                return;
            }
            next = Command::Kill;
        }
    });
    Ok(stopped)
}

async fn any(interrupt: &mut Signal, terminate: &mut Signal, hangup: &mut Signal) {
    tokio::select! {
        _ = interrupt.recv() => {}
        _ = terminate.recv() => {}
        _ = hangup.recv() => {}
    }
}
