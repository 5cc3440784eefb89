//! `cargo xtask ci`: everything that must hold before a change is taken, in order.
//!
//! Cheap checks come first; the first failure ends the run. Not here: benchmarks, whose figures
//! mean something only on a quiet machine.

use std::time::Instant;

use crate::failure::Failure;
use crate::program::Program;
use crate::{check, corpus, crash, deny, fuzz, peers, sim, tidy, wasm};

type Stage = (&'static str, fn() -> Result<(), Failure>);

const STAGES: [Stage; 10] = [
    ("check", check::run),
    ("tidy", tidy::run),
    ("test", || Program::cargo(&["test", "--workspace"]).run()),
    ("wasm", wasm::run),
    ("deny", deny::run),
    ("sim", || sim::run(&[])),
    ("crash", || crash::run(&["--count", "20"].map(str::to_owned))),
    ("fuzz", || fuzz::run(&["--seconds", "3"].map(str::to_owned))),
    ("corpus", || corpus::run(&[])),
    ("peers", peers::run),
];

pub(crate) fn run() -> Result<(), Failure> {
    let begun = Instant::now();
    for (name, stage) in STAGES {
        println!("\n== {name}");
        let stage_begun = Instant::now();
        let result = stage();
        let seconds = stage_begun.elapsed().as_secs_f64();
        let word = if result.is_ok() { "ok" } else { "FAILED" };
        println!("== {name}: {word} after {seconds:.1} s");
        result?;
    }
    println!("\n== ci: ok after {:.1} s", begun.elapsed().as_secs_f64());
    Ok(())
}
