//! What is asked for a call that no rule allows, and what the model reads when the answer is no.
//!
//! Not here: who is asked, and when.

use std::fmt;

use fanfold_transcript::{Decline, Outcome, Word};

use crate::gate::pattern::{Thing, quoted};
use crate::gate::rule::Rule;

/// The longest rule that a text suggests, in bytes.
const SUGGESTION_MAX: usize = 120;

/// A call that somebody must allow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    tool: Box<str>,
    why: Why,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Why {
    /// This rule wants it asked for, whatever else allows it.
    Rule(Box<Rule>),
    /// No rule allows it; this one would allow it, or the first part of it that no rule allows.
    Unruled(Box<str>),
}

impl Question {
    pub(super) fn by_rule(tool: &str, rule: &Rule) -> Self {
        Self { tool: tool.into(), why: Why::Rule(Box::new(rule.clone())) }
    }

    /// A call of which no rule allows this thing; `None` where nobody can tell what the call does.
    pub(super) fn unruled(tool: &str, thing: Option<Thing<'_>>) -> Self {
        let rule = match thing {
            Some(Thing::Words(words)) => suggestion(tool, words),
            Some(Thing::Change | Thing::Path(_)) | None => None,
        };
        Self { tool: tool.into(), why: Why::Unruled(rule.unwrap_or_else(|| tool.into())) }
    }

    /// The ask rule that demands an answer; `None` if it is only that no rule allows the call.
    #[must_use]
    pub fn rule(&self) -> Option<&Rule> {
        match &self.why {
            Why::Rule(rule) => Some(rule),
            Why::Unruled(_) => None,
        }
    }

    /// The rule to add to `allow` so that it is not asked again, as text; of a line of several
    /// commands, the rule for the first that needs one. `None` where an ask rule stands above it.
    #[must_use]
    pub fn always(&self) -> Option<&str> {
        match &self.why {
            Why::Rule(_) => None,
            Why::Unruled(rule) => Some(rule),
        }
    }

    /// The outcome when there is nobody to ask.
    #[must_use]
    pub fn unanswered(&self) -> Outcome {
        let tool = &self.tool;
        let text = match &self.why {
            Why::Rule(rule) => format!(
                "{tool} needs an approval by the ask rule {rule} and there is nobody to ask. \
                 Only the user can change that."
            ),
            Why::Unruled(rule) => format!(
                "{tool} needs an approval and there is nobody to ask. \
                 The user can allow it with --allow {}.",
                for_a_shell(rule)
            ),
        };
        Outcome::declined(Decline::NobodyToAsk, text)
    }

    /// The outcome when the user says no.
    #[must_use]
    pub fn refused(&self) -> Outcome {
        let text = format!(
            "The user declined this call of {}. Do not try it again; ask what to do instead.",
            self.tool
        );
        Outcome::declined(Decline::DeniedByUser, text)
    }
}

impl fmt::Display for Question {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.why {
            Why::Rule(rule) => write!(f, "the ask rule {rule} wants it"),
            Why::Unruled(_) => f.write_str("no rule allows it"),
        }
    }
}

/// The outcome of a call that a deny rule forbids.
pub(super) fn denied(tool: &str, rule: &Rule) -> Outcome {
    let text = format!("{tool} is denied here by the permission rule {rule}. Do not try it again.");
    Outcome::declined(Decline::DeniedByRule, text)
}

/// The rule that allows exactly these words; `None` where they are computed or not fit to be shown.
fn suggestion(tool: &str, words: &[Word]) -> Option<Box<str>> {
    let words: Option<Vec<String>> =
        words.iter().map(|word| Some(quoted(word.as_ref()?))).collect();
    let rule = format!("{tool}({})", words?.join(" "));
    (rule.len() <= SUGGESTION_MAX && !rule.chars().any(char::is_control)).then(|| rule.into())
}

/// The rule as one word of a shell.
fn for_a_shell(rule: &str) -> String {
    if rule.contains('(') { format!("'{}'", rule.replace('\'', r"'\''")) } else { rule.to_owned() }
}
