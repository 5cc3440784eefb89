//! Much output, and many calls at once.

use fanfold_tools::StopCause;
use fanfold_transcript::{Ending, Interruption};
use tokio::task::JoinSet;

use crate::bench::{Bench, bounded};

const MIB: u64 = 1024 * 1024;

/// Memory of this process that is really there.
fn resident_bytes() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
    line.trim().trim_end_matches(" kB").parse::<u64>().unwrap() * 1024
}

#[tokio::test]
async fn endless_output_takes_flat_memory() {
    let bench = Bench::new();
    let before = resident_bytes();
    let started = bench.command("yes");
    let (outcome, ()) = tokio::join!(bounded(started.running), async {
        while started.sink.total_bytes() < 64 * MIB {
            tokio::task::yield_now().await;
        }
        started.stop.stop(StopCause::Stop);
    });
    let growth = resident_bytes().saturating_sub(before);
    assert!(growth < 16 * MIB, "grew by {growth} bytes");
    assert_eq!(outcome.ending, Ending::Interrupted(Interruption::Stopped));
    assert!(outcome.bytes >= 64 * MIB && outcome.text().len() < 40_000);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn many_at_once_do_not_touch_each_other() {
    let benches: Vec<Bench> = (0..16).map(|_| Bench::new()).collect();
    let mut calls = JoinSet::new();
    for (number, bench) in benches.iter().enumerate() {
        let started = bench.command(&format!("true; echo {number}"));
        calls.spawn(async move { (number, bounded(started.running).await) });
    }
    while let Some(done) = calls.join_next().await {
        let (number, outcome) = done.unwrap();
        assert_eq!(outcome.text(), format!("Exit code: 0\n{number}\n"));
    }
}
