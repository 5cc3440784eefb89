//! What is wrong with settings, and where: all of it, not only the first.

use std::fmt;

use crate::origin::Origin;

/// More problems than this are counted, not listed.
const LISTED_MAX: usize = 20;

/// One thing that is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Where.
    pub origin: Origin,
    /// What, with the key.
    pub what: String,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.origin, self.what)
    }
}

/// Settings that cannot be used. Shown as one line per problem.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SettingsError {
    /// The problems, in the order of the file; at most 20.
    pub problems: Vec<Problem>,
    /// How many more there are.
    pub omitted: usize,
}

impl SettingsError {
    pub(crate) fn add(&mut self, origin: Origin, what: impl FnOnce() -> String) {
        if self.problems.len() < LISTED_MAX {
            self.problems.push(Problem { origin, what: what() });
        } else {
            self.omitted += 1;
        }
    }

    pub(crate) fn join(&mut self, other: Self) {
        for problem in other.problems {
            self.add(problem.origin, || problem.what);
        }
        self.omitted += other.omitted;
    }

    /// `value`, unless there is a problem.
    pub(crate) fn unless_any<T>(self, value: T) -> Result<T, Self> {
        if self.problems.is_empty() { Ok(value) } else { Err(self) }
    }
}

impl fmt::Display for SettingsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, problem) in self.problems.iter().enumerate() {
            let newline = if at == 0 { "" } else { "\n" };
            write!(f, "{newline}{problem}")?;
        }
        if self.omitted > 0 {
            write!(f, "\nand {} more", self.omitted)?;
        }
        Ok(())
    }
}

impl std::error::Error for SettingsError {}
