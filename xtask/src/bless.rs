//! `cargo xtask bless`: takes the present results of the tests as the expected ones.
//!
//! Not here: looking at them. Read the difference before you commit it.

use crate::failure::Failure;
use crate::program::Program;

pub(crate) fn run() -> Result<(), Failure> {
    Program::cargo(&["test", "--workspace"]).env("INSTA_UPDATE", "always").run()
}
