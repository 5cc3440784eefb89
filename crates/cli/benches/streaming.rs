//! How soon the next request comes when calls start while the reply that asks for them still streams.
//!
//! The reply's first call is complete after 100 ms, its second after 600, its end comes after 1,000; each
//! call takes 500. So the next request can come after 1,100 at the earliest. Real processes and a strict
//! provider on loopback, median of many. Not here: proof that calls overlap, which is a test.

#![expect(clippy::print_stdout, reason = "a bench prints its table")]

use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::mpsc::channel;
use std::thread;

use fanfold_model::Script;
use fanfold_testkit::StrictServer;
use serde_json::{Value, json};
use tokio::runtime::Builder;

const ROUNDS: usize = 15;

/// A model of each wire.
const MODELS: [&str; 4] = [
    "anthropic/claude-sonnet-4-5",
    "openai/gpt-5",
    "openai-chat/gpt-5.5",
    "gemini/gemini-3.8-flash",
];

/// A tool that is a process of its own; two calls of it may overlap.
const SETTINGS: &str = r#"{"tools": {"ponder": {
    "description": "Ponders.",
    "input_schema": {"type": "object", "properties": {}},
    "command": ["sleep", "0.5"],
    "groups": "independent"
}}}"#;

fn main() {
    println!("| model | wait of 0.5 s, twice | command `sleep 0.5`, twice |");
    println!("| --- | --- | --- |");
    let calls = [
        json!({"tool": "wait", "arguments": {"seconds": 0.5}}),
        json!({"tool": "ponder", "arguments": {}}),
    ];
    for model in MODELS {
        let [wait, command] = calls.each_ref().map(|call| median(model, call));
        println!("| {model} | {wait} ms | {command} ms |");
    }
}

/// The median of the milliseconds from the first request to the second one.
fn median(model: &str, call: &Value) -> u64 {
    let mut times: Vec<u64> = (0..ROUNDS).map(|_| time(model, call)).collect();
    times.sort_unstable();
    times[ROUNDS / 2]
}

fn time(model: &str, call: &Value) -> u64 {
    let script = json!({"replies": [
        {"say": [{"call": call, "at_ms": 100}, {"call": call, "at_ms": 600}], "ends_at_ms": 1_000},
        {"say": [{"text": "Done."}]},
    ]});
    let script = Script::parse(&script.to_string()).expect("a script");
    let (started, url) = channel();
    let (end, ended) = tokio::sync::oneshot::channel::<()>();
    let provider = thread::spawn(move || {
        let runtime = Builder::new_current_thread().enable_all().build().expect("a runtime");
        runtime.block_on(async {
            let server = StrictServer::start(script).await.expect("a port");
            started.send(server.url()).expect("somebody waits for it");
            ended.await.ok();
            server.requests()
        })
    });
    turn(model, &url.recv().expect("the provider starts"));
    drop(end);
    let requests = provider.join().expect("the provider does not panic");
    assert!(requests.iter().all(|request| request.refusal.is_none()), "{requests:?}");
    let [first, second] = &requests[..] else { panic!("{} requests", requests.len()) };
    second.at_ms - first.at_ms
}

fn turn(model: &str, url: &str) {
    let home = tempfile::tempdir().expect("a folder");
    settings(home.path());
    let mut command = Command::new(env!("CARGO_BIN_EXE_fanfold"));
    command.args(["run", "--yes", "--model", model, "Go."]).current_dir(home.path());
    for name in ["HOME", "FANFOLD_HOME", "XDG_CONFIG_HOME"] {
        command.env(name, home.path());
    }
    for name in ["ANTHROPIC", "OPENAI", "GEMINI"] {
        let version = if name == "OPENAI" { "/v1" } else { "" };
        command.env(format!("{name}_API_KEY"), "any");
        command.env(format!("{name}_BASE_URL"), format!("{url}{version}"));
    }
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let status = command.status().expect("the program starts");
    assert!(status.success(), "{model}");
}

fn settings(home: &Path) {
    let folder = home.join("fanfold");
    std::fs::create_dir(&folder).expect("a new folder");
    std::fs::write(folder.join("settings.json"), SETTINGS).expect("a file");
}
