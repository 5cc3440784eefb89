//! Whole sessions over a disk that dies: made-up models, tools, faults, stops, approvals and crashes.
//!
//! Each run is fixed by its seed. After every crash the session is taken up from what the disk had
//! kept; the strict provider checks every request, and the checks look at what was told, what ran
//! and what is written down. `FANFOLD_SIM_SEED` and `FANFOLD_SIM_COUNT` choose the runs.
#![expect(clippy::print_stdout, reason = "a failing run says its seed, and what was seen of it")]

mod checks;
mod dice;
mod disk;
mod model;
mod run;
mod tools;
mod world;

use run::Tally;
pub(crate) use tools::gate;
use world::Pace;

/// How many runs a plain test makes.
const COUNT: u64 = 60;

fn number(variable: &str, otherwise: u64) -> u64 {
    std::env::var(variable).ok().and_then(|text| text.parse().ok()).unwrap_or(otherwise)
}

#[test]
fn simulation_of_sessions() {
    let first = number("FANFOLD_SIM_SEED", 0);
    let count = number("FANFOLD_SIM_COUNT", COUNT);
    let mut tally = Tally::default();
    for seed in first..first + count {
        tally += run::run(seed, Pace::Virtual);
    }
    println!("seeds {first} to {}: {tally:?}", first + count - 1);
    // A simulation in which nothing happens proves nothing.
    if count >= COUNT {
        assert!(
            tally.crashes > 0 && tally.stops > 0 && tally.faults > 0 && tally.early > 0,
            "{tally:?}"
        );
    }
}

#[test]
fn simulation_of_sessions_on_a_slow_disk() {
    let first = number("FANFOLD_SIM_SEED", 0);
    let count = number("FANFOLD_SIM_COUNT", COUNT).div_ceil(20);
    let mut tally = Tally::default();
    for seed in first..first + count {
        tally += run::run(seed, Pace::Real);
    }
    println!("seeds {first} to {} on a slow disk: {tally:?}", first + count - 1);
}
