//! `cargo xtask wasm`: builds the pure crates where there is no operating system.
//!
//! A pure crate that began to use files, threads or processes through a dependency fails here. What
//! the standard library merely stubs out on that target is caught by each crate's `clippy.toml`.

use std::path::Path;

use crate::failure::Failure;
use crate::program::Program;
use crate::workspace::Workspace;

const TARGET: &str = "wasm32-unknown-unknown";

pub(crate) fn run() -> Result<(), Failure> {
    if !target_is_installed()? {
        Program::rustup(&["target", "add", TARGET]).run()?;
    }
    let workspace = Workspace::load()?;
    let mut args = vec!["check", "--target", TARGET];
    for package in workspace.pure_packages() {
        args.extend(["-p", package]);
    }
    Program::cargo(&args).run()
}

/// Asks the compiler and not the installer: a toolchain need not come from the latter.
fn target_is_installed() -> Result<bool, Failure> {
    let folder = Program::rustc(&["--print", "target-libdir", "--target", TARGET]).output()?;
    Ok(Path::new(folder.trim()).is_dir())
}
