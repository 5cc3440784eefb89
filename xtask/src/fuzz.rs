//! `cargo xtask fuzz`: damaged inputs for whatever reads what others wrote.
//!
//! Every input is one of our own samples, changed at random; one seed gives one input, so a failure
//! is repeated by its seed alone. Not here: guidance by coverage, which needs another compiler.
//! Known weakness: an input that overflows the stack, or is read for ever, ends the program or
//! hangs it; the name of its target is then the last line.

mod arguments;
mod capture;
mod decode;
mod journal;
mod mutation;
mod random;
mod request;
mod script;
mod search;
mod settings;
mod shell;
mod shrink;

use std::panic;
use std::time::Duration;

use crate::failure::Failure;
use search::{Found, Target, search};

const TARGETS: [&Target; 8] = [
    &decode::TARGET,
    &arguments::TARGET,
    &settings::TARGET,
    &shell::TARGET,
    &capture::TARGET,
    &script::TARGET,
    &request::TARGET,
    &journal::TARGET,
];

/// Seconds per target when nobody says otherwise.
const SECONDS: u64 = 5;

/// The first seed when nobody says otherwise, so that two runs try the same inputs.
const FIRST_SEED: u64 = 1;

/// How much of a failing input is shown, in bytes.
const SHOWN_MAX: usize = 4_000;

/// What to run.
struct Options {
    targets: Vec<&'static Target>,
    seconds: u64,
    first_seed: u64,
}

pub(crate) fn run(options: &[String]) -> Result<(), Failure> {
    let options = Options::read(options)?;
    println!("fuzz: from seed {}, {} s per target", options.first_seed, options.seconds);
    let mut failed = Vec::new();
    for target in options.targets {
        println!("fuzz {}", target.name);
        let (tally, found) =
            quietly(|| search(target, options.first_seed, Duration::from_secs(options.seconds)));
        println!("  {tally}");
        if let Some(found) = found {
            report(target, &found);
            failed.push(target.name);
        }
    }
    if failed.is_empty() {
        return Ok(());
    }
    Err(Failure::check(format!("fuzz found a failure in {}", failed.join(", "))))
}

/// Runs without a line on the terminal for every panic that is caught.
fn quietly<T>(run: impl FnOnce() -> T) -> T {
    let hook = panic::take_hook();
    panic::set_hook(Box::new(|_| {}));
    let result = run();
    panic::set_hook(hook);
    result
}

fn report(target: &Target, found: &Found) {
    let shown = &found.input[..found.input.len().min(SHOWN_MAX)];
    println!("fuzz {}: seed {}: {}", target.name, found.seed, found.problem);
    println!("  {} bytes after shrinking: b\"{}\"", found.input.len(), shown.escape_ascii());
    println!("  repeat it with");
    println!("  cargo xtask fuzz {} --seed {} --seconds 0", target.name, found.seed);
    // Once more with the usual hook: a panic then tells its place.
    drop(search::verdict(target, &found.input));
}

impl Options {
    fn read(options: &[String]) -> Result<Self, Failure> {
        let wrong = |what: String| Failure::Usage(format!("fuzz: {what}"));
        let number = |name: &str, value: Option<&String>| {
            let value = value.ok_or_else(|| wrong(format!("{name} wants a number")))?;
            value.parse().map_err(|_| wrong(format!("{name} wants a number, not {value:?}")))
        };
        let mut read = Self { targets: TARGETS.to_vec(), seconds: SECONDS, first_seed: FIRST_SEED };
        let mut words = options.iter();
        while let Some(word) = words.next() {
            match word.as_str() {
                "--seconds" => read.seconds = number(word, words.next())?,
                "--seed" => read.first_seed = number(word, words.next())?,
                name => {
                    let names = TARGETS.map(|target| target.name).join(", ");
                    read.targets.retain(|target| target.name == name);
                    if read.targets.is_empty() {
                        return Err(wrong(format!("unexpected {name:?}; the targets are {names}")));
                    }
                }
            }
        }
        Ok(read)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_read() {
        let read = |line: &str| {
            let words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
            let options = Options::read(&words).ok()?;
            let names: Vec<&str> = options.targets.iter().map(|target| target.name).collect();
            Some(format!("{} {} {}", names.join(","), options.seconds, options.first_seed))
        };
        let all = "decode,arguments,settings,shell,capture,script,request,journal";
        assert_eq!(read(""), Some(format!("{all} 5 1")));
        assert_eq!(read("--seed 7 --seconds 0"), Some(format!("{all} 0 7")));
        assert_eq!(read("shell --seed 7").as_deref(), Some("shell 5 7"));
        for wrong in ["--seed", "--seed x", "--seconds -1", "shel", "shell decode", "--count 1"] {
            assert_eq!(read(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn samples_pass_as_they_are() {
        for target in TARGETS {
            for sample in (target.samples)() {
                let verdict = search::verdict(target, &sample);
                assert_eq!(verdict, Ok(()), "{} {}", target.name, sample.escape_ascii());
            }
        }
    }
}
