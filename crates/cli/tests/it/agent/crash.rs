//! Kills at any moment, and what is left: a session that goes on, with nothing lost or done twice.
//!
//! Each round is fixed by its seed but for the machine's own timing. A few run as a test; `cargo xtask
//! crash` runs as many as it is told, by two variables. Not here: a round (`crash/round.rs`), what is
//! checked after it (`crash/checks.rs`).

mod chance;
mod checks;
mod round;
mod script;

use std::collections::BTreeMap;
use std::fmt;

/// How many rounds a plain test run has.
const ROUNDS: u64 = 6;

/// What came of some rounds.
#[derive(Default)]
struct Tally {
    rounds: u64,
    kills: usize,
    /// Runs that were to be killed and ended before that.
    ended_first: usize,
    requests: usize,
    /// Calls by their status.
    calls: BTreeMap<String, usize>,
}

impl Tally {
    fn add(&mut self, other: Self) {
        self.rounds += other.rounds;
        self.kills += other.kills;
        self.ended_first += other.ended_first;
        self.requests += other.requests;
        for (status, count) in other.calls {
            *self.calls.entry(status).or_default() += count;
        }
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { rounds, kills, ended_first, requests, calls } = self;
        write!(f, "{rounds} rounds, {kills} kills ({ended_first} runs ended first), ")?;
        write!(f, "{requests} requests, none refused, calls:")?;
        calls.iter().try_for_each(|(status, count)| write!(f, " {count} {status}"))
    }
}

#[test]
fn a_killed_agent_goes_on() {
    let first = number("FANFOLD_CRASH_SEED").unwrap_or(0);
    let count = number("FANFOLD_CRASH_COUNT").unwrap_or(ROUNDS);
    let mut tally = Tally::default();
    for seed in first..first + count {
        println!("crash: seed {seed}");
        tally.add(round::play(seed));
    }
    println!("crash: {tally}");
}

fn number(variable: &str) -> Option<u64> {
    std::env::var(variable).ok().map(|value| value.parse().unwrap())
}
