//! A driver in virtual time: runs a script on the schedule as the engine would, and draws what happened.
//!
//! Not here: the notation (`notation.rs`) and the drawing (`draw.rs`).

use std::collections::BTreeMap;

use fanfold_schedule::{Lane, Role};
use fanfold_transcript::CallId;

use crate::draw::{Life, draw};
use crate::notation::{Event, Script, Work};
use crate::watched::{Phase, Watched};

/// Runs a script and draws it: one column is 10 ms.
pub(crate) fn check(text: &str) -> String {
    let mut driver = Driver::new(Script::parse(text));
    driver.run();
    draw(&driver.lives)
}

struct Driver {
    script: Script,
    watched: Watched,
    now_ms: u32,
    /// When each running call ends; an envelope ends with its last entry.
    ends: BTreeMap<CallId, u32>,
    lives: BTreeMap<CallId, Life>,
}

impl Driver {
    fn new(script: Script) -> Self {
        let watched = Watched::new(script.limits);
        Self { script, watched, now_ms: 0, ends: BTreeMap::new(), lives: BTreeMap::new() }
    }

    fn run(&mut self) {
        self.submit_batches();
        loop {
            self.happen();
            self.start_ready();
            self.note_reasons();
            let ends = self.ends.values().copied();
            let events = self.script.events.iter().map(|(at, _)| *at);
            match ends.chain(events).filter(|at| *at >= self.now_ms).min() {
                // What lasts no time ends before time goes on.
                Some(next) => self.now_ms = next,
                None => return,
            }
            self.end_due();
        }
    }

    fn submit_batches(&mut self) {
        for calls in self.script.batches.clone() {
            let batch = self.watched.open_batch();
            for call in calls {
                let plan = self.script.plans[&call].clone();
                self.lives.insert(call, Life::begun(self.now_ms));
                if plan.streams {
                    self.watched.announce(batch, call);
                } else {
                    let (role, lane) = (role(plan.work), Lane::Batch(batch));
                    self.watched.submit(call, lane, role, plan.footprint);
                }
                if let Some(hold) = plan.hold {
                    self.watched.hold(call, hold);
                }
            }
            self.watched.close_batch(batch);
        }
    }

    fn happen(&mut self) {
        let now = self.now_ms;
        let due = |(at, event): &(u32, Event)| (*at == now).then_some(*event);
        let events: Vec<Event> = self.script.events.iter().filter_map(due).collect();
        self.script.events.retain(|(at, _)| *at != now);
        for event in events {
            match event {
                Event::Pause => self.watched.pause(),
                Event::Resume => self.watched.resume(),
                Event::Hold(call, hold) => self.watched.hold(call, hold),
                Event::Release(call, hold) => self.watched.release(call, hold),
                Event::Stop(call) => self.end(call),
                Event::Complete(call) => {
                    let plan = self.script.plans[&call].clone();
                    self.watched.complete(call, role(plan.work), plan.footprint);
                }
            }
        }
    }

    fn start_ready(&mut self) {
        while let Some(call) = self.watched.next_ready() {
            let plan = self.script.plans.get_mut(&call).unwrap();
            if let Some(footprint) = plan.becomes.take() {
                self.watched.requeue(call, footprint);
                self.lives.get_mut(&call).unwrap().requeued(self.now_ms);
                continue;
            }
            let (work, lasts_ms, children) = (plan.work, plan.lasts_ms, plan.children.clone());
            self.lives.get_mut(&call).unwrap().start_ms = Some(self.now_ms);
            match work {
                Work::Leaf => {
                    self.ends.insert(call, self.now_ms + lasts_ms);
                }
                Work::Parallel => {
                    self.ends.insert(call, self.now_ms + lasts_ms);
                    for child in children {
                        self.submit_child(child, Some(call));
                    }
                }
                Work::Envelope => self.next_entry(call),
            }
        }
    }

    fn submit_child(&mut self, child: CallId, after: Option<CallId>) {
        let plan = self.script.plans[&child].clone();
        self.lives.insert(child, Life::begun(self.now_ms));
        self.watched.submit(child, Lane::Alone { after }, role(plan.work), plan.footprint);
        if let Some(hold) = plan.hold {
            self.watched.hold(child, hold);
        }
    }

    /// Submits the next entry of an envelope, or ends it.
    fn next_entry(&mut self, envelope: CallId) {
        let children = &self.script.plans[&envelope].children;
        match children.iter().copied().find(|child| !self.lives.contains_key(child)) {
            Some(entry) => self.submit_child(entry, None),
            None => self.end(envelope),
        }
    }

    fn end_due(&mut self) {
        let now = self.now_ms;
        let due: Vec<CallId> =
            self.ends.iter().filter(|(_, at)| **at == now).map(|(call, _)| *call).collect();
        for call in due {
            self.end(call);
        }
    }

    fn end(&mut self, call: CallId) {
        self.ends.remove(&call);
        self.watched.finish(call);
        let life = self.lives.get_mut(&call).unwrap();
        life.end_ms = Some(self.now_ms);
        let holds = |plan: &crate::notation::Plan| {
            plan.work == Work::Envelope && plan.children.contains(&call)
        };
        let envelope = self.script.plans.iter().find(|(_, plan)| holds(plan)).map(|(id, _)| *id);
        if let Some(envelope) = envelope {
            self.next_entry(envelope);
        }
    }

    fn note_reasons(&mut self) {
        let streaming = self.watched.in_phase(Phase::Streaming);
        for call in streaming.into_iter().chain(self.watched.in_phase(Phase::Waiting)) {
            let why = self.watched.why_waiting(call).expect("a waiting call has a reason");
            self.lives.get_mut(&call).unwrap().note(self.now_ms, why.to_string());
        }
    }
}

const fn role(work: Work) -> Role {
    match work {
        Work::Leaf => Role::Leaf,
        Work::Parallel | Work::Envelope => Role::Coordinator,
    }
}
