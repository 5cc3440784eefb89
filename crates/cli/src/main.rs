//! The `fanfold` command: arguments in, results to stdout, progress to stderr, an exit code.
//!
//! Not here: anything that another front end would need too (`fanfold-session`).

mod approvals;
mod args;
mod exec;
mod input;
mod progress;
mod settings;
mod signals;
mod timeline;
mod tools;

use std::process::ExitCode;

use clap::Parser as _;

use crate::args::{Args, Command};

/// Every call has its result.
const DONE: u8 = 0;
/// Bad input or usage: nothing was run.
const BAD_INPUT: u8 = 2;
/// The work failed.
const FAILED: u8 = 1;
/// Stopped by the user.
const INTERRUPTED: u8 = 130;

fn main() -> ExitCode {
    let code = match Args::parse().command {
        Command::Exec(args) => exec::run(args),
        Command::Tools(args) => tools::run(&args),
        Command::Settings(args) => settings::run(args),
    };
    code.unwrap_or_else(|problem| {
        progress::say(&format!("fanfold: {}", problem.text));
        ExitCode::from(problem.code)
    })
}

/// Why a command ends early: what to say and the exit code.
#[derive(Debug)]
struct Problem {
    text: String,
    code: u8,
}

impl Problem {
    /// Bad input or usage: nothing was run.
    fn input(text: impl ToString) -> Self {
        Self { text: text.to_string(), code: BAD_INPUT }
    }

    /// The work was done, but something about it failed.
    fn work(text: impl ToString) -> Self {
        Self { text: text.to_string(), code: FAILED }
    }
}
