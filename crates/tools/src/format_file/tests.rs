//! Tests of formatting, with small shell scripts as formatters.

use std::fs;

use fanfold_transcript::Status;
use serde_json::json;

use super::*;
use crate::WriteFile;
use crate::place::scene::Scene;
use crate::stop::{StopCause, StopHandle};

/// A tool whose formatter for `.x` is this script; the file is its first argument.
fn formatter(script: &str) -> FormatFile {
    let command = ["sh", "-c", script, "sh"].map(str::to_owned).to_vec();
    FormatFile::new(BTreeMap::from([("x".to_owned(), command)]))
}

const UPPER: &str = r#"tr a-z A-Z <"$1" >"$1.new" && mv "$1.new" "$1""#;

#[tokio::test]
async fn the_change_is_counted() {
    let scene = Scene::new();
    scene.file("src/f.x", "one\nTWO\nthree\n");
    let arguments = json!({"file_path": "src/f.x"});
    let text = scene.ok(formatter(UPPER), arguments.clone()).await;
    assert_eq!(text, "src/f.x changed: 4 lines (2 removed, 2 added)");
    assert_eq!(fs::read(scene.path("src/f.x")).unwrap(), b"ONE\nTWO\nTHREE\n");
    let text = scene.ok(formatter(UPPER), arguments).await;
    assert_eq!(text, "src/f.x is already formatted");
}

#[tokio::test]
async fn a_failure_shows_what_the_formatter_said() {
    let scene = Scene::new();
    scene.file("-f.X", "one\n");
    let table = [
        (
            "echo line 1 is bad >&2; exit 3",
            "the formatter failed with exit code 3; -f.X is unchanged\nline 1 is bad",
        ),
        (
            r#"echo more >>"$1"; echo half done; exit 1"#,
            "the formatter failed with exit code 1; -f.X changed all the same: 1 lines (0 removed, \
             1 added)\nhalf done",
        ),
    ];
    for (script, expected) in table {
        let outcome = scene.run(formatter(script), json!({"file_path": "-f.X"})).await;
        assert_eq!((outcome.status(), &*outcome.text()), (Status::Failed, expected));
    }
}

#[tokio::test]
async fn a_formatter_that_is_missing_names_the_setting() {
    let scene = Scene::new();
    for file in ["f.x", "f.none", "f", "f.rs"] {
        scene.file(file, "");
    }
    scene.file(".fanfold/settings.json", "{}");
    let missing = |names: [&str; 2]| {
        let command = |name: &str| (name.to_owned(), vec![format!("no-such-{name}")]);
        let mut configured = BTreeMap::from(names.map(command));
        configured.insert("rs".to_owned(), Vec::new());
        FormatFile::new(configured)
    };
    let table = [
        (
            "f.x",
            "no formatter for .x is installed: looked for no-such-x; the setting `formatters` names \
             another one",
        ),
        (
            "f.none",
            "no formatter is configured for .none; the setting `formatters` names one, as in \
             {\"rs\": [\"rustfmt\"]}",
        ),
        (
            "f.rs",
            "no formatter is configured for .rs; the setting `formatters` names one, as in \
             {\"rs\": [\"rustfmt\"]}",
        ),
        ("f", "f has no extension, by which a formatter is chosen"),
        ("g.x", "no such file or directory: g.x (did you mean f.x?)"),
        (".", ". is a directory"),
        (
            ".fanfold/settings.json",
            ".fanfold/settings.json decides what Fanfold itself may do: no file tool writes it",
        ),
    ];
    for (path, expected) in table {
        let text = scene.failed(missing(["x", "json"]), json!({"file_path": path})).await;
        assert_eq!(text, expected);
    }
}

#[tokio::test]
async fn a_stop_ends_the_formatter() {
    let scene = Scene::new();
    scene.file("f.x", "one");
    let (handle, stop) = StopHandle::new();
    let run = scene.run_with(stop);
    let sink = run.sink.clone();
    let call =
        scene.prepared(formatter("echo started; exec sleep 600"), &json!({"file_path": "f.x"}));
    let running = tokio::spawn(call.run(run));
    while sink.total_bytes() == 0 {
        tokio::task::yield_now().await;
    }
    handle.stop(StopCause::Cancel);
    handle.kill(StopCause::Cancel);
    let outcome = running.await.unwrap();
    assert_eq!(outcome.status(), Status::Cancelled, "{}", outcome.text());
}

#[tokio::test]
async fn what_it_changed_is_known_to_the_agent() {
    let scene = Scene::new();
    let write = json!({"file_path": "f.x", "content": "one"});
    scene.ok(WriteFile, write.clone()).await;
    scene.ok(formatter(UPPER), json!({"file_path": "f.x"})).await;
    scene.ok(WriteFile, write).await;
}

#[test]
fn differences_are_counted() {
    let table = [
        ("", "", None),
        ("a\n", "a\n", None),
        ("", "a\n", Some((0, 1))),
        ("a\n", "", Some((1, 0))),
        ("a\n", "a", Some((1, 1))),
        ("a\nb\nc\n", "b\nc\na\n", Some((1, 1))),
        ("a\nb\nc\nd\n", "x\na\nc\ny\nd\n", Some((1, 2))),
        ("a\r\nb\r\n", "a\nb\n", Some((2, 2))),
        ("a\nb\na\nb\n", "b\na\nb\na\n", Some((1, 1))),
        ("a\nb\nc\na\nb\nb\na\n", "c\nb\na\nb\na\nc\n", Some((3, 2))),
    ];
    for (old, new, expected) in table {
        let expected = expected.map(|(removed, added)| Difference::Lines { removed, added });
        assert_eq!(
            Difference::between(old.as_bytes(), new.as_bytes()),
            expected,
            "{old:?} {new:?}"
        );
    }
    let numbers = |from: usize| (from..from + 3_000).map(|n| format!("{n}\n")).collect::<String>();
    let many = Difference::between(numbers(0).as_bytes(), numbers(3_000).as_bytes());
    assert_eq!(many.map(|many| many.to_string()).as_deref(), Some("more than 2,000 lines"));
}
