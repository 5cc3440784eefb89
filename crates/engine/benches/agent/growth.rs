//! A long session: the time of a step by how many were before it, and the memory of all of them.
//!
//! Every request holds the whole conversation, so a step costs at least one pass over its body. The
//! floor is one copy of as many bytes. Not here: compaction, which would keep the body small.

use std::fs;
use std::hint::black_box;
use std::time::{Duration, Instant};

use tokio::runtime::Runtime;

use super::session::{Asked, Length, Session};

/// Steps around a place whose median is its time.
const AROUND: usize = 25;

/// A result of some lines.
const RESULT: &str = "    1\tuse std::io;\n    2\tuse std::fs;\n    3\tuse std::path::Path;\n\
    4\t\n    5\tfn main() {\n    6\t    println!(\"{}\", fs::read_to_string(\"x\"));\n    7\t}\n";

/// Runs a session of each length, shortest first, and prints what it took.
pub(crate) fn table(runtime: &Runtime, lengths: &[u32]) {
    println!("| steps before | body | per step | floor: one copy | ratio |");
    println!("|{}", " --- |".repeat(5));
    let before = memory("VmRSS");
    let mut last = String::new();
    for &steps in lengths {
        let folder = tempfile::tempdir().expect("a folder");
        let session = Session::begin_long(folder.path(), Length { steps, calls: 1 }, RESULT);
        let model = session.model();
        let time = runtime.block_on(session.run());
        let asked = model.asked();
        for place in [asked.len() / 10, asked.len() - 1] {
            println!("{}", row(&asked, place));
        }
        let peak = memory("VmHWM") - before;
        let per_step = peak * 1024 / u64::from(steps);
        last = format!(
            "{last}\n{steps} steps took {:.1} s; peak memory {:.1} MiB, {per_step} bytes a step",
            time.as_secs_f64(),
            peak as f64 / 1024.0,
        );
    }
    println!("{last}");
}

fn row(asked: &[Asked], place: usize) -> String {
    let around = &asked[place.saturating_sub(AROUND)..(place + AROUND).min(asked.len())];
    let steps = around.windows(2).map(|pair| pair[1].at - pair[0].at).collect();
    let bytes = asked[place].bytes;
    let body = vec![b'x'; bytes];
    let floors = (0..AROUND).map(|_| {
        let begun = Instant::now();
        black_box(black_box(&body).clone());
        begun.elapsed()
    });
    let (step, floor) = (median(steps), median(floors.collect()));
    let kilobytes = bytes as f64 / 1e3;
    format!("| {place} | {kilobytes:.0} kB | {step:.0} µs | {floor:.1} µs | {:.0} |", step / floor)
}

/// Microseconds.
fn median(mut times: Vec<Duration>) -> f64 {
    times.sort();
    times[times.len() / 2].as_secs_f64() * 1e6
}

/// A line of the system's account of this process, in KiB; 0 where there is none.
fn memory(name: &str) -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':'));
    let number = line.and_then(|line| line.split_whitespace().next()?.parse().ok());
    number.unwrap_or(0)
}
