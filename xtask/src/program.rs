//! Running another program from the root of the workspace.
//!
//! Not here: shells. Arguments are passed as they are, and nothing reads from the terminal.

use std::env;
use std::ffi::OsString;
use std::process::{Command, Stdio};

use crate::failure::Failure;
use crate::workspace;

/// A program with its arguments, run from the root of the workspace.
pub(crate) struct Program {
    command: Command,
    line: String,
}

impl Program {
    /// The cargo that runs this very program.
    pub(crate) fn cargo(args: &[&str]) -> Self {
        Self::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()), "cargo", args)
    }

    /// The compiler of the toolchain in use.
    pub(crate) fn rustc(args: &[&str]) -> Self {
        Self::new(env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()), "rustc", args)
    }

    /// The toolchain installer.
    pub(crate) fn rustup(args: &[&str]) -> Self {
        Self::new("rustup".into(), "rustup", args)
    }

    /// A program by its name or its path.
    pub(crate) fn named(name: &str, args: &[&str]) -> Self {
        Self::new(name.into(), name, args)
    }

    /// Sets an environment variable.
    pub(crate) fn env(mut self, name: &str, value: &str) -> Self {
        self.command.env(name, value);
        self.line = format!("{name}={value:?} {}", self.line);
        self
    }

    /// Runs it with its output on the terminal.
    ///
    /// # Errors
    /// When it cannot be started or does not exit with 0.
    pub(crate) fn run(mut self) -> Result<(), Failure> {
        println!("$ {}", self.line);
        let status = self.command.status().map_err(|error| self.cannot_start(&error))?;
        if status.success() { Ok(()) } else { Err(self.failed(&status.to_string())) }
    }

    /// Runs it and gives what it printed; its errors go to the terminal.
    ///
    /// # Errors
    /// When it cannot be started, does not exit with 0, or prints what is no UTF-8.
    pub(crate) fn output(mut self) -> Result<String, Failure> {
        let output = self.command.stderr(Stdio::inherit()).output();
        let output = output.map_err(|error| self.cannot_start(&error))?;
        if !output.status.success() {
            return Err(self.failed(&output.status.to_string()));
        }
        String::from_utf8(output.stdout).map_err(|_| self.failed("output is not UTF-8"))
    }

    fn new(program: OsString, name: &str, args: &[&str]) -> Self {
        let mut command = Command::new(program);
        command.args(args).current_dir(workspace::root()).stdin(Stdio::null());
        // A cargo started by another one must not take the outer package for its own.
        command.env_remove("CARGO_MANIFEST_DIR");
        Self { command, line: format!("{name} {}", args.join(" ")) }
    }

    fn cannot_start(&self, error: &std::io::Error) -> Failure {
        Failure::check(format!("failed to start `{}`: {error}", self.line))
    }

    fn failed(&self, how: &str) -> Failure {
        Failure::check(format!("`{}` failed: {how}", self.line))
    }
}
