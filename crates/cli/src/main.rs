//! The `fanfold` command: arguments in, results to stdout, progress to stderr, an exit code.
//!
//! Not here: anything that another front end would need too (`fanfold-session`).

mod approvals;
mod args;
mod exec;
mod input;
mod interactive;
mod models;
mod outlet;
mod progress;
mod run;
mod sessions;
mod settings;
mod signals;
mod speech;
mod table;
mod tally;
mod timeline;
mod tools;
mod view;
mod voice;

use std::process::ExitCode;

use clap::Parser as _;

use crate::args::{Args, Command};

/// The work is done.
const DONE: u8 = 0;
/// Bad input or usage: nothing was run.
const BAD_INPUT: u8 = 2;
/// The work failed.
const FAILED: u8 = 1;
/// Stopped by the user.
const INTERRUPTED: u8 = 130;

fn main() -> ExitCode {
    let Args { command, session, agent } = Args::parse();
    let code = match command {
        None => interactive::run(agent, session.session),
        Some(Command::Run(args)) => run::run(*args),
        Some(Command::Sessions(args)) => sessions::run(args),
        Some(Command::Models(args)) => models::run(&args),
        Some(Command::Exec(args)) => exec::run(args),
        Some(Command::Tools(args)) => tools::run(&args),
        Some(Command::Settings(args)) => settings::run(args),
    };
    code.unwrap_or_else(|problem| {
        voice::say(&format!("fanfold: {}", problem.text));
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
