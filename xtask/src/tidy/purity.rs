//! The pure crates: which other crates they may use, and that clippy watches over them.
//!
//! Not here: the proof by building them without an operating system (`wasm.rs`).

use crate::tidy::{Finding, Project};
use crate::workspace::{PURE, Package};

const DEPENDENCY: &str =
    "purity; a pure crate takes time, files and processes as arguments: do it in engine or tools";

const CLIPPY: &str = "purity; copy crates/transcript/clippy.toml: the nearest file is the one used";

const WILDCARDS: &str = "purity; open lib.rs with `#![warn(clippy::wildcard_enum_match_arm)]`: a new event must be \
     handled everywhere";

/// What a pure crate may use beside the workspace. Of `globset` only the matching of strings: it
/// touches no file.
const ALLOWED: [&str; 8] = [
    "globset",
    "indexmap",
    "jsonc-parser",
    "schemars",
    "serde",
    "serde_json",
    "strsim",
    "thiserror",
];

pub(super) fn check(project: &Project) -> Vec<Finding> {
    let packages = project.workspace.packages.iter();
    packages
        .filter(|package| PURE.contains(&package.short()))
        .flat_map(|package| dependencies(package).chain(watch(project, package)))
        .collect()
}

fn dependencies(package: &Package) -> impl Iterator<Item = Finding> {
    let outside = package.dependencies.iter().filter(|on| !on.is_dev && !on.is_path);
    outside.filter(|on| !ALLOWED.contains(&on.name.as_str())).map(|on| {
        let what = format!("pure crate {} depends on {}", package.short(), on.name);
        Finding::new(&package.manifest, 1, what, DEPENDENCY)
    })
}

fn watch(project: &Project, package: &Package) -> Vec<Finding> {
    let clippy = format!("{}/clippy.toml", package.folder());
    let lib = format!("{}/src/lib.rs", package.folder());
    let holds = |path: &str, text: &str| project.tree.text(path).is_some_and(|t| t.contains(text));
    let mut findings = Vec::new();
    if !(holds(&clippy, "disallowed-methods") && holds(&clippy, "disallowed-types")) {
        findings.push(Finding::new(&clippy, 1, "the bans of a pure crate are missing", CLIPPY));
    }
    if !holds(&lib, "#![warn(clippy::wildcard_enum_match_arm)]") {
        findings.push(Finding::new(&lib, 1, "wildcard arms are not watched", WILDCARDS));
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::tree::Tree;
    use crate::workspace::Workspace;

    #[test]
    fn a_pure_crate_is_held_to_it() {
        let workspace = Workspace::parse(
            r#"{"workspace_root": "/w", "packages": [
                {"name": "fanfold-wire", "version": "0.1.0", "manifest_path": "/w/crates/wire/Cargo.toml", "license": null,
                 "dependencies": [{"name": "serde_json", "kind": null, "req": "^1"},
                                  {"name": "tokio", "kind": null, "req": "^1"},
                                  {"name": "proptest", "kind": "dev", "req": "^1"}]},
                {"name": "fanfold-tools", "version": "0.1.0", "manifest_path": "/w/crates/tools/Cargo.toml", "license": null,
                 "dependencies": [{"name": "tokio", "kind": null, "req": "^1"}]}]}"#,
        );
        let tree = Tree::of(&[("crates/wire/src/lib.rs", "//! Formats.\n")]);
        let findings = check(&Project { tree, workspace: workspace.unwrap() });
        let told: Vec<_> = findings.iter().map(|f| (f.path.as_str(), f.what.as_str())).collect();
        assert_eq!(
            told,
            [
                ("crates/wire/Cargo.toml", "pure crate wire depends on tokio"),
                ("crates/wire/clippy.toml", "the bans of a pure crate are missing"),
                ("crates/wire/src/lib.rs", "wildcard arms are not watched"),
            ]
        );
    }
}
