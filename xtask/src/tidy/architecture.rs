//! Each crate has its place in `ARCHITECTURE.md`.
//!
//! Not here: whether what stands there is still true.

use crate::tidy::{Finding, Project};

const PAGE: &str = "ARCHITECTURE.md";
const RULE: &str = "architecture; say there in one paragraph what it is and what it must not know";

pub(super) fn check(project: &Project) -> Vec<Finding> {
    let Some(page) = project.tree.text(PAGE) else {
        return vec![Finding::new(PAGE, 1, "the page is missing", RULE)];
    };
    let packages = project.workspace.packages.iter();
    packages
        .map(|package| package.folder())
        .filter(|folder| folder.starts_with("crates/") && !names(page, folder))
        .map(|folder| Finding::new(PAGE, 1, format!("{folder} is not named"), RULE))
        .collect()
}

fn names(page: &str, folder: &str) -> bool {
    let ends = page.match_indices(folder).map(|(at, _)| &page[at + folder.len()..]);
    ends.into_iter().any(|after| !after.starts_with(|c: char| c.is_alphanumeric() || c == '-'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::tree::Tree;
    use crate::workspace::Workspace;

    #[test]
    fn a_crate_without_paragraph_is_found() {
        let metadata = r#"{"workspace_root": "/w", "packages": [
            {"name": "a", "version": "0.1.0", "manifest_path": "/w/crates/tool/Cargo.toml", "license": null, "dependencies": []},
            {"name": "b", "version": "0.1.0", "manifest_path": "/w/crates/wire/Cargo.toml", "license": null, "dependencies": []},
            {"name": "c", "version": "0.1.0", "manifest_path": "/w/xtask/Cargo.toml", "license": null, "dependencies": []}]}"#;
        let found = |files: &[(&str, &str)]| {
            let workspace = Workspace::parse(metadata).unwrap();
            let findings = check(&Project { tree: Tree::of(files), workspace });
            findings.into_iter().map(|finding| finding.what).collect::<Vec<_>>()
        };
        let page = "`crates/tools` and crates/wire.";
        assert_eq!(found(&[(PAGE, page)]), ["crates/tool is not named"]);
        assert_eq!(found(&[]), ["the page is missing"]);
    }
}
