//! `cargo xtask sim`: the simulations, each run fixed by its seed.
//!
//! Not here: the simulations. They are tests of the crates, which read the seed and the count from
//! the environment and run a few seeds of their own when these are not set.

use crate::failure::Failure;
use crate::program::Program;

/// How many seeds `ci` runs, always the same ones.
pub(crate) const SEEDS_IN_CI: u64 = 1_000;

/// The tests that simulate: package, and the filter that selects them.
const SIMULATIONS: [(&str, &str); 2] =
    [("fanfold-schedule", "simulation"), ("fanfold-engine", "simulation")];

/// Which seeds to run.
#[derive(Debug, PartialEq, Eq)]
struct Seeds {
    first: u64,
    count: u64,
}

pub(crate) fn run(options: &[String]) -> Result<(), Failure> {
    let seeds = Seeds::read(options)?;
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

impl Seeds {
    fn read(options: &[String]) -> Result<Self, Failure> {
        let (mut first, mut count) = (0, None);
        for pair in options.chunks(2) {
            match pair {
                [name, value] if name == "--seed" => first = number(name, value)?,
                [name, value] if name == "--count" => count = Some(number(name, value)?),
                _ => return Err(Failure::Usage(format!("sim: unexpected {:?}", pair.join(" ")))),
            }
        }
        // One seed asked for by name is one run.
        let count = count.unwrap_or(if options.is_empty() { SEEDS_IN_CI } else { 1 });
        if count == 0 {
            return Err(Failure::Usage("sim: --count must be at least 1".to_owned()));
        }
        Ok(Self { first, count })
    }
}

fn number(name: &str, value: &str) -> Result<u64, Failure> {
    value.parse().map_err(|_| Failure::Usage(format!("sim: {name} wants a number, not {value:?}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seeds_are_read() {
        let read = |line: &str| {
            let options: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
            Seeds::read(&options).ok().map(|seeds| (seeds.first, seeds.count))
        };
        assert_eq!(read(""), Some((0, SEEDS_IN_CI)));
        assert_eq!(read("--seed 7"), Some((7, 1)));
        assert_eq!(read("--count 9 --seed 7"), Some((7, 9)));
        for wrong in ["--seed", "--seed x", "--count 0", "7", "--seeds 7"] {
            assert_eq!(read(wrong), None, "{wrong}");
        }
    }
}
