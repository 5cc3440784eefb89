//! One call fails: what becomes of the others, and what the model is told.
//!
//! Not here: what one batch shows of it (`cases/edits.rs`).

use serde_json::{Value, json};

use super::{MODEL, answer, call, edit, messages, results, say, shell};
use crate::agent::site::Site;
use crate::run::{ended, script};
use crate::stop::until_exists;
use crate::{Run, text};

// https://github.com/anthropics/claude-code/issues/22264
// https://github.com/anthropics/claude-code/issues/64237
#[test]
fn one_failing_call_fails_alone_and_the_model_reads_so() {
    let site = Site::new(&json!([
        say(&[
            edit("a", "absent", "x"),
            edit("b", "old", "new"),
            shell("exit 3"),
            edit("c", "old", "new")
        ]),
        answer("Two of four."),
    ]));
    for file in ["a", "b", "c"] {
        site.write(file, "old\n");
    }
    let turn = site.turn(&["--model", MODEL, "go"]);
    turn.answered("Two of four.");
    assert_eq!(turn.statuses(), ["c1 failed", "c2 ok", "c3 failed", "c4 ok"]);
    assert_eq!(["a", "b", "c"].map(|file| site.read(file)), ["old\n", "new\n", "new\n"]);
}

// https://github.com/NVIDIA-AI-Blueprints/video-search-and-summarization/pull/2214
#[test]
fn the_success_of_one_call_does_not_hide_the_failure_of_another() {
    let site = Site::new(&json!([
        say(&[call("ReadFile", json!({"file_path": "needed"})), call("Ls", json!({}))]),
        answer("It is missing."),
    ]));
    site.turn(&["--model", MODEL, "go"]).answered("It is missing.");
    let messages = messages(&site, 1);
    let content = messages[2]["content"].as_array().unwrap();
    let failed: Vec<bool> = content.iter().map(|result| result["is_error"] == true).collect();
    assert_eq!(failed, [true, false]);
}

// https://github.com/openai/openai-agents-python/pull/2584
#[test]
fn what_the_others_gave_is_kept_when_one_meets_its_deadline() {
    let late = call("Shell", json!({"command": "sleep 600", "timeout_ms": 200}));
    let site = Site::new(&json!([
        say(&[shell("echo early"), late, shell("echo after")]),
        answer("One was too slow."),
    ]));
    let turn = site.turn(&["--model", MODEL, "go"]);
    turn.answered("One was too slow.");
    assert_eq!(turn.statuses(), ["c1 ok", "c2 timed_out", "c3 ok"]);
    let messages = messages(&site, 1);
    let results = results(&messages[2]);
    assert!(results[0].contains("early") && results[2].contains("after"), "{results:?}");
}

// https://github.com/anthropics/claude-code/issues/64247
// https://github.com/openai/openai-agents-js/pull/1581
#[test]
fn a_stopped_call_is_told_apart_from_a_failed_one_with_the_real_cause() {
    let site = Site::new(&json!([
        say(&[shell("exit 1"), shell("touch up; sleep 600"), shell("true")]),
        answer("You stopped me."),
    ]));
    let working = site.start(&["--model", MODEL, "go"]);
    until_exists(&site.file("up"));
    working.interrupt();
    let turn = working.end();
    assert_eq!(turn.statuses(), ["c1 failed", "c2 interrupted", "c3 skipped"]);
    site.turn(&["--session", "last", "what happened?"]).answered("You stopped me.");
    let messages = messages(&site, 1);
    let results = results(&messages[2]);
    let begin = ["Exit code: 1", "[interrupted: stopped]", "[skipped: stopped]"];
    assert!(results.iter().zip(begin).all(|(said, begin)| said.starts_with(begin)), "{results:?}");
}

// https://github.com/anthropics/claude-code/issues/64237
#[test]
fn with_one_slot_calls_run_one_after_the_other() {
    let note = |n: u32| json!({"tool": "note", "arguments": {"n": n}});
    let calls: Vec<Value> = (1..=4).map(|n| json!({"call": note(n)})).collect();
    let site = Site::new(&json!([say(&calls), answer("Done.")]));
    // Each fails if it meets another one.
    let alone = "mkdir busy && sleep 0.02 && rmdir busy";
    let tool = json!({
        "description": "Must be alone.", "command": ["sh", "-c", alone], "groups": "independent",
        "input_schema": {"type": "object", "properties": {"n": {"type": "integer"}}},
    });
    site.settings(&json!({"max_parallel_tools": 1, "tools": {"note": tool}}).to_string());
    let turn = site.turn(&["--model", MODEL, "go"]);
    turn.answered("Done.");
    assert_eq!(turn.statuses(), ["c1 ok", "c2 ok", "c3 ok", "c4 ok"]);
}

// https://github.com/QwenLM/qwen-code/issues/5495
#[test]
fn a_number_of_slots_that_is_none_is_refused_before_anything_runs() {
    let run = Run::new();
    let model = script(&run, &json!([answer("Never.")]));
    for slots in ["2abc", "2.5", "", "-1", "0", "1e1"] {
        let slots = format!("--max-parallel={slots}");
        let arguments = ["run", "--model", &model, &slots, "go"];
        let (code, stdout, stderr) = ended(&run.with(&arguments, b""));
        assert_eq!((code, &*stdout), (2, ""), "{slots:?}: {stderr}");
        assert!(stderr.contains("max-parallel") || stderr.contains("max_parallel"), "{stderr}");
    }
    let folder = run.path().join(".config/fanfold");
    std::fs::create_dir_all(&folder).unwrap();
    for slots in ["\"2abc\"", "2.5", "0", "-1"] {
        let settings = format!("{{\"max_parallel_tools\": {slots}}}");
        std::fs::write(folder.join("settings.json"), settings).unwrap();
        let output = run.with(&["run", "--model", &model, "go"], b"");
        assert_eq!(output.status.code(), Some(2), "{slots}: {}", text(&output.stderr));
    }
}

// https://github.com/adolfousier/opencrabs/issues/954
#[test]
fn a_file_that_changed_since_an_earlier_turn_is_not_written_over() {
    let site = Site::new(&json!([
        say(&[call("ReadFile", json!({"file_path": "f"}))]),
        answer("Read."),
        say(&[call("WriteFile", json!({"file_path": "f", "content": "mine\n"}))]),
        answer("It has changed."),
    ]));
    site.write("f", "old\n");
    site.turn(&["--model", MODEL, "read it"]).answered("Read.");
    site.write("f", "somebody else's\n");
    let turn = site.turn(&["--session", "last", "write it"]);
    turn.answered("It has changed.");
    assert_eq!(turn.statuses(), ["c2 failed"]);
    assert_eq!(site.read("f"), "somebody else's\n");
}
