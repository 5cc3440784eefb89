//! `cargo xtask sim`: the simulations, each run fixed by its seed.
//!
//! Not here: the simulations. They are tests of the crates, which read the seed and the count from
//! the environment and run a few seeds of their own when these are not set.

use crate::failure::Failure;
use crate::program::Program;
use crate::seeds::Seeds;

/// How many seeds `ci` runs, always the same ones.
pub(crate) const SEEDS_IN_CI: u64 = 1_000;

/// The tests that simulate: package, and the filter that selects them.
const SIMULATIONS: [(&str, &str); 2] =
    [("fanfold-schedule", "simulation"), ("fanfold-engine", "simulation")];

pub(crate) fn run(options: &[String]) -> Result<(), Failure> {
    let seeds = Seeds::read("sim", options, SEEDS_IN_CI)?;
    let (first, count) = (seeds.first.to_string(), seeds.count.to_string());
    for (package, filter) in SIMULATIONS {
        let args = ["test", "--package", package, "--test", "it", "--", "--nocapture", filter];
        let list = Program::cargo(&[&args[..], &["--list"]].concat()).output()?;
        if !list.lines().any(|line| line.ends_with(": test")) {
            return Err(Failure::check(format!("{package} has no test named {filter}")));
        }
        let test = Program::cargo(&args).env("FANFOLD_SIM_SEED", &first);
        if let Err(failure) = test.env("FANFOLD_SIM_COUNT", &count).run() {
            println!("sim: the failing seed stands above; repeat it with");
            println!("  cargo xtask sim --seed SEED --count 1");
            return Err(failure);
        }
    }
    println!("sim: seeds {} to {}", seeds.first, seeds.first.saturating_add(seeds.count - 1));
    Ok(())
}
