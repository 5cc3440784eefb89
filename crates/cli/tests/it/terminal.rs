//! A terminal of a test's own: what is shown on it, and typing.

use std::fs::File;
use std::io::{Read as _, Write as _};
use std::process::{Child, Command, ExitStatus};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use nix::pty::{Winsize, openpty};

use crate::text;

/// How long anything may take before a test is given up.
const PATIENCE: Duration = Duration::from_secs(30);

/// A program at a terminal.
pub(crate) struct Seat {
    pub(crate) child: Child,
    keyboard: File,
    screen: Receiver<Vec<u8>>,
    shown: String,
    /// Up to where `shown` was looked at.
    seen: usize,
}

impl Seat {
    /// Starts the command at a terminal with so many columns.
    pub(crate) fn take(mut command: Command, columns: u16) -> Self {
        let size = Winsize { ws_row: 24, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0 };
        let pair = openpty(Some(&size), None).unwrap();
        let slave = || pair.slave.try_clone().unwrap();
        command.stdin(slave()).stdout(slave()).stderr(slave()).env("TERM", "xterm");
        let child = command.spawn().unwrap();
        // The terminal must have no other user than the program, or its end would never be seen.
        drop((command, pair.slave));
        let mut output = File::from(pair.master.try_clone().unwrap());
        let (sender, screen) = channel();
        thread::spawn(move || {
            let mut bytes = [0; 4096];
            while let Ok(length @ 1..) = output.read(&mut bytes) {
                if sender.send(bytes[..length].to_vec()).is_err() {
                    return;
                }
            }
        });
        let keyboard = File::from(pair.master);
        Self { child, keyboard, screen, shown: String::new(), seen: 0 }
    }

    /// Waits until this is shown, after what was waited for before.
    pub(crate) fn until(&mut self, part: &str) -> &mut Self {
        loop {
            if let Some(at) = self.shown[self.seen..].find(part) {
                self.seen += at + part.len();
                return self;
            }
            match self.screen.recv_timeout(PATIENCE) {
                Ok(bytes) => self.shown.push_str(&text(&bytes)),
                Err(error) => {
                    self.child.kill().ok();
                    panic!("{error}: no {part:?} in {}", self.shown);
                }
            }
        }
    }

    /// Types this.
    pub(crate) fn key(&mut self, keys: &str) -> &mut Self {
        self.keyboard.write_all(keys.as_bytes()).unwrap();
        self
    }

    /// Types a line.
    pub(crate) fn line(&mut self, line: &str) -> &mut Self {
        self.key(&format!("{line}\r"))
    }

    /// Waits for the end; gives also all that was shown.
    pub(crate) fn end(mut self) -> (ExitStatus, String) {
        loop {
            match self.screen.recv_timeout(PATIENCE) {
                Ok(bytes) => self.shown.push_str(&text(&bytes)),
                Err(RecvTimeoutError::Disconnected) => break,
                Err(RecvTimeoutError::Timeout) => {
                    self.child.kill().ok();
                    panic!("it does not end: {}", self.shown);
                }
            }
        }
        (self.child.wait().unwrap(), self.shown)
    }
}
