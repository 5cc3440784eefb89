//! The driver of one batch, with made-up tools and real ones.

mod isolation;
mod order;
mod sessions;
mod slow_disk;
mod stopping;

use std::path::Path;

use fanfold_engine::{BatchRecord, Command, Setting, run_batch};
use fanfold_tools::Toolbox;
use fanfold_transcript::Assistant;
use serde_json::Value;
use tokio::sync::mpsc;

/// Runs calls in a directory and gives the settled reply.
async fn run(setting: &Setting, calls: &[(&str, Value)]) -> (Assistant, BatchRecord) {
    let (_commands, receiver) = mpsc::channel(1);
    run_with(setting, calls, receiver).await
}

async fn run_with(
    setting: &Setting,
    calls: &[(&str, Value)],
    mut commands: mpsc::Receiver<Command>,
) -> (Assistant, BatchRecord) {
    let mut reply = fanfold_testkit::reply(calls);
    let record = run_batch(setting, &mut reply, &mut commands, &mut |_, _| {}).await;
    (reply, record)
}

/// `status` or `status reason` of each call, in order.
fn endings(reply: &Assistant) -> Vec<String> {
    let ending = |call: &fanfold_transcript::Call| {
        let ending = call.outcome().expect("settled").ending;
        match ending.reason() {
            None => ending.status().to_string(),
            Some(reason) => format!("{} {reason}", ending.status()),
        }
    };
    reply.calls().map(ending).collect()
}

fn setting(toolbox: Toolbox, slots: usize) -> Setting {
    fanfold_testkit::setting(Path::new("/"), toolbox, slots, &[])
}
