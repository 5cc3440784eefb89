//! An agent with somebody who carries out its effects: notes are taken, calls are run by hand.

use fanfold_schedule::{Footprint, Limits, Role};
use fanfold_transcript::{Arguments, Assistant, Block, Call, Content, Source, Subject};
use fanfold_wire::FaultKind;

use super::super::*;
use crate::dispatch::Grace;
use crate::gate::{Fit, Gate, Permissions};

/// An agent, what it noted and what it wants.
pub(super) struct Desk {
    pub(super) agent: Agent,
    pub(super) facts: Vec<Fact>,
    pub(super) now: u64,
}

pub(super) fn policy() -> Policy {
    Policy {
        streaming: StreamingStart::All,
        attempts: 3,
        limits: TurnLimits { steps: 5, tokens: None, cost_usd: None },
        checks_answer: false,
        seed: 7,
    }
}

pub(super) fn model() -> ModelInUse {
    ModelInUse { asked: "test/model".into(), wire: Wire::Anthropic }
}

fn door() -> Dispatch {
    let tools = [("Read", true), ("Edit", false), ("response", true)];
    let permissions = Permissions { allow_the_rest: true, ..Permissions::default() };
    let gate = Gate::new(permissions, tools.map(|(name, reads)| (name.into(), reads)));
    Dispatch::new(gate, Limits::default(), Grace { stop_ms: 100, kill_ms: 100 })
}

/// `Read` touches nothing, all else is Exclusive.
pub(super) fn fit(tool: &str) -> Fit {
    let footprint = match tool {
        "Read" => Footprint::independent(),
        _ => Footprint::exclusive(),
    };
    Fit::Fits { role: Role::Leaf, footprint, subject: Subject::Opaque }
}

pub(super) fn call(n: u32, tool: &str) -> Call {
    Call::new(CallId::new(n), tool, Arguments::none())
}

pub(super) fn reply(blocks: Vec<Block>) -> Assistant {
    Assistant::new(Source::new(Wire::Anthropic), blocks)
}

pub(super) fn fault(kind: FaultKind) -> fanfold_wire::Fault {
    fanfold_wire::Fault { kind, said: "no".into(), retry_after_ms: None }
}

impl Desk {
    pub(super) fn new(policy: Policy) -> Self {
        Self::with(Conversation::default(), policy)
    }

    pub(super) fn with(conversation: Conversation, policy: Policy) -> Self {
        let agent = Agent::new(conversation, door(), policy, model());
        Self { agent, facts: Vec::new(), now: 0 }
    }

    /// Tells the agent, and gives what it wants then, one word for each effect.
    pub(super) fn tell(&mut self, event: Event) -> String {
        self.agent.handle(Millis(self.now), event);
        self.wants()
    }

    pub(super) fn wants(&mut self) -> String {
        let mut words = Vec::new();
        while let Some(effect) = self.agent.poll() {
            words.push(match effect {
                Effect::Note(fact) => {
                    let word = word(&fact);
                    self.facts.push(fact);
                    word
                }
                Effect::Ask { step, first_call } => format!("ASK {step} from c{first_call}"),
                Effect::Hush => "HUSH".to_owned(),
                Effect::Start(call) => format!("START {call}"),
                Effect::AskUser { call, .. } => format!("ASK USER {call}"),
                Effect::Stop(call) => format!("STOP {call}"),
                Effect::Kill(call) => format!("KILL {call}"),
                Effect::Abandon(call) => format!("ABANDON {call}"),
                Effect::Settle { call, outcome, .. } => {
                    let status = outcome.status();
                    let settled = Settled { call, outcome, sights: Vec::new() };
                    self.agent.handle(Millis(self.now), Event::Settled(settled));
                    format!("SETTLE {call} {status}")
                }
                Effect::Sweep => {
                    self.agent.handle(Millis(self.now), Event::Swept);
                    "SWEEP".to_owned()
                }
                Effect::Check { .. } => "CHECK".to_owned(),
                Effect::Tell(News::Waiting(call, wait)) => format!("({call}: {})", wait.reason()),
                Effect::Tell(News::Retrying { attempt, .. }) => format!("(retry {attempt})"),
                Effect::Tell(News::CutShort(_)) => "(cut short)".to_owned(),
                Effect::Tell(News::Restarted) => "(restarted)".to_owned(),
                Effect::Tell(News::NothingToDo) => "(nothing to do)".to_owned(),
            });
        }
        words.join(", ")
    }

    pub(super) fn say(&mut self, text: &str) -> String {
        self.tell(Event::Said(vec![Content::text(text)]))
    }

    /// A call that is complete while its reply streams.
    pub(super) fn ready(&mut self, n: u32, tool: &str) -> String {
        let call = call(n, tool);
        let blocks = vec![Block::call(call.clone())];
        self.tell(Event::Ready { call, fit: fit(tool), blocks })
    }

    pub(super) fn replied(&mut self, blocks: Vec<Block>) -> String {
        let reply = reply(blocks);
        self.replied_with(reply)
    }

    pub(super) fn replied_with(&mut self, reply: Assistant) -> String {
        let fits = reply.calls().map(|call| (call.id, fit(&call.tool))).collect();
        let spent = fanfold_transcript::Spent {
            step: self.agent.conversation().last_step(),
            model: "test/model".into(),
            request_id: None,
            usage: reply.usage,
            cost_usd: Some(0.5),
        };
        self.tell(Event::Replied { reply: Box::new(reply), fits, spent })
    }

    pub(super) fn ended(&mut self, n: u32) -> String {
        self.tell(Event::Ended { call: CallId::new(n), outcome: Outcome::ok_text("x") })
    }

    pub(super) fn fails(&mut self, kind: FaultKind) -> String {
        self.tell(Event::Failed(fault(kind)))
    }

    /// Waits for the next deadline.
    pub(super) fn wait(&mut self) -> String {
        self.now = self.agent.deadline().expect("something to wait for").0;
        self.tell(Event::Tick)
    }

    /// What the facts so far come to, and a check that it is what the agent has.
    pub(super) fn folded(&self) -> Conversation {
        let mut folded = Conversation::default();
        for fact in &self.facts {
            folded.apply(fact.clone()).expect("facts follow from each other");
        }
        assert_eq!(folded, *self.agent.conversation(), "the conversation is the fold of its facts");
        folded
    }
}

fn word(fact: &Fact) -> String {
    match fact {
        Fact::Said { message, .. } => format!("said {message}"),
        Fact::User { entry, message, .. } => format!("{entry} is {message}"),
        Fact::Request { step, attempt, .. } => format!("request {step}/{attempt}"),
        Fact::Part { blocks, .. } => format!("part of {}", blocks.len()),
        Fact::Dropped { .. } => "dropped".to_owned(),
        Fact::Reply { entry, reply, .. } => {
            let calls: Vec<String> = reply.calls().map(|call| call.id.to_string()).collect();
            format!("{entry} is a reply [{}]", calls.join(" "))
        }
        Fact::Answered { call, allowed } => format!("{call} allowed: {allowed}"),
        Fact::Started { call } => format!("{call} starts"),
        Fact::Settled { call, outcome } => format!("{call} is {}", outcome.status()),
        Fact::Usage(_) => "usage".to_owned(),
        Fact::Turn(end) => match end {
            fanfold_transcript::TurnEnd::Final { text, .. } => format!("final {text:?}"),
            fanfold_transcript::TurnEnd::Stopped => "stopped".to_owned(),
            fanfold_transcript::TurnEnd::Limit { said } => format!("limit: {said}"),
            fanfold_transcript::TurnEnd::Failed { said } => format!("failed: {said}"),
        },
        Fact::Session(_)
        | Fact::Resumed { .. }
        | Fact::Prompt(_)
        | Fact::Process(_)
        | Fact::Seen { .. } => "…".to_owned(),
    }
}
