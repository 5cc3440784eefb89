//! Ctrl-C in the middle of a batch: one result per call, exit 130, and no process left.

use std::io::Write as _;
use std::path::Path;
use std::process::Child;
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use serde_json::json;

use crate::{Run, call, field, parse, text};

/// Waits until the file is there: the calls themselves say when they run.
fn until_exists(path: &Path) {
    let begun = Instant::now();
    while !path.exists() {
        assert!(begun.elapsed() < Duration::from_secs(30), "{} never came", path.display());
        std::thread::yield_now();
    }
}

fn interrupt(child: &Child) {
    let pid = Pid::from_raw(i32::try_from(child.id()).unwrap());
    kill(pid, Signal::SIGINT).unwrap();
}

/// Processes that carry this text in their environment or command line.
fn processes_with(needle: &str) -> Vec<String> {
    let own = std::process::id().to_string();
    let mut found = Vec::new();
    for entry in std::fs::read_dir("/proc").unwrap().flatten() {
        let pid = entry.file_name().to_string_lossy().into_owned();
        if pid == own || !pid.bytes().all(|b| b.is_ascii_digit()) {
            continue;
        }
        let line = std::fs::read(entry.path().join("cmdline")).unwrap_or_default();
        if text(&line).contains(needle) {
            found.push(format!("{pid}: {}", text(&line)));
        }
    }
    found
}

#[test]
fn ctrl_c_leaves_no_process_and_every_call_has_its_result() {
    let run = Run::new();
    // The number of seconds marks the processes of this test.
    let seconds = format!("98{}", std::process::id());
    let script = format!(
        "setsid sleep {seconds} & (trap '' TERM; sleep {seconds}; sleep {seconds}) & touch up; sleep {seconds}"
    );
    let calls = json!([
        call("Ls", json!({})),
        call("Shell", json!({"command": script})),
        call("Shell", json!({"command": "touch never"})),
    ]);
    let mut child = run.command(&["exec", "--yes"]).spawn().unwrap();
    child.stdin.take().unwrap().write_all(calls.to_string().as_bytes()).unwrap();
    until_exists(&run.path().join("up"));
    interrupt(&child);
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{}", text(&output.stderr));
    let results = parse(&output.stdout);
    assert_eq!(field(&results, "outcome"), ["ok", "interrupted", "skipped"]);
    assert!(!run.path().join("never").exists());
    assert_eq!(processes_with(&seconds), [""; 0]);
}

#[test]
fn a_second_ctrl_c_kills() {
    let run = Run::new();
    let seconds = format!("97{}", std::process::id());
    let script =
        format!("trap 'touch told' TERM; touch up; while :; do sleep {seconds} & wait; done");
    let calls = json!([call("Shell", json!({"command": script}))]);
    let mut child = run.command(&["exec", "--yes"]).spawn().unwrap();
    child.stdin.take().unwrap().write_all(calls.to_string().as_bytes()).unwrap();
    until_exists(&run.path().join("up"));
    interrupt(&child);
    until_exists(&run.path().join("told"));
    interrupt(&child);
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{}", text(&output.stderr));
    assert_eq!(field(&parse(&output.stdout), "outcome"), ["interrupted"]);
    assert_eq!(processes_with(&seconds), [""; 0]);
}
