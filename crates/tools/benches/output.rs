//! What a gigabyte of output costs: time against `cat >/dev/null`, and memory.
//!
//! Not here: the record of the output, which costs what the disk costs.

#![expect(clippy::print_stdout, reason = "a bench prints its table")]

use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use fanfold_tools::{Children, Limits, Place, Run, Shell, Sink, StopHandle, Tool as _, Typed};
use fanfold_transcript::{CallId, SessionId};
use serde_json::json;
use tokio::runtime::Builder;

const ROUNDS: usize = 3;

/// A gigabyte on one line, and a gigabyte in lines of two bytes.
const COMMANDS: [&str; 2] = ["head -c 1G /dev/zero | tr '\\0' 'x'", "yes | head -c 1G"];

fn main() {
    println!("| command | floor: `… \\| cat >/dev/null` | Shell |");
    println!("| --- | --- | --- |");
    for command in COMMANDS {
        let floor = median(|| bare(command));
        let shell = median(|| through_shell(command));
        println!("| `{}` | {floor:.2} s | {shell:.2} s |", command.replace('|', "\\|"));
    }
    println!("\npeak memory of this program: {}", peak());
}

fn median(mut run: impl FnMut() -> Duration) -> f64 {
    let mut times: Vec<Duration> = (0..ROUNDS).map(|_| run()).collect();
    times.sort();
    times[ROUNDS / 2].as_secs_f64()
}

fn bare(command: &str) -> Duration {
    let begun = Instant::now();
    let line = format!("{command} | cat >/dev/null");
    let status = Command::new("bash").args(["-c", &line]).stdin(Stdio::null()).status();
    assert!(status.expect("bash starts").success());
    begun.elapsed()
}

fn through_shell(command: &str) -> Duration {
    let shell = Typed::new(Shell::default());
    let arguments = json!({ "command": command });
    let call = shell.prepare(arguments.as_object().expect("an object")).expect("they fit");
    let (_stop, signal) = StopHandle::new();
    let run = Run {
        call: CallId::new(1),
        session: SessionId::at(0, 0),
        place: Arc::new(Place::new(Path::new("."), Vec::new()).expect("here is a folder")),
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
    assert_eq!((outcome.bytes, outcome.exit_code), (1 << 30, Some(0)), "{}", outcome.text());
    took
}

fn peak() -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.map_or("unknown".to_owned(), |line| line.trim().to_owned())
}
