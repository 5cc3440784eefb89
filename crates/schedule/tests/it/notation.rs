//! The notation of the table tests: calls with footprints and durations, and what happens when.
//!
//! ```text
//! slots 2
//! batch
//!   c1 fs w:/w/a 30
//!   c2 parallel 0
//!     c3 job r:/w/b 20
//! 10 pause
//! ```
//!
//! A line names a call, its groups (`ind`, `excl`, `fs`, `fs+doc`) or kind (`parallel`, `envelope`), its
//! claims and its duration in ms. Deeper lines are jobs or entries of the line above them. Not here:
//! running it (`driver.rs`).

use std::collections::BTreeMap;

use fanfold_schedule::{Claim, Footprint, Groups, Hold, Limits, Resource};
use fanfold_transcript::CallId;

/// A parsed script.
pub(crate) struct Script {
    pub(crate) limits: Limits,
    /// The calls of each batch, in list order.
    pub(crate) batches: Vec<Vec<CallId>>,
    pub(crate) plans: BTreeMap<CallId, Plan>,
    /// What happens at which ms.
    pub(crate) events: Vec<(u32, Event)>,
}

/// What one call is.
#[derive(Clone)]
pub(crate) struct Plan {
    pub(crate) work: Work,
    pub(crate) footprint: Footprint,
    pub(crate) lasts_ms: u32,
    /// Its arguments stream in until an event completes them.
    pub(crate) streams: bool,
    pub(crate) hold: Option<Hold>,
    /// What its footprint turns out to be when it starts.
    pub(crate) becomes: Option<Footprint>,
    pub(crate) children: Vec<CallId>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Work {
    Leaf,
    /// Starts its children at once, and ends after its own duration.
    Parallel,
    /// Starts its children one by one, and ends with the last.
    Envelope,
}

#[derive(Clone, Copy)]
pub(crate) enum Event {
    Pause,
    Resume,
    Complete(CallId),
    Hold(CallId, Hold),
    Release(CallId, Hold),
    /// The call is ended, wherever it stands.
    Stop(CallId),
}

impl Script {
    pub(crate) fn parse(text: &str) -> Self {
        let mut script = Self {
            limits: Limits::default(),
            batches: Vec::new(),
            plans: BTreeMap::new(),
            events: Vec::new(),
        };
        let mut above: Option<CallId> = None;
        let mut depth_of_calls = 0;
        for line in text.lines().filter(|line| !line.trim().is_empty()) {
            let depth = line.len() - line.trim_start().len();
            let words: Vec<&str> = line.split_whitespace().collect();
            match words[..] {
                ["slots", n] => script.limits.slots = n.parse().unwrap(),
                ["claims", "off"] => script.limits.claims = false,
                ["batch"] => {
                    script.batches.push(Vec::new());
                    depth_of_calls = 0;
                }
                [at, ..] if at.parse::<u32>().is_ok() => {
                    script.events.push((at.parse().unwrap(), event(&words[1..])));
                }
                _ => {
                    let id: CallId = words[0].parse().unwrap();
                    depth_of_calls = if depth_of_calls == 0 { depth } else { depth_of_calls };
                    if depth > depth_of_calls {
                        let parent = above.expect("a call above its jobs");
                        script.plans.get_mut(&parent).unwrap().children.push(id);
                    } else {
                        script.batches.last_mut().expect("a batch line first").push(id);
                        above = Some(id);
                    }
                    script.plans.insert(id, plan(&words[1..]));
                }
            }
        }
        script
    }
}

fn event(words: &[&str]) -> Event {
    match *words {
        ["pause"] => Event::Pause,
        ["resume"] => Event::Resume,
        ["complete", call] => Event::Complete(call.parse().unwrap()),
        ["stop", call] => Event::Stop(call.parse().unwrap()),
        ["hold", call, what] => Event::Hold(call.parse().unwrap(), hold(what).unwrap()),
        ["release", call, what] => Event::Release(call.parse().unwrap(), hold(what).unwrap()),
        _ => panic!("no event: {words:?}"),
    }
}

fn hold(word: &str) -> Option<Hold> {
    match word {
        "approval" => Some(Hold::Approval),
        "place" => Some(Hold::AgentPlace),
        _ => None,
    }
}

fn plan(words: &[&str]) -> Plan {
    let (words, becomes) = match words.iter().position(|word| *word == "=>") {
        Some(at) => (&words[..at], Some(&words[at + 1..])),
        None => (words, None),
    };
    let mut plan = Plan {
        work: Work::Leaf,
        footprint: Footprint::independent(),
        lasts_ms: 0,
        streams: false,
        hold: None,
        becomes: becomes.map(|words| {
            words.iter().fold(Footprint::independent(), |footprint, word| touch(footprint, word))
        }),
        children: Vec::new(),
    };
    for word in words {
        match *word {
            "parallel" => plan.work = Work::Parallel,
            "envelope" => plan.work = Work::Envelope,
            "streams" => plan.streams = true,
            word => match (word.parse(), hold(word)) {
                (Ok(ms), _) => plan.lasts_ms = ms,
                (Err(_), Some(hold)) => plan.hold = Some(hold),
                (Err(_), None) => plan.footprint = touch(plan.footprint, word),
            },
        }
    }
    plan
}

/// The footprint with one more word of it.
fn touch(footprint: Footprint, word: &str) -> Footprint {
    match word.split_once(':') {
        None => {
            let groups = match word {
                "excl" => Groups::Exclusive,
                "ind" => Groups::independent(),
                names => {
                    names.split('+').map(Groups::named).fold(Groups::independent(), Groups::join)
                }
            };
            Footprint { groups, ..footprint }
        }
        Some((access, name)) => {
            let path = name.starts_with('/');
            let resource =
                if path { Resource::Path(name.into()) } else { Resource::Named(name.into()) };
            footprint.with(match access {
                "r" => Claim::read(resource),
                "w" => Claim::write(resource),
                _ => panic!("neither read nor write: {word}"),
            })
        }
    }
}
