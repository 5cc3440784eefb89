//! May this call run? A refusal is an outcome that the model reads, and each reads differently.
//!
//! Deny beats ask beats allow; a tool that only reads is allowed without a rule. Not here: patterns
//! on arguments and approvals by a user, which come with the permission rules in full.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use fanfold_schedule::{Footprint, Role};
use fanfold_transcript::{Arguments, Call, Decline, Outcome};

/// A permission rule: the name of a tool.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule(Box<str>);

/// A text that is no rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleError(String);

impl fmt::Display for RuleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "not a rule: {:?} (expected the name of a tool, such as Shell)", self.0)
    }
}

impl std::error::Error for RuleError {}

impl FromStr for Rule {
    type Err = RuleError;

    fn from_str(text: &str) -> Result<Self, RuleError> {
        let name = text.trim();
        let legal = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | ':');
        if name.is_empty() || !name.chars().all(legal) {
            return Err(RuleError(text.to_owned()));
        }
        Ok(Self(name.into()))
    }
}

impl Rule {
    fn matches(&self, tool: &str) -> bool {
        *self.0 == *tool
    }
}

/// What is permitted.
#[derive(Clone, Debug, Default)]
pub struct Permissions {
    /// Allowed without asking.
    pub allow: Vec<Rule>,
    /// Never allowed.
    pub deny: Vec<Rule>,
    /// What no rule names is allowed (`--yes`).
    pub allow_the_rest: bool,
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
    },
}

/// The gate: which tools there are, and what is permitted.
#[derive(Clone, Debug, Default)]
pub struct Gate {
    permissions: Permissions,
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
        Self { permissions, tools: tools.into_iter().collect() }
    }

    /// Lets the call pass, with what it will touch, or gives the outcome that refuses it.
    ///
    /// # Errors
    /// The outcome, status `declined`: cut arguments, unknown tool, denied by rule, nobody to ask,
    /// bad arguments, in this order.
    pub fn judge(&self, call: &Call, fit: Fit) -> Result<(Role, Footprint), Outcome> {
        let tool = &*call.tool;
        if call.arguments == Arguments::Cut {
            let text = format!(
                "{tool} was not run: its arguments were cut off before they were complete. \
                 Send the call again, with shorter arguments if the output limit was reached."
            );
            return Err(Outcome::declined(Decline::CutArguments, text));
        }
        let Some(&only_reads) = self.tools.get(tool) else {
            return Err(Outcome::declined(Decline::UnknownTool, self.unknown(tool)));
        };
        self.permit(tool, only_reads)?;
        if let Arguments::Unreadable(problem) = &call.arguments {
            return Err(Outcome::declined(Decline::BadArguments, format!("{tool}: {problem}")));
        }
        match fit {
            Fit::Fits { role, footprint } => Ok((role, footprint)),
            Fit::BadArguments(text) => Err(Outcome::declined(Decline::BadArguments, text)),
            Fit::UnknownTool => Err(Outcome::declined(Decline::UnknownTool, self.unknown(tool))),
        }
    }

    fn permit(&self, tool: &str, only_reads: bool) -> Result<(), Outcome> {
        let Permissions { allow, deny, allow_the_rest } = &self.permissions;
        let named = |rules: &[Rule]| rules.iter().any(|rule| rule.matches(tool));
        if named(deny) {
            let text = format!("{tool} is denied by a permission rule. Do not try it again.");
            return Err(Outcome::declined(Decline::DeniedByRule, text));
        }
        if named(allow) || *allow_the_rest || only_reads {
            return Ok(());
        }
        let text = format!(
            "{tool} needs an approval and there is nobody to ask. \
             The user can allow it with --allow {tool}."
        );
        Err(Outcome::declined(Decline::NobodyToAsk, text))
    }

    fn unknown(&self, tool: &str) -> String {
        let shown: String = tool.chars().take(100).collect();
        let near = self.near(tool);
        let names =
            if near.is_empty() { self.tools.keys().map(AsRef::as_ref).collect() } else { near };
        let lead = if self.near(tool).is_empty() { "The tools are" } else { "Did you mean" };
        if names.is_empty() {
            return format!("there is no tool {shown:?}, nor any other");
        }
        format!("there is no tool {shown:?}. {lead}: {}", names.join(", "))
    }

    /// Up to three names that look like this one, nearest first.
    fn near(&self, tool: &str) -> Vec<&str> {
        let wanted: String = tool.to_lowercase().chars().filter(|c| c.is_alphanumeric()).collect();
        let score = |name: &str| strsim::jaro_winkler(&wanted, &name.to_lowercase());
        let mut near: Vec<(f64, &str)> =
            self.tools.keys().map(|name| (score(name), &**name)).collect();
        near.retain(|(score, _)| *score >= 0.8);
        near.sort_by(|a, b| b.0.total_cmp(&a.0));
        near.into_iter().take(3).map(|(_, name)| name).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fanfold_transcript::{ArgumentsProblem, CallId};

    fn gate(allow: &str, deny: &str, allow_the_rest: bool) -> Gate {
        let rules = |text: &str| text.split_whitespace().map(|r| r.parse().unwrap()).collect();
        let permissions = Permissions { allow: rules(allow), deny: rules(deny), allow_the_rest };
        Gate::new(permissions, [("ReadFile".into(), true), ("Shell".into(), false)])
    }

    fn verdict(gate: &Gate, tool: &str, arguments: Arguments) -> &'static str {
        let call = Call::new(CallId::new(1), tool, arguments);
        let fits = Fit::Fits { role: Role::Leaf, footprint: Footprint::independent() };
        match gate.judge(&call, fits) {
            Ok(_) => "runs",
            Err(outcome) => outcome.ending.reason().unwrap(),
        }
    }

    #[test]
    fn deny_beats_allow_and_reading_needs_no_rule() {
        let table = [
            ("", "", false, "ReadFile", "runs"),
            ("", "", false, "Shell", "nobody_to_ask"),
            ("Shell", "", false, "Shell", "runs"),
            ("", "", true, "Shell", "runs"),
            ("Shell", "Shell", true, "Shell", "denied_by_rule"),
            ("", "ReadFile", true, "ReadFile", "denied_by_rule"),
            ("bash", "", true, "bash", "unknown_tool"),
        ];
        for (allow, deny, rest, tool, expected) in table {
            let gate = gate(allow, deny, rest);
            assert_eq!(verdict(&gate, tool, Arguments::none()), expected, "{allow} {deny} {tool}");
        }
    }

    #[test]
    fn each_refusal_names_what_is_wrong() {
        let gate = gate("", "", true);
        assert_eq!(verdict(&gate, "ReadFile", Arguments::Cut), "cut_arguments");
        assert_eq!(verdict(&gate, "Nope", Arguments::Cut), "cut_arguments");
        let problem = Arguments::Unreadable(ArgumentsProblem::NotAnObject("an array"));
        assert_eq!(verdict(&gate, "Shell", problem), "bad_arguments");
        assert_eq!(
            gate.unknown("read_file"),
            "there is no tool \"read_file\". Did you mean: ReadFile"
        );
        assert_eq!(gate.unknown("x"), "there is no tool \"x\". The tools are: ReadFile, Shell");
        assert!("Shell(git *)".parse::<Rule>().is_err());
    }
}
