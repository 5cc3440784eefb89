//! The project's own checks and chores, one file per command.
//!
//! `ci` is the whole of continuous integration; every other command is a part of it, or a chore.
//! Deliberately not here: anything that the product needs, and any tool that must be installed by
//! hand. What is missing is fetched, or the command fails and says so.
#![expect(clippy::print_stdout, reason = "a chore reports to the terminal")]

mod bench;
mod bless;
mod check;
mod ci;
mod corpus;
mod crash;
mod deny;
mod failure;
mod fuzz;
mod peers;
mod program;
mod seeds;
mod sim;
pub mod tidy;
mod wasm;
mod workspace;

pub use failure::Failure;

/// What the commands are; shown on wrong usage and for `help`.
pub const USAGE: &str = "\
usage: cargo xtask COMMAND

  ci                              all checks below, in order, up to the first failure
  check                           formatting, lints and API documentation
  tidy                            the rules of STYLE.md that a program can check
  wasm                            proves that the pure crates build without an operating system
  deny                            licences and sources of the dependencies, against deny.toml
  sim [--seed N] [--count M]      the simulations, from seed N, M of them
  crash [--seed N] [--count M]    the binary killed at random moments, M rounds from seed N
  fuzz [TARGET] [--seconds N] [--seed S]
                                  damaged inputs for all that reads, N seconds per target
  corpus [DIR]                    recorded replies of real providers, read and written back
  peers                           the providers' own clients against our strict provider, and Fanfold
                                  against a mock provider of somebody else
  bench                           the benchmarks of BENCHMARKS.md
  bless                           takes the present test results as the expected ones";

/// Runs one command.
///
/// # Errors
/// [`Failure::Usage`] for an unknown command or argument, [`Failure::Check`] when a check fails.
pub fn run(args: &[String]) -> Result<(), Failure> {
    let Some((command, rest)) = args.split_first() else {
        return Err(Failure::Usage("no command given".to_owned()));
    };
    match (command.as_str(), rest) {
        ("ci", []) => ci::run(),
        ("check", []) => check::run(),
        ("tidy", []) => tidy::run(),
        ("wasm", []) => wasm::run(),
        ("deny", []) => deny::run(),
        ("sim", options) => sim::run(options),
        ("fuzz", options) => fuzz::run(options),
        ("corpus", options) => corpus::run(options),
        ("crash", options) => crash::run(options),
        ("peers", []) => peers::run(),
        ("bench", []) => bench::run(),
        ("bless", []) => bless::run(),
        ("help" | "--help" | "-h", []) => {
            println!("{USAGE}");
            Ok(())
        }
        (name @ ("ci" | "check" | "tidy" | "wasm" | "deny" | "peers" | "bench" | "bless"), _) => {
            Err(Failure::Usage(format!("{name} takes no arguments")))
        }
        (name, _) => Err(Failure::Usage(format!("unknown command {name:?}"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrong_usage_is_told_apart_from_a_failed_check() {
        for args in [
            &[][..],
            &["tydi"],
            &["ci", "now"],
            &["sim", "--sed"],
            &["crash", "--count"],
            &["corpus", "a", "b"],
            &["fuzz", "x"],
        ] {
            let args: Vec<String> = args.iter().map(|&arg| arg.to_owned()).collect();
            assert!(matches!(run(&args), Err(Failure::Usage(_))), "{args:?}");
        }
    }
}
