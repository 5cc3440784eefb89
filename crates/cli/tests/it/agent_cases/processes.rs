//! Processes of calls while an agent works: none outlives its call, whatever ends the agent.
//!
//! Not here: what one batch shows (`cases/stops.rs`).

use std::process::Stdio;

use nix::sys::signal::Signal;
use serde_json::json;

use super::{MODEL, answer, say, shell};
use crate::agent::site::{Site, processes_of};
use crate::run::{ended, script};
use crate::stop::{processes_with, signal, until_exists};
use crate::{Run, text};

// https://github.com/earendil-works/pi/pull/3056
#[test]
fn no_process_of_a_call_outlives_the_agent_whatever_signal_ends_it() {
    for by in [Signal::SIGHUP, Signal::SIGTERM, Signal::SIGINT, Signal::SIGQUIT] {
        let run = Run::new();
        let seconds = format!("89{}{}", by as i32, std::process::id());
        let line =
            format!("(setsid sleep {seconds} &); sleep {seconds} & touch up; sleep {seconds}");
        let model = script(&run, &json!([say(&[shell(&line)]), answer("Never.")]));
        let mut command = run.command(&["run", "--yes", "--model", &model, "go"]);
        let child = command.stdin(Stdio::null()).spawn().unwrap();
        until_exists(&run.path().join("up"));
        signal(&child, by);
        let output = child.wait_with_output().unwrap();
        assert_ne!(output.status.code(), Some(0), "{by}: {}", text(&output.stderr));
        assert_eq!(processes_with(&seconds), [""; 0], "{by}");
    }
}

// https://github.com/anthropics/claude-code/issues/93794
#[test]
fn what_a_call_left_running_is_gone_when_the_model_is_asked_again() {
    let run = Run::new();
    let seconds = format!("88{}", std::process::id());
    let left = format!("for i in 1 2 3; do sleep {seconds} > /dev/null & done; echo $!");
    // The brackets keep the look from finding itself.
    let look = format!("ps -eo args | grep -c '[s]leep {seconds}'");
    let model = script(
        &run,
        &json!([
            say(&[shell(&left)]),
            say(&[shell(&look)]),
            {"when": {"last_contains": "Exit code: 1\n0\n"}, "say": [{"text": "None is left."}]},
            answer("Some are left."),
        ]),
    );
    let (code, stdout, stderr) = ended(&run.with(&["run", "--yes", "--model", &model, "go"], b""));
    assert_eq!((code, &*stdout), (0, "None is left.\n"), "{stderr}");
}

// https://github.com/savvagent/light-factory/issues/19
#[test]
fn a_call_does_not_read_what_the_agent_is_told() {
    let run = Run::new();
    let model = script(
        &run,
        &json!([
            say(&[shell("cat; echo end")]),
            {"when": {"last_contains": "Exit code: 0\nend\n"}, "say": [{"text": "It read nothing."}]},
            answer("It read something."),
        ]),
    );
    let arguments = ["run", "--yes", "--model", &model, "-"];
    let (code, stdout, stderr) = ended(&run.with(&arguments, b"a long prompt\nof two lines\n"));
    assert_eq!((code, &*stdout), (0, "It read nothing.\n"), "{stderr}");
}

// https://github.com/macanderson/stella/pull/582
#[test]
fn a_killed_agents_processes_are_ended_by_the_next_one() {
    let site = Site::new(&json!([
        say(&[shell("setsid sleep 600 & touch up; sleep 600")]),
        answer("Here again."),
    ]));
    let working = site.start(&["--model", MODEL, "go"]);
    until_exists(&site.file("up"));
    working.kill();
    let session = site.session();
    site.turn(&["--session", "last"]).answered("Here again.");
    assert_eq!(processes_of(&session), [""; 0]);
}
