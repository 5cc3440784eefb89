//! How long the program takes to start and to ask a model, and how much memory that needs.
//!
//! Whole processes, median of many, against `true` as the floor. The model is a listener on loopback
//! that answers at once. Not here: what the calls cost, and a provider's TLS.

#![expect(clippy::print_stdout, reason = "a bench prints its table")]

use std::fs;
use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;
use std::time::{Duration, Instant};

use nix::sys::resource::{UsageWho, getrusage};

const ROUNDS: usize = 101;

/// One call that only looks, so that the whole way is gone: decode, gate, schedule, run, answer.
const REPLY: &str = r#"{"tool_name": "Ls", "tool_args": {"path": "src"}}"#;

/// One word of a model, played from a file.
const SCRIPT: &str = r#"{"replies": [{"say": [{"text": "Hello."}], "repeat": true}]}"#;

/// One word of a model, as Anthropic streams it.
const ANSWER: &str = concat!(
    "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n",
    r#"data: {"type":"message_start","message":{"id":"m","type":"message","role":"assistant","#,
    r#""model":"m","content":[],"usage":{"input_tokens":1,"output_tokens":1}}}"#,
    "\n\n",
    r#"data: {"type":"content_block_start","index":0,"content_block":{"type":"text","text":"Hello."}}"#,
    "\n\ndata: {\"type\":\"content_block_stop\",\"index\":0}\n\n",
    r#"data: {"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":1}}"#,
    "\n\ndata: {\"type\":\"message_stop\"}\n\n",
);

fn main() {
    let home = tempfile::tempdir().expect("a folder");
    let script = home.path().join("script.json");
    fs::write(&script, SCRIPT).expect("a file");
    let model = format!("script:{}", script.display());
    let (url, requests) = serve();
    let fanfold =
        |arguments: &[&str]| program(env!("CARGO_BIN_EXE_fanfold"), arguments, home.path());
    println!("| program | median | peak memory so far |");
    println!("| --- | --- | --- |");
    row("floor: `true`", "", || program("true", &[], home.path()));
    row("`fanfold --version`", "", || fanfold(&["--version"]));
    row("`fanfold exec`, one Ls", REPLY, || fanfold(&["exec"]));
    row("`fanfold run`, script, one word", "", || fanfold(&["run", "--model", &model, "hi"]));
    let mut firsts = Vec::new();
    row("`fanfold run`, HTTP, one word", "", || {
        firsts.push(Instant::now());
        fanfold(&["run", "--model", "anthropic/m", "--base-url", &url, "hi"])
    });
    let waits = firsts.iter().map(|begun| requests.recv().expect("a request") - *begun);
    let first = median(waits.collect());
    println!("| of it, to the first request | {first:.2} ms | |");
    row("floor: one bash, 16 × `true; echo` in it", "", || {
        program("bash", &["-c", &bash_script()], home.path())
    });
    let shells = || fanfold(&["exec", "--yes"]);
    row("`fanfold exec --yes`, 16 × Shell `true; echo`", &exec_shells(), shells);
}

/// Sixteen shells in one reply, each a process of its own.
fn exec_shells() -> String {
    let call =
        |n: usize| format!(r#"{{"tool_name":"Shell","tool_args":{{"command":"true; echo {n}"}}}}"#);
    format!("[{}]", (0..16).map(call).collect::<Vec<_>>().join(","))
}

fn bash_script() -> String {
    (0..16).map(|n| format!("bash -c 'true; echo {n}'; ")).collect()
}

/// A program that keeps all it keeps in this folder.
fn program(name: &str, arguments: &[&str], home: &Path) -> Command {
    let mut program = Command::new(name);
    for variable in ["FANFOLD_HOME", "HOME", "XDG_CONFIG_HOME"] {
        program.env(variable, home);
    }
    program.args(arguments).env("ANTHROPIC_API_KEY", "none");
    program
}

fn row(name: &str, input: &str, mut program: impl FnMut() -> Command) {
    let times = (0..ROUNDS).map(|_| time(program(), input)).collect();
    let peak = getrusage(UsageWho::RUSAGE_CHILDREN).expect("usage of children").max_rss();
    println!("| {name} | {:.2} ms | {peak} KiB |", median(times));
}

fn time(mut program: Command, input: &str) -> Duration {
    let begun = Instant::now();
    let mut child = program
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program starts");
    // A program that does not read its input may be gone already.
    child.stdin.take().expect("a pipe").write_all(input.as_bytes()).ok();
    let status = child.wait().expect("it ends");
    assert!(status.success(), "{program:?}");
    begun.elapsed()
}

/// Milliseconds.
fn median(mut times: Vec<Duration>) -> f64 {
    times.sort();
    times[times.len() / 2].as_secs_f64() * 1e3
}

/// A server for as long as the program runs: its address, and when each request was there whole.
fn serve() -> (String, Receiver<Instant>) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("it has one");
    let (sender, requests) = mpsc::channel();
    thread::spawn(move || {
        for stream in listener.incoming() {
            answer(stream.expect("a client"), &sender);
        }
    });
    (format!("http://{address}"), requests)
}

fn answer(mut stream: TcpStream, requests: &Sender<Instant>) {
    let (mut request, mut piece) = (Vec::new(), [0; 65_536]);
    while !is_whole(&request) {
        let read = stream.read(&mut piece).expect("the rest of the request");
        assert!(read > 0, "the client is gone");
        request.extend_from_slice(&piece[..read]);
    }
    requests.send(Instant::now()).expect("somebody waits");
    stream.write_all(ANSWER.as_bytes()).expect("the client listens");
}

/// Whether the body is as long as the head says.
fn is_whole(request: &[u8]) -> bool {
    let text = String::from_utf8_lossy(request);
    let Some((head, body)) = text.split_once("\r\n\r\n") else { return false };
    let length = head.lines().find_map(|line| {
        let (name, value) = line.split_once(':')?;
        name.eq_ignore_ascii_case("content-length").then(|| value.trim().parse().ok())?
    });
    length.is_some_and(|length: usize| body.len() >= length)
}
