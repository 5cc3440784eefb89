//! `fanfold` at a terminal: talking to an agent while it works.

use nix::sys::signal::Signal;
use serde_json::json;

use crate::Run;
use crate::run::{ended, reply, script};
use crate::stop::{processes_with, signal, until_exists};
use crate::terminal::Seat;

fn sit(run: &Run, replies: &serde_json::Value, columns: u16) -> Seat {
    let model = script(run, replies);
    let mut seat = Seat::take(run.command(&["--model", &model]), columns);
    seat.until("session 2");
    seat
}

#[test]
fn without_a_terminal_it_says_what_needs_none() {
    let run = Run::new();
    let (code, stdout, stderr) = ended(&run.with(&[], b"hello"));
    assert_eq!((code, &*stdout), (2, ""));
    assert!(stderr.contains("fanfold run"), "{stderr}");
}

#[test]
fn turns_follow_each_other_until_quit() {
    let run = Run::new();
    let replies = json!([
        reply(
            "One \u{1b}[31mred\u{1b}[0m word after another, so that the line is long.",
            &[("Ls", json!({}))]
        ),
        reply("First.", &[]),
        reply("Second.", &[]),
    ]);
    let mut seat = sit(&run, &replies, 40);
    seat.line("one")
        .until("One \u{fffd}[31mred\u{fffd}[0m word after another, so\r\n")
        .until("c1   Ls ok");
    seat.until("First.").until("tokens:");
    seat.line("two").until("Second.").until("tokens:");
    seat.line("/quit");
    let (status, shown) = seat.end();
    assert_eq!(status.code(), Some(0), "{shown}");
    assert!(shown.contains("fanfold sessions resume 2"), "{shown}");
    let history = run.path().join(".local/state/fanfold/history");
    let lines = std::fs::read_to_string(&history).unwrap();
    assert!(lines.contains("one\ntwo\n/quit\n"), "{lines}");
    let mode = std::os::unix::fs::PermissionsExt::mode(&history.metadata().unwrap().permissions());
    assert_eq!(mode & 0o777, 0o600);
}

#[test]
fn what_is_typed_meanwhile_is_heard_and_questions_are_answered() {
    let run = Run::new();
    // What matters stands at the end of a long line.
    let long = "x".repeat(80);
    let shell = |file: &str| ("Shell", json!({"command": format!("true {long}; touch {file}")}));
    let heard = json!({"say": [{"text": "I heard."}], "when": {"contains": "by the way"}});
    let replies =
        json!([reply("May I?", &[shell("one"), shell("two")]), heard, reply("Deaf.", &[])]);
    let mut seat = sit(&run, &replies, 80);
    seat.line("go").until("; touch one").until("allow c1? y or n");
    seat.line("by the way").until("queued for the next step: by the way").until("c1 still waits");
    seat.line("y c9").until("no such call waits");
    seat.line("n c1").until("allow c2? y or n").line("y");
    seat.until("I heard.").until("tokens:").key("\x04");
    let (status, shown) = seat.end();
    assert_eq!(status.code(), Some(0), "{shown}");
    assert!(!run.path().join("one").exists() && run.path().join("two").exists(), "{shown}");
    let (first, second) = (shown.find("n c1"), shown.find("? c2"));
    assert!(first.is_some() && first < second, "one question at a time: {shown}");
}

#[test]
fn a_ctrl_c_stops_the_turn_and_the_next_one_works() {
    let run = Run::new();
    let replies = json!([
        {"say": [{"text": "Begun.\n"}, {"text": "Never.", "at_ms": 600_000}]},
        {"say": [{"text": "Here."}], "when": {"contains": "again"}},
    ]);
    let mut seat = sit(&run, &replies, 80);
    seat.line("go").until("Begun.").key("\x03").until("stopping");
    seat.until("stopped").line("again").until("Here.").until("tokens:");
    seat.key("half a line\x03").until("once more to quit").key("\x03");
    let (status, shown) = seat.end();
    assert_eq!(status.code(), Some(0), "{shown}");
}

#[test]
fn commands_are_understood() {
    let run = Run::new();
    let mut seat = sit(&run, &json!([reply("Yes.", &[])]), 80);
    seat.line("/help").until("/model [NAME]").until("/quit");
    seat.line("/hlep").until("did you mean /help?");
    seat.line("/model").until("script:script.json");
    seat.line("/model nobody/x").until("nobody");
    seat.line("/tools").until("Finds files by a glob such as **/*.rs").until("ReadFile ");
    seat.line("/stop").until("there is nothing to stop");
    seat.line("y").until("Yes.").until("tokens:");
    seat.line("/quit");
    let (status, shown) = seat.end();
    assert_eq!(status.code(), Some(0), "{shown}");
}

#[test]
fn what_is_pasted_is_one_message() {
    let run = Run::new();
    let one = json!({"say": [{"text": "Both."}], "when": {"contains": "first\nsecond"}});
    let mut seat = sit(&run, &json!([one, reply("Only one.", &[])]), 80);
    seat.key("\x1b[200~first\rsecond\x1b[201~").line("").until("Both.").until("tokens:");
    seat.line("/quit");
    assert!(seat.end().0.success());
}

#[test]
fn a_terminate_ends_what_runs_and_leaves_the_terminal_as_it_was() {
    let run = Run::new();
    let seconds = format!("91{}", std::process::id());
    let shell = json!({"command": format!("touch up; sleep {seconds}")});
    let model = script(&run, &json!([reply("Sleeping.", &[("Shell", shell)])]));
    let mut seat = Seat::take(run.command(&["--yes", "--model", &model]), 80);
    seat.until("session 2").line("go");
    until_exists(&run.path().join("up"));
    signal(&seat.child, Signal::SIGTERM);
    let (status, shown) = seat.end();
    assert_eq!(status.code(), Some(130), "{shown}");
    assert!(shown.contains("c1   Shell interrupted"), "{shown}");
    // Pastes are not marked any more, and the line that was typed is left.
    assert!(shown.rfind("\x1b[?2004l") > shown.rfind("\x1b[?2004h"), "{shown:?}");
    assert_eq!(processes_with(&seconds), [""; 0]);
}

#[test]
fn a_bad_start_is_told_and_leaves_nothing() {
    let run = Run::new();
    let (status, shown) = Seat::take(run.command(&["--model", "nobody/x"]), 80).end();
    assert_eq!(status.code(), Some(2), "{shown}");
    assert!(shown.contains("nobody"), "{shown}");
}
