//! May this call run? A refusal is an outcome that the model reads, and each reads differently.
//!
//! Deny beats ask beats allow. Without a rule, a tool that only reads and a coordinator are allowed
//! (what a coordinator starts is judged on its own), and the rest is asked for. Not here: the asking
//! itself, and which calls wait for an answer.

mod names;
mod pattern;
mod question;
mod rule;

use std::collections::BTreeMap;

use fanfold_schedule::{Footprint, Role};
use fanfold_transcript::{Arguments, ArgumentsProblem, Call, Decline, Outcome, Subject};

use serde_json::{Map, Value};

use pattern::{Thing, things};

pub use pattern::Folders;
pub use question::Question;
pub use rule::{Rule, RuleError};

/// The tool that only an agent has, and that is known where it is missing.
const RESPONSE: &str = "response";

/// Characters of a guess that the model is shown.
const GUESS_MAX: usize = 400;

/// What is permitted.
///
/// A rule with a pattern allows a call if *all* that the call does is matched by an allow rule, and
/// denies it, or asks for it, if *anything* is, or if nobody can tell what the call does.
#[derive(Clone, Debug, Default)]
pub struct Permissions {
    /// Allowed without asking.
    pub allow: Vec<Rule>,
    /// Always asked for, even with `allow_the_rest`.
    pub ask: Vec<Rule>,
    /// Never allowed.
    pub deny: Vec<Rule>,
    /// What no rule asks for or denies is allowed (`--yes`).
    pub allow_the_rest: bool,
}

impl Permissions {
    /// What is wrong with the rules, given the names of the tools: a sentence for each rule about a
    /// tool that there is not, with near names.
    #[must_use]
    pub fn check<'a>(&self, tools: impl IntoIterator<Item = &'a str>) -> Vec<String> {
        let tools: Vec<&str> = tools.into_iter().collect();
        let lists = [("allow", &self.allow), ("ask", &self.ask), ("deny", &self.deny)];
        let rules = lists.iter().flat_map(|(list, rules)| rules.iter().map(move |r| (list, r)));
        rules
            .filter(|(_, rule)| !tools.contains(&rule.tool()))
            .map(|(list, rule)| {
                let unknown = names::unknown_tool(rule.tool(), &tools);
                format!("the {list} rule {rule} does nothing: {unknown}")
            })
            .collect()
    }
}

/// What the driver found when it looked at a call's tool and arguments.
#[derive(Clone, Debug)]
pub enum Fit {
    /// There is no such tool.
    UnknownTool,
    /// The tool is there, the arguments do not fit it; the text says which.
    BadArguments(Box<str>),
    /// The call could run.
    Fits {
        /// Whether it works or coordinates.
        role: Role,
        /// What it would touch.
        footprint: Footprint,
        /// What patterns look at beside the paths it would touch.
        subject: Subject,
    },
}

/// What the gate says to a call.
#[derive(Clone, Debug, PartialEq)]
pub enum Verdict {
    /// It may run.
    Allow {
        /// Whether it works or coordinates.
        role: Role,
        /// What it will touch.
        footprint: Footprint,
    },
    /// Somebody must allow it first.
    Ask {
        /// Whether it works or coordinates.
        role: Role,
        /// What it will touch.
        footprint: Footprint,
        /// Why it is asked for, and the outcomes of a no and of nobody there.
        question: Question,
    },
    /// It is refused: its outcome, status `declined`.
    Decline(Outcome),
}

/// The gate: which tools there are, and what is permitted.
#[derive(Clone, Debug, Default)]
pub struct Gate {
    permissions: Permissions,
    folders: Folders,
    /// Whether each tool only reads.
    tools: BTreeMap<Box<str>, bool>,
}

impl Gate {
    /// A gate over these tools, each with whether it only reads.
    #[must_use]
    pub fn new(
        permissions: Permissions,
        tools: impl IntoIterator<Item = (Box<str>, bool)>,
    ) -> Self {
        let tools = tools.into_iter().collect();
        Self { permissions, folders: Folders::default(), tools }
    }

    /// The same gate, where path patterns start from these folders.
    #[must_use]
    pub fn within(mut self, folders: Folders) -> Self {
        self.folders = folders;
        self
    }

    /// Judges a call: before it is let in, and again when it starts and touches something else.
    ///
    /// Refusals come in this order: cut arguments, unknown tool, denied by a rule on all calls of the
    /// tool, bad arguments, denied by a rule with a pattern.
    #[must_use]
    pub fn judge(&self, call: &Call, fit: Fit) -> Verdict {
        let tool = &*call.tool;
        let decline = |why, text: String| Verdict::Decline(Outcome::declined(why, text));
        if call.arguments == Arguments::Cut {
            let text = format!(
                "{tool} was not run: its arguments were cut off before they were complete. \
                 Send the call again, with shorter arguments if the output limit was reached."
            );
            return decline(Decline::CutArguments, text);
        }
        let Some(&only_reads) = self.tools.get(tool) else {
            return Verdict::Decline(self.missing(tool));
        };
        let mut denials = self.permissions.deny.iter().filter(|rule| rule.tool() == tool);
        if denials.any(|rule| rule.pattern().is_none()) {
            let text = format!("{tool} is denied by a permission rule. Do not try it again.");
            return decline(Decline::DeniedByRule, text);
        }
        if let Arguments::Unreadable(problem) = &call.arguments {
            return decline(Decline::BadArguments, format!("{tool}: {problem}"));
        }
        if let Arguments::Guessed { object, problem } = &call.arguments
            && !only_reads
        {
            return decline(Decline::RepairedGuess, guess(tool, problem, object));
        }
        match fit {
            Fit::UnknownTool => Verdict::Decline(self.missing(tool)),
            Fit::BadArguments(text) => decline(Decline::BadArguments, text.into()),
            Fit::Fits { role, footprint, subject } => {
                let free = only_reads || role == Role::Coordinator;
                match self.permit(tool, free, things(&subject, &footprint).as_deref()) {
                    Permit::Allow => Verdict::Allow { role, footprint },
                    Permit::Deny(outcome) => Verdict::Decline(outcome),
                    Permit::Ask(question) => Verdict::Ask { role, footprint, question },
                }
            }
        }
    }

    /// Whether this tool only reads; false for one that there is not.
    pub(crate) fn only_reads(&self, tool: &str) -> bool {
        self.tools.get(tool).copied().unwrap_or_default()
    }

    /// Holds the rules against all that a call would do; `None` where nobody can tell what that is.
    fn permit(&self, tool: &str, free: bool, things: Option<&[Thing<'_>]>) -> Permit {
        let Permissions { allow, ask, deny, allow_the_rest } = &self.permissions;
        if let Some(rule) = self.touching(deny, tool, things) {
            return Permit::Deny(question::denied(tool, rule));
        }
        if let Some(rule) = self.touching(ask, tool, things) {
            return Permit::Ask(Question::by_rule(tool, rule));
        }
        let allowed = |thing: Option<Thing<'_>>| {
            allow.iter().filter(|rule| rule.tool() == tool).any(|rule| match rule.pattern() {
                None => true,
                Some(pattern) => thing.is_some_and(|thing| pattern.covers(thing, &self.folders)),
            })
        };
        if *allow_the_rest || free || allowed(None) {
            return Permit::Allow;
        }
        let Some(things) = things else { return Permit::Ask(Question::unruled(tool, None)) };
        match things.iter().find(|thing| !allowed(Some(**thing))) {
            None => Permit::Allow,
            Some(thing) => Permit::Ask(Question::unruled(tool, Some(*thing))),
        }
    }

    /// The first of the rules that the call falls under, if only in part or perhaps.
    fn touching<'a>(
        &self,
        rules: &'a [Rule],
        tool: &str,
        things: Option<&[Thing<'_>]>,
    ) -> Option<&'a Rule> {
        rules.iter().filter(|rule| rule.tool() == tool).find(|rule| {
            let (Some(pattern), Some(things)) = (rule.pattern(), things) else { return true };
            things.iter().any(|thing| pattern.may_cover(*thing, &self.folders))
        })
    }

    /// The refusal of a call of a tool that there is not.
    fn missing(&self, tool: &str) -> Outcome {
        if tool == RESPONSE {
            let text = "response was not run: it ends an agent's turn, and no agent runs here.";
            return Outcome::declined(Decline::NotHere, text);
        }
        let tools: Vec<&str> = self.tools.keys().map(AsRef::as_ref).collect();
        Outcome::declined(Decline::UnknownTool, names::unknown_tool(tool, &tools))
    }
}

/// The refusal of a call whose arguments had to be guessed: the error and the guess, so that the model
/// decides.
fn guess(tool: &str, problem: &ArgumentsProblem, object: &Map<String, Value>) -> String {
    let guess: String = Value::Object(object.clone()).to_string().chars().take(GUESS_MAX).collect();
    format!(
        "{tool} was not run: {problem}. They could be read as {guess}, but that is a guess. \
         Send the call again with valid JSON."
    )
}

/// What the rules say.
enum Permit {
    Allow,
    Ask(Question),
    Deny(Outcome),
}

#[cfg(test)]
mod tests;
