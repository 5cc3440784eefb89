//! `cargo xtask corpus`: recorded replies of real providers, read in every way and written back.
//!
//! The recordings are other people's and do not belong to the repository; without them the command
//! says so and succeeds. Not here: the small recordings of our own, which are tests of the wire
//! crate.

mod malformed;
pub(crate) mod parts;
mod recording;
mod reply;

use std::path::{Path, PathBuf};
use std::{env, fmt};

use fanfold_transcript::Wire;

use crate::failure::Failure;
use crate::workspace;

/// Where the recordings are, seen from the root, when nobody says otherwise.
const DEFAULT_FOLDER: &str = "../shared/data";

/// The folder of wires with few recordings: the name of each file says which one it is.
const MIXED: &str = "other";

/// What was looked at, and what was wrong.
#[derive(Debug, Default)]
struct Tally {
    files: usize,
    replies: usize,
    calls: usize,
    cut: usize,
    /// Error bodies of providers: rightly no reply.
    errors: usize,
    problems: Vec<String>,
}

pub(crate) fn run(options: &[String]) -> Result<(), Failure> {
    let folder = folder(options)?;
    if !folder.is_dir() {
        println!("corpus: absent, skipped ({} is no folder)", folder.display());
        return Ok(());
    }
    println!(
        "{:18} {:>6} {:>8} {:>6} {:>4} {:>7}",
        "corpus", "files", "replies", "calls", "cut", "errors"
    );
    let mut tallies = Vec::new();
    let folders = Wire::ALL.map(Wire::as_str).into_iter().filter(|name| *name != "plain");
    for name in folders.chain([MIXED]) {
        let tally = wire_folder(&folder.join("wire").join(name), name)?;
        println!("{name:18} {tally}");
        tallies.push(tally);
    }
    let (tally, not_here) = malformed::check(&folder.join("malformed/malformed.jsonl"))?;
    println!("{:18} {tally}", "malformed");
    tallies.push(tally);
    print_unread(&folder, &not_here)?;
    verdict(&folder, &tallies)
}

fn folder(options: &[String]) -> Result<PathBuf, Failure> {
    let named = match options {
        [] => env::var_os("FANFOLD_CORPUS").unwrap_or_else(|| DEFAULT_FOLDER.into()),
        [folder] if !folder.starts_with('-') => folder.into(),
        _ => return Err(Failure::Usage(format!("corpus: unexpected {:?}", options.join(" ")))),
    };
    Ok(workspace::root().join(named))
}

fn wire_folder(folder: &Path, name: &str) -> Result<Tally, Failure> {
    let mut tally = Tally::default();
    for recording in recording::all_in(folder)? {
        tally.files += 1;
        let place = format!("{name}/{}", recording.name);
        let Some(wire) = wire_of(name, &recording.name) else {
            tally.problems.push(format!("{place}: of no known wire"));
            continue;
        };
        for (at, bytes) in recording.replies.iter().enumerate() {
            tally.add(&format!("{place} reply {}", at + 1), reply::check(bytes, wire));
        }
    }
    Ok(tally)
}

fn wire_of(folder: &str, file: &str) -> Option<Wire> {
    let named = |wire: &Wire| match folder {
        MIXED => file.contains(wire.as_str()),
        _ => folder == wire.as_str(),
    };
    Wire::ALL.into_iter().find(named)
}

/// What lies there and is not looked at, so that nobody takes it for checked.
fn print_unread(folder: &Path, not_here: &[String]) -> Result<(), Failure> {
    for name in recording::folders_in(&folder.join("wire"))? {
        if name != MIXED && !Wire::ALL.iter().any(|wire| wire.as_str() == name) {
            println!("not read yet: wire/{name}, a format of its own");
        }
    }
    for row in not_here {
        println!("not checked here: malformed {row}");
    }
    Ok(())
}

fn verdict(folder: &Path, tallies: &[Tally]) -> Result<(), Failure> {
    let files: usize = tallies.iter().map(|tally| tally.files).sum();
    let problems: Vec<&String> = tallies.iter().flat_map(|tally| &tally.problems).collect();
    for problem in &problems {
        println!("corpus: {problem}");
    }
    match (files, problems.len()) {
        (0, _) => Err(Failure::check(format!("corpus: no recordings in {}", folder.display()))),
        (_, 0) => Ok(()),
        (_, count) => Err(Failure::check(format!("corpus found {count} problems"))),
    }
}

impl Tally {
    fn add(&mut self, place: &str, result: Result<reply::Found, String>) {
        match result {
            Ok(reply::Found::Reply { calls, cut }) => {
                self.replies += 1;
                self.calls += calls;
                self.cut += cut;
            }
            Ok(reply::Found::ProviderError) => self.errors += 1,
            Err(problem) => self.problems.push(format!("{place}: {problem}")),
        }
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { files, replies, calls, cut, errors, problems } = self;
        write!(f, "{files:6} {replies:8} {calls:6} {cut:4} {errors:7}")?;
        if problems.is_empty() { Ok(()) } else { write!(f, "  {} problems", problems.len()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn corpus(folder: &Path) -> Result<(), Failure> {
        run(&[folder.display().to_string()])
    }

    #[test]
    fn an_absent_corpus_is_skipped_and_an_empty_one_fails() {
        let folder = tempfile::tempdir().unwrap();
        assert!(corpus(&folder.path().join("none")).is_ok());
        assert!(corpus(folder.path()).is_err());
    }

    #[test]
    fn a_recording_is_of_the_wire_of_its_folder_or_of_its_name() {
        assert_eq!(wire_of("gemini", "made-by-cohere.json"), Some(Wire::Gemini));
        assert_eq!(wire_of(MIXED, "made-by-cohere.json"), Some(Wire::Cohere));
        assert_eq!(wire_of(MIXED, "x.json"), None);
    }

    #[test]
    fn recordings_are_checked() {
        let folder = tempfile::tempdir().unwrap();
        let wire = folder.path().join("wire/anthropic");
        std::fs::create_dir_all(&wire).unwrap();
        let reply = r#"{"type":"message","role":"assistant","stop_reason":"tool_use","content":
            [{"type":"tool_use","id":"toolu_1","name":"Ls","input":{}}]}"#;
        std::fs::write(wire.join("a.response.json"), reply).unwrap();
        std::fs::write(wire.join("a.request.json"), "not looked at").unwrap();
        let tally = wire_folder(&wire, "anthropic").unwrap();
        assert_eq!((tally.files, tally.replies, tally.calls), (1, 1, 1), "{:?}", tally.problems);
        assert!(corpus(folder.path()).is_ok());
        std::fs::write(wire.join("b.response.json"), "{\"no\": \"reply\"}").unwrap();
        assert!(corpus(folder.path()).is_err());
    }
}
