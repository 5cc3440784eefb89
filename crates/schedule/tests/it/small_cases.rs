//! All small cases: every batch of a few calls, every order of finishing, few and many slots.
//!
//! Each case must look like serial execution to every call, run as parallel as allowed, and give
//! true reasons. Not here: jobs, several batches, streaming, holds.

use fanfold_schedule::{Claim, Footprint, Groups, Lane, Limits, Resource, Role, Schedule, Wait};
use fanfold_transcript::CallId;

use crate::model::{OWN, Touch, WORLD, World};

/// One way a call can be: its footprint, and the cells this stands for.
#[derive(Clone)]
struct Kind {
    footprint: Footprint,
    touch: Touch,
}

/// Cells of the groups `a` and `b`, and of the resources.
const GROUP_A: usize = 1;
const GROUP_B: usize = 2;
const FILE: usize = OWN + 4;
const FOLDER: usize = OWN + 5;
const PAGE: usize = OWN + 6;

#[test]
fn every_batch_of_up_to_three_calls() {
    let kinds = kinds(&GROUPS, &CLAIMS);
    for length in 0..=3 {
        every_batch(&kinds, length, Limits::default());
    }
    every_batch(&kinds, 3, Limits { slots: 2, claims: true });
    every_batch(&kinds, 3, Limits { slots: 1, claims: true });
}

#[test]
fn every_batch_of_four_calls() {
    let mut kinds = kinds(&["", "a"], &["", "r:/d/f", "w:/d/f", "w:/d"]);
    kinds.extend(self::kinds(&["*", "b"], &[""]));
    for slots in [1, 2, 10] {
        every_batch(&kinds, 4, Limits { slots, claims: true });
    }
}

#[test]
fn every_batch_of_three_calls_with_claims_off() {
    let mut kinds = kinds(&GROUPS, &["", "r:/d/f", "w:/d/f"]);
    for kind in &mut kinds {
        let groups = kind.footprint.groups.clone();
        kind.touch = touch(&Footprint { groups, claims: Vec::new() });
    }
    for slots in [1, 2, 10] {
        every_batch(&kinds, 3, Limits { slots, claims: false });
    }
}

const GROUPS: [&str; 4] = ["", "a", "b", "*"];
const CLAIMS: [&str; 5] = ["", "r:/d/f", "w:/d/f", "w:/d/f r:page", "w:/d"];

fn kinds(groups: &[&str], claims: &[&str]) -> Vec<Kind> {
    let kind = |group: &str, claims: &str| {
        let groups = match group {
            "" => Groups::independent(),
            "*" => Groups::Exclusive,
            name => Groups::named(name),
        };
        let footprint =
            Footprint { groups, claims: claims.split_whitespace().map(claim).collect() };
        Kind { touch: touch(&footprint), footprint }
    };
    groups.iter().flat_map(|group| claims.iter().map(|claims| kind(group, claims))).collect()
}

fn claim(word: &str) -> Claim {
    let (access, name) = word.split_once(':').unwrap();
    let path = name.starts_with('/');
    let resource = if path { Resource::Path(name.into()) } else { Resource::Named(name.into()) };
    if access == "w" { Claim::write(resource) } else { Claim::read(resource) }
}

/// The cells a footprint stands for: a folder is itself and the file in it.
fn touch(footprint: &Footprint) -> Touch {
    let groups = match &footprint.groups {
        Groups::Exclusive => Touch::EVERYTHING,
        Groups::Named(names) => names
            .iter()
            .map(|name| Touch::changes(if **name == *"a" { GROUP_A } else { GROUP_B }))
            .fold(Touch::sees(WORLD), Touch::union),
    };
    footprint.claims.iter().fold(groups, |touch, claim| {
        let cells: &[usize] = match claim.resource.to_string().as_str() {
            "path:/d" => &[FOLDER, FILE],
            "page" => &[PAGE],
            _ => &[FILE],
        };
        let writes = claim == &Claim::write(claim.resource.clone());
        let one = |cell: &usize| if writes { Touch::changes(*cell) } else { Touch::sees(*cell) };
        cells.iter().map(one).fold(touch, Touch::union)
    })
}

fn every_batch(kinds: &[Kind], length: u32, limits: Limits) {
    for number in 0..kinds.len().pow(length) {
        let mut rest = number;
        let mut batch: Vec<Kind> = Vec::new();
        for _ in 0..length {
            batch.push(kinds[rest % kinds.len()].clone());
            rest /= kinds.len();
        }
        for (n, kind) in batch.iter_mut().enumerate() {
            kind.touch = kind.touch.union(Touch::changes(OWN + n));
        }
        every_order(&batch, limits);
    }
}

/// Runs the batch once for each order in which its calls can finish.
fn every_order(batch: &[Kind], limits: Limits) {
    let touches: Vec<Touch> = batch.iter().map(|kind| kind.touch).collect();
    let serial = World::serial(&touches);
    let mut choices: Vec<usize> = Vec::new();
    loop {
        let mut run = Run::new(batch, limits);
        let widths = run.play(&choices);
        assert_eq!(run.world, serial, "not serial: {}", run.told());
        choices.resize(widths.len(), 0);
        // The next order: the last choice that has another alternative is moved on.
        while choices.last().is_some_and(|choice| choice + 1 == widths[choices.len() - 1]) {
            choices.pop();
        }
        match choices.last_mut() {
            Some(last) => *last += 1,
            None => return,
        }
    }
}

/// One run of a batch.
struct Run<'a> {
    batch: &'a [Kind],
    limits: Limits,
    schedule: Schedule,
    world: World,
    running: Vec<usize>,
    waiting: Vec<usize>,
    log: Vec<String>,
}

impl<'a> Run<'a> {
    fn new(batch: &'a [Kind], limits: Limits) -> Self {
        let mut schedule = Schedule::new(limits);
        let id = schedule.open_batch();
        for (n, kind) in batch.iter().enumerate() {
            schedule.submit(call(n), Lane::Batch(id), Role::Leaf, kind.footprint.clone());
        }
        schedule.close_batch(id);
        let (world, waiting) = (World::new(batch.len()), (0..batch.len()).collect());
        Self { batch, limits, schedule, world, running: Vec::new(), waiting, log: Vec::new() }
    }

    /// Runs to the end; gives how many calls could have finished at each step.
    fn play(&mut self, choices: &[usize]) -> Vec<usize> {
        let mut widths = Vec::new();
        self.start_ready();
        while !self.running.is_empty() {
            let choice = choices.get(widths.len()).copied().unwrap_or(0);
            widths.push(self.running.len());
            let n = self.running.remove(choice);
            self.world.end(n, self.batch[n].touch);
            self.log.push(format!("-{n}"));
            self.schedule.finish(call(n));
            self.start_ready();
        }
        assert!(self.waiting.is_empty(), "stuck: {}", self.told());
        assert_eq!(self.schedule.open_count(), 0, "{}", self.told());
        widths
    }

    fn start_ready(&mut self) {
        while let Some(id) = self.schedule.next_ready() {
            let n = id.number() as usize;
            self.log.push(format!("+{n}"));
            let place = self.waiting.iter().position(|waiting| *waiting == n);
            self.waiting.remove(place.expect("each call starts once"));
            self.world.start(n, self.batch[n].touch);
            self.running.push(n);
        }
        self.running.sort_unstable();
        assert!(self.running.len() <= self.limits.slots, "too many: {}", self.told());
        for &n in &self.waiting {
            self.check_reason(n);
        }
    }

    /// The reason is true; so a call waits only where it must.
    fn check_reason(&self, n: usize) {
        let open = |m: &&usize| **m < n && self.must_keep_order(**m, n);
        let mut earlier = self.running.iter().chain(&self.waiting).filter(open);
        let why = self.schedule.why_waiting(call(n));
        let told = || format!("{n} waits: {why:?}: {}", self.told());
        match &why {
            Some(Wait::Earlier { call, .. }) => {
                assert!(earlier.any(|m| *m == call.number() as usize), "{}", told());
            }
            Some(Wait::Slot) => {
                assert!(self.running.len() == self.limits.slots, "{}", told());
                assert_eq!(earlier.next(), None, "{}", told());
            }
            Some(Wait::Arguments | Wait::Claim { .. } | Wait::Held(_) | Wait::Paused) | None => {
                panic!("{}", told());
            }
        }
    }

    fn must_keep_order(&self, earlier: usize, later: usize) -> bool {
        let (a, b) = (self.batch[earlier].touch, self.batch[later].touch);
        self.limits.slots == 1 || a.order_matters(b)
    }

    fn told(&self) -> String {
        let footprints: Vec<String> =
            self.batch.iter().map(|kind| crate::watched::brief(&kind.footprint)).collect();
        format!("{footprints:?} with {} slots: {:?}", self.limits.slots, self.log)
    }
}

fn call(n: usize) -> CallId {
    CallId::new(u32::try_from(n).unwrap())
}
