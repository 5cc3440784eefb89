//! Stop means stop: nothing new starts, what runs is told, every call has its outcome.

use fanfold_engine::{Command, run_batch};
use fanfold_testkit::{MadeTool, Meeting};
use fanfold_tools::Toolbox;
use fanfold_transcript::Outcome;
use serde_json::json;
use tokio::sync::mpsc;

use crate::{endings, run_with, setting};

/// Tools that end at once, when told, or never.
fn toolbox(started: &Meeting) -> Toolbox {
    let (quick, polite, deaf) = (started.clone(), started.clone(), started.clone());
    Toolbox::default()
        .with(MadeTool::new("quick", move |_, _| {
            let started = quick.clone();
            async move {
                started.arrive().await.expect("all run");
                Outcome::ok_text("done")
            }
        }))
        .with(MadeTool::new("polite", move |_, run| {
            let started = polite.clone();
            async move {
                started.arrive().await.expect("all run");
                Outcome::of_text(run.stop.stopped().await.ending(), "half done")
            }
        }))
        .with(MadeTool::new("deaf", move |_, _| {
            let started = deaf.clone();
            async move {
                started.arrive().await.expect("all run");
                std::future::pending().await
            }
        }))
}

async fn stopped_by(command: Command) -> Vec<String> {
    let started = Meeting::of(5);
    let setting = setting(toolbox(&started), 4);
    let (sender, receiver) = mpsc::channel(1);
    let calls = ["quick", "polite", "deaf", "quick"].map(|name| (name, json!({})));
    let stopper = async {
        started.arrive().await.expect("all run");
        sender.send(command).await.expect("the batch listens");
    };
    let ((reply, _), ()) = tokio::join!(run_with(&setting, &calls, receiver), stopper);
    endings(&reply)
}

#[tokio::test(start_paused = true)]
async fn a_stop_keeps_what_finished_and_gives_up_what_never_ends() {
    let endings = stopped_by(Command::Stop).await;
    assert_eq!(endings, ["ok", "interrupted stopped", "interrupted stopped", "ok"]);
}

#[tokio::test(start_paused = true)]
async fn a_kill_needs_no_grace() {
    let endings = stopped_by(Command::Kill).await;
    assert_eq!(endings, ["ok", "interrupted stopped", "interrupted stopped", "ok"]);
}

#[tokio::test]
async fn a_call_that_waits_when_the_stop_comes_is_skipped() {
    let started = Meeting::of(2);
    let polite = {
        let started = started.clone();
        MadeTool::new("polite", move |_, run| {
            let started = started.clone();
            async move {
                started.arrive().await.expect("it runs");
                Outcome::of_text(run.stop.stopped().await.ending(), "half done")
            }
        })
    };
    let setting = setting(Toolbox::default().with(polite), 1);
    let (sender, mut receiver) = mpsc::channel(1);
    let mut reply = fanfold_testkit::reply(&[("polite", json!({})), ("polite", json!({}))]);
    let mut seen = Vec::new();
    let mut watch = |_, update: fanfold_engine::Update<'_>| seen.push(format!("{update:?}"));
    let stopper = async {
        started.arrive().await.expect("it runs");
        sender.send(Command::Stop).await.expect("the batch listens");
    };
    tokio::join!(run_batch(&setting, &mut reply, &mut receiver, &mut watch), stopper);
    assert_eq!(endings(&reply), ["interrupted stopped", "skipped stopped"]);
    assert_eq!(seen.iter().filter(|line| line.starts_with("Started")).count(), 1);
}
