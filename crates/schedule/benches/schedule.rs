//! One scheduling operation with 100,000 calls waiting: time and memory.
//!
//! 70 % Independent, 20 % Named, 10 % Exclusive, two path claims of about 40 bytes a call. All are
//! submitted, then drained over ten slots. Not here: whether the order is right (`tests`).
//! Without `--bench` it only shows that it works, on few calls.
#![expect(clippy::print_stdout, reason = "a bench prints its table")]
#![expect(clippy::disallowed_types, clippy::disallowed_methods, reason = "a bench measures time")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::collections::{BTreeMap, VecDeque};
use std::sync::atomic::{AtomicIsize, Ordering};
use std::time::Instant;

use fanfold_schedule::{BatchId, Claim, Footprint, Groups, Lane, Limits, Resource, Role, Schedule};
use fanfold_transcript::CallId;

#[global_allocator]
static COUNTED: Counted = Counted;

/// Bytes allocated and not freed.
static LIVE: AtomicIsize = AtomicIsize::new(0);

struct Counted;

#[expect(unsafe_code, reason = "only an allocator can count what is allocated")]
// SAFETY: everything is passed on to the system's allocator.
unsafe impl GlobalAlloc for Counted {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        LIVE.fetch_add(layout.size().cast_signed(), Ordering::Relaxed);
        // SAFETY: the caller keeps the contract.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        LIVE.fetch_sub(layout.size().cast_signed(), Ordering::Relaxed);
        // SAFETY: the caller keeps the contract.
        unsafe { System.dealloc(pointer, layout) }
    }
}

/// How the calls are divided up.
#[derive(Clone, Copy)]
enum Shape {
    OneBatch,
    Batches,
    Jobs,
}

fn main() {
    let real = std::env::args().any(|arg| arg == "--bench");
    let calls = if real { 100_000 } else { 1_000 };
    println!(
        "{calls} calls; ns per operation: median / mean by the clock, which costs some itself;"
    );
    println!("last the mean of all operations on the processor alone\n");
    let heads = ["submit", "next_ready", "finish", "why_waiting"].map(|head| format!("{head:>15}"));
    println!("{:<26}{}{:>10}", "", heads.concat(), "all, cpu");
    let shapes =
        [("one batch", Shape::OneBatch), ("batches of 100", Shape::Batches), ("jobs", Shape::Jobs)];
    let mut bytes = Vec::new();
    for (name, shape) in shapes {
        let mut with = run(calls, shape, Limits::default());
        let mut without = run(calls, shape, Limits { claims: false, ..Limits::default() });
        println!("{:<26}{}", name, with.row());
        println!("{:<26}{}", format!("{name}, claims off"), without.row());
        bytes.push((name, with.bytes_per_call, without.bytes_per_call));
    }
    let [mut insert, mut remove] = floor(calls);
    println!("{:<26}{:>15}{:>30}", "BTreeMap insert, remove", insert.told(), remove.told());
    println!("{:<26}{:>15}\n", "the clock alone", clock(calls).told());
    println!("bytes per waiting call, its footprint not counted");
    for (name, with, without) in bytes {
        println!("{name:<26}{without:>8} and {} for the index of its claims", with - without);
    }
}

/// What one run took.
#[derive(Default)]
struct Figures {
    submit: Times,
    next_ready: Times,
    finish: Times,
    why_waiting: Times,
    bytes_per_call: isize,
    /// Of all operations together: time on the processor, whoever else wanted it.
    cpu_ns: u64,
}

impl Figures {
    fn row(&mut self) -> String {
        let all = [&mut self.submit, &mut self.next_ready, &mut self.finish, &mut self.why_waiting];
        let operations: usize = all.iter().map(|times| times.0.len()).sum();
        let row = all.map(|times| format!("{:>15}", times.told()));
        format!("{}{:>10}", row.concat(), self.cpu_ns / operations.max(1) as u64)
    }
}

/// The ns that each operation of one kind took.
#[derive(Default)]
struct Times(Vec<u64>);

impl Times {
    fn with_capacity(count: usize) -> Self {
        Self(Vec::with_capacity(count))
    }

    fn time<T>(&mut self, act: impl FnOnce() -> T) -> T {
        let begun = Instant::now();
        let result = act();
        self.0.push(u64::try_from(begun.elapsed().as_nanos()).unwrap_or(u64::MAX));
        result
    }

    fn told(&mut self) -> String {
        self.0.sort_unstable();
        let count = self.0.len().max(1);
        let median = self.0.get(count / 2).copied().unwrap_or(0);
        format!("{median} / {}", self.0.iter().sum::<u64>() / count as u64)
    }
}

fn run(calls: usize, shape: Shape, limits: Limits) -> Figures {
    let mut chance = Chance(1);
    let footprints: Vec<Footprint> = (0..calls).map(|n| footprint(&mut chance, n)).collect();
    let mut figures = Figures {
        submit: Times::with_capacity(calls),
        next_ready: Times::with_capacity(calls * 2),
        finish: Times::with_capacity(calls),
        why_waiting: Times::with_capacity(calls),
        ..Figures::default()
    };
    let before = LIVE.load(Ordering::Relaxed);
    let shelf = (footprints.capacity() * size_of::<Footprint>()).cast_signed();
    let begun = cpu_ns();
    let mut schedule = Schedule::new(limits);
    let mut batch = schedule.open_batch();
    for (n, footprint) in footprints.into_iter().enumerate() {
        let lane = lane(&mut schedule, &mut batch, shape, n);
        let submit = || schedule.submit(call(n), lane, Role::Leaf, footprint);
        figures.submit.time(submit);
    }
    schedule.close_batch(batch);
    // The list that held the footprints is gone by now.
    let taken = LIVE.load(Ordering::Relaxed) - before + shelf;
    figures.bytes_per_call = taken / calls.cast_signed();
    drain(&mut schedule, calls, &mut chance, &mut figures);
    figures.cpu_ns = cpu_ns() - begun;
    figures
}

fn lane(schedule: &mut Schedule, batch: &mut BatchId, shape: Shape, n: usize) -> Lane {
    match shape {
        Shape::OneBatch => Lane::Batch(*batch),
        Shape::Jobs => Lane::Alone { after: None },
        Shape::Batches => {
            if n > 0 && n.is_multiple_of(100) {
                schedule.close_batch(*batch);
                *batch = schedule.open_batch();
            }
            Lane::Batch(*batch)
        }
    }
}

/// Lets the oldest running call end, again and again, and asks now and then why another waits.
fn drain(schedule: &mut Schedule, calls: usize, chance: &mut Chance, figures: &mut Figures) {
    let mut running = VecDeque::new();
    let mut started = 0;
    loop {
        while let Some(call) = figures.next_ready.time(|| schedule.next_ready()) {
            running.push_back(call);
            started += 1;
        }
        let Some(oldest) = running.pop_front() else { break };
        // Most of those with a higher number have not started yet.
        let other = call(started + chance.below(calls + 1 - started));
        figures.why_waiting.time(|| schedule.why_waiting(other));
        figures.finish.time(|| schedule.finish(oldest));
    }
    assert_eq!(started, calls, "every call starts");
    assert_eq!(schedule.open_count(), 0, "every call ends");
}

fn footprint(chance: &mut Chance, n: usize) -> Footprint {
    let groups = match n * 7 % 10 {
        0 => Groups::Exclusive,
        1 => Groups::named("fs"),
        2 => Groups::named("document"),
        _ => Groups::independent(),
    };
    let path = |file: usize| {
        let (folder, file) = (file / 100, file % 100);
        Resource::Path(format!("/home/me/project/src/part_{folder:04}/file_{file:02}.rs").into())
    };
    let claims =
        vec![Claim::read(path(chance.below(100_000))), Claim::write(path(chance.below(100_000)))];
    Footprint { groups, claims }
}

fn call(n: usize) -> CallId {
    CallId::new(u32::try_from(n).unwrap_or(u32::MAX))
}

/// What an ordered map of the same size costs, in the same run.
fn floor(calls: usize) -> [Times; 2] {
    let mut times = [Times::with_capacity(calls), Times::with_capacity(calls)];
    let (mut chance, mut map) = (Chance(1), BTreeMap::new());
    let keys: Vec<u32> =
        (0..calls).map(|_| u32::try_from(chance.below(1 << 30)).unwrap_or(0)).collect();
    for (value, key) in (0u32..).zip(&keys) {
        times[0].time(|| map.insert(*key, value));
    }
    for key in &keys {
        times[1].time(|| map.remove(key));
    }
    times
}

/// Time on the processor so far; always 0 where the system does not tell.
fn cpu_ns() -> u64 {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    text.split(' ').next().and_then(|ns| ns.parse().ok()).unwrap_or(0)
}

fn clock(calls: usize) -> Times {
    let mut times = Times::with_capacity(calls);
    for _ in 0..calls {
        times.time(|| ());
    }
    times
}

/// Chance that is the same each time.
struct Chance(u64);

impl Chance {
    fn below(&mut self, limit: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap_or(0) % limit
    }
}
