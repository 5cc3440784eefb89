//! What the agent's loop costs: per step and call, and as a session grows.
//!
//! A model answers at once from memory and its calls do nothing, so what is left is the harness:
//! request, reply, gate, schedule, tasks, outcomes, facts, and the journal in memory or on the disk.
//! Not here: a batch alone (`dispatch.rs`) and the journal alone (`fanfold-store`). Without `--bench`
//! it only shows that it works.

#![expect(clippy::print_stdout, reason = "a bench prints its table")]

mod growth;
mod session;

use std::fs::File;
use std::io::Write as _;
use std::path::Path;
use std::time::{Duration, Instant};

use fanfold_transcript::Outcome;
use tokio::runtime::{Builder, Runtime};
use tokio::task::JoinSet;

use session::{Kept, Length, Session};

/// Steps of a session: few, so that its requests stay small.
const STEPS: u32 = 5;

fn main() {
    let real = std::env::args().any(|arg| arg == "--bench");
    let runtime = Builder::new_current_thread().enable_all().build().expect("a runtime");
    // First, because the peak of memory is that of the whole process.
    let lengths: &[u32] = if real { &[1_000, 10_000] } else { &[20] };
    growth::table(&runtime, lengths);
    let folder = tempfile::tempdir().expect("a folder");
    println!(
        "\n| journal | calls a reply | floor: bare tasks | per call | ratio | per step | one sync |"
    );
    println!("|{}", " --- |".repeat(7));
    for kept in Kept::ALL {
        for calls in [1, 8, 64] {
            let rounds = match kept {
                _ if !real => 2,
                Kept::InMemory => 201,
                Kept::Relaxed | Kept::Full | Kept::Recorded => 31,
            };
            println!("{}", row(&runtime, folder.path(), (kept, calls), rounds));
        }
    }
}

fn row(runtime: &Runtime, folder: &Path, (kept, calls): (Kept, u32), rounds: usize) -> String {
    let floor = median(rounds, || on(runtime, floor(calls))) / f64::from(calls);
    let per_step = median(rounds, || {
        let session = Session::begin(folder, kept, Length { steps: STEPS, calls });
        runtime.block_on(session.run())
    }) / f64::from(STEPS);
    let per_call = per_step / f64::from(calls);
    let (name, ratio) = (kept.name(), per_call / floor);
    let sync = match kept {
        Kept::InMemory | Kept::Relaxed => "–".to_owned(),
        Kept::Full | Kept::Recorded => format!("{:.0} µs", sync(folder)),
    };
    format!(
        "| {name} | {calls} | {floor:.1} µs | {per_call:.1} µs | {ratio:.0} | {per_step:.0} µs | {sync} |"
    )
}

/// As in a session: whoever starts the tasks is itself a task of the runtime.
fn on(runtime: &Runtime, round: impl Future<Output = Duration> + Send + 'static) -> Duration {
    runtime.block_on(runtime.spawn(round)).expect("a round does not panic")
}

async fn floor(count: u32) -> Duration {
    let begun = Instant::now();
    let mut set = JoinSet::new();
    for _ in 0..count {
        set.spawn(async { Outcome::ok_text("") });
    }
    while set.join_next().await.is_some() {}
    begun.elapsed()
}

/// Microseconds of one write of 200 bytes that is waited for, on the same disk in the same minute.
fn sync(folder: &Path) -> f64 {
    let mut file = File::create(folder.join("floor")).expect("a file");
    median(101, || {
        let begun = Instant::now();
        file.write_all(&[b'x'; 200]).expect("the disk takes it");
        file.sync_data().expect("the disk takes it");
        begun.elapsed()
    })
}

/// Microseconds: the median over the rounds.
fn median(rounds: usize, mut round: impl FnMut() -> Duration) -> f64 {
    let mut times: Vec<Duration> = (0..rounds).map(|_| round()).collect();
    times.sort();
    times[rounds / 2].as_secs_f64() * 1e6
}
