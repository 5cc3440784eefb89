//! What comes next: another request, a check of the answer, or the end of the turn.
//!
//! It is decided at step boundaries, where every call has its outcome and messages are delivered.
//! Not here: how a reply becomes an entry (`hearing.rs`).

use fanfold_transcript::{Assistant, Body, Content, Fact, Millis, Speaker, StepId, Stop, TurnEnd};
use serde_json::Value;

use super::{Agent, Course, Effect, News, Stage};
use crate::dispatch;

/// The tool that ends a turn with its arguments as the answer.
const RESPONSE: &str = "response";

impl Agent {
    /// Goes on when every call of the newest reply has its outcome.
    pub(super) fn advance(&mut self, now: Millis) {
        if let Stage::Working(work) = &self.stage
            && work.done
            && !work.sweeping
            && self.conversation.open_calls().is_empty()
        {
            self.stage = Stage::Idle;
            self.after_entry(now);
        }
    }

    /// What follows from the newest entry, all of whose calls have outcomes.
    pub(super) fn after_entry(&mut self, now: Millis) {
        if self.stopping {
            return self.end(TurnEnd::Stopped);
        }
        if self.refused {
            return self.fail("the model refused to go on");
        }
        let newest = self.newest_reply();
        match newest.map(|reply| self.what_now(reply)) {
            None | Some(Next::Step) => self.next_step(now),
            Some(Next::Answer { text, data }) => self.answer(now, text, data),
            Some(Next::Fail(why)) => self.fail(why),
        }
    }

    fn newest_reply(&self) -> Option<&Assistant> {
        let newest = self.conversation.leaf()?;
        match &self.conversation.transcript().entry(newest)?.body {
            Body::Assistant(reply) => Some(reply),
            Body::User(_) => None,
        }
    }

    fn what_now(&self, reply: &Assistant) -> Next {
        if let Some(answer) = response(reply) {
            return answer;
        }
        if reply.calls().next().is_some() {
            return Next::Step;
        }
        match &reply.stop {
            Stop::Finished => Next::Answer { text: reply.text().into(), data: None },
            // A provider's own tools took too long for one reply: it wants to be asked again.
            Stop::Other(word) if &**word == "pause_turn" => Next::Step,
            Stop::Other(_) => Next::Answer { text: reply.text().into(), data: None },
            Stop::OutputLimit => Next::Fail("the answer was cut by the output limit"),
            Stop::Refused => Next::Fail("the model refused to go on"),
            Stop::Unfinished => Next::Fail("the reply did not come to its end"),
        }
    }

    /// Delivers what was said meanwhile and asks the model, within the limits of the turn.
    pub(super) fn next_step(&mut self, now: Millis) {
        if let Some(said) = self.limit_hit() {
            return self.end(TurnEnd::Limit { said: said.into() });
        }
        self.deliver();
        if !self.has_something_to_answer() {
            self.stage = Stage::Idle;
            return self.effects.push_back(Effect::Tell(News::NothingToDo));
        }
        self.tell_door(now, dispatch::Event::Tick);
        let step = StepId(self.conversation.last_step().0.saturating_add(1));
        self.ask(step, 1);
    }

    /// Whether the newest entry is one that a model can answer.
    fn has_something_to_answer(&self) -> bool {
        match self.newest_reply() {
            Some(reply) => {
                let pauses = matches!(&reply.stop, Stop::Other(word) if &**word == "pause_turn");
                pauses || (reply.calls().next().is_some() && response(reply).is_none())
            }
            None => self.conversation.leaf().is_some(),
        }
    }

    fn deliver(&mut self) {
        let waiting: Vec<_> = self.conversation.waiting().map(|message| message.id).collect();
        for message in waiting {
            let entry = self.conversation.transcript().next_entry();
            let parent = self.conversation.leaf();
            self.note(Fact::User { entry, parent, message });
        }
    }

    fn limit_hit(&self) -> Option<String> {
        let turn = self.conversation.turn()?;
        let steps = turn.steps.saturating_sub(self.course.cut_off.steps);
        let tokens = turn.tokens.saturating_sub(self.course.cut_off.tokens);
        let cost_usd = turn.cost_usd - self.course.cut_off.cost_usd;
        let limits = self.policy.limits;
        if steps >= limits.steps {
            return Some(format!("the limit of {} steps is reached", limits.steps));
        }
        if let Some(limit) = limits.tokens.filter(|&limit| tokens >= limit) {
            return Some(format!("the limit of {limit} tokens is reached ({tokens} used)"));
        }
        let limit = limits.cost_usd.filter(|&limit| cost_usd >= limit)?;
        Some(format!("the limit of ${limit} is reached (${cost_usd:.4} used)"))
    }

    /// The model has answered. What was said meanwhile comes first.
    fn answer(&mut self, now: Millis, text: Box<str>, data: Option<Value>) {
        if self.conversation.waiting().len() > 0 {
            self.next_step(now);
        } else if self.policy.checks_answer {
            self.effects.push_back(Effect::Check { text: text.clone(), data: data.clone() });
            self.stage = Stage::Checking { text, data };
        } else {
            self.end(TurnEnd::Final { text, data });
        }
    }

    pub(super) fn checked(&mut self, now: Millis, verdict: Result<(), Box<str>>) {
        // A verdict that comes after a stop is about an answer of the past.
        let Stage::Checking { text, data } = &mut self.stage else { return };
        let (text, data) = (std::mem::take(text), data.take());
        self.stage = Stage::Idle;
        match verdict {
            Ok(()) => self.end(TurnEnd::Final { text, data }),
            Err(problems) if self.course.corrected => {
                let said = format!("the answer is not of the form asked for: {problems}");
                self.end(TurnEnd::Failed { said: said.into() });
            }
            Err(problems) => {
                self.course.corrected = true;
                let said = format!(
                    "Your answer is not of the form that was asked for: {problems}\nAnswer again, with \
                     nothing but JSON that fits the schema."
                );
                self.receive(Speaker::Harness, vec![Content::text(said)]);
                self.next_step(now);
            }
        }
    }

    fn fail(&mut self, said: &str) {
        self.end(TurnEnd::Failed { said: said.into() });
    }

    /// The turn is over.
    pub(super) fn end(&mut self, end: TurnEnd) {
        self.note(Fact::Turn(end));
        self.stage = Stage::Idle;
        self.course = Course::default();
        (self.stopping, self.refused) = (false, false);
        self.door.open_again();
    }

    /// A stop, or a kill.
    pub(super) fn stop(&mut self, now: Millis, how: dispatch::Event<'_>) {
        match self.stage {
            Stage::Idle => {}
            Stage::Resting { .. } | Stage::Checking { .. } => self.end(TurnEnd::Stopped),
            Stage::Working(_) => {
                self.stopping = true;
                self.tell_door(now, how);
            }
            Stage::Hearing(_) => {
                self.stopping = true;
                self.effects.push_back(Effect::Hush);
                // The door first: nothing may start because its reply has ended.
                self.tell_door(now, how);
                self.cut_short(now);
            }
        }
    }

    /// Goes on where the conversation stands.
    pub(super) fn go_on(&mut self, now: Millis) {
        if self.is_idle() {
            if self.conversation.turn().is_some() {
                self.after_entry(now);
            } else {
                self.next_step(now);
            }
        }
    }
}

/// What follows from a reply.
enum Next {
    Step,
    Answer { text: Box<str>, data: Option<Value> },
    Fail(&'static str),
}

/// The answer that a `response` call gave.
fn response(reply: &Assistant) -> Option<Next> {
    let is_ok = |call: &&fanfold_transcript::Call| {
        &*call.tool == RESPONSE && call.outcome().is_some_and(fanfold_transcript::Outcome::is_ok)
    };
    let arguments = &reply.calls().filter(is_ok).last()?.arguments;
    let arguments = arguments.object().or_else(|| arguments.guess())?;
    let text = arguments.get("text").and_then(Value::as_str).unwrap_or_default().into();
    let data = arguments.get("data").filter(|data| !data.is_null()).cloned();
    Some(Next::Answer { text, data })
}
