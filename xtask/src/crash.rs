//! `cargo xtask crash`: the real binary, killed at random moments and gone on with.
//!
//! Not here: the rounds. They are a test of the binary, which reads the seed and the count from the
//! environment and runs a few when these are not set.

use crate::failure::Failure;
use crate::program::Program;
use crate::seeds::Seeds;

/// How many rounds there are without options.
const ROUNDS: u64 = 100;

const TEST: [&str; 9] = [
    "test",
    "--package",
    "fanfold",
    "--test",
    "it",
    "--",
    "--nocapture",
    "--exact",
    "agent::crash::a_killed_agent_goes_on",
];

pub(crate) fn run(options: &[String]) -> Result<(), Failure> {
    let Seeds { first, count } = Seeds::read("crash", options, ROUNDS)?;
    let list = Program::cargo(&[&TEST[..], &["--list"]].concat()).output()?;
    if !list.lines().any(|line| line.ends_with(": test")) {
        return Err(Failure::check("fanfold has no test of crashes"));
    }
    let test = Program::cargo(&TEST).env("FANFOLD_CRASH_SEED", &first.to_string());
    test.env("FANFOLD_CRASH_COUNT", &count.to_string()).run().inspect_err(|_| {
        println!("crash: the failing seed stands above; repeat it with");
        println!("  cargo xtask crash --seed SEED");
    })
}
