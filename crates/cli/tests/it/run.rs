//! `fanfold run`: what it prints, where, and how it ends.

use std::process::Output;

use serde_json::{Value, json};

use crate::terminal::Seat;
use crate::{Run, parse, text};

/// Writes a script of these replies; gives the name of the model that it is.
pub(crate) fn script(run: &Run, replies: &Value) -> String {
    let script = json!({"replies": replies}).to_string();
    std::fs::write(run.path().join("script.json"), script).unwrap();
    "script:script.json".to_owned()
}

/// A reply that says and asks for this.
pub(crate) fn reply(said: &str, calls: &[(&str, Value)]) -> Value {
    let call =
        |(tool, arguments): &(&str, Value)| json!({"call": {"tool": tool, "arguments": arguments}});
    let pieces: Vec<Value> =
        std::iter::once(json!({"text": said})).chain(calls.iter().map(call)).collect();
    json!({"say": pieces})
}

/// Runs one turn on these replies.
pub(crate) fn turn(run: &Run, replies: &Value, arguments: &[&str]) -> Output {
    let model = script(run, replies);
    let arguments = [&["run", "--model", &model], arguments].concat();
    run.with(&arguments, b"")
}

/// Code, stdout and stderr.
pub(crate) fn ended(output: &Output) -> (i32, String, String) {
    (output.status.code().unwrap_or(-1), text(&output.stdout), text(&output.stderr))
}

/// The events of `--json`.
pub(crate) fn events(stdout: &str) -> Vec<Value> {
    stdout.lines().map(|line| parse(line.as_bytes())).collect()
}

fn of_type<'a>(events: &'a [Value], name: &str) -> Vec<&'a Value> {
    events.iter().filter(|event| event["type"] == name).collect()
}

#[test]
fn the_text_of_every_step_goes_to_stdout_and_the_rest_to_stderr() {
    let run = Run::new();
    std::fs::write(run.path().join("a.txt"), "alpha\n").unwrap();
    let replies = json!([
        reply(
            "Looking.\n\n",
            &[
                ("ReadFile", json!({"file_path": "a.txt"})),
                ("ReadFile", json!({"file_path": "no"}))
            ]
        ),
        reply("It says alpha.", &[]),
    ]);
    let (code, stdout, stderr) = ended(&turn(&run, &replies, &["what does a.txt say?"]));
    assert_eq!((code, &*stdout), (0, "Looking.\nIt says alpha.\n"), "{stderr}");
    let lines: Vec<&str> = stderr.lines().collect();
    assert!(lines[0].starts_with("session 2"), "{stderr}");
    for part in ["c1   ReadFile ok in", "c2   ReadFile failed (", "tokens: "] {
        assert!(lines.iter().any(|line| line.starts_with(part)), "no {part:?} in {stderr}");
    }
}

#[test]
fn with_json_every_event_is_a_line() {
    let run = Run::new();
    let replies = json!([reply("Looking.", &[("Ls", json!({}))]), reply("Done.", &[])]);
    let (code, stdout, stderr) = ended(&turn(&run, &replies, &["--json", "hello"]));
    assert_eq!((code, &*stderr), (0, ""));
    let events = events(&stdout);
    for (event, seq) in events.iter().zip(1..) {
        assert_eq!(
            (&event["v"], &event["seq"], &event["agent"]),
            (&json!(1), &json!(seq), &json!("a0"))
        );
    }
    assert_eq!(events[0]["type"], "session");
    let whole: Vec<&Value> = of_type(&events, "text")
        .into_iter()
        .filter(|event| event["partial"] == false)
        .map(|event| &event["text"])
        .collect();
    assert_eq!(whole, ["Looking.", "Done."]);
    let calls = of_type(&events, "call");
    let states: Vec<&str> = calls.iter().map(|call| call["state"].as_str().unwrap()).collect();
    assert_eq!(states, ["asked", "started", "ended"]);
    let last = events.last().unwrap();
    assert_eq!(
        (&last["type"], &last["text"], &last["ended"]),
        (&json!("final"), &json!("Done."), &json!("answered"))
    );
    assert_eq!(of_type(&events, "usage").len(), 2);
}

#[test]
fn what_a_response_says_and_gives_is_printed_once() {
    let run = Run::new();
    let response = json!({"text": "The answer.", "data": {"n": 42}});
    let replies = json!([reply("Thinking.", &[("response", response)])]);
    let (code, stdout, stderr) = ended(&turn(&run, &replies, &["hello"]));
    assert_eq!((code, &*stdout), (0, "Thinking.\nThe answer.\n{\"n\":42}\n"), "{stderr}");
}

#[test]
fn a_schema_is_kept_corrected_once_or_failed() {
    let run = Run::new();
    let schema =
        json!({"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]});
    std::fs::write(run.path().join("schema.json"), schema.to_string()).unwrap();
    let answers = |answers: &[&str]| {
        let replies: Vec<Value> = answers.iter().map(|answer| reply(answer, &[])).collect();
        ended(&turn(&run, &json!(replies), &["--output-schema", "schema.json", "give me n"]))
    };
    let (code, stdout, stderr) = answers(&["{\"n\": 1}"]);
    assert_eq!((code, &*stdout), (0, "{\"n\": 1}\n"), "{stderr}");
    let (code, stdout, stderr) = answers(&["one", "{\"n\": 1}"]);
    assert_eq!((code, &*stdout), (0, "one\n{\"n\": 1}\n"), "{stderr}");
    let (code, _, stderr) = answers(&["one", "two", "{\"n\": 3}"]);
    assert_eq!(code, 1, "{stderr}");
}

#[test]
fn a_turn_that_fails_or_meets_a_limit_exits_with_1() {
    let run = Run::new();
    let again = json!([{"say": [{"text": "More."}, {"call": {"tool": "Ls"}}], "repeat": true}]);
    let (code, stdout, stderr) = ended(&turn(&run, &again, &["--max-steps", "2", "hello"]));
    assert_eq!((code, &*stdout), (1, "More.\nMore.\n"), "{stderr}");
    let (code, _, stderr) = ended(&turn(&run, &again, &["--max-tokens", "1", "hello"]));
    assert_eq!(code, 1, "{stderr}");
    let refused =
        json!([{"faults": [{"status": 400, "message": "no such thing"}], "say": [{"text": "x"}]}]);
    let (code, stdout, stderr) = ended(&turn(&run, &refused, &["hello"]));
    assert_eq!((code, &*stdout), (1, ""), "{stderr}");
    assert!(stderr.contains("no such thing"), "{stderr}");
}

#[test]
fn a_reply_that_breaks_is_asked_for_again_and_said_once() {
    let run = Run::new();
    let replies = json!([{
        "say": [{"text": "One "}, {"text": "two."}],
        "faults": [{"broken": {"after": 1, "mid_piece": true}}, "empty"]
    }]);
    let (code, stdout, stderr) = ended(&turn(&run, &replies, &["hello"]));
    assert_eq!((code, &*stdout), (0, "One two.\n"), "{stderr}");
    assert!(stderr.contains("asking again"), "{stderr}");
}

#[test]
fn calls_need_a_rule_or_somebody_to_ask() {
    let write = ("WriteFile", json!({"file_path": "made", "content": "x"}));
    let replies = json!([reply("Writing.", &[write]), reply("Done.", &[])]);
    let cases: [(&[&str], &str, bool); 4] = [
        (&[], "declined (nobody_to_ask)", false),
        (&["--allow", "WriteFile"], "ok", true),
        (&["--yes"], "ok", true),
        (&["--yes", "--deny", "WriteFile"], "declined (denied_by_rule)", false),
    ];
    for (rules, status, is_made) in cases {
        let run = Run::new();
        let (code, _, stderr) = ended(&turn(&run, &replies, &[rules, &["hello"]].concat()));
        assert_eq!(code, 0, "{stderr}");
        assert!(stderr.contains(&format!("c1   WriteFile {status}")), "{rules:?}: {stderr}");
        assert_eq!(run.path().join("made").exists(), is_made, "{rules:?}");
    }
}

#[test]
fn calls_written_as_json_in_text_are_run_by_the_plain_protocol() {
    let run = Run::new();
    let call = json!({"tool_name": "Ls", "tool_args": {}}).to_string();
    let answer = json!({"tool_name": "response", "tool_args": {"text": "Done."}}).to_string();
    let replies = json!([reply(&call, &[]), reply(&answer, &[])]);
    let (code, stdout, stderr) = ended(&turn(&run, &replies, &["--protocol", "plain", "hello"]));
    assert_eq!(code, 0, "{stderr}");
    assert!(stderr.contains("c1   Ls ok"), "{stderr}");
    assert!(stdout.ends_with("Done.\n"), "{stdout}");
}

#[test]
fn a_recording_plays_again() {
    let run = Run::new();
    let replies = json!([reply("Looking.", &[("Ls", json!({}))]), reply("Done.", &[])]);
    let (code, first, stderr) = ended(&turn(&run, &replies, &["--record", "tape.json", "hello"]));
    assert_eq!(code, 0, "{stderr}");
    let again = run.with(&["run", "--model", "script:tape.json", "hello"], b"");
    let (code, second, stderr) = ended(&again);
    assert_eq!((code, second), (0, first), "{stderr}");
}

#[test]
fn on_a_terminal_text_comes_live_among_rows() {
    let run = Run::new();
    let wait = ("Shell", json!({"command": "echo busy; until [ -e on ]; do :; done"}));
    let replies = json!([reply("Looking\u{7}", &[wait]), reply("Done.", &[])]);
    let model = script(&run, &replies);
    let mut seat = Seat::take(run.command(&["run", "--yes", "--model", &model, "hello"]), 60);
    seat.until("Looking\u{fffd}\r\n").until("c1   Shell runs  busy");
    std::fs::write(run.path().join("on"), "").unwrap();
    seat.until("c1   Shell ok in").until("Done.\r\n").until("tokens: ");
    let (status, shown) = seat.end();
    assert_eq!(status.code(), Some(0), "{shown}");
    assert_eq!(shown.matches("Looking").count(), 1, "{shown}");
}

#[test]
fn a_reader_that_leaves_is_told_at_the_end() {
    let run = Run::new();
    let replies = json!([reply("Looking.", &[("Ls", json!({}))]), reply("Done.", &[])]);
    let model = script(&run, &replies);
    let mut child = run.command(&["run", "--model", &model, "hello"]).spawn().unwrap();
    drop((child.stdin.take(), child.stdout.take()));
    let (code, _, stderr) = ended(&child.wait_with_output().unwrap());
    assert_eq!(code, 1, "{stderr}");
    assert!(stderr.contains("cannot write to standard output"), "{stderr}");
    assert!(stderr.contains("c1   Ls ok"), "the work goes on: {stderr}");
}
