//! Properties: larger batches over real path trees, and any sequence of operations.
//!
//! Not here: what is checked. The watch (`watched/checks.rs`) judges every step.

use std::collections::BTreeSet;

use fanfold_schedule::{BatchId, Claim, Footprint, Groups, Hold, Lane, Limits, Resource, Role};
use fanfold_transcript::CallId;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::Index;

use crate::watched::{Phase, Watched};

/// One operation; an [`Index`] picks among the calls to which it can be done.
#[derive(Clone, Debug)]
enum Op {
    OpenBatch,
    CloseBatch(Index),
    Announce(Index),
    Complete(Index, bool, Footprint),
    Submit(Index, bool, Footprint),
    SubmitAlone(Option<Index>, bool, Footprint),
    Hold(Index, bool),
    Release(Index),
    Pause,
    Resume,
    NextReady,
    Requeue(Index, Footprint),
    /// Ends a running call.
    Finish(Index),
    /// Ends any call, also one that has not started.
    Withdraw(Index),
}

proptest! {
    // A failing case is printed; few steps of shrinking keep that quick.
    #![proptest_config(ProptestConfig {
        cases: 150, max_shrink_iters: 1_000, failure_persistence: None, ..<_>::default()
    })]

    #[test]
    fn a_large_batch_keeps_its_order(
        footprints in vec(footprint(), 0..=40),
        order in vec(any::<Index>(), 40),
        limits in limits(),
    ) {
        let mut watched = Watched::new(limits);
        let batch = watched.open_batch();
        for (n, footprint) in (1..).zip(footprints) {
            watched.submit(CallId::new(n), Lane::Batch(batch), Role::Leaf, footprint);
        }
        watched.close_batch(batch);
        drain(&mut watched, &order);
    }

    #[test]
    fn any_sequence_of_operations_keeps_every_promise(
        ops in vec(op(), 0..=120),
        order in vec(any::<Index>(), 40),
        limits in limits(),
    ) {
        let mut play = Play { watched: Watched::new(limits), open: Vec::new(), calls: 0 };
        for op in ops {
            play.play(op);
        }
        play.settle();
        drain(&mut play.watched, &order);
    }
}

/// Lets everything run; `order` picks who ends next.
fn drain(watched: &mut Watched, order: &[Index]) {
    let mut order = order.iter().cycle();
    loop {
        while watched.next_ready().is_some() {}
        let running = watched.in_phase(Phase::Running);
        if running.is_empty() {
            break;
        }
        let next = order.next().expect("a list that begins again");
        watched.finish(*next.get(&running));
    }
    assert_eq!(watched.in_phase(Phase::Waiting), [], "these never start");
}

struct Play {
    watched: Watched,
    open: Vec<BatchId>,
    calls: u32,
}

impl Play {
    fn play(&mut self, op: Op) {
        match op {
            Op::OpenBatch => self.open.push(self.watched.open_batch()),
            Op::CloseBatch(at) => {
                if !self.open.is_empty() {
                    self.watched.close_batch(self.open.remove(at.index(self.open.len())));
                }
            }
            Op::Announce(at) => {
                if let Some(batch) = pick(&self.open, at) {
                    let id = self.next_id();
                    self.watched.announce(batch, id);
                }
            }
            Op::Complete(at, leaf, footprint) => {
                if let Some(call) = pick(&self.watched.in_phase(Phase::Streaming), at) {
                    self.watched.complete(call, role(leaf), footprint);
                }
            }
            Op::Submit(at, leaf, footprint) => {
                if let Some(batch) = pick(&self.open, at) {
                    let id = self.next_id();
                    self.watched.submit(id, Lane::Batch(batch), role(leaf), footprint);
                }
            }
            Op::SubmitAlone(after, leaf, footprint) => {
                let running = self.watched.in_phase(Phase::Running);
                let after = after.and_then(|at| pick(&running, at));
                let id = self.next_id();
                self.watched.submit(id, Lane::Alone { after }, role(leaf), footprint);
            }
            Op::Hold(at, approval) => {
                let hold = if approval { Hold::Approval } else { Hold::AgentPlace };
                self.with_open(at, |watched, call| watched.hold(call, hold));
            }
            Op::Release(at) => {
                if let Some((call, hold)) = pick(&self.watched.holds(), at) {
                    self.watched.release(call, hold);
                }
            }
            Op::Pause => self.watched.pause(),
            Op::Resume => self.watched.resume(),
            Op::NextReady => {
                self.watched.next_ready();
            }
            Op::Requeue(at, footprint) => {
                let mut calls = self.watched.in_phase(Phase::Running);
                calls.extend(self.watched.in_phase(Phase::Waiting));
                if let Some(call) = pick(&calls, at) {
                    self.watched.requeue(call, footprint);
                }
            }
            Op::Finish(at) => {
                if let Some(call) = pick(&self.watched.in_phase(Phase::Running), at) {
                    self.watched.finish(call);
                }
            }
            Op::Withdraw(at) => self.with_open(at, Watched::finish),
        }
    }

    fn with_open(&mut self, at: Index, act: impl FnOnce(&mut Watched, CallId)) {
        let phases = [Phase::Streaming, Phase::Waiting, Phase::Running];
        let calls: Vec<CallId> =
            phases.into_iter().flat_map(|phase| self.watched.in_phase(phase)).collect();
        if let Some(call) = pick(&calls, at) {
            act(&mut self.watched, call);
        }
    }

    /// Nothing streams, is held or paused any more.
    fn settle(&mut self) {
        for call in self.watched.in_phase(Phase::Streaming) {
            self.watched.complete(call, Role::Leaf, Footprint::independent());
        }
        while let Some((call, hold)) = self.watched.holds().first().copied() {
            self.watched.release(call, hold);
        }
        self.watched.resume();
        for batch in std::mem::take(&mut self.open) {
            self.watched.close_batch(batch);
        }
    }

    const fn next_id(&mut self) -> CallId {
        self.calls += 1;
        CallId::new(self.calls)
    }
}

fn pick<T: Copy>(all: &[T], at: Index) -> Option<T> {
    (!all.is_empty()).then(|| *at.get(all))
}

const fn role(leaf: bool) -> Role {
    if leaf { Role::Leaf } else { Role::Coordinator }
}

fn op() -> impl Strategy<Value = Op> {
    let at = any::<Index>;
    let leaf = || proptest::bool::weighted(0.8);
    prop_oneof![
        2 => Just(Op::OpenBatch),
        1 => at().prop_map(Op::CloseBatch),
        2 => at().prop_map(Op::Announce),
        3 => (at(), leaf(), footprint()).prop_map(|(at, leaf, f)| Op::Complete(at, leaf, f)),
        9 => (at(), leaf(), footprint()).prop_map(|(at, leaf, f)| Op::Submit(at, leaf, f)),
        4 => (proptest::option::of(at()), leaf(), footprint())
            .prop_map(|(after, leaf, f)| Op::SubmitAlone(after, leaf, f)),
        2 => (at(), any::<bool>()).prop_map(|(at, approval)| Op::Hold(at, approval)),
        3 => at().prop_map(Op::Release),
        1 => Just(Op::Pause),
        3 => Just(Op::Resume),
        14 => Just(Op::NextReady),
        4 => (at(), footprint()).prop_map(|(at, f)| Op::Requeue(at, f)),
        6 => at().prop_map(Op::Finish),
        2 => at().prop_map(Op::Withdraw),
    ]
}

fn limits() -> impl Strategy<Value = Limits> {
    let slots = prop_oneof![Just(1_usize), 2..=4_usize, Just(10)];
    (slots, proptest::bool::weighted(0.9)).prop_map(|(slots, claims)| Limits { slots, claims })
}

/// Sets of up to three of four groups; claims on paths of depth up to four, and on a few names.
fn footprint() -> impl Strategy<Value = Footprint> {
    let name = prop_oneof![Just("fs"), Just("document"), Just("mcp:x"), Just("mcp:y")];
    let names = vec(name, 0..=3).prop_map(|names| {
        Groups::Named(names.into_iter().map(Into::into).collect::<BTreeSet<Box<str>>>())
    });
    let groups =
        prop_oneof![8 => names, 1 => Just(Groups::Exclusive), 4 => Just(Groups::independent())];
    (groups, vec(claim(), 0..=3)).prop_map(|(groups, claims)| Footprint { groups, claims })
}

fn claim() -> impl Strategy<Value = Claim> {
    let step = prop_oneof![Just("a"), Just("ab"), Just("b")];
    let path =
        vec(step, 0..=4).prop_map(|steps| Resource::Path(format!("/{}", steps.join("/")).into()));
    let name = prop_oneof![Just("browser"), Just("document"), Just("a")];
    let resource = prop_oneof![4 => path, 1 => name.prop_map(|name| Resource::Named(name.into()))];
    (resource, any::<bool>()).prop_map(|(resource, write)| {
        if write { Claim::write(resource) } else { Claim::read(resource) }
    })
}
