//! `fanfold sessions`: listed, shown, gone on with and removed; after a crash, and damaged.

use std::path::PathBuf;
use std::process::Stdio;

use serde_json::{Value, json};

use crate::run::{ended, events, reply, script, turn};
use crate::stop::{processes_with, until_exists};
use crate::{Run, parse};

fn list(run: &Run) -> Value {
    parse(&run.with(&["sessions", "list", "--json"], b"").stdout)
}

fn show(run: &Run) -> Value {
    parse(&run.with(&["sessions", "show", "last", "--json"], b"").stdout)
}

/// The journal of the newest session.
fn journal(run: &Run) -> PathBuf {
    let id = list(run)[0]["id"].as_str().unwrap().to_owned();
    run.path().join(".local/state/fanfold/sessions").join(id).join("journal.jsonl")
}

#[test]
fn they_are_listed_shown_and_removed() {
    let run = Run::new();
    let (code, stdout, stderr) = ended(&run.with(&["sessions"], b""));
    assert_eq!((code, &*stdout, &*stderr), (0, "", "there are no sessions yet\n"));
    let replies = json!([reply("Looking\u{1b}[2J.", &[("Ls", json!({}))]), reply("Done.", &[])]);
    assert_eq!(ended(&turn(&run, &replies, &["what is\nhere?"])).0, 0);
    let (_, stdout, _) = ended(&run.with(&["sessions", "list"], b""));
    let lines: Vec<&str> = stdout.lines().collect();
    assert!(lines[0].starts_with("SESSION ") && lines[1].contains("answered"), "{stdout}");
    assert!(lines[1].ends_with("what is here?"), "{stdout}");
    let (code, stdout, stderr) = ended(&run.with(&["sessions", "show", "last"], b""));
    assert_eq!((code, &*stderr), (0, ""));
    for part in
        ["> what is\n> here?\n", "Looking\u{fffd}[2J.\n  c1 Ls ok  {}\n     ", "\n\nDone.\n"]
    {
        assert!(stdout.contains(part), "no {part:?} in {stdout}");
    }
    let id = list(&run)[0]["id"].as_str().unwrap().to_owned();
    let (code, stdout, stderr) = ended(&run.with(&["sessions", "rm", &id], b""));
    assert_eq!((code, stdout), (0, format!("removed {id}\n")), "{stderr}");
    assert_eq!(list(&run), json!([]));
    for command in ["show", "rm", "resume"] {
        let (code, _, stderr) = ended(&run.with(&["sessions", command, &id], b""));
        assert_eq!(code, 2, "{stderr}");
        assert!(stderr.contains(&id), "{stderr}");
    }
}

#[test]
fn a_session_goes_on_with_what_was_said() {
    let run = Run::new();
    let replies = json!([reply("First.", &[]), reply("Second.", &[]), reply("Third.", &[])]);
    assert_eq!(ended(&turn(&run, &replies, &["one"])).1, "First.\n");
    let id = list(&run)[0]["id"].as_str().unwrap().to_owned();
    let (code, stdout, stderr) = ended(&turn(&run, &replies, &["--session", &id[..15], "two"]));
    assert_eq!((code, &*stdout), (0, "Second.\n"), "{stderr}");
    // The session knows its model.
    let (code, stdout, stderr) = ended(&run.with(&["run", "--session", "last", "three"], b""));
    assert_eq!((code, &*stdout), (0, "Third.\n"), "{stderr}");
    let session = &list(&run)[0];
    assert_eq!((&session["turns"], &session["first_text"]), (&json!(3), &json!("one")));
    let (code, stdout, stderr) = ended(&run.with(&["sessions", "resume", &id], b""));
    assert_eq!((code, &*stdout), (0, ""), "{stderr}");
    assert!(stderr.contains("nothing to go on with"), "{stderr}");
}

#[test]
fn after_a_kill_in_mid_call_it_goes_on() {
    let run = Run::new();
    let seconds = format!("92{}", std::process::id());
    let command = json!({"command": format!("touch up; sleep {seconds}")});
    let model =
        script(&run, &json!([reply("Sleeping.", &[("Shell", command)]), reply("Awake.", &[])]));
    let arguments = ["run", "--yes", "--model", &model, "hello"];
    let mut child = run.command(&arguments).stdin(Stdio::null()).spawn().unwrap();
    until_exists(&run.path().join("up"));
    let id = list(&run)[0]["id"].as_str().unwrap().to_owned();
    assert_eq!(list(&run)[0]["is_running"], true);
    for arguments in [&["run", "--session", &id, "me too"][..], &["sessions", "rm", &id]] {
        let (code, _, stderr) = ended(&run.with(arguments, b""));
        assert_eq!(code, 2, "{stderr}");
        assert!(stderr.contains(&id), "{stderr}");
    }
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(list(&run)[0]["last_turn"], "open");
    let resumed = ended(&run.with(&["run", "--session", &id, "--json"], b""));
    assert_eq!(resumed.0, 0, "{}", resumed.2);
    assert_eq!(events(&resumed.1).last().unwrap()["text"], "Awake.");
    let entries = &show(&run)["entries"];
    assert_eq!(entries[1]["calls"][0]["status"], "interrupted", "{entries}");
    assert_eq!(processes_with(&seconds), [""; 0]);
}

#[test]
fn a_damaged_journal_is_shown_as_far_as_it_goes() {
    let run = Run::new();
    let replies = json!([reply("First.", &[]), reply("Second.", &[])]);
    assert_eq!(ended(&turn(&run, &replies, &["one"])).0, 0);
    let path = journal(&run);
    let mut lines: Vec<String> =
        std::fs::read_to_string(&path).unwrap().lines().map(str::to_owned).collect();
    let last = lines.len() - 1;
    lines[last] = "{\"v\":1,\"seq\":".to_owned();
    lines.push("{}".to_owned());
    std::fs::write(&path, lines.join("\n") + "\n").unwrap();
    let (code, stdout, stderr) = ended(&run.with(&["sessions", "show", "last"], b""));
    assert_eq!(code, 0, "{stderr}");
    assert!(stdout.contains("> one\n\nFirst."), "{stdout}");
    assert!(stderr.contains(&format!("line {}", last + 1)), "{stderr}");
    let (code, _, stderr) = ended(&turn(&run, &replies, &["--session", "last", "two"]));
    assert_eq!(code, 0, "{stderr}");
}
