//! The strict provider as a process of its own, for the time of one run.
//!
//! Not here: what it checks (`fanfold-testkit`).

use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command, Stdio};

use crate::failure::Failure;
use crate::program::Program;
use crate::workspace;

const PROGRAM: [&str; 5] = ["--quiet", "-p", "fanfold-testkit", "--bin", "strict-provider"];

/// A running server; it ends when it is dropped.
#[derive(Debug)]
pub(super) struct Server {
    process: Child,
    url: String,
}

impl Server {
    /// Builds the program, so that starting it takes no time.
    pub(super) fn build() -> Result<(), Failure> {
        let args: Vec<&str> = ["build"].into_iter().chain(PROGRAM).collect();
        Program::cargo(&args).run()
    }

    /// Serves this script.
    ///
    /// # Errors
    /// When the program does not start, or does not say where it is.
    pub(super) fn start(script: &str) -> Result<Self, Failure> {
        let failed = |what: String| Failure::check(format!("failed to start the server: {what}"));
        // Cargo puts the program in its own place: who ends the one ends the other.
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let mut command = Command::new(cargo);
        command.arg("run").args(PROGRAM).args(["--", script]);
        command.current_dir(workspace::root()).stdin(Stdio::null()).stdout(Stdio::piped());
        command.env_remove("CARGO_MANIFEST_DIR");
        let mut process = command.spawn().map_err(|error| failed(error.to_string()))?;
        let stdout = process.stdout.take().ok_or_else(|| failed("no output".to_owned()))?;
        let mut server = Self { process, url: String::new() };
        let read = BufReader::new(stdout).read_line(&mut server.url);
        read.map_err(|error| failed(error.to_string()))?;
        if server.url().is_empty() {
            return Err(failed("it ended before it said where it is".to_owned()));
        }
        Ok(server)
    }

    /// Its address.
    pub(super) fn url(&self) -> &str {
        self.url.trim_end()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may have ended by itself.
        drop(self.process.kill());
        drop(self.process.wait());
    }
}
