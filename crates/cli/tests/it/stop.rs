//! Ctrl-C in the middle of a batch: one result per call, exit 130, and no process left.

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use serde_json::json;

use crate::{Run, call, field, parse, text};

/// Waits until the file is there: the calls themselves say when they run.
pub(crate) fn until_exists(path: &Path) {
    let begun = Instant::now();
    while !path.exists() {
        assert!(begun.elapsed() < Duration::from_secs(30), "{} never came", path.display());
        std::thread::yield_now();
    }
}

pub(crate) fn interrupt(child: &Child) {
    signal(child, Signal::SIGINT);
}

pub(crate) fn signal(child: &Child, signal: Signal) {
    let pid = Pid::from_raw(i32::try_from(child.id()).unwrap());
    kill(pid, signal).unwrap();
}

/// Processes that carry this text in their environment or command line.
pub(crate) fn processes_with(needle: &str) -> Vec<String> {
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
        format!("trap ': > told' TERM; touch up; while :; do sleep {seconds} & wait; done");
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

#[test]
fn what_hides_from_its_call_is_gone_when_the_batch_is_over() {
    let run = Run::new();
    let seconds = format!("96{}", std::process::id());
    // No group, no mark, no parent: nothing tells whose it was.
    let script = format!(
        "(setsid env -i sh -c ': > up; exec sleep {seconds}' > /dev/null 2>&1 &); until [ -e up ]; do :; done"
    );
    let (results, _) = run.calls(&json!([call("Shell", json!({"command": script}))]), &[]);
    assert_eq!(field(&results, "outcome"), ["ok"]);
    assert_eq!(processes_with(&seconds), [""; 0]);
}

#[test]
fn a_stop_does_not_wait_for_whoever_takes_the_results() {
    let run = Run::new();
    std::fs::write(run.path().join("long"), "line of text\n".repeat(10_000)).unwrap();
    let read = call("ReadFile", json!({"file_path": "long", "limit": 10_000}));
    let calls = json!([read, read, read, read]);
    let mut child = run.command(&["exec", "--timeline"]).spawn().unwrap();
    child.stdin.take().unwrap().write_all(calls.to_string().as_bytes()).unwrap();
    // The drawing comes right before the results, which are more than a pipe holds.
    let stderr = BufReader::new(child.stderr.take().unwrap());
    assert!(stderr.lines().map_while(Result::ok).any(|line| line.contains("slots")));
    let begun = Instant::now();
    let status = loop {
        interrupt(&child);
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        if begun.elapsed() > Duration::from_secs(30) {
            child.kill().unwrap();
        }
        std::thread::yield_now();
    };
    assert_eq!(status.code(), Some(130));
}

#[test]
fn a_hangup_ignored_from_the_start_stays_ignored() {
    let run = Run::new();
    let script = "touch up; until [ -e on ]; do :; done";
    let reply = json!([call("Shell", json!({"command": script}))]).to_string();
    std::fs::write(run.path().join("reply.json"), reply).unwrap();
    let start = "trap '' HUP; exec \"$0\" exec --yes reply.json";
    let mut shell = Command::new("sh");
    shell.args(["-c", start, env!("CARGO_BIN_EXE_fanfold")]);
    shell.current_dir(run.path()).env("HOME", run.path());
    shell.stdout(Stdio::piped()).stderr(Stdio::piped());
    let child = shell.spawn().unwrap();
    until_exists(&run.path().join("up"));
    signal(&child, Signal::SIGHUP);
    std::fs::write(run.path().join("on"), "").unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert_eq!(field(&parse(&output.stdout), "outcome"), ["ok"]);
}

#[test]
fn a_quit_kills_at_once_and_leaves_nothing() {
    let run = Run::new();
    let seconds = format!("95{}", std::process::id());
    let script = format!("trap '' TERM; touch up; sleep {seconds}; sleep {seconds}");
    let calls = json!([call("Shell", json!({"command": script}))]);
    let mut child = run.command(&["exec", "--yes"]).spawn().unwrap();
    child.stdin.take().unwrap().write_all(calls.to_string().as_bytes()).unwrap();
    until_exists(&run.path().join("up"));
    signal(&child, Signal::SIGQUIT);
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{}", text(&output.stderr));
    assert_eq!(field(&parse(&output.stdout), "outcome"), ["interrupted"]);
    assert_eq!(processes_with(&seconds), [""; 0]);
}
