//! `cargo xtask bench`: runs the benchmarks of every package that has some.
//!
//! Not here: comparing the figures. `BENCHMARKS.md` says what they should be and on which machine.

use crate::failure::Failure;
use crate::program::Program;
use crate::workspace::{self, Workspace};

pub(crate) fn run() -> Result<(), Failure> {
    let workspace = Workspace::load()?;
    let has_benches = |folder: &str| workspace::root().join(folder).join("benches").is_dir();
    let mut args = vec!["bench", "--bench", "*"];
    for package in workspace.packages.iter().filter(|package| has_benches(package.folder())) {
        args.extend(["-p", &package.name]);
    }
    if !args.contains(&"-p") {
        println!("bench: no package has benchmarks");
        return Ok(());
    }
    Program::cargo(&args).run()?;
    println!("bench: BENCHMARKS.md says what these figures should be; write new ones there");
    Ok(())
}
