//! The packages of this workspace and what they depend on, as cargo tells it.
//!
//! Not here: which dependencies are allowed (`tidy/edges.rs`, `deny.rs`).

use std::path::Path;

use serde_json::Value;

use crate::failure::Failure;
use crate::program::Program;

/// The crates that hold no I/O, no time, no threads and no unordered maps.
pub(crate) const PURE: [&str; 6] =
    ["transcript", "schedule", "compact", "wire", "agent", "settings"];

/// The folder that holds the root manifest.
pub(crate) fn root() -> &'static Path {
    let xtask = Path::new(env!("CARGO_MANIFEST_DIR"));
    xtask.parent().expect("xtask/ lies in the root of the workspace")
}

/// The members of the workspace, or all packages it is built from.
#[derive(Debug, Default)]
pub(crate) struct Workspace {
    /// By name.
    pub packages: Vec<Package>,
}

/// One package.
#[derive(Debug)]
pub(crate) struct Package {
    /// As in its manifest.
    pub name: String,
    /// Its own version.
    pub version: String,
    /// Where it was fetched from; `None` for a member.
    pub source: Option<String>,
    /// The manifest, relative to the root.
    pub manifest: String,
    /// The licence expression.
    pub license: Option<String>,
    /// In the order cargo gives them.
    pub dependencies: Vec<Dependency>,
}

/// One dependency of a member.
#[derive(Debug)]
pub(crate) struct Dependency {
    /// The package it is on.
    pub name: String,
    /// For tests and benchmarks only.
    pub is_dev: bool,
    /// The version asked for; `*` when any will do.
    pub requirement: String,
    /// A folder instead of a registry.
    pub is_path: bool,
}

impl Workspace {
    /// Asks cargo, without a network.
    ///
    /// # Errors
    /// When cargo fails or its answer is not understood.
    pub(crate) fn load() -> Result<Self, Failure> {
        let args = ["metadata", "--no-deps", "--offline", "--format-version", "1"];
        Self::parse(&Program::cargo(&args).output()?)
    }

    /// Asks cargo for every package that the workspace is built from, on any platform. This may
    /// fetch those that only other platforms need.
    ///
    /// # Errors
    /// When cargo fails, the lock file is stale, or cargo's answer is not understood.
    pub(crate) fn load_with_dependencies() -> Result<Self, Failure> {
        let args = ["metadata", "--locked", "--all-features", "--format-version", "1"];
        Self::parse(&Program::cargo(&args).output()?)
    }

    /// Reads what `cargo metadata` prints.
    ///
    /// # Errors
    /// When the text is not what `cargo metadata` prints.
    pub(crate) fn parse(json: &str) -> Result<Self, Failure> {
        let metadata: Value = serde_json::from_str(json)
            .map_err(|error| Failure::check(format!("failed to read cargo metadata: {error}")))?;
        let root = text(&metadata, "workspace_root")?;
        let packages: Result<_, _> = list(&metadata, "packages")?
            .iter()
            .map(|package| Package::read(package, root))
            .collect();
        Ok(Self { packages: packages? })
    }

    /// The pure crates that exist, as package names.
    pub(crate) fn pure_packages(&self) -> Vec<&str> {
        let pure = self.packages.iter().filter(|package| PURE.contains(&package.short()));
        pure.map(|package| package.name.as_str()).collect()
    }
}

impl Package {
    /// The name of its folder in the drawing of `ARCHITECTURE.md`.
    pub(crate) fn short(&self) -> &str {
        short(&self.name)
    }

    /// The folder of its manifest, relative to the root.
    pub(crate) fn folder(&self) -> &str {
        self.manifest.trim_end_matches("Cargo.toml").trim_end_matches('/')
    }

    fn read(package: &Value, root: &str) -> Result<Self, Failure> {
        let manifest = text(package, "manifest_path")?;
        let manifest = manifest.strip_prefix(root).unwrap_or(manifest).trim_start_matches('/');
        let dependencies: Result<_, _> =
            list(package, "dependencies")?.iter().map(Dependency::read).collect();
        Ok(Self {
            name: text(package, "name")?.to_owned(),
            version: text(package, "version")?.to_owned(),
            source: package["source"].as_str().map(str::to_owned),
            manifest: manifest.to_owned(),
            license: package["license"].as_str().map(str::to_owned),
            dependencies: dependencies?,
        })
    }
}

impl Dependency {
    /// The name of its folder, when it is a member.
    pub(crate) fn short(&self) -> &str {
        short(&self.name)
    }

    fn read(dependency: &Value) -> Result<Self, Failure> {
        Ok(Self {
            name: text(dependency, "name")?.to_owned(),
            is_dev: dependency["kind"] == "dev",
            requirement: text(dependency, "req")?.to_owned(),
            is_path: dependency["path"].is_string(),
        })
    }
}

fn short(package: &str) -> &str {
    match package {
        "fanfold" => "cli",
        name => name.strip_prefix("fanfold-").unwrap_or(name),
    }
}

fn text<'a>(value: &'a Value, key: &str) -> Result<&'a str, Failure> {
    value[key].as_str().ok_or_else(|| missing(key))
}

fn list<'a>(value: &'a Value, key: &str) -> Result<&'a [Value], Failure> {
    value[key].as_array().map(Vec::as_slice).ok_or_else(|| missing(key))
}

fn missing(key: &str) -> Failure {
    Failure::check(format!("failed to read cargo metadata: no `{key}`"))
}
