//! Writing tools, declared tools and rules, as a user meets them: what serial execution gives.

use serde_json::{Value, json};

use crate::{Run, call, field, text};

/// Writes the user's own settings.
pub(crate) fn settings(run: &Run, settings: &Value) {
    let folder = run.path().join(".config/fanfold");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("settings.json"), settings.to_string()).unwrap();
}

/// Every way to tell calls apart, each of which must give the same.
pub(crate) fn modes() -> [Value; 4] {
    [
        json!({}),
        json!({"scheduling": {"fs_group": "by_path", "read_only_shell": true}}),
        json!({"scheduling": {"claims": false}}),
        json!({"max_parallel_tools": 1}),
    ]
}

#[test]
fn edits_reads_and_shells_of_one_file_keep_their_order_in_every_mode() {
    let calls = json!([
        call("EditFile", json!({"file_path": "f", "old_string": "one", "new_string": "two"})),
        call("EditFile", json!({"file_path": "./f", "old_string": "two", "new_string": "three"})),
        call("ReadFile", json!({"file_path": "f"})),
        call("Shell", json!({"command": "cat f"})),
        call("WriteFile", json!({"file_path": "f", "content": "four\n"})),
    ]);
    for mode in modes() {
        // Without claims the group orders the two edits, but nothing orders the read behind them: it
        // may see the file before an edit, and then the last write is over a change it has not seen.
        let reads_in_order = mode["scheduling"]["claims"] != false;
        for _ in 0..10 {
            let run = Run::new();
            settings(&run, &mode);
            std::fs::write(run.path().join("f"), "one\n").unwrap();
            let (results, _) = run.calls(&calls, &[]);
            let result = |n: usize| results[n]["result"].as_str().unwrap();
            assert_eq!(field(&results, "outcome")[..4], ["ok"; 4], "{mode} {results}");
            assert_eq!(result(3), "Exit code: 0\nthree\n", "{mode}");
            let written = std::fs::read_to_string(run.path().join("f")).unwrap();
            if reads_in_order {
                assert!(result(2).contains("1\tthree"), "{mode} {}", result(2));
                assert_eq!((field(&results, "outcome")[4], &*written), ("ok", "four\n"), "{mode}");
            } else if written != "four\n" {
                assert!(result(4).contains("changed since you read it"), "{mode} {}", result(4));
            }
        }
    }
}

#[test]
fn a_declared_tool_waits_for_an_edit_of_its_path_and_runs_beside_one_of_another() {
    let run = Run::new();
    let tool = json!({
        "description": "Prints a file",
        "input_schema": {"type": "object", "properties": {"path": {"type": "string"}}},
        "command": ["sh", "-c", "cat f"],
        "groups": "independent",
        "reads": ["path"],
    });
    settings(&run, &json!({"tools": {"show": tool}}));
    std::fs::write(run.path().join("f"), "old\n").unwrap();
    std::fs::write(run.path().join("g"), "old\n").unwrap();
    let edit = |path: &str| {
        call("EditFile", json!({"file_path": path, "old_string": "old", "new_string": "new"}))
    };
    let calls = json!([edit("f"), call("show", json!({"path": "f"}))]);
    let (results, report) = run.calls(&calls, &[]);
    assert_eq!(results[1]["result"], "new\n");
    assert_eq!(report["calls"][1]["waits"][0]["for"], "c1");
    let calls = json!([edit("g"), call("show", json!({"path": "f"}))]);
    let (results, report) = run.calls(&calls, &[]);
    assert_eq!(results[1]["result"], "new\n");
    assert_eq!(report["calls"][1]["waits"], json!([]));
}

#[test]
fn a_rule_allows_the_line_it_names_and_no_other() {
    let run = Run::new();
    let calls = json!([
        call("Shell", json!({"command": "git --version"})),
        call("Shell", json!({"command": "git --version; touch made"})),
        call("Shell", json!({"command": "git --version > made"})),
        call("Shell", json!({"command": "git --version $(touch made)"})),
        call("WriteFile", json!({"file_path": "src/f", "content": "x"})),
        call("WriteFile", json!({"file_path": "other/f", "content": "x"})),
    ]);
    let arguments =
        ["exec", "--allow", "Shell(git --version)", "--allow", "WriteFile(src/**)", "--deny", "Ls"];
    let output = run.with(&arguments, calls.to_string().as_bytes());
    let results: Value = serde_json::from_slice(&output.stdout).unwrap();
    let expected = ["ok", "declined", "declined", "declined", "ok", "declined"];
    assert_eq!(field(&results, "outcome"), expected, "{}", text(&output.stdout));
    assert!(!run.path().join("made").exists());
    assert!(run.path().join("src/f").exists() && !run.path().join("other").exists());
}
