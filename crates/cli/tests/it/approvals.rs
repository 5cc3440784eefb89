//! Questions on a real terminal: one at a time, each answer for one call, while others run.

use std::io::Write as _;
use std::process::Command;

use serde_json::json;

use crate::{Run, call, field, parse, text};

/// Runs the calls under `script`, which makes a terminal, and types these lines.
pub(crate) fn at_a_terminal(
    run: &Run,
    calls: &serde_json::Value,
    typed: &str,
) -> (String, serde_json::Value) {
    std::fs::write(run.path().join("reply.json"), calls.to_string()).unwrap();
    let line = format!("{} exec reply.json > results.json", env!("CARGO_BIN_EXE_fanfold"));
    let mut command = Command::new("script");
    command.args(["-qefc", &line, "/dev/null"]);
    command.envs([("HOME", run.path())]).current_dir(run.path());
    command.stdin(std::process::Stdio::piped()).stdout(std::process::Stdio::piped());
    let mut child = command.spawn().unwrap();
    child.stdin.as_mut().unwrap().write_all(typed.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    let results = std::fs::read(run.path().join("results.json")).unwrap();
    (text(&output.stdout), parse(&results))
}

// https://github.com/even-realities/everything-evenhub/issues/40
#[test]
fn each_answer_is_for_one_call() {
    let run = Run::new();
    let calls = json!([
        call("Shell", json!({"command": "touch first"})),
        call("Shell", json!({"command": "touch second"})),
        call("Ls", json!({})),
        call("Shell", json!({"command": "touch third"})),
    ]);
    let (shown, results) = at_a_terminal(&run, &calls, "y\nperhaps\nn\nyes\n");
    assert_eq!(field(&results, "outcome"), ["ok", "declined", "ok", "ok"], "{shown}");
    assert!(shown.contains("please answer y or n"), "{shown}");
    assert_eq!(shown.matches("allow it?").count(), 4, "{shown}");
    let made = |name: &str| run.path().join(name).exists();
    assert_eq!((made("first"), made("second"), made("third")), (true, false, true));
}
