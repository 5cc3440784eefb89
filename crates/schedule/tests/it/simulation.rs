//! Simulation: agents with streaming batches, jobs, envelopes, subordinates, holds, pauses, stops
//! and changing footprints on one schedule, each run fixed by its seed.
//!
//! The watch on the schedule checks every step. `FANFOLD_SIM_SEED` is the first seed, `FANFOLD_SIM_COUNT`
//! how many. Not here: what an agent does (`simulation/agent.rs`).

mod agent;
mod dice;
mod town;

use std::panic::{AssertUnwindSafe, catch_unwind};

use dice::Dice;
use town::Town;

/// Seeds run when nothing else is asked for.
const SEEDS: u64 = 300;

#[test]
fn simulation_keeps_every_promise() {
    let first = number("FANFOLD_SIM_SEED");
    let default = if first.is_some() { 1 } else { SEEDS };
    let first = first.unwrap_or(0);
    for seed in first..first.saturating_add(number("FANFOLD_SIM_COUNT").unwrap_or(default)) {
        let mut town = Town::new(Dice::new(seed));
        let ended = catch_unwind(AssertUnwindSafe(|| town.run()));
        if let Err(panic) = ended {
            let text = panic.downcast_ref::<String>().map(String::as_str);
            let text = text.or_else(|| panic.downcast_ref().copied()).unwrap_or("a panic");
            let log = town.log();
            panic!("seed {seed}: {text}\n\nrepeat: cargo xtask sim --seed {seed}\n\n{log}\n");
        }
    }
}

#[test]
fn simulation_is_fixed_by_its_seed() {
    let log = |seed| {
        let mut town = Town::new(Dice::new(seed));
        town.run();
        town.log()
    };
    assert_eq!(log(7), log(7));
    assert_ne!(log(7), log(8));
}

/// The simulation is worth its time only if it gets everywhere.
#[test]
fn simulation_reaches_every_operation() {
    let mut all = String::new();
    for seed in 0..40 {
        let mut town = Town::new(Dice::new(seed));
        town.run();
        all.push_str(&town.log());
        all.push('\n');
    }
    let verbs = ["announce", "complete", "submit", "hold", "release", "pause", "resume", "start"];
    for verb in verbs.into_iter().chain(["requeue", "finish", "withdraw"]) {
        let count = all.lines().filter(|line| line.split(' ').next() == Some(verb)).count();
        assert!(count >= 20, "{verb}: {count} times in 40 seeds");
    }
}

#[expect(clippy::disallowed_methods, reason = "the seed comes from the command line")]
fn number(name: &str) -> Option<u64> {
    let text = std::env::var(name).ok()?;
    Some(text.parse().unwrap_or_else(|_| panic!("{name} is no number: {text:?}")))
}
