//! Which crate may know which: the drawing of `ARCHITECTURE.md` as one table.
//!
//! Normal and build dependencies follow the table. Tests may know more, but the test kit is used
//! only from `tests/` and `benches/`: a test inside `src/` would see each crate built twice, with
//! two sets of types.

use crate::tidy::{Finding, Project};
use crate::workspace::{Dependency, Package};

const RULE: &str = "edges; the drawing is in ARCHITECTURE.md, its table in \
    xtask/src/tidy/edges.rs: turn the arrow round or move the code before you draw a new one";

const TESTKIT: &str =
    "edges; use the test kit from tests/ or benches/, where each crate is built once";

/// A crate, and the crates it may depend on, by the names of their folders.
const ALLOWED: [(&str, &str); 14] = [
    ("transcript", ""),
    ("settings", ""),
    ("schedule", "transcript"),
    ("compact", "transcript settings"),
    ("wire", "transcript settings"),
    ("agent", "schedule compact wire transcript settings"),
    ("model", "wire transcript settings"),
    ("tools", "schedule transcript settings"),
    ("store", "transcript settings"),
    ("engine", "agent schedule compact wire transcript model tools store settings"),
    ("session", "engine agent schedule wire transcript model tools store settings"),
    ("cli", "session settings"),
    ("testkit", "engine agent schedule compact wire transcript model tools store settings"),
    (
        "xtask",
        "cli session testkit engine agent schedule compact wire transcript model tools store settings",
    ),
];

pub(super) fn check(project: &Project) -> Vec<Finding> {
    let packages = &project.workspace.packages;
    let mut findings: Vec<Finding> =
        packages.iter().flat_map(|package| of_package(package, packages)).collect();
    for (path, source) in project.tree.sources().filter(|(path, _)| is_product_source(path)) {
        let mut lines = source.code.lines();
        if let Some(at) = lines.position(|line| line.contains("fanfold_testkit")) {
            findings.push(Finding::new(path, at + 1, "src uses fanfold_testkit", TESTKIT));
        }
    }
    findings
}

fn of_package(package: &Package, members: &[Package]) -> Vec<Finding> {
    let (from, manifest) = (package.short(), package.manifest.as_str());
    let Some((_, allowed)) = ALLOWED.iter().find(|(name, _)| *name == from) else {
        return vec![Finding::new(manifest, 1, format!("{from} is not in the drawing"), RULE)];
    };
    let is_member = |name: &str| members.iter().any(|member| member.name == name);
    let is_allowed = |to: &str| allowed.split(' ').any(|name| name == to);
    let known = package.dependencies.iter().filter(|on| !on.is_dev && is_member(&on.name));
    known
        .map(Dependency::short)
        .filter(|to| !is_allowed(to))
        .map(|to| Finding::new(manifest, 1, format!("forbidden edge {from} → {to}"), RULE))
        .collect()
}

fn is_product_source(path: &str) -> bool {
    let mut parts = path.split('/');
    parts.next() == Some("crates")
        && parts.next().is_some_and(|name| name != "testkit")
        && parts.next() == Some("src")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::found;
    use crate::tidy::tree::Tree;
    use crate::workspace::Workspace;

    const METADATA: &str = r#"{
      "workspace_root": "/w",
      "packages": [
        {"name": "fanfold-schedule", "version": "0.1.0", "manifest_path": "/w/crates/schedule/Cargo.toml", "license": "MIT",
         "dependencies": [
           {"name": "fanfold-transcript", "kind": null, "req": "*", "path": "/w/crates/transcript"},
           {"name": "fanfold-agent", "kind": null, "req": "*", "path": "/w/crates/agent"},
           {"name": "fanfold-testkit", "kind": "dev", "req": "*", "path": "/w/crates/testkit"}]},
        {"name": "fanfold-transcript", "version": "0.1.0", "manifest_path": "/w/crates/transcript/Cargo.toml", "license": "MIT",
         "dependencies": [{"name": "fanfold-testkit", "kind": "build", "req": "*", "path": "/w/x"}]},
        {"name": "fanfold", "version": "0.1.0", "manifest_path": "/w/crates/cli/Cargo.toml", "license": "MIT",
         "dependencies": [{"name": "fanfold-agent", "kind": null, "req": "*", "path": "/w/x"},
                          {"name": "clap", "kind": null, "req": "^4", "path": null}]},
        {"name": "fanfold-agent", "version": "0.1.0", "manifest_path": "/w/crates/agent/Cargo.toml", "license": "MIT",
         "dependencies": [{"name": "fanfold-schedule", "kind": null, "req": "*", "path": "/w/x"}]},
        {"name": "fanfold-testkit", "version": "0.1.0", "manifest_path": "/w/crates/testkit/Cargo.toml", "license": "MIT",
         "dependencies": [{"name": "fanfold", "kind": null, "req": "*", "path": "/w/x"}]},
        {"name": "fanfold-extra", "version": "0.1.0", "manifest_path": "/w/crates/extra/Cargo.toml", "license": "MIT",
         "dependencies": []}
      ]}"#;

    #[test]
    fn a_forbidden_edge_is_named_with_its_manifest() {
        let workspace = Workspace::parse(METADATA).unwrap();
        let findings = check(&Project { tree: Tree::of(&[]), workspace });
        let told: Vec<_> = findings.iter().map(|f| (f.path.as_str(), f.what.as_str())).collect();
        assert_eq!(
            told,
            [
                ("crates/schedule/Cargo.toml", "forbidden edge schedule → agent"),
                ("crates/transcript/Cargo.toml", "forbidden edge transcript → testkit"),
                ("crates/cli/Cargo.toml", "forbidden edge cli → agent"),
                ("crates/testkit/Cargo.toml", "forbidden edge testkit → cli"),
                ("crates/extra/Cargo.toml", "extra is not in the drawing"),
            ]
        );
        assert!(findings[0].to_string().contains("the drawing is in ARCHITECTURE.md"));
    }

    #[test]
    fn the_drawing_has_no_circle() {
        let mut settled: Vec<&str> = vec![""];
        for _ in ALLOWED {
            let is_ready = |to: &str| to.split(' ').all(|name| settled.contains(&name));
            let ready = ALLOWED.iter().filter(|(_, to)| is_ready(to)).map(|(from, _)| *from);
            settled = ready.chain([""]).collect();
        }
        assert_eq!(settled.len(), ALLOWED.len() + 1);
    }

    #[test]
    fn the_test_kit_stays_out_of_src() {
        let uses = "use fanfold_testkit::sim;";
        let files = [
            ("crates/agent/src/turn.rs", uses),
            ("crates/agent/tests/it/main.rs", uses),
            ("crates/testkit/src/lib.rs", uses),
            ("crates/wire/src/lib.rs", "//! See fanfold_testkit."),
        ];
        assert_eq!(found(check, &files), ["crates/agent/src/turn.rs:1: src uses fanfold_testkit"]);
    }
}
