//! `cargo xtask tidy`: the rules of `STYLE.md` that a program can check.
//!
//! Each rule is a function from the project to its findings, in a file of its own with a case that
//! breaks it. Deliberately not here: whatever clippy, rustdoc or cargo already check.

mod architecture;
mod blobs;
mod dead_files;
mod edges;
mod file_length;
mod headers;
mod leftovers;
mod links;
mod manifests;
mod names;
mod purity;
mod source;
mod tree;
mod workplace;

use std::fmt;
use std::path::Path;

use crate::failure::Failure;
use crate::tidy::tree::Tree;
use crate::workspace::{self, Workspace};

/// One place that breaks a rule.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Finding {
    /// The file, relative to the root.
    pub path: String,
    /// Counted from 1.
    pub line: usize,
    /// What is wrong there.
    pub what: String,
    /// The rule and how to mend it.
    pub rule: &'static str,
}

impl Finding {
    fn new(path: &str, line: usize, what: impl Into<String>, rule: &'static str) -> Self {
        Self { path: path.to_owned(), line, what: what.into(), rule }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {} ({})", self.path, self.line, self.what, self.rule)
    }
}

/// All that the rules look at.
struct Project {
    tree: Tree,
    workspace: Workspace,
}

type Rule = fn(&Project) -> Vec<Finding>;

const RULES: [Rule; 12] = [
    edges::check,
    purity::check,
    manifests::check,
    headers::check,
    file_length::check,
    dead_files::check,
    names::check,
    leftovers::check,
    architecture::check,
    links::check,
    workplace::check,
    blobs::check,
];

impl Project {
    fn load(root: &Path) -> Result<Self, Failure> {
        Ok(Self { tree: Tree::read(root)?, workspace: Workspace::load()? })
    }

    fn findings(&self) -> Vec<Finding> {
        let mut findings: Vec<Finding> = RULES.iter().flat_map(|rule| rule(self)).collect();
        findings.sort();
        findings
    }

    /// A made-up project of these files, without packages.
    #[cfg(test)]
    fn of_files(files: &[(&str, &str)]) -> Self {
        Self { tree: Tree::of(files), workspace: Workspace::default() }
    }
}

/// All findings in this workspace, ordered by place.
///
/// # Errors
/// When the files or cargo's metadata cannot be read.
pub fn findings() -> Result<Vec<Finding>, Failure> {
    Ok(Project::load(workspace::root())?.findings())
}

pub(crate) fn run() -> Result<(), Failure> {
    let findings = findings()?;
    for finding in &findings {
        println!("{finding}");
    }
    match findings.len() {
        0 => {
            println!("tidy: {} rules, nothing found", RULES.len());
            Ok(())
        }
        count => Err(Failure::check(format!("tidy found {count}"))),
    }
}

/// Runs one rule over made-up files and gives `path:line: what` for each finding.
#[cfg(test)]
fn found(rule: Rule, files: &[(&str, &str)]) -> Vec<String> {
    let findings = rule(&Project::of_files(files));
    findings.iter().map(|f| format!("{}:{}: {}", f.path, f.line, f.what)).collect()
}
