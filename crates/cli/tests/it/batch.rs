//! What runs together, what waits, and what the report says of it.

use serde_json::{Value, json};

use crate::{Run, call, field, text};

/// The calls that each call waited for, with the reason.
pub(crate) fn waits(report: &Value) -> Vec<String> {
    let wait = |wait: &Value| {
        let call = wait["for"].as_str().unwrap_or("-");
        format!("{call} {}", wait["reason"].as_str().unwrap())
    };
    let calls = report["calls"].as_array().unwrap().iter();
    calls
        .map(|call| {
            let waits: Vec<String> = call["waits"].as_array().unwrap().iter().map(wait).collect();
            waits.join(", ")
        })
        .collect()
}

#[test]
fn reads_start_together_and_a_shell_after_both() {
    let run = Run::new();
    std::fs::write(run.path().join("f"), "needle\n").unwrap();
    let calls = json!([
        call("ReadFile", json!({"file_path": "f"})),
        call("Grep", json!({"pattern": "needle", "path": "."})),
        call("Shell", json!({"command": "true"})),
    ]);
    let (results, report) = run.calls(&calls, &[]);
    assert_eq!(field(&results, "outcome"), ["ok"; 3]);
    let waited = waits(&report);
    assert_eq!(waited[..2], ["", ""]);
    assert!(waited[2].ends_with("(exclusive)") || waited[2].ends_with("exclusive"), "{waited:?}");
    let ended = |n: usize| report["calls"][n]["ended_ms"].as_u64().unwrap();
    let started = report["calls"][2]["started_ms"].as_u64().unwrap();
    assert!(started >= ended(0) && started >= ended(1));
}

#[test]
fn shells_around_a_read_give_what_serial_execution_gives() {
    let run = Run::new();
    let calls = json!([
        call("Shell", json!({"command": "echo a >> f"})),
        call("ReadFile", json!({"file_path": "f"})),
        call("Shell", json!({"command": "echo b >> f"})),
    ]);
    let (results, _) = run.calls(&calls, &[]);
    assert!(results[1]["result"].as_str().unwrap().contains("1\ta"));
    assert!(!results[1]["result"].as_str().unwrap().contains('b'));
    assert_eq!(std::fs::read_to_string(run.path().join("f")).unwrap(), "a\nb\n");
}

#[test]
fn waits_run_together_or_one_by_one_as_the_limit_says() {
    let run = Run::new();
    let calls = Value::Array(vec![call("wait", json!({"seconds": 0.01})); 8]);
    let (_, report) = run.calls(&calls, &[]);
    assert_eq!(waits(&report), [""; 8]);
    assert_eq!(report["slots"], 10);
    let (_, report) = run.calls(&calls, &["--max-parallel", "1"]);
    let calls = report["calls"].as_array().unwrap();
    for pair in calls.windows(2) {
        assert!(pair[1]["started_ms"].as_u64() >= pair[0]["ended_ms"].as_u64());
    }
    std::fs::create_dir(run.path().join(".fanfold")).unwrap();
    std::fs::write(run.path().join(".fanfold/settings.json"), "{\"max_parallel_tools\": 3}")
        .unwrap();
    let (_, report) = run.calls(&json!([call("Ls", json!({}))]), &[]);
    assert_eq!(report["slots"], 3);
}

#[test]
fn a_failing_a_denied_and_an_unknown_call_leave_their_siblings_alone() {
    let run = Run::new();
    let calls = json!([
        call("Ls", json!({})),
        call("Shell", json!({"command": "exit 3"})),
        call("Glob", json!({"pattern": "*"})),
        call("Frobnicate", json!({})),
        call("wait", json!({"seconds": "soon"})),
        call("Ls", json!({"path": "."})),
    ]);
    let (results, report) = run.calls(&calls, &["--deny", "Glob"]);
    let expected = ["ok", "failed", "declined", "declined", "declined", "ok"];
    assert_eq!(field(&results, "outcome"), expected);
    let reasons = ["-", "exit_code", "denied_by_rule", "unknown_tool", "bad_arguments", "-"];
    assert_eq!(field(&report["calls"], "reason"), reasons);
    assert!(results[1]["result"].as_str().unwrap().starts_with("Exit code: 3"));
}

#[test]
fn strict_judges_and_a_shell_needs_a_rule() {
    let run = Run::new();
    let calls = json!([call("Shell", json!({"command": "true"}))]).to_string();
    let code = |arguments: &[&str]| run.with(arguments, calls.as_bytes()).status.code();
    assert_eq!(code(&["exec"]), Some(0));
    assert_eq!(code(&["exec", "--strict"]), Some(1));
    assert_eq!(code(&["exec", "--strict", "--allow", "Shell"]), Some(0));
    assert_eq!(code(&["exec", "--strict", "--yes", "--deny", "Shell"]), Some(1));
    let output = run.with(&["exec"], calls.as_bytes());
    assert!(text(&output.stdout).contains("--allow 'Shell(true)'"));
}

#[test]
fn the_timeline_and_the_plain_lines_go_to_stderr() {
    let run = Run::new();
    let calls = json!([call("Ls", json!({})), call("Shell", json!({"command": "true"}))]);
    let output = run.with(&["exec", "--yes", "--timeline"], calls.to_string().as_bytes());
    let shown = text(&output.stderr);
    for part in ["c1   Ls ok in", "c2   Shell ok in", "10 slots", "█", "waited: c1 (exclusive)"] {
        assert!(shown.contains(part), "{part}: {shown}");
    }
    assert_eq!(text(&output.stdout).lines().count(), 1);
}

#[test]
fn a_file_tool_stays_inside_the_workspace_and_what_the_user_adds() {
    let run = Run::new();
    let outside = tempfile::tempdir().unwrap();
    std::fs::write(outside.path().join("f"), "secret\n").unwrap();
    std::os::unix::fs::symlink(outside.path(), run.path().join("link")).unwrap();
    let path = outside.path().join("f");
    let calls = json!([
        call("ReadFile", json!({"file_path": path})),
        call("ReadFile", json!({"file_path": "link/f"})),
        call("ReadFile", json!({"file_path": "../f"})),
    ]);
    let (results, _) = run.calls(&calls, &[]);
    assert_eq!(field(&results, "outcome"), ["failed"; 3]);
    assert!(!results.to_string().contains("secret"));
    let settings = json!({"permissions": {"additional_directories": [outside.path()]}}).to_string();
    std::fs::create_dir_all(run.path().join(".fanfold")).unwrap();
    std::fs::write(run.path().join(".fanfold/settings.json"), &settings).unwrap();
    let (results, _) = run.calls(&calls, &[]);
    assert_eq!(field(&results, "outcome"), ["failed"; 3], "a repository cannot arm itself");
    std::fs::create_dir_all(run.path().join(".config/fanfold")).unwrap();
    std::fs::write(run.path().join(".config/fanfold/settings.json"), &settings).unwrap();
    let (results, _) = run.calls(&calls, &[]);
    assert_eq!(field(&results, "outcome"), ["ok", "ok", "failed"]);
}
