//! Ctrl-C in every phase of a turn: out with 130, the history whole, and the next turn works.

use std::io::{BufRead as _, BufReader};
use std::process::{Child, Stdio};

use serde_json::{Value, json};

use crate::run::{ended, reply, script};
use crate::stop::{interrupt, processes_with, until_exists};
use crate::terminal::Seat;
use crate::{Run, parse, text};

/// Starts a turn on these replies, with events to read.
fn start(run: &Run, replies: &Value) -> Child {
    let model = script(run, replies);
    let mut command = run.command(&["run", "--yes", "--json", "--model", &model, "hello"]);
    command.stdin(Stdio::null()).spawn().unwrap()
}

/// Waits for an event that holds this text; the rest of the events is still to be read.
fn until_event(child: &mut Child, part: &str) -> BufReader<std::process::ChildStdout> {
    let mut lines = BufReader::new(child.stdout.take().unwrap());
    let mut line = String::new();
    while !line.contains(part) {
        line.clear();
        assert!(lines.read_line(&mut line).unwrap() > 0, "no event with {part}");
    }
    lines
}

/// It ended by the stop, and the session can be gone on with: the next turn answers.
fn stopped(run: &Run, child: Child) {
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{}", text(&output.stderr));
    let list = parse(&run.with(&["sessions", "list", "--json"], b"").stdout);
    assert_eq!(list[0]["last_turn"], "stopped");
    let model = script(run, &json!([{"say": [{"text": "Here again."}], "repeat": true}]));
    let next = run.with(&["run", "--session", "last", "--model", &model, "go on"], b"");
    let (code, stdout, stderr) = ended(&next);
    assert_eq!((code, &*stdout), (0, "Here again.\n"), "{stderr}");
}

/// The calls of the newest session, as `ID STATUS`.
fn calls(run: &Run) -> Vec<String> {
    let shown = parse(&run.with(&["sessions", "show", "last", "--json"], b"").stdout);
    let entries = shown["entries"].as_array().unwrap().iter();
    let calls = entries.filter_map(|entry| entry["calls"].as_array()).flatten();
    calls
        .map(|c| format!("{} {}", c["id"].as_str().unwrap(), c["status"].as_str().unwrap_or("-")))
        .collect()
}

#[test]
fn while_the_model_streams() {
    let run = Run::new();
    let replies = json!([{"say": [{"text": "Begun."}, {"text": "Never.", "at_ms": 600_000}]}]);
    let mut child = start(&run, &replies);
    let lines = until_event(&mut child, "Begun.");
    interrupt(&child);
    let rest: Vec<String> = lines.lines().map_while(Result::ok).collect();
    assert!(rest.last().unwrap().contains("\"ended\":\"stopped\""), "{rest:?}");
    stopped(&run, child);
}

#[test]
fn while_a_tool_runs() {
    let run = Run::new();
    let seconds = format!("94{}", std::process::id());
    let command = json!({"command": format!("touch up; sleep {seconds}")});
    let replies = json!([reply(
        "Sleeping.",
        &[("Shell", command), ("Shell", json!({"command": "touch never"}))]
    )]);
    let child = start(&run, &replies);
    until_exists(&run.path().join("up"));
    interrupt(&child);
    stopped(&run, child);
    assert_eq!(calls(&run), ["c1 interrupted", "c2 skipped"]);
    assert_eq!(processes_with(&seconds), [""; 0]);
    assert!(!run.path().join("never").exists());
}

#[test]
fn while_it_waits_to_ask_again() {
    let run = Run::new();
    let busy =
        json!([{"faults": [{"status": 529, "retry_after_s": 50}], "say": [{"text": "Late."}]}]);
    let mut child = start(&run, &busy);
    let lines = until_event(&mut child, "asking again");
    interrupt(&child);
    assert!(lines.lines().count() > 0);
    stopped(&run, child);
}

#[test]
fn while_a_call_waits_for_an_answer() {
    let run = Run::new();
    let model =
        script(&run, &json!([reply("May I?", &[("Shell", json!({"command": "touch never"}))])]));
    let mut seat = Seat::take(run.command(&["run", "--model", &model, "hello"]), 80);
    seat.until("allow it?");
    interrupt(&seat.child);
    let (status, shown) = seat.end();
    assert_eq!(status.code(), Some(130), "{shown}");
    let calls = calls(&run);
    assert!(!calls.contains(&"c1 ok".to_owned()) && calls.len() == 1, "{calls:?}");
    assert!(!run.path().join("never").exists());
}

#[test]
fn a_second_one_kills_and_a_third_one_waits_for_nothing() {
    let run = Run::new();
    let seconds = format!("93{}", std::process::id());
    let command =
        format!("trap ': > told' TERM; touch up; while :; do sleep {seconds} & wait; done");
    let replies = json!([reply("Stubborn.", &[("Shell", json!({"command": command}))])]);
    let child = start(&run, &replies);
    until_exists(&run.path().join("up"));
    interrupt(&child);
    until_exists(&run.path().join("told"));
    interrupt(&child);
    interrupt(&child);
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{}", text(&output.stderr));
}

#[test]
fn it_does_not_wait_for_whoever_takes_the_text() {
    let run = Run::new();
    // More than a pipe holds.
    let model = script(&run, &json!([reply(&"line of text\n".repeat(20_000), &[])]));
    let arguments = ["run", "--model", &model, "hello"];
    let mut child = run.command(&arguments).stdin(Stdio::null()).spawn().unwrap();
    let stderr = BufReader::new(child.stderr.take().unwrap());
    assert!(stderr.lines().map_while(Result::ok).any(|line| line.starts_with("tokens:")));
    let status = loop {
        interrupt(&child);
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        std::thread::yield_now();
    };
    assert_eq!(status.code(), Some(130));
}
