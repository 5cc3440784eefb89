//! What a command's outcome says.

use fanfold_transcript::{Cut, Decline, Ending, Failure};
use serde_json::json;

use crate::bench::{Bench, bounded};

// https://github.com/savvagent/light-factory/issues/19
#[tokio::test]
async fn outcomes() {
    let table = [
        ("echo hi", 0, "Exit code: 0\nhi\n"),
        ("true", 0, "Exit code: 0"),
        ("printf hi", 0, "Exit code: 0\nhi"),
        ("exit 3", 3, "Exit code: 3"),
        ("echo out; echo err >&2; exit 1", 1, "Exit code: 1\nout\nstderr:\nerr\n"),
        ("printf out; printf err >&2", 0, "Exit code: 0\nout\nstderr:\nerr"),
        ("kill -9 $$", 137, "Exit code: 137 (killed by signal 9)"),
        ("kill -TERM $$", 143, "Exit code: 143 (killed by signal 15)"),
        ("(exit 255)", 255, "Exit code: 255"),
        ("cat; echo end", 0, "Exit code: 0\nend\n"),
        (r"printf 'a\xffb\0c\n'", 0, "Exit code: 0\na\u{fffd}b\\0c\n"),
        (r"printf '\033[31mred\033[0m\n'", 0, "Exit code: 0\nred\n"),
        (
            "echo $TERM $NO_COLOR $PAGER $GIT_PAGER $GIT_TERMINAL_PROMPT",
            0,
            "Exit code: 0\ndumb 1 cat cat 0\n",
        ),
        ("[[ a == a ]] && echo bash", 0, "Exit code: 0\nbash\n"),
        ("yes | head -1", 0, "Exit code: 0\ny\n"),
    ];
    for (command, code, text) in table {
        let outcome = Bench::new().run(command).await;
        assert_eq!((&*outcome.text(), outcome.exit_code), (text, Some(code)), "{command}");
        let ending = if code == 0 { Ending::Ok } else { Ending::Failed(Failure::ExitCode) };
        assert_eq!((outcome.ending, outcome.cut), (ending, None), "{command}");
    }
}

#[tokio::test]
async fn a_command_that_begins_like_an_option_is_a_command() {
    let outcome = Bench::new().run("-x").await;
    assert_eq!(outcome.exit_code, Some(127));
    assert!(outcome.text().contains("-x: command not found"), "{}", outcome.text());
}

#[tokio::test]
async fn a_command_runs_in_the_directory_and_carries_the_mark() {
    let bench = Bench::new();
    let outcome = bench.run("pwd -P; echo $FANFOLD_CALL").await;
    let directory = bench.path().canonicalize().unwrap();
    let expected = format!("Exit code: 0\n{}\n{}\n", directory.display(), bench.mark());
    assert_eq!(outcome.text(), expected);
}

#[tokio::test]
async fn long_output_keeps_both_ends_and_its_counts() {
    let outcome = Bench::new().run("seq 100000; seq 3 >&2").await;
    let text = outcome.text();
    assert!(text.starts_with("Exit code: 0\n1\n2\n") && text.ends_with("\nstderr:\n1\n2\n3\n"));
    assert!(text.contains("of 588895 bytes in 100000 lines]\n"), "{text}");
    assert_eq!(outcome.bytes, 588_895 + 6);
    assert_eq!(outcome.cut, Some(Cut { bytes: 588_895 + 6, lines: 100_003 }));
}

#[tokio::test]
async fn arguments_that_cannot_be_run_are_declined() {
    let table = [
        (json!({"command": " "}), Decline::BadArguments, "`command` is empty"),
        (json!({"command": "a\0b"}), Decline::BadArguments, "NUL"),
        (json!({"command": "a", "timeout_ms": 0}), Decline::BadArguments, "1 to 600000, not 0"),
        (json!({"command": "a", "timeout_ms": 600_001}), Decline::BadArguments, "not 600001"),
        (json!({"command": "a", "run_in_background": true}), Decline::NotHere, "need a session"),
    ];
    for (arguments, reason, text) in table {
        let outcome = bounded(Bench::new().start(&arguments).running).await;
        assert_eq!(outcome.ending, Ending::Declined(reason), "{arguments}");
        assert!(outcome.text().contains(text), "{}", outcome.text());
    }
}

#[tokio::test]
async fn null_is_absent() {
    let arguments = json!({
        "command": "echo hi", "description": null, "timeout_ms": null, "run_in_background": null,
    });
    assert!(bounded(Bench::new().start(&arguments).running).await.is_ok());
}

#[tokio::test]
async fn what_cannot_be_started_says_why() {
    let bench = Bench::new();
    let started = bench.command("true");
    std::fs::remove_dir(bench.path()).unwrap();
    let outcome = started.outcome().await;
    assert_eq!(outcome.ending, Ending::Failed(Failure::ToolError));
    assert!(outcome.text().contains("cannot start bash: its working directory"));

    let outcome = Bench::new().run(&format!("true {}", "x".repeat(3_000_000))).await;
    assert_eq!(outcome.ending, Ending::Failed(Failure::ToolError));
    assert!(outcome.text().contains("too long"), "{}", outcome.text());
}
