//! A provider that is not the real one, as a process of its own for the time of one run.
//!
//! Not here: what it checks (`fanfold-testkit`) and what it says (`xtask/peers`).

use std::io::{BufRead as _, BufReader};
use std::process::{Child, ChildStdout, Command, Stdio};

use crate::failure::Failure;
use crate::program::Program;
use crate::workspace;

const STRICT: [&str; 5] = ["--quiet", "-p", "fanfold-testkit", "--bin", "strict-provider"];

/// A running server; it ends when it is dropped.
#[derive(Debug)]
pub(super) struct Server {
    process: Child,
    url: String,
    /// Kept, so that what the server still has to say finds a reader.
    stdout: BufReader<ChildStdout>,
}

impl Server {
    /// Builds our strict provider, so that starting it takes no time.
    pub(super) fn build_strict() -> Result<(), Failure> {
        let args: Vec<&str> = ["build"].into_iter().chain(STRICT).collect();
        Program::cargo(&args).run()
    }

    /// Our strict provider with this script.
    ///
    /// # Errors
    /// When the program does not start, or does not say where it is.
    pub(super) fn strict(script: &str) -> Result<Self, Failure> {
        // Cargo puts the program in its own place: who ends the one ends the other.
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let mut command = Command::new(cargo);
        command.arg("run").args(STRICT).args(["--", script]);
        Self::start(command)
    }

    /// The aimock at this path with these fixtures; it refuses what none of them matches.
    ///
    /// # Errors
    /// When the program does not start, or does not say where it is.
    pub(super) fn aimock(program: &str, fixtures: &str) -> Result<Self, Failure> {
        let mut command = Command::new("node");
        command.args([program, "--port", "0", "--fixtures", fixtures]);
        command.args(["--strict", "--validate-on-load"]);
        Self::start(command)
    }

    /// Its address.
    pub(super) fn url(&self) -> &str {
        &self.url
    }

    fn start(mut command: Command) -> Result<Self, Failure> {
        let name = command.get_program().display().to_string();
        let failed = |what: &str| Failure::check(format!("failed to start {name}: {what}"));
        command.current_dir(workspace::root()).stdin(Stdio::null()).stdout(Stdio::piped());
        command.env_remove("CARGO_MANIFEST_DIR");
        let mut process = command.spawn().map_err(|error| failed(&error.to_string()))?;
        let stdout = process.stdout.take().expect("its output was asked for as a pipe");
        let mut server = Self { process, url: String::new(), stdout: BufReader::new(stdout) };
        while server.url.is_empty() {
            let mut line = String::new();
            let read = server.stdout.read_line(&mut line);
            if read.map_err(|error| failed(&error.to_string()))? == 0 {
                return Err(failed("it ended before it said where it is"));
            }
            if let Some(begin) = line.find("http://") {
                server.url = line[begin..].trim_end().to_owned();
            }
        }
        Ok(server)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may have ended by itself.
        drop(self.process.kill());
        drop(self.process.wait());
    }
}
