//! Each Rust file belongs to some target, and each crate has one test binary.
//!
//! A file that no `mod` declares is never compiled, so nobody notices when it rots. Not here: dead
//! code inside a file, which the compiler reports.

use std::collections::BTreeSet;

use crate::tidy::names::declarations;
use crate::tidy::tree::Tree;
use crate::tidy::{Finding, Project};

const DEAD: &str = "dead files; declare it with `mod` or delete it";
const BINARY: &str = "dead files; one test binary per crate: make it a module of tests/it/main.rs";
const MOD_RS: &str = "dead files; `foo.rs` beside `foo/`, never a mod.rs";

pub(super) fn check(project: &Project) -> Vec<Finding> {
    let alive = alive(&project.tree);
    let mut findings = Vec::new();
    for (path, _) in project.tree.rust() {
        if path.ends_with("/mod.rs") {
            findings.push(Finding::new(path, 1, "a mod.rs", MOD_RS));
        } else if is_test_target(path) && !path.ends_with("/tests/it/main.rs") {
            findings.push(Finding::new(path, 1, "another test binary", BINARY));
        } else if !alive.contains(path) {
            findings.push(Finding::new(path, 1, "in no target", DEAD));
        }
    }
    findings
}

/// The files that some target reaches over `mod` declarations.
fn alive(tree: &Tree) -> BTreeSet<String> {
    let roots = tree.rust().map(|(path, _)| path).filter(|path| is_target(path));
    let mut open: Vec<String> = roots.map(str::to_owned).collect();
    let mut alive = BTreeSet::new();
    while let Some(path) = open.pop() {
        let Some(text) = tree.text(&path) else { continue };
        if !alive.insert(path.clone()) {
            continue;
        }
        let folder = module_folder(&path);
        let modules = declarations(text).into_iter().filter(|found| found.keyword == "mod");
        open.extend(modules.map(|module| format!("{folder}/{}.rs", module.name)));
    }
    alive
}

/// Where the modules of this file are.
fn module_folder(path: &str) -> &str {
    let (folder, _) = path.rsplit_once('/').unwrap_or_default();
    if is_target(path) { folder } else { path.trim_end_matches(".rs") }
}

/// The files cargo finds by itself.
fn is_target(path: &str) -> bool {
    let is = |target: &str| path.ends_with(&format!("/{target}"));
    let within = |folder: &str| is_directly_in(path, folder);
    is("src/lib.rs")
        || is("src/main.rs")
        || is("build.rs")
        || is_test_target(path)
        || within("src/bin")
        || within("benches")
        || within("examples")
        || is_main_of("benches", path)
}

/// A target that is a folder with a `main.rs`.
fn is_main_of(folder: &str, path: &str) -> bool {
    path.strip_suffix("/main.rs").is_some_and(|target| is_directly_in(target, folder))
}

fn is_test_target(path: &str) -> bool {
    is_directly_in(path, "tests") && !path.contains("/src/")
        || path.contains("/tests/") && !path.contains("/src/") && path.ends_with("/main.rs")
}

fn is_directly_in(path: &str, folder: &str) -> bool {
    path.rsplit_once('/').is_some_and(|(parent, _)| parent.ends_with(&format!("/{folder}")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::found;

    #[test]
    fn what_no_target_reaches_is_found() {
        let files = [
            ("crates/x/src/lib.rs", "mod a;\npub mod b;\n// mod dead;\n#[cfg(test)]\nmod tests;"),
            ("crates/x/src/a.rs", "mod deep;"),
            ("crates/x/src/a/deep.rs", ""),
            ("crates/x/src/b.rs", ""),
            ("crates/x/src/tests.rs", ""),
            ("crates/x/src/dead.rs", "mod worse;"),
            ("crates/x/src/dead/worse.rs", ""),
            ("crates/x/src/c/mod.rs", ""),
            ("crates/x/benches/speed.rs", ""),
            ("crates/x/benches/growth/main.rs", "mod model;"),
            ("crates/x/benches/growth/model.rs", ""),
            ("crates/x/tests/it/main.rs", "mod here;"),
            ("crates/x/tests/it/here.rs", ""),
            ("crates/x/tests/it/forgotten.rs", ""),
            ("crates/x/tests/second.rs", ""),
            ("crates/x/tests/third/main.rs", ""),
        ];
        assert_eq!(
            found(check, &files),
            [
                "crates/x/src/c/mod.rs:1: a mod.rs",
                "crates/x/src/dead.rs:1: in no target",
                "crates/x/src/dead/worse.rs:1: in no target",
                "crates/x/tests/it/forgotten.rs:1: in no target",
                "crates/x/tests/second.rs:1: another test binary",
                "crates/x/tests/third/main.rs:1: another test binary",
            ]
        );
    }
}
