//! Harness cost per no-op call in memory: gate, footprint, schedule, task and outcome in it.
//!
//! A batch of N no-op calls against the floor, N bare tokio tasks joined in a `JoinSet`, measured in
//! the same run on the same runtime. 70 % Independent, 20 % Named, 10 % Exclusive, two path claims
//! of about 40 bytes a call; a second row has no conflicts at all. Not here: durability.

#![expect(clippy::print_stdout, reason = "a bench prints its table")]

use std::time::{Duration, Instant};

use fanfold_engine::{Setting, run_batch};
use fanfold_schedule::{Claim, Footprint, Groups, Resource};
use fanfold_testkit::MadeTool;
use fanfold_tools::Toolbox;
use fanfold_transcript::Outcome;
use serde_json::{Map, Value, json};
use tokio::runtime::{Builder, Runtime};
use tokio::sync::mpsc;
use tokio::task::JoinSet;

const ROUNDS: usize = 201;

fn main() {
    let mut single = Builder::new_current_thread();
    let mut multi = Builder::new_multi_thread();
    println!("| runtime | batch | floor: bare tasks | independent | mixed 70/20/10 |");
    println!("| --- | --- | --- | --- | --- |");
    for (name, builder) in [("one thread", &mut single), ("two threads", multi.worker_threads(2))] {
        let runtime = builder.enable_all().build().expect("a runtime");
        for count in [1, 8, 64, 1000] {
            // As in a session: whoever starts the tasks is itself a task of the runtime.
            let floor = median(count, || on(&runtime, floor(count)));
            let independent = median(count, || on(&runtime, harness(count, |_| json!({}))));
            let mixed = median(count, || on(&runtime, harness(count, mixed_arguments)));
            println!("| {name} | {count} | {floor:.2} µs | {independent:.2} µs | {mixed:.2} µs |");
        }
    }
}

fn on(runtime: &Runtime, round: impl Future<Output = Duration> + Send + 'static) -> Duration {
    runtime.block_on(runtime.spawn(round)).expect("a round does not panic")
}

/// Microseconds per call: the median over the rounds.
fn median(count: usize, mut round: impl FnMut() -> Duration) -> f64 {
    let mut times: Vec<Duration> = (0..ROUNDS).map(|_| round()).collect();
    times.sort();
    let calls = f64::from(u32::try_from(count).expect("a small batch"));
    times[ROUNDS / 2].as_secs_f64() * 1e6 / calls
}

async fn floor(count: usize) -> Duration {
    let begun = Instant::now();
    let mut set = JoinSet::new();
    for _ in 0..count {
        set.spawn(async { Outcome::ok_text("") });
    }
    while set.join_next().await.is_some() {}
    begun.elapsed()
}

async fn harness(count: usize, arguments: fn(usize) -> Value) -> Duration {
    let noop = MadeTool::new("noop", |_, _| async { Outcome::ok_text("") }).touching(footprint);
    let setting = setting(Toolbox::default().with(noop));
    let calls: Vec<(&str, Value)> = (0..count).map(|n| ("noop", arguments(n))).collect();
    let mut reply = fanfold_testkit::reply(&calls);
    let (_commands, mut receiver) = mpsc::channel(1);
    let begun = Instant::now();
    run_batch(&setting, &mut reply, &mut receiver, &mut |_, _| {}).await;
    begun.elapsed()
}

fn setting(toolbox: Toolbox) -> Setting {
    fanfold_testkit::setting(std::path::Path::new("/"), toolbox, 10, &[])
}

/// A deterministic mix of groups and claims.
fn mixed_arguments(n: usize) -> Value {
    let groups = match n % 10 {
        0..7 => "independent",
        7 | 8 => "fs",
        _ => "exclusive",
    };
    let path = |k: usize| format!("/workspace/project/src/module{:03}/file.rs", k * 7919 % 997);
    json!({"groups": groups, "reads": path(n), "writes": path(n + 500)})
}

fn footprint(arguments: &Map<String, Value>) -> Footprint {
    let text = |key: &str| arguments.get(key).and_then(Value::as_str);
    let groups = match text("groups") {
        None | Some("independent") => Groups::independent(),
        Some("exclusive") => Groups::Exclusive,
        Some(name) => Groups::named(name),
    };
    let path = |key: &str| text(key).map(|path| Resource::Path(path.into()));
    let reads = path("reads").map(Claim::read);
    let writes = path("writes").map(Claim::write);
    Footprint { groups, claims: reads.into_iter().chain(writes).collect() }
}
