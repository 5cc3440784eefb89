//! A stop or a deadline in the middle: every call is answered, no process is left.
//!
//! Not here: what each signal means (`stop.rs` beside this folder).

use std::io::Write as _;
use std::process::Output;

use serde_json::{Value, json};

use super::anthropic;
use crate::stop::{interrupt, processes_with, until_exists};
use crate::{Run, call, field, parse, text};

/// Runs the reply and interrupts it once a call has made the file `up`.
fn interrupted(run: &Run, reply: &Value, arguments: &[&str]) -> Output {
    let arguments: Vec<&str> = ["exec", "--yes"].iter().chain(arguments).copied().collect();
    let mut child = run.command(&arguments).spawn().unwrap();
    child.stdin.take().unwrap().write_all(reply.to_string().as_bytes()).unwrap();
    until_exists(&run.path().join("up"));
    interrupt(&child);
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{}", text(&output.stderr));
    output
}

/// A number of seconds that no other test sleeps, by which its processes are found.
fn seconds(test: u32) -> String {
    format!("{test}{}", std::process::id())
}

// https://github.com/letta-ai/letta-code/issues/578
#[test]
fn after_a_stop_each_id_has_one_result_and_what_was_done_is_kept() {
    let run = Run::new();
    let sleep = format!("touch up; sleep {}", seconds(94));
    let shell = |id, command: &str| (id, "Shell", json!({"command": command}));
    let reply = anthropic(&[
        shell("toolu_a", "echo one"),
        shell("toolu_b", "echo two"),
        shell("toolu_c", &sleep),
    ]);
    let results = parse(&interrupted(&run, &reply, &[]).stdout);
    assert_eq!(field(&results["content"], "tool_use_id"), ["toolu_a", "toolu_b", "toolu_c"]);
    let said = field(&results["content"], "content");
    assert_eq!(said[..2], ["Exit code: 0\none\n", "Exit code: 0\ntwo\n"]);
    assert!(said[2].starts_with("[interrupted: stopped]\n"), "{}", said[2]);
}

// https://github.com/LionSR/TeXRA/issues/7163
#[test]
fn calls_that_never_started_are_answered_also_when_they_are_all_alike() {
    let run = Run::new();
    let shell = call("Shell", json!({"command": format!("touch up; sleep {}", seconds(93))}));
    let reply = json!([shell, shell, shell, shell]);
    let arguments = ["--max-parallel", "1", "--report", "report.json"];
    let results = parse(&interrupted(&run, &reply, &arguments).stdout);
    assert_eq!(field(&results, "outcome"), ["interrupted", "skipped", "skipped", "skipped"]);
    let report = parse(&std::fs::read(run.path().join("report.json")).unwrap());
    let started = |call: usize| report["calls"][call]["started_ms"].is_u64();
    assert_eq!([0, 1, 2, 3].map(started), [true, false, false, false]);
}

// https://github.com/dimetron/pi-go/pull/92
#[test]
fn children_that_hold_the_output_do_not_outlive_the_deadline_of_their_shell() {
    let run = Run::new();
    let seconds = seconds(92);
    let command = format!("(sleep {seconds} &); sleep {seconds} | cat");
    let calls = json!([call("Shell", json!({"command": command, "timeout_ms": 300}))]);
    let (results, _) = run.calls(&calls, &[]);
    assert_eq!(field(&results, "outcome"), ["timed_out"]);
    assert_eq!(processes_with(&seconds), [""; 0]);
}

// https://github.com/SocialGouv/iterion/issues/935
#[test]
fn a_stop_reaches_a_child_whether_its_shell_became_it_or_waits_for_it() {
    let seconds = seconds(91);
    for shell in ["sh", "bash"] {
        for line in [format!("sleep {seconds}"), format!("sleep {seconds}; :")] {
            let run = Run::new();
            let command = format!("touch up; {shell} -c '{line}'");
            let reply = json!([call("Shell", json!({"command": command}))]);
            let results = parse(&interrupted(&run, &reply, &[]).stdout);
            assert_eq!(field(&results, "outcome"), ["interrupted"], "{command}");
            assert_eq!(processes_with(&seconds), [""; 0], "{command}");
        }
    }
}
