//! Bad input: a clear error and exit 2 with nothing run, or an outcome in its place. Never a panic.

use std::io::Write as _;

use serde_json::json;

use crate::{Run, call, field, parse, text};

/// Runs it and gives what stderr says; it must be exit 2 with an empty stdout.
fn refused(arguments: &[&str], input: &[u8]) -> String {
    let run = Run::new();
    let output = run.with(arguments, input);
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert_eq!(text(&output.stdout), "", "{said}");
    assert!(!said.contains("panicked"), "{said}");
    assert!(!said.trim().is_empty());
    said
}

#[test]
fn what_is_no_reply_is_refused_with_its_reason() {
    let table: [(&str, &[u8], &str); 9] = [
        ("auto", b"", "empty"),
        ("auto", b"hello there", "JSON"),
        ("auto", b"{\"tool_name\": \"Ls\", ", "JSON"),
        ("anthropic", b"{\"choices\": []}", "openai-chat"),
        ("gemini", b"[{\"tool_name\":\"Ls\",\"tool_args\":{}}]", "plain"),
        ("auto", b"{\"error\": {\"message\": \"overloaded\"}}", "overloaded"),
        (
            "auto",
            b"{\"role\":\"assistant\",\"content\":[{\"type\":\"text\",\"text\":\"hi\"}]}",
            "no tool call",
        ),
        ("auto", b"[{\"tool_name\":\"Ls\",\"tool_args\":{}}, 7]", "entry 2"),
        ("auto", b"\xff\xfe\x00\x01", "JSON"),
    ];
    for (format, input, expected) in table {
        let said = refused(&["exec", "--format", format], input);
        assert!(said.contains(expected), "{expected}: {said}");
    }
}

#[test]
fn usage_and_files_are_checked_before_anything_runs() {
    let reply = json!([call("Shell", json!({"command": "touch ran"}))]).to_string();
    let table: [(&[&str], &str); 12] = [
        (&["exec", "nowhere.json"], "nowhere.json"),
        (&["exec", "--max-parallel", "0"], "from 1 to 1000"),
        (&["exec", "--max-parallel", "2abc"], "2abc"),
        (&["exec", "--max-parallel", "-1"], "-1"),
        (&["exec", "--format", "yaml"], "yaml"),
        (&["exec", "--workspace", "nowhere"], "nowhere"),
        (&["exec", "--workspace", "/dev/null"], "not a directory"),
        (&["exec", "--deny", "Shel"], "did you mean Shell"),
        (&["exec", "--allow", "Shell(rm *"], "not a rule"),
        (&["exec", "--report", "nowhere/report.json"], "nowhere/report.json"),
        (&["exec", "--report", "vain.json", "--workspace", "nowhere"], "nowhere"),
        (&["frobnicate"], "frobnicate"),
    ];
    for (arguments, expected) in table {
        let arguments: Vec<&str> = arguments.iter().chain(&["--yes"]).copied().collect();
        let run = Run::new();
        let output = run.with(&arguments, reply.as_bytes());
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains(expected), "{expected}: {said}");
        assert!(!run.path().join("ran").exists());
        assert!(!run.path().join("vain.json").exists());
    }
}

#[test]
fn settings_that_cannot_be_used_are_named() {
    for (text, expected) in
        [("{\"max_parallel_tools\": 0}", "max_parallel_tools"), ("{", "settings.json")]
    {
        let run = Run::new();
        std::fs::create_dir(run.path().join(".fanfold")).unwrap();
        std::fs::write(run.path().join(".fanfold/settings.json"), text).unwrap();
        let output = run.with(&["exec"], b"{\"tool_name\":\"Ls\",\"tool_args\":{}}");
        assert_eq!(output.status.code(), Some(2));
        assert!(crate::text(&output.stderr).contains(expected));
    }
}

#[test]
fn a_workspace_cannot_hold_the_program_up_by_its_settings() {
    let run = Run::new();
    let path = run.path().join(".fanfold/settings.json");
    std::fs::create_dir(run.path().join(".fanfold")).unwrap();
    let refused = |expected: &str| {
        let output = run.with(&["exec"], b"{\"tool_name\":\"Ls\",\"tool_args\":{}}");
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains(expected), "{expected}: {said}");
        assert!(!said.contains('\u{9b}'), "{said}");
        std::fs::remove_file(&path).unwrap();
    };
    // Were it opened, the pipe would wait for a writer who never comes.
    nix::unistd::mkfifo(&path, nix::sys::stat::Mode::S_IRWXU).unwrap();
    refused("not a file");
    std::os::unix::fs::symlink("/dev/zero", &path).unwrap();
    refused("not a file");
    std::fs::write(&path, " ".repeat((1 << 20) + 1)).unwrap();
    refused("larger than 1 MiB");
    std::fs::write(&path, "{\"max_parallel_tools\": \"\u{9b}31m\"}").unwrap();
    refused("max_parallel_tools");
}

#[test]
fn a_report_that_cannot_be_written_costs_no_result() {
    let run = Run::new();
    for (report, code) in [("/dev/full", 1), ("/dev/null", 0), ("/dev/stderr", 0)] {
        let output = run.with(&["exec", "--report", report], b"{\"tool\":\"Ls\",\"args\":{}}");
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{report}: {said}");
        assert_eq!(field(&parse(&output.stdout), "outcome"), ["ok"], "{report}");
    }
}

#[test]
fn a_hundred_megabytes_are_refused_and_deep_nesting_is_one_calls_trouble() {
    let large = vec![b' '; 100 << 20];
    assert!(refused(&["exec"], &large).contains("larger than"));
    let deep = format!("{}{}", "[".repeat(50_000), "]".repeat(50_000));
    refused(&["exec"], deep.as_bytes());
    let reply = format!(
        r#"{{"role":"assistant","content":[
            {{"type":"tool_use","id":"a","name":"Ls","input":{{"path":{deep}}}}},
            {{"type":"tool_use","id":"b","name":"Ls","input":{{}}}}]}}"#
    );
    let output = Run::new().with(&["exec"], reply.as_bytes());
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let results = parse(&output.stdout);
    assert_eq!(results["content"][0]["is_error"], true);
    assert_eq!(results["content"][1].get("is_error"), None);
}

#[test]
fn odd_ids_and_names_are_answered_one_by_one() {
    let ids = ["x", "x", "../../etc", "", "a/b", "é"];
    let blocks: Vec<_> = ids
        .iter()
        .map(|id| json!({"type": "tool_use", "id": id, "name": "../Ls\u{1b}[2J", "input": {}}))
        .collect();
    let reply = json!({"role": "assistant", "content": blocks}).to_string();
    let output = Run::new().with(&["exec"], reply.as_bytes());
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let results = parse(&output.stdout);
    let mut answered = field(&results["content"], "tool_use_id");
    assert_eq!(answered.len(), ids.len());
    assert_eq!(answered[0], "x");
    answered.sort_unstable();
    answered.dedup();
    assert_eq!(answered.len(), ids.len(), "every result has an id of its own");
    let legal = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    assert!(answered.iter().all(|id| !id.is_empty() && id.chars().all(legal)), "{answered:?}");
    assert!(!text(&output.stderr).contains('\u{1b}'), "a model cannot write to the terminal");
}

#[test]
fn a_compressed_reply_is_read_and_a_broken_one_is_not() {
    let run = Run::new();
    let file = std::fs::File::create(run.path().join("reply.json.gz")).unwrap();
    let mut encoder = flate2::write::GzEncoder::new(file, flate2::Compression::fast());
    encoder.write_all(br#"{"tool_name":"Ls","tool_args":{}}"#).unwrap();
    encoder.finish().unwrap();
    let output = run.with(&["exec", "reply.json.gz"], b"");
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    std::fs::write(run.path().join("broken.gz"), b"not compressed").unwrap();
    assert_eq!(run.with(&["exec", "broken.gz"], b"").status.code(), Some(2));
}

#[test]
fn a_refusal_quotes_no_more_than_a_little() {
    let long = "x".repeat(100_000);
    let calls = json!([
        call("Shell", json!({"command": "true", long.as_str(): 1})),
        call("wait", json!({"until": long})),
        call("Grep", json!({"pattern": format!("({long}")})),
        call("Glob", json!({"pattern": format!("[{long}")})),
        call("ReadFile", json!({"file_path": long})),
        call(&long, json!({})),
    ]);
    let (results, _) = Run::new().calls(&calls, &[]);
    for result in field(&results, "result") {
        assert!(result.len() < 2_000, "{} bytes: {:.200}", result.len(), result);
    }
}
