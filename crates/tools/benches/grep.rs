//! What a search in many files costs: Grep against ripgrep (or grep) and against only reading them.
//!
//! Not here: one large file, and searches that end early because they find enough.

#![expect(clippy::print_stdout, reason = "a bench prints its table")]

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use fanfold_tools::{Children, Grep, Limits, Place, Run, Sink, StopHandle, Tool as _, Typed};
use fanfold_transcript::{CallId, SessionId};
use serde_json::json;
use tokio::runtime::Builder;

const ROUNDS: usize = 7;
const FOLDERS: usize = 200;
const FILES_PER_FOLDER: usize = 100;
const FILE_BYTES: usize = 4_000;

/// The tree is the same on every machine.
const SEED: u64 = 1;

/// One file in this many holds the word that is searched for.
const FILES_PER_MATCH: usize = 1_000;

const WORDS: [&str; 12] = [
    "let", "value", "=", "call(", "first,", "second);", "//", "because", "match", "return", "{",
    "}",
];

/// What is searched for: a word, an expression without a literal, and nothing that is there.
const PATTERNS: [(&str, &str); 3] = [
    ("a word in 1 file of 1,000", "needle_[0-9]+"),
    ("upper or lower case", "(?i)NEEDLE"),
    ("not there", "no_such_word"),
];

fn main() {
    let tree = tempfile::tempdir().expect("a temporary folder");
    plant(tree.path());
    let peer = peer();
    let floor = median(|| read_all(tree.path()));
    let files = FOLDERS * FILES_PER_FOLDER;
    println!("{files} files of {FILE_BYTES} bytes in {FOLDERS} folders, median of {ROUNDS}\n");
    println!("| search | floor: read all | {} | Grep |", peer.0);
    println!("| --- | --- | --- | --- |");
    for (name, pattern) in PATTERNS {
        let other = median(|| run_peer(peer, pattern, tree.path()));
        let grep = median(|| search(pattern, tree.path()));
        println!("| {name} | {floor:.0} ms | {other:.0} ms | {grep:.0} ms |");
    }
}

/// In milliseconds.
fn median(mut run: impl FnMut() -> Duration) -> f64 {
    let mut times: Vec<Duration> = (0..ROUNDS).map(|_| run()).collect();
    times.sort();
    times[ROUNDS / 2].as_secs_f64() * 1e3
}

fn plant(root: &Path) {
    let mut state = SEED;
    for folder in 0..FOLDERS {
        let folder_path = root.join(format!("folder_{folder}"));
        fs::create_dir(&folder_path).expect("a new folder");
        for file in 0..FILES_PER_FOLDER {
            let number = folder * FILES_PER_FOLDER + file;
            let mut text = text(&mut state);
            if number.is_multiple_of(FILES_PER_MATCH) {
                text.extend(["the needle_", &number.to_string(), "\n"]);
            }
            fs::write(folder_path.join(format!("file_{file}.rs")), text).expect("a new file");
        }
    }
}

/// Lines of ten words from a linear congruential generator.
fn text(state: &mut u64) -> String {
    let mut text = String::new();
    let mut words = 0_u32;
    while text.len() < FILE_BYTES {
        *state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let at = usize::try_from(*state >> 40).unwrap_or_default() % WORDS.len();
        words += 1;
        text += WORDS[at];
        text.push(if words.is_multiple_of(10) { '\n' } else { ' ' });
    }
    text
}

fn read_all(root: &Path) -> Duration {
    let begun = Instant::now();
    let mut bytes = 0;
    for folder in fs::read_dir(root).expect("the tree") {
        for file in fs::read_dir(folder.expect("a folder").path()).expect("a folder") {
            bytes += fs::read(file.expect("a file").path()).expect("a file").len();
        }
    }
    assert!(bytes >= FOLDERS * FILES_PER_FOLDER * FILE_BYTES);
    begun.elapsed()
}

/// A program and its arguments before the pattern.
type Peer = (&'static str, &'static [&'static str]);

/// The program to compare with: ripgrep where it is installed. It uses all cores, Grep one.
fn peer() -> Peer {
    let rg = Command::new("rg").arg("--version").stdout(Stdio::null()).status();
    match rg {
        Ok(status) if status.success() => ("rg -n", &["--hidden", "-n"]),
        _ => ("grep -rn", &["-rnP"]),
    }
}

fn run_peer((name, arguments): Peer, pattern: &str, root: &Path) -> Duration {
    let program = name.split(' ').next().unwrap_or(name);
    let mut command = Command::new(program);
    command.args(arguments).args([pattern, "."]).current_dir(root).stdout(Stdio::null());
    let begun = Instant::now();
    let status = command.status().expect("the program starts");
    // 1 says that nothing was found.
    assert!(matches!(status.code(), Some(0 | 1)), "{status}");
    begun.elapsed()
}

fn search(pattern: &str, root: &Path) -> Duration {
    let grep = Typed::new(Grep);
    let arguments = json!({ "pattern": pattern });
    let call = grep.prepare(arguments.as_object().expect("an object")).expect("they fit");
    let (_stop, signal) = StopHandle::new();
    let run = Run {
        call: CallId::new(1),
        session: SessionId::at(0, 0),
        place: Arc::new(Place::new(root, Vec::new()).expect("the tree is a folder")),
        stop: signal,
        sink: Sink::new(Limits::default()),
        reads: Arc::default(),
        records: None,
        page_lines: 100,
        children: Children::default(),
    };
    // The program's own runtime has one thread too.
    let runtime = Builder::new_current_thread().enable_all().build().expect("a runtime");
    let begun = Instant::now();
    let outcome = runtime.block_on(call.run(run));
    let took = begun.elapsed();
    let matches = FOLDERS * FILES_PER_FOLDER / FILES_PER_MATCH;
    let expected = if pattern == PATTERNS[2].1 { 0 } else { matches };
    let found = outcome.text().lines().filter(|line| line.contains("the needle_")).count();
    assert_eq!(found, expected, "{}", outcome.text());
    took
}
