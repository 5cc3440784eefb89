//! `cargo xtask check`: formatting, lints and API documentation, all without warnings.
//!
//! Not here: the project's own rules, which are in `tidy`.

use crate::failure::Failure;
use crate::program::Program;

pub(crate) fn run() -> Result<(), Failure> {
    Program::cargo(&["fmt", "--all", "--check"]).run()?;
    Program::cargo(&["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"]).run()?;
    Program::cargo(&["doc", "--workspace", "--no-deps"]).env("RUSTDOCFLAGS", "-D warnings").run()
}
