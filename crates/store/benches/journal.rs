//! What a journal costs: lines waited for one by one and in groups, and a long journal read and folded.
//!
//! Medians, on the file system of the temporary folder. Beside the journal stands the floor: a plain
//! write and sync of as many bytes. Not here: whether what is written is right (`src/journal/tests`).
//! Without `--bench` it only shows that it works.
#![expect(clippy::print_stdout, reason = "a bench prints its table")]
#![expect(clippy::unwrap_used, reason = "a bench fails by a panic")]

use std::fs::File;
use std::hint::black_box;
use std::io::Write as _;
use std::path::Path;
use std::time::{Duration, Instant};

use fanfold_settings::Durability;
use fanfold_store::{Journal, Journaled, fold};
use fanfold_transcript::{
    AgentId, Arguments, Assistant, Block, Call, CallId, Content, EntryId, Fact, MessageId, Millis,
    Outcome, Session, SessionId, Source, Speaker, StepId, Wire,
};
use tokio::runtime::{Builder, Runtime};

const ROOT: AgentId = AgentId(0);
/// Calls of a step.
const CALLS: u32 = 8;

fn main() {
    let real = std::env::args().any(|arg| arg == "--bench");
    let folder = tempfile::tempdir().unwrap();
    let runtime = Builder::new_current_thread().build().unwrap();
    println!("| durability | lines per wait | µs per wait | µs per line | floor, µs per wait |");
    println!("|{}", "---|".repeat(5));
    for durability in [Durability::Full, Durability::Relaxed] {
        for batch in [1, 8, 64] {
            let rounds = if real { 300 } else { 3 };
            let path = folder.path().join(format!("{durability:?}-{batch}"));
            println!("{}", waits(&runtime, &path, durability, (batch, rounds)));
        }
    }
    let events = if real { 100_000 } else { 1_000 };
    let rounds = if real { 7 } else { 1 };
    println!("\n{}", resume(&folder.path().join("long"), events, rounds));
}

/// Appends a batch and waits for it, so many rounds.
fn waits(
    runtime: &Runtime,
    path: &Path,
    durability: Durability,
    (batch, rounds): (u32, u32),
) -> String {
    let journal = Journal::create(path, durability).unwrap();
    let mut floor = File::create(path.with_extension("floor")).unwrap();
    let (mut times, mut floors) = (Vec::new(), Vec::new());
    let mut bytes = 0;
    for round in 0..rounds {
        let start = Instant::now();
        let mut last = 0;
        for call in 1..=batch {
            let outcome = Outcome::ok_text("x".repeat(200));
            let fact = Fact::Settled { call: CallId::new(round * batch + call), outcome };
            last = journal.append(Millis(u64::from(round)), ROOT, &fact);
        }
        runtime.block_on(journal.written(last)).unwrap();
        times.push(start.elapsed());

        let length = path.metadata().unwrap().len();
        let group = vec![b'x'; usize::try_from(length - bytes).unwrap()];
        bytes = length;
        let start = Instant::now();
        floor.write_all(&group).unwrap();
        if durability == Durability::Full {
            floor.sync_data().unwrap();
        }
        floors.push(start.elapsed());
    }
    journal.close().unwrap();
    let (time, floor) = (micros(median(times)), micros(median(floors)));
    let line = time / f64::from(batch);
    format!("| {durability:?} | {batch} | {time:.0} | {line:.1} | {floor:.0} |")
}

/// Reads and folds a journal of so many lines.
fn resume(path: &Path, events: usize, rounds: u32) -> String {
    let journal = Journal::create(path, Durability::Relaxed).unwrap();
    for fact in session().take(events) {
        journal.append(Millis(0), ROOT, &fact);
    }
    journal.close().unwrap();
    let (mut reads, mut folds) = (Vec::new(), Vec::new());
    for _ in 0..rounds {
        let start = Instant::now();
        let journaled = Journaled::read(path).unwrap();
        reads.push(start.elapsed());
        assert_eq!((journaled.lines.len(), journaled.problems.len()), (events, 0));
        let start = Instant::now();
        let (conversation, problems) = fold(journaled.lines, ROOT);
        folds.push(start.elapsed());
        assert_eq!(problems, []);
        black_box(conversation);
    }
    let megabytes = path.metadata().unwrap().len() as f64 / 1e6;
    let (read, folded) = (micros(median(reads)) / 1e3, micros(median(folds)) / 1e3);
    format!("{events} lines, {megabytes:.1} MB: read in {read:.0} ms, folded in {folded:.0} ms")
}

/// The facts of a session that goes on for ever: steps of a few calls each.
fn session() -> impl Iterator<Item = Fact> {
    let session = Session {
        session: SessionId::at(0, 0),
        workspace: "/home/user/notes".into(),
        version: "0.1.0".into(),
        began_unix_ms: 0,
        seed: 0,
        boot: "".into(),
    };
    let message = MessageId(1);
    let content = vec![Content::text("read everything")];
    let first = [
        Fact::Session(session),
        Fact::Said { message, by: Speaker::User, content },
        Fact::User { entry: EntryId(1), parent: None, message },
    ];
    first.into_iter().chain((1..).flat_map(step))
}

fn step(number: u32) -> Vec<Fact> {
    let calls: Vec<CallId> =
        (1..=CALLS).map(|call| CallId::new((number - 1) * CALLS + call)).collect();
    let block = |&id: &CallId| {
        let path =
            format!(r#"{{"file_path": "/home/user/notes/src/some/file_{id}.rs", "limit": 100}}"#);
        let object = serde_json::from_str(&path).unwrap();
        let arguments = Arguments::Object { object, reading: Default::default() };
        Block::call(Call::new(id, "ReadFile", arguments))
    };
    let blocks = calls.iter().map(block).collect();
    let reply = Fact::Reply {
        step: StepId(number),
        entry: EntryId(number + 1),
        parent: Some(EntryId(number)),
        reply: Assistant::new(Source::new(Wire::Anthropic), blocks),
    };
    let started = calls.iter().map(|&call| Fact::Started { call });
    let text = "    1\tuse std::io;\n".repeat(10);
    let settled = |&call: &CallId| Fact::Settled { call, outcome: Outcome::ok_text(text.as_str()) };
    [reply].into_iter().chain(started).chain(calls.iter().map(settled)).collect()
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
}

fn micros(time: Duration) -> f64 {
    time.as_secs_f64() * 1e6
}
