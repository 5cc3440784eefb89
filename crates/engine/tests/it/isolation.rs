//! One call fails, its siblings don't care.

use std::path::Path;

use fanfold_schedule::Footprint;
use fanfold_testkit::{MadeTool, Meeting};
use fanfold_tools::Toolbox;
use fanfold_transcript::{Arguments, ArgumentsProblem, Block, Call, CallId, Outcome};
use serde_json::json;

use crate::{endings, run, setting};

fn toolbox(meeting: &Meeting) -> Toolbox {
    let meeting = meeting.clone();
    Toolbox::default()
        .with(MadeTool::new("panics", |_, _| async { panic!("on purpose") }))
        .with(MadeTool::new("fails", |_, _| async { Outcome::tool_error("says no") }))
        .with(MadeTool::new("denied", |_, _| async { Outcome::ok_text("never") }))
        .with(MadeTool::new("meets", move |_, _| {
            let meeting = meeting.clone();
            async move {
                match meeting.arrive().await {
                    Ok(()) => Outcome::ok_text("met"),
                    Err(text) => Outcome::tool_error(text),
                }
            }
        }))
}

// https://github.com/openai/openai-agents-python/pull/2584
#[tokio::test]
async fn a_panicking_a_failing_a_denied_and_an_unknown_call_leave_their_siblings_alone() {
    let toolbox = toolbox(&Meeting::of(4));
    let setting = fanfold_testkit::setting(Path::new("/"), toolbox, 10, &["denied"]);
    let names = ["meets", "panics", "meets", "fails", "denied", "meets", "unknown", "meets"];
    let calls = names.map(|name| (name, json!({})));
    let (reply, _) = run(&setting, &calls).await;
    assert_eq!(
        endings(&reply),
        [
            "ok",
            "failed panicked",
            "ok",
            "failed tool_error",
            "declined denied_by_rule",
            "ok",
            "declined unknown_tool",
            "ok"
        ]
    );
    let text = reply.calls().nth(1).unwrap().outcome().unwrap().text();
    assert_eq!(text, "the tool panicked: on purpose");
}

// https://github.com/tontinton/maki/pull/295
// https://github.com/macanderson/stella/issues/3141
#[tokio::test]
async fn a_batch_of_one_that_panics_is_answered_with_the_words_of_the_panic() {
    let broken = MadeTool::new("broken", |arguments, _| async move {
        panic!("no such place: {}", arguments["at"])
    });
    let setting = setting(Toolbox::default().with(broken), 10);
    let (reply, _) = run(&setting, &[("broken", json!({"at": 7}))]).await;
    assert_eq!(endings(&reply), ["failed panicked"]);
    let text = reply.calls().next().unwrap().outcome().unwrap().text();
    assert_eq!(text, "the tool panicked: no such place: 7");
}

#[tokio::test]
async fn a_footprint_that_panics_counts_as_exclusive() {
    let broken = MadeTool::new("broken", |_, _| async { Outcome::ok_text("ran") })
        .touching(|_| panic!("no footprint"));
    let calm = MadeTool::new("calm", |_, _| async { Outcome::ok_text("ran") });
    let setting = setting(Toolbox::default().with(broken).with(calm), 10);
    let calls = [("broken", json!({})), ("calm", json!({}))];
    let (reply, record) = run(&setting, &calls).await;
    assert_eq!(endings(&reply), ["ok", "ok"]);
    let footprint = &record.calls[&CallId::new(1)].footprint;
    assert_eq!(*footprint, Some(Footprint::exclusive()));
    assert_eq!(record.calls[&CallId::new(2)].waits[0].wait.to_string(), "c1 (exclusive)");
}

#[tokio::test]
async fn cut_and_unreadable_calls_are_declined_in_their_place() {
    let calm = MadeTool::new("calm", |_, _| async { Outcome::ok_text("ran") });
    let setting = setting(Toolbox::default().with(calm), 10);
    let mut reply = fanfold_testkit::reply(&[("calm", json!({}))]);
    let problem = Arguments::Unreadable(ArgumentsProblem::NotAnObject("an array".into()));
    reply.blocks.insert(0, Block::call(Call::new(CallId::new(7), "calm", Arguments::Cut)));
    reply.blocks.push(Block::call(Call::new(CallId::new(8), "calm", problem)));
    let (_commands, mut receiver) = tokio::sync::mpsc::channel(1);
    fanfold_engine::run_batch(&setting, &mut reply, &mut receiver, &mut |_, _| {}).await;
    assert_eq!(endings(&reply), ["declined cut_arguments", "ok", "declined bad_arguments"]);
}
