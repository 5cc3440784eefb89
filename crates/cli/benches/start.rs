//! How long the program takes to start, and how much memory a small run needs.
//!
//! Whole processes, median of many, against `true` as the floor. Not here: what the calls cost.

#![expect(clippy::print_stdout, reason = "a bench prints its table")]

use std::io::Write as _;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use nix::sys::resource::{UsageWho, getrusage};

const ROUNDS: usize = 101;

/// One call that only looks, so that the whole way is gone: decode, gate, schedule, run, answer.
const REPLY: &str = r#"{"tool_name": "Ls", "tool_args": {"path": "src"}}"#;

/// Sixteen shells in one reply, each a process of its own.
fn shells() -> String {
    let call =
        |n: usize| format!(r#"{{"tool_name":"Shell","tool_args":{{"command":"true; echo {n}"}}}}"#);
    format!("[{}]", (0..16).map(call).collect::<Vec<_>>().join(","))
}

fn main() {
    let fanfold = env!("CARGO_BIN_EXE_fanfold");
    println!("| program | median |");
    println!("| --- | --- |");
    row("floor: `true`", "true", &[], "");
    row("`fanfold --version`", fanfold, &["--version"], "");
    row("`fanfold exec`, one Ls", fanfold, &["exec"], REPLY);
    let peak = getrusage(UsageWho::RUSAGE_CHILDREN).expect("usage of children").max_rss();
    row("floor: one bash, 16 × `true; echo` in it", "bash", &["-c", &script()], "");
    row("`fanfold exec --yes`, 16 × Shell `true; echo`", fanfold, &["exec", "--yes"], &shells());
    println!("\npeak memory of the largest of the first three: {peak} KiB");
}

fn script() -> String {
    (0..16).map(|n| format!("bash -c 'true; echo {n}'; ")).collect()
}

fn row(name: &str, program: &str, arguments: &[&str], input: &str) {
    let mut times: Vec<Duration> = (0..ROUNDS).map(|_| time(program, arguments, input)).collect();
    times.sort();
    println!("| {name} | {:.2} ms |", times[ROUNDS / 2].as_secs_f64() * 1e3);
}

fn time(program: &str, arguments: &[&str], input: &str) -> Duration {
    let begun = Instant::now();
    let mut child = Command::new(program)
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program starts");
    // A program that does not read its input may be gone already.
    child.stdin.take().expect("a pipe").write_all(input.as_bytes()).ok();
    let status = child.wait().expect("it ends");
    assert!(status.success(), "{program} {arguments:?}");
    begun.elapsed()
}
