//! Each manifest names a licence and takes the workspace's lints.
//!
//! Not here: the licences of dependencies (`deny.rs`).

use crate::tidy::{Finding, Project};

const LICENSE: &str = "manifests; write `license.workspace = true` under [package]";
const LINTS: &str = "manifests; write `[lints]` with `workspace = true`, or no lint applies";

pub(super) fn check(project: &Project) -> Vec<Finding> {
    let mut findings = Vec::new();
    for package in &project.workspace.packages {
        let manifest = &package.manifest;
        if package.license.is_none() {
            findings.push(Finding::new(manifest, 1, "no licence", LICENSE));
        }
        let text = project.tree.text(manifest).unwrap_or_default();
        if !text.replace(' ', "").contains("[lints]\nworkspace=true") {
            findings.push(Finding::new(manifest, 1, "no lints", LINTS));
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::tree::Tree;
    use crate::workspace::Workspace;

    #[test]
    fn a_bare_manifest_is_found() {
        let workspace = Workspace::parse(
            r#"{"workspace_root": "/w", "packages": [
                {"name": "a", "version": "0.1.0", "manifest_path": "/w/a/Cargo.toml", "license": "MIT", "dependencies": []},
                {"name": "b", "version": "0.1.0", "manifest_path": "/w/b/Cargo.toml", "license": null, "dependencies": []}]}"#,
        );
        let tree = Tree::of(&[
            ("a/Cargo.toml", "[package]\n\n[lints]\nworkspace = true\n"),
            ("b/Cargo.toml", "[package]\n"),
        ]);
        let findings = check(&Project { tree, workspace: workspace.unwrap() });
        let told: Vec<_> = findings.iter().map(|f| (f.path.as_str(), f.what.as_str())).collect();
        assert_eq!(told, [("b/Cargo.toml", "no licence"), ("b/Cargo.toml", "no lints")]);
    }
}
