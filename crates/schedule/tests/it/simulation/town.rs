//! Everybody who shares the schedule, moved on by one random step at a time.
//!
//! Not here: what is promised (`watched/checks.rs`). Here only: each call starts exactly once, and
//! everything comes to an end.

use std::collections::{BTreeMap, BTreeSet};

use fanfold_schedule::{Footprint, Hold, Lane, Limits};
use fanfold_transcript::CallId;

use super::agent::{Agent, Reply, Work};
use super::dice::Dice;
use crate::watched::{Phase, Watched};

/// All agents, their calls and the schedule.
pub(crate) struct Town {
    dice: Dice,
    watched: Watched,
    agents: Vec<Agent>,
    works: BTreeMap<CallId, Work>,
    /// Announced calls, with what they will turn out to be.
    streaming: Vec<CallId>,
    /// Calls taken from the schedule whose footprint is computed again.
    checking: BTreeSet<CallId>,
    /// Calls that run for good.
    started: BTreeSet<CallId>,
    call_count: u32,
    requeues_left: usize,
}

/// Steps after which a run counts as endless.
const STEPS_MAX: usize = 20_000;

impl Town {
    pub(crate) fn new(mut dice: Dice) -> Self {
        let slots = [1, 2, 3, 10][dice.below(4)];
        let limits = Limits { slots, claims: dice.chance(90) };
        let agents = (0..=dice.below(3))
            .map(|_| Agent { caller: None, batches_left: 1 + dice.below(3), batch: None })
            .collect();
        Self {
            dice,
            watched: Watched::new(limits),
            agents,
            works: BTreeMap::new(),
            streaming: Vec::new(),
            checking: BTreeSet::new(),
            started: BTreeSet::new(),
            call_count: 0,
            requeues_left: 60,
        }
    }

    /// Runs until every agent is done and every call has ended.
    pub(crate) fn run(&mut self) {
        for _ in 0..STEPS_MAX {
            if self.agents.iter().all(Agent::is_done) && self.works.is_empty() {
                assert!(self.streaming.is_empty() && self.checking.is_empty());
                return;
            }
            self.step();
        }
        panic!("no end after {STEPS_MAX} steps");
    }

    pub(crate) fn log(&self) -> String {
        self.watched.log()
    }

    fn step(&mut self) {
        match self.dice.below(16) {
            0..=2 => self.take_all(),
            3 => self.checking.extend(self.watched.next_ready()),
            4..=6 => self.settle_start(),
            7..=9 => self.end_leaf(),
            10..=12 => self.move_agent(),
            13 => self.move_coordinator(),
            14 => self.disturb(),
            _ => self.calm(),
        }
    }

    fn take_all(&mut self) {
        while self.take() {}
    }

    fn take(&mut self) -> bool {
        let call = self.watched.next_ready();
        self.checking.extend(call);
        call.is_some()
    }

    /// A call that was taken runs now, or turns out to touch something else.
    fn settle_start(&mut self) {
        let checking: Vec<CallId> = self.checking.iter().copied().collect();
        let Some(call) = self.dice.pick(&checking) else { return };
        self.checking.remove(&call);
        if self.works[&call] == Work::Leaf && self.requeues_left > 0 && self.dice.chance(35) {
            self.requeues_left -= 1;
            let footprint = self.dice.footprint();
            self.watched.requeue(call, footprint);
        } else {
            assert!(self.started.insert(call), "{call} starts twice");
        }
    }

    fn end_leaf(&mut self) {
        let is_leaf = |call: &CallId| self.works.get(call) == Some(&Work::Leaf);
        let leaves: Vec<CallId> = self.started.iter().copied().filter(is_leaf).collect();
        if let Some(call) = self.dice.pick(&leaves) {
            self.end(call);
        }
    }

    fn end(&mut self, call: CallId) {
        self.works.remove(&call).expect("a call ends once");
        self.started.remove(&call);
        self.watched.finish(call);
    }

    fn move_agent(&mut self) {
        let n = self.dice.below(self.agents.len());
        let Some(mut reply) = self.agents[n].batch.take() else {
            self.begin_batch(n);
            return;
        };
        let is_streaming = |call: &&CallId| self.streaming.contains(call);
        let announced: Vec<CallId> = reply.calls.iter().filter(is_streaming).copied().collect();
        if let Some(call) = self.dice.pick(&announced)
            && self.dice.chance(60)
        {
            self.complete(call);
        } else if reply.calls_left > 0 {
            reply.calls_left -= 1;
            reply.calls.push(self.write_call(&reply));
        } else if !reply.closed {
            reply.closed = true;
            self.watched.close_batch(reply.id);
        }
        let open = reply.calls.iter().any(|call| self.watched.is_open(*call));
        self.agents[n].batch = (open || !reply.closed).then_some(reply);
    }

    fn begin_batch(&mut self, n: usize) {
        if self.agents[n].batches_left > 0 {
            self.agents[n].batches_left -= 1;
            let id = self.watched.open_batch();
            let calls_left = self.dice.below(6);
            let reply = Reply { id, calls_left, calls: Vec::new(), closed: false };
            self.agents[n].batch = Some(reply);
        }
    }

    /// The model writes one more call: streaming, or whole at once.
    fn write_call(&mut self, reply: &Reply) -> CallId {
        let call = self.next_id();
        if self.dice.chance(50) {
            self.streaming.push(call);
            self.works.insert(call, Work::Leaf);
            self.watched.announce(reply.id, call);
        } else {
            let work = self.any_work();
            let footprint = work.footprint(self.dice.footprint());
            self.watched.submit(call, Lane::Batch(reply.id), work.role(), footprint);
            self.works.insert(call, work);
        }
        call
    }

    fn complete(&mut self, call: CallId) {
        self.streaming.retain(|other| *other != call);
        let work = self.any_work();
        let footprint = work.footprint(self.dice.footprint());
        self.watched.complete(call, work.role(), footprint);
        self.works.insert(call, work);
    }

    fn any_work(&mut self) -> Work {
        let some = |dice: &mut Dice| (0..=dice.below(3)).map(|_| dice.footprint()).collect();
        match self.dice.below(12) {
            0 => Work::Envelope { entries: some(&mut self.dice), next: 0 },
            1 | 2 => {
                let (jobs, waits) = (some(&mut self.dice), self.dice.chance(50));
                Work::Parallel { jobs, started: None, waits }
            }
            3 if self.agents.len() < 8 => {
                Work::Subordinate { batches: self.dice.below(3), started: false }
            }
            _ => Work::Leaf,
        }
    }

    fn next_id(&mut self) -> CallId {
        self.call_count += 1;
        CallId::new(self.call_count)
    }

    fn move_coordinator(&mut self) {
        let coordinates = |call: &CallId| self.works.get(call) != Some(&Work::Leaf);
        let all: Vec<CallId> = self.started.iter().copied().filter(coordinates).collect();
        let Some(call) = self.dice.pick(&all) else { return };
        let mut work = self.works.remove(&call).expect("a running coordinator");
        let ended = match &mut work {
            Work::Leaf => false,
            Work::Envelope { entries, next } => self.move_envelope(call, entries, next),
            Work::Parallel { jobs, started, waits } => {
                let started = started.get_or_insert_with(|| {
                    jobs.iter().map(|job| self.start_alone(Some(call), job.clone())).collect()
                });
                !*waits || !started.iter().any(|job| self.watched.is_open(*job))
            }
            Work::Subordinate { batches, started } => {
                if !*started {
                    *started = true;
                    let caller = Some(call);
                    self.agents.push(Agent { caller, batches_left: *batches, batch: None });
                }
                let child = |agent: &&Agent| agent.caller == Some(call);
                self.agents.iter().find(child).is_some_and(Agent::is_done)
            }
        };
        self.works.insert(call, work);
        if ended {
            self.end(call);
        }
    }

    fn move_envelope(&mut self, call: CallId, entries: &[Footprint], next: &mut usize) -> bool {
        let entry = |k: usize| call.envelope_entry(u16::try_from(k).ok()?);
        if entry(*next).is_some_and(|entry| self.watched.is_open(entry)) {
            return false;
        }
        let Some(footprint) = entries.get(*next) else { return true };
        *next += 1;
        let id = entry(*next).expect("entries count from 1");
        self.works.insert(id, Work::Leaf);
        self.watched.submit(id, Lane::Alone { after: None }, Work::Leaf.role(), footprint.clone());
        false
    }

    fn start_alone(&mut self, after: Option<CallId>, footprint: Footprint) -> CallId {
        let id = self.next_id();
        self.works.insert(id, Work::Leaf);
        self.watched.submit(id, Lane::Alone { after }, Work::Leaf.role(), footprint);
        id
    }

    /// A hold, a pause, or a stop of a call that has not started.
    fn disturb(&mut self) {
        let waiting = self.watched.in_phase(Phase::Waiting);
        match (self.dice.below(8), self.dice.pick(&waiting)) {
            (0..=2, Some(call)) => self.watched.hold(call, Hold::Approval),
            (3, Some(call)) => self.watched.hold(call, Hold::AgentPlace),
            (4, Some(call)) if self.requeues_left > 0 => {
                self.requeues_left -= 1;
                let footprint = self.works[&call].footprint(self.dice.footprint());
                self.watched.requeue(call, footprint);
            }
            (5, Some(call)) => {
                self.watched.remark(&format!("withdraw {call}"));
                self.end(call);
            }
            (6, _) if !self.watched.is_paused() => self.watched.pause(),
            _ => {}
        }
    }

    /// Lifts a hold or the pause.
    fn calm(&mut self) {
        let holds = self.watched.holds();
        match self.dice.pick(&holds) {
            Some((call, hold)) if self.dice.chance(70) => self.watched.release(call, hold),
            _ if self.watched.is_paused() => self.watched.resume(),
            _ => {}
        }
    }
}
