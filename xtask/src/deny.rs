//! `cargo xtask deny`: licences, sources and versions of everything the workspace is built from.
//!
//! Its policy is `deny.toml`, which the program `cargo-deny` reads as well; that program itself is
//! not used, because building it takes longer than all other checks. Not here: known weaknesses of
//! dependencies, whose list needs a network.

mod license;

use std::collections::BTreeMap;
use std::fs;

use crate::failure::Failure;
use crate::workspace::{self, Package, Workspace};

const POLICY: &str = "deny.toml";

/// What `deny.toml` allows.
#[derive(Debug, PartialEq, Eq)]
struct Policy {
    licenses: Vec<String>,
    registries: Vec<String>,
}

pub(crate) fn run() -> Result<(), Failure> {
    let text = fs::read_to_string(workspace::root().join(POLICY))
        .map_err(|error| Failure::check(format!("failed to read {POLICY}: {error}")))?;
    let policy = Policy::read(&text)?;
    let packages = Workspace::load_with_dependencies()?.packages;
    for line in duplicates(&packages) {
        println!("deny: note: {line}");
    }
    let problems: Vec<String> = packages.iter().flat_map(|package| policy.judge(package)).collect();
    for problem in &problems {
        println!("deny: {problem}");
    }
    if problems.is_empty() {
        println!("deny: {} packages, nothing found", packages.len());
        return Ok(());
    }
    Err(Failure::check(format!("deny found {}; the policy is in {POLICY}", problems.len())))
}

impl Policy {
    fn read(text: &str) -> Result<Self, Failure> {
        let list = |section, key| {
            strings(text, section, key)
                .ok_or_else(|| Failure::check(format!("{POLICY}: no list `{key}` in {section}")))
        };
        Ok(Self {
            licenses: list("[licenses]", "allow")?,
            registries: list("[sources]", "allow-registry")?,
        })
    }

    fn judge(&self, package: &Package) -> Vec<String> {
        let name = format!("{} {}", package.name, package.version);
        let mut problems = Vec::new();
        match &package.license {
            None => problems.push(format!("{name} names no licence")),
            Some(license) if !license::is_allowed(license, &self.licenses) => {
                problems.push(format!("{name} has the licence {license}"));
            }
            Some(_) => {}
        }
        match package.source.as_deref() {
            None => {
                let any = wildcards(package);
                problems.extend(any.map(|on| format!("{name} takes any version of {on}")));
            }
            Some(source) if !self.registries.iter().any(|known| is_from(source, known)) => {
                problems.push(format!("{name} comes from {source}"));
            }
            Some(_) => {}
        }
        problems
    }
}

fn is_from(source: &str, registry: &str) -> bool {
    source.strip_prefix("registry+") == Some(registry)
}

/// What a member depends on without saying which version.
fn wildcards(package: &Package) -> impl Iterator<Item = &str> {
    let any = package.dependencies.iter().filter(|on| on.requirement == "*" && !on.is_path);
    any.map(|on| on.name.as_str())
}

fn duplicates(packages: &[Package]) -> Vec<String> {
    let mut versions: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for package in packages {
        versions.entry(&package.name).or_default().push(&package.version);
    }
    let several = versions.iter().filter(|(_, versions)| versions.len() > 1);
    several.map(|(name, versions)| format!("{name} is there as {}", versions.join(", "))).collect()
}

/// A list of strings in `deny.toml`. Of TOML it knows sections, comments on their own lines, and
/// `key = [ "…", … ]`: as much as that file needs.
fn strings(text: &str, section: &str, key: &str) -> Option<Vec<String>> {
    let lines = text.lines().map(str::trim).filter(|line| !line.starts_with('#'));
    let lines = lines.skip_while(|line| *line != section).skip(1);
    let lines: Vec<&str> = lines.take_while(|line| !line.starts_with('[')).collect();
    let body = lines.join("\n");
    let assigned = body.split_once(&format!("{key} = ["))?.1.split_once(']')?.0;
    Some(assigned.split('"').skip(1).step_by(2).map(str::to_owned).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "[licenses]\n# Free ones.\nallow = [\n  \"MIT\",\n  \"BSD-3-Clause\",\n]\n\
        [bans]\nwildcards = \"deny\"\n[sources]\nallow-registry = [\"https://index.test/x\"]\n";

    #[test]
    fn the_policy_is_read() {
        let policy = Policy::read(TEXT).unwrap();
        assert_eq!(policy.licenses, ["MIT", "BSD-3-Clause"]);
        assert_eq!(policy.registries, ["https://index.test/x"]);
        assert!(Policy::read("[licenses]\n[sources]\nallow = []\n").is_err());
    }

    #[test]
    fn what_the_policy_does_not_allow_is_found() {
        let packages = Workspace::parse(
            r#"{"workspace_root": "/w", "packages": [
                {"name": "a", "version": "1.0.0", "manifest_path": "/r/a/Cargo.toml", "license": "GPL-3.0",
                 "source": "registry+https://index.test/x", "dependencies": []},
                {"name": "a", "version": "2.0.0", "manifest_path": "/r/a2/Cargo.toml", "license": "MIT",
                 "source": "git+https://example.test/a", "dependencies": []},
                {"name": "own", "version": "0.1.0", "manifest_path": "/w/own/Cargo.toml", "license": null,
                 "source": null, "dependencies": [
                    {"name": "a", "kind": null, "req": "*"},
                    {"name": "near", "kind": null, "req": "*", "path": "/w/near"}]}]}"#,
        );
        let packages = packages.unwrap().packages;
        let policy = Policy::read(TEXT).unwrap();
        let problems: Vec<String> =
            packages.iter().flat_map(|package| policy.judge(package)).collect();
        assert_eq!(
            problems,
            [
                "a 1.0.0 has the licence GPL-3.0",
                "a 2.0.0 comes from git+https://example.test/a",
                "own 0.1.0 names no licence",
                "own 0.1.0 takes any version of a",
            ]
        );
        assert_eq!(duplicates(&packages), ["a is there as 1.0.0, 2.0.0"]);
    }
}
