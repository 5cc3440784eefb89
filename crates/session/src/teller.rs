//! From what an engine sees to what a front end is told.
//!
//! Not here: the events themselves (`event.rs`).

use fanfold_agent::{News, Record};
use fanfold_engine::Sight;
use fanfold_transcript::{
    AgentId, Call, CallId, Content, Fact, Millis, Outcome, Speaker, Spent, StepId, TurnEnd,
};

use crate::event::{CallChange, Event, HowEnded, What};

/// Characters of a call's arguments that are shown.
const ARGUMENTS_CHARS_MAX: usize = 200;

/// Tells a front end of one agent.
pub(crate) struct Teller<W> {
    watch: W,
    agent: AgentId,
    seq: u64,
    step: StepId,
    /// How the newest turn ended.
    pub(crate) last: Option<HowEnded>,
}

impl<W: FnMut(Event)> Teller<W> {
    pub(crate) const fn new(agent: AgentId, watch: W) -> Self {
        Self { watch, agent, seq: 0, step: StepId(0), last: None }
    }

    /// Tells of one thing.
    pub(crate) fn tell(&mut self, at: Millis, what: What) {
        self.seq += 1;
        let agent = self.agent.to_string();
        (self.watch)(Event { v: 1, seq: self.seq, t_ms: at.0, agent, what });
    }

    pub(crate) fn notice(&mut self, at: Millis, text: impl Into<String>) {
        self.tell(at, What::Notice { text: text.into() });
    }

    /// Tells of what was seen.
    pub(crate) fn see(&mut self, at: Millis, sight: Sight<'_>) {
        let step = self.step;
        match sight {
            Sight::Fact(fact) => self.fact(at, fact),
            Sight::News(news) => self.news(at, news),
            Sight::Text(text) => {
                self.tell(at, What::Text { step, text: text.to_owned(), partial: true });
            }
            Sight::Thinking(text) => self.tell(at, What::Thinking { step, text: text.to_owned() }),
            Sight::Call(call) => self.call(at, call.id, asked(call)),
            Sight::Asking(call, question) => {
                self.tell(at, What::Approval { call, why: question.to_string() });
            }
            Sight::Started(call) => self.call(at, call, CallChange::Started),
            Sight::Output(call, stream, lines) => {
                let (stream, text) = (stream.as_str(), lines.to_owned());
                self.call(at, call, CallChange::Output { stream, text });
            }
            Sight::Ended(call, outcome, record) => self.call(at, call, ended(outcome, record)),
        }
    }

    fn call(&mut self, at: Millis, call: CallId, change: CallChange) {
        self.tell(at, What::Call { call, change });
    }

    fn fact(&mut self, at: Millis, fact: &Fact) {
        match fact {
            Fact::Request { step, .. } => self.step = *step,
            Fact::Reply { step, reply, .. } => {
                let text = reply.text();
                if !text.trim().is_empty() {
                    self.tell(at, What::Text { step: *step, text, partial: false });
                }
            }
            Fact::Said { by: Speaker::Harness, content, .. } => {
                let texts: Vec<&str> = content.iter().filter_map(Content::as_text).collect();
                self.notice(at, format!("sent back to the model: {}", texts.join("\n")));
            }
            Fact::Usage(spent) => self.tell(at, usage(spent)),
            Fact::Turn(end) => self.turn(at, end),
            Fact::Session(_)
            | Fact::Resumed { .. }
            | Fact::Prompt(_)
            | Fact::Said { by: Speaker::User, .. }
            | Fact::User { .. }
            | Fact::Part { .. }
            | Fact::Dropped { .. }
            | Fact::Answered { .. }
            | Fact::Started { .. }
            | Fact::Process(_)
            | Fact::Settled { .. }
            | Fact::Seen { .. } => {}
        }
    }

    fn news(&mut self, at: Millis, news: &News) {
        match news {
            News::Waiting(call, wait) => {
                let waits_for = wait.call().map(|call| call.to_string());
                self.call(at, *call, CallChange::Waiting { waits_for, reason: wait.reason() });
            }
            News::Retrying { fault, attempt, in_ms } => {
                let seconds = Seconds(*in_ms);
                self.notice(at, format!("{fault}; asking again in {seconds} (attempt {attempt})"));
            }
            News::CutShort(fault) => {
                self.notice(
                    at,
                    format!("{fault}; what had started is kept, and the model goes on"),
                );
            }
            News::Restarted => self.notice(at, "the model began its reply anew"),
            News::NothingToDo => {
                self.notice(at, "there is nothing to go on with: say something");
                self.end(at, String::new(), None, HowEnded::Answered);
            }
        }
    }

    fn turn(&mut self, at: Millis, end: &TurnEnd) {
        match end {
            TurnEnd::Final { text, data } => {
                self.end(at, text.to_string(), data.clone(), HowEnded::Answered);
            }
            TurnEnd::Stopped => self.end(at, String::new(), None, HowEnded::Stopped),
            TurnEnd::Limit { said } => self.fail(at, said, HowEnded::Limit),
            TurnEnd::Failed { said } => self.fail(at, said, HowEnded::Failed),
        }
    }

    fn fail(&mut self, at: Millis, said: &str, how: HowEnded) {
        self.tell(at, What::Error { text: said.to_owned() });
        self.end(at, String::new(), None, how);
    }

    fn end(&mut self, at: Millis, text: String, data: Option<serde_json::Value>, ended: HowEnded) {
        self.last = Some(ended);
        self.tell(at, What::Final { text, data, ended });
    }
}

fn asked(call: &Call) -> CallChange {
    let arguments: String = call.sent.chars().take(ARGUMENTS_CHARS_MAX).collect();
    let arguments = arguments.split_whitespace().collect::<Vec<_>>().join(" ");
    CallChange::Asked { tool: call.tool.to_string(), arguments }
}

fn ended(outcome: &Outcome, record: &Record) -> CallChange {
    CallChange::Ended {
        status: outcome.status().as_str(),
        reason: outcome.ending.reason(),
        ran_ms: record.started.map(|started| record.ended.since(started)),
        bytes: outcome.bytes,
    }
}

fn usage(spent: &Spent) -> What {
    let usage = spent.usage;
    What::Usage {
        model: spent.model.to_string(),
        request_id: spent.request_id.as_deref().map(str::to_owned),
        input: usage.input,
        cache_read: usage.cache_read,
        cache_write: usage.cache_write,
        output: usage.output,
        reasoning: usage.reasoning,
        cost_usd: spent.cost_usd,
    }
}

/// Milliseconds as a person reads them.
struct Seconds(u64);

impl std::fmt::Display for Seconds {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}.{} s", self.0 / 1_000, self.0 % 1_000 / 100)
    }
}
