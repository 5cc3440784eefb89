//! Children die with Fanfold, however it dies.

use std::process::{Command, Stdio};

use crate::bench::{Bench, Process, bounded, printed};

/// Names the file into which the inner run of the test writes its child's number.
const INNER: &str = "LIFETIME_PID_FILE";

/// The test runs itself a second time as a process that can be killed.
#[tokio::test]
async fn a_child_dies_with_a_killed_parent() {
    if let Some(file) = std::env::var_os(INNER) {
        let bench = Bench::new();
        let started = bench.command("echo $$ > pid; echo started; exec sleep 1000");
        let running = tokio::spawn(started.running);
        printed(&started.sink, "started").await;
        std::fs::copy(bench.path().join("pid"), file.clone()).unwrap();
        running.await.unwrap();
        return;
    }
    let bench = Bench::new();
    let file = bench.path().join("pid");
    let mut inner = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "lifetime::a_child_dies_with_a_killed_parent"])
        .env(INNER, &file)
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let written = async {
        while !std::fs::read_to_string(&file).is_ok_and(|text| text.ends_with('\n')) {
            tokio::task::yield_now().await;
        }
    };
    bounded(written).await;
    let child: Process = bench.pid("pid");
    assert!(!child.is_gone());
    inner.kill().unwrap();
    inner.wait().unwrap();
    child.ends().await;
}
