//! Twelve calls with conflicts, in every mode: is the outcome right, and how near is the bound?
//!
//! The batch: read r0, read r1, edit a, edit b, edit a, read a, read r2, shell (rewrites a), read r3,
//! read r4, shell (rewrites r5), read r5. A read takes 50 ms, an edit 30 ms between its read and its
//! write, a shell 100 ms. Real files; an outcome is right if every result and every file is what
//! running the list one by one gives. The bound is the same schedule in virtual time, without any cost
//! of its own. Not here: the built-in tools, whose own work would blur the figures.

#![expect(clippy::print_stdout, reason = "a bench prints its table")]

use std::path::PathBuf;
use std::time::{Duration, Instant};

use fanfold_engine::{Setting, run_batch};
use fanfold_schedule::{Claim, Footprint, Groups, Lane, Limits, Resource, Role, Schedule};
use fanfold_testkit::MadeTool;
use fanfold_tools::Toolbox;
use fanfold_transcript::{CallId, Outcome};
use serde_json::{Map, Value, json};
use tokio::runtime::Builder;
use tokio::sync::mpsc;

const RUNS: usize = 100;

/// Tool, file and milliseconds of each call, in the order of the reply.
const CALLS: [(&str, &str, u64); 12] = [
    ("read", "r0", 50),
    ("read", "r1", 50),
    ("edit", "a", 30),
    ("edit", "b", 30),
    ("edit", "a", 30),
    ("read", "a", 50),
    ("read", "r2", 50),
    ("shell", "a", 100),
    ("read", "r3", 50),
    ("read", "r4", 50),
    ("shell", "r5", 100),
    ("read", "r5", 50),
];

fn main() {
    let modes = [
        ("default: one fs group", Limits::default(), Groups::named("fs")),
        ("fs_group by_path", Limits::default(), Groups::independent()),
        ("max_parallel_tools 1", Limits { slots: 1, claims: true }, Groups::named("fs")),
    ];
    let runtime = Builder::new_current_thread().enable_all().build().expect("a runtime");
    println!("| mode | right | bound | median | over the bound |");
    println!("| --- | --- | --- | --- | --- |");
    for (name, limits, fs) in modes {
        let bound = bound(limits, &fs);
        let runs: Vec<(bool, Duration)> =
            (0..RUNS).map(|_| runtime.block_on(one(limits, &fs))).collect();
        let right = runs.iter().filter(|(right, _)| *right).count();
        let mut times: Vec<f64> = runs.iter().map(|(_, time)| time.as_secs_f64() * 1e3).collect();
        times.sort_by(f64::total_cmp);
        let median = times[RUNS / 2];
        let bound_ms = f64::from(u32::try_from(bound).expect("a second or so"));
        let over = (median / bound_ms - 1.0) * 100.0;
        println!("| {name} | {right}/{RUNS} | {bound} ms | {median:.1} ms | {over:.1} % |");
    }
}

fn footprint(tool: &str, file: &str, fs: &Groups) -> Footprint {
    let path = Resource::Path(format!("/w/{file}").into());
    match tool {
        "read" => Footprint::independent().with(Claim::read(path)),
        "edit" => Footprint { groups: fs.clone(), claims: vec![Claim::write(path)] },
        _ => Footprint::exclusive(),
    }
}

/// The makespan in milliseconds if starting, ending and waking cost nothing.
fn bound(limits: Limits, fs: &Groups) -> u64 {
    let mut schedule = Schedule::new(limits);
    let batch = schedule.open_batch();
    for (n, (tool, file, _)) in (1..).zip(CALLS) {
        let lane = Lane::Batch(batch);
        schedule.submit(CallId::new(n), lane, Role::Leaf, footprint(tool, file, fs));
    }
    let (mut now, mut running) = (0, Vec::new());
    loop {
        while let Some(call) = schedule.next_ready() {
            let index = usize::try_from(call.number() - 1).expect("twelve calls");
            running.push((now + CALLS[index].2, call));
        }
        running.sort_unstable();
        if running.is_empty() {
            return now;
        }
        let (ended, call) = running.remove(0);
        now = ended;
        schedule.finish(call);
    }
}

/// One run in a folder of its own: whether it was right, and how long it took.
async fn one(limits: Limits, fs: &Groups) -> (bool, Duration) {
    let folder = tempfile::tempdir().expect("a folder");
    for file in ["r0", "r1", "r2", "r3", "r4", "r5", "a", "b"] {
        std::fs::write(folder.path().join(file), "0").expect("a file");
    }
    let setting = setting(folder.path().to_owned(), limits, fs);
    let calls = CALLS.map(|(tool, file, ms)| (tool, json!({"file": file, "ms": ms})));
    let mut reply = fanfold_testkit::reply(&calls);
    let (_commands, mut receiver) = mpsc::channel(1);
    let begun = Instant::now();
    run_batch(&setting, &mut reply, &mut receiver, &mut |_, _| {}).await;
    let time = begun.elapsed();
    let results = reply.calls().map(|call| call.outcome().expect("settled").text());
    let files = ["a", "b", "r5"].map(|file| read(folder.path().join(file)));
    (results.eq(serial(&files)), time)
}

/// What one by one gives: each result, if the files end as they should.
fn serial(files: &[String; 3]) -> Vec<String> {
    if *files != ["0eesss", "0e", "0sss"].map(String::from) {
        return Vec::new();
    }
    let results = ["0", "0", "0e", "0e", "0ee", "0ee", "0", "0eesss", "0", "0", "0sss", "0sss"];
    results.map(String::from).to_vec()
}

fn read(path: PathBuf) -> String {
    std::fs::read_to_string(path).unwrap_or_default()
}

fn setting(folder: PathBuf, limits: Limits, fs: &Groups) -> Setting {
    let tool = |name: &'static str, added: &'static str| {
        let (folder, fs) = (folder.clone(), fs.clone());
        let text = |arguments: &Map<String, Value>, key: &str| {
            arguments[key].as_str().expect("a text").to_owned()
        };
        MadeTool::new(name, move |arguments, _| {
            let path = folder.join(text(&arguments, "file"));
            let ms = arguments["ms"].as_u64().expect("a number");
            async move {
                let before = read(path.clone());
                tokio::time::sleep(Duration::from_millis(ms)).await;
                if added.is_empty() {
                    return Outcome::ok_text(before);
                }
                let after = before + added;
                std::fs::write(&path, &after).expect("a file");
                Outcome::ok_text(after)
            }
        })
        .touching(move |arguments| footprint(name, &text(arguments, "file"), &fs))
    };
    let tools = [("read", ""), ("edit", "e"), ("shell", "sss")];
    let toolbox = tools
        .into_iter()
        .fold(Toolbox::default(), |all, (name, added)| all.with(tool(name, added)));
    Setting { limits, ..fanfold_testkit::setting(&folder, toolbox, limits.slots, &[]) }
}
