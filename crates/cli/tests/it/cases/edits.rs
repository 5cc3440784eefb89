//! Several edits in one reply: none is lost, none takes another with it.
//!
//! Not here: what one edit does to its file.

use std::fs;

use serde_json::{Value, json};

use crate::batch::waits;
use crate::writing::{modes, settings};
use crate::{Run, call, field};

fn edit(path: &str, old: &str, new: &str) -> Value {
    call("EditFile", json!({"file_path": path, "old_string": old, "new_string": new}))
}

// https://github.com/anthropics/claude-code/issues/22264
#[test]
fn edits_after_one_that_fails_are_made() {
    for mode in modes() {
        let run = Run::new();
        settings(&run, &mode);
        for file in ["a", "b", "c"] {
            fs::write(run.path().join(file), "old\n").unwrap();
        }
        let calls = json!([
            edit("a", "not there", "new"),
            edit("b", "old", "new"),
            edit("c", "old", "new")
        ]);
        let (results, _) = run.calls(&calls, &[]);
        assert_eq!(field(&results, "outcome"), ["failed", "ok", "ok"], "{mode}");
        let contents =
            ["a", "b", "c"].map(|file| fs::read_to_string(run.path().join(file)).unwrap());
        assert_eq!(contents, ["old\n", "new\n", "new\n"], "{mode}");
    }
}

// https://github.com/netease-lcap/wave-agent/issues/1256
#[test]
fn six_edits_of_six_places_in_one_file_are_all_there() {
    let places = ["<1>", "<2>", "<3>", "<4>", "<5>", "<6>"];
    let filled = ["a", "bb", "", "dddd", "e\ne", "f"];
    let calls: Value = places.iter().zip(filled).map(|(old, new)| edit("f", old, new)).collect();
    for mode in modes() {
        let run = Run::new();
        settings(&run, &mode);
        fs::write(run.path().join("f"), places.join("\n")).unwrap();
        let (results, _) = run.calls(&calls, &[]);
        assert_eq!(field(&results, "outcome"), ["ok"; 6], "{mode}");
        assert_eq!(fs::read_to_string(run.path().join("f")).unwrap(), filled.join("\n"), "{mode}");
    }
}

// https://github.com/OpenHands/software-agent-sdk/pull/2560
#[test]
fn one_file_and_one_terminal_are_used_in_turn_while_another_file_is_free() {
    let run = Run::new();
    let undeclared = json!({
        "description": "Says nothing of what it touches",
        "command": ["sh", "-c", "echo third >> log"],
    });
    let tools = json!({"undeclared": undeclared});
    settings(&run, &json!({"scheduling": {"fs_group": "by_path"}, "tools": tools}));
    fs::write(run.path().join("f"), "one\n").unwrap();
    fs::write(run.path().join("g"), "one\n").unwrap();
    let calls = json!([
        edit("f", "one", "two"),
        edit("f", "two", "three"),
        edit("g", "one", "two"),
        call("Shell", json!({"command": "cat f g > log; echo first >> log"})),
        call("Shell", json!({"command": "echo second >> log"})),
        call("undeclared", json!({})),
    ]);
    let (results, report) = run.calls(&calls, &["--max-parallel", "4"]);
    assert_eq!(field(&results, "outcome"), ["ok"; 6]);
    let waits = waits(&report);
    assert_eq!((&*waits[0], &*waits[2]), ("", ""));
    assert!(waits[1].starts_with("c1 claim path:"), "{waits:?}");
    let waited_for = |call: usize| waits[call].rsplit(", ").next().unwrap().to_owned();
    assert_eq!([waited_for(4), waited_for(5)], ["c4 exclusive", "c5 exclusive"]);
    let log = fs::read_to_string(run.path().join("log")).unwrap();
    assert_eq!(log, "three\ntwo\nfirst\nsecond\nthird\n");
}
