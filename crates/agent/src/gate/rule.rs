//! A permission rule: `Tool` or `Tool(pattern)`.
//!
//! Not here: what a pattern matches (`pattern.rs`), and which rules beat which (`gate.rs`).

use std::fmt;
use std::str::FromStr;

use crate::gate::pattern::{BadPattern, Pattern};

/// A permission rule: the name of a tool, and a pattern if it is about some of its calls only.
///
/// ```
/// use fanfold_agent::Rule;
///
/// let rule: Rule = "Shell(git log *)".parse()?;
/// assert_eq!(rule.tool(), "Shell");
/// assert_eq!(rule.to_string(), "Shell(git log *)");
/// assert!("Shell(".parse::<Rule>().is_err());
/// # Ok::<(), fanfold_agent::RuleError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    tool: Box<str>,
    pattern: Option<Pattern>,
}

/// A text that is no rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RuleError {
    /// Neither `Tool` nor `Tool(pattern)`.
    Form(String),
    /// Its pattern can be read neither as words nor as a path.
    Pattern {
        /// The rule.
        rule: String,
        /// What is wrong.
        problem: String,
    },
}

impl fmt::Display for RuleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Form(text) => write!(
                f,
                "not a rule: {text:?} (expected a tool, such as Shell, or a tool and a pattern, \
                 such as 'Shell(git log *)' or 'WriteFile(src/**)')"
            ),
            Self::Pattern { rule, problem } => write!(f, "not a rule: {rule:?}: {problem}"),
        }
    }
}

impl std::error::Error for RuleError {}

impl FromStr for Rule {
    type Err = RuleError;

    fn from_str(text: &str) -> Result<Self, RuleError> {
        let form = || RuleError::Form(text.to_owned());
        let trimmed = text.trim();
        let (tool, pattern) = match trimmed.split_once('(') {
            None => (trimmed, None),
            Some((tool, rest)) => (tool, Some(rest.strip_suffix(')').ok_or_else(form)?)),
        };
        let legal = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | ':');
        if tool.is_empty() || !tool.chars().all(legal) {
            return Err(form());
        }
        let pattern = pattern.map(str::parse).transpose();
        let pattern = pattern.map_err(|BadPattern(problem)| RuleError::Pattern {
            rule: text.to_owned(),
            problem: problem.to_owned(),
        })?;
        Ok(Self { tool: tool.into(), pattern })
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.pattern {
            None => f.write_str(&self.tool),
            Some(pattern) => write!(f, "{}({pattern})", self.tool),
        }
    }
}

impl Rule {
    /// The name of the tool it is about.
    #[must_use]
    pub fn tool(&self) -> &str {
        &self.tool
    }

    /// What calls of the tool it is about; `None` for all.
    pub(super) const fn pattern(&self) -> Option<&Pattern> {
        self.pattern.as_ref()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_are_read_and_written_back() {
        for text in ["Shell", "Shell(git log *)", "mcp:a-b.c_d", "Shell(echo (a))", "Write(a b)"] {
            assert_eq!(text.parse::<Rule>().unwrap().to_string(), text);
        }
        for text in ["", " ", "*", "Sh ell", "(git)", "Shell(", "Shell(a", "Shell(a) b", "Shell)"] {
            assert!(matches!(text.parse::<Rule>(), Err(RuleError::Form(_))), "{text}");
        }
        for text in ["Shell()", "Shell(  )", "Shell([' )"] {
            let error = text.parse::<Rule>().unwrap_err();
            assert!(matches!(error, RuleError::Pattern { .. }), "{text}: {error}");
        }
    }
}
