//! The `cargo xtask` program: exit code 0 when all is well, 1 when a check fails, 2 on wrong usage.
//!
//! Not here: what the commands do; each has its file in the library.
#![expect(clippy::print_stderr, reason = "a chore reports to the terminal")]

use std::process::ExitCode;

use xtask::Failure;

fn main() -> ExitCode {
    let args: Vec<String> =
        std::env::args_os().skip(1).map(|arg| arg.to_string_lossy().into_owned()).collect();
    match xtask::run(&args) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure @ Failure::Usage(_)) => {
            eprintln!("xtask: {failure}\n\n{}", xtask::USAGE);
            ExitCode::from(2)
        }
        Err(failure @ Failure::Check(_)) => {
            eprintln!("xtask: {failure}");
            ExitCode::FAILURE
        }
    }
}
