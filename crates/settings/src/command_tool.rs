//! A tool that is a program of the user's: JSON on its stdin, its stdout is the result.
//!
//! Not here: running it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// A command tool; its name is its key under `tools`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CommandTool {
    /// What it does, for the model.
    pub description: String,
    /// The JSON Schema of its arguments; by default any object.
    #[serde(default)]
    pub input_schema: Map<String, Value>,
    /// The program and its arguments; no shell is involved.
    #[schemars(length(min = 1))]
    pub command: Vec<String>,
    /// What it must not run beside.
    #[serde(default)]
    pub groups: Groups,
    /// The arguments that name paths it reads.
    #[serde(default)]
    pub reads: Vec<String>,
    /// The arguments that name paths it writes.
    #[serde(default)]
    pub writes: Vec<String>,
    /// How long it may run, in milliseconds; null for the timeout of the Shell. From 1 to 86,400,000.
    #[serde(default)]
    #[schemars(range(min = 1, max = 86_400_000))]
    pub timeout_ms: Option<u64>,
}

/// What a call must not run beside.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Groups {
    /// One of the two ends of the lattice.
    Whole(WholeGroup),
    /// The calls that share one of these names.
    Named(#[schemars(length(min = 1))] Vec<String>),
}

impl Default for Groups {
    /// An undeclared tool may touch anything.
    fn default() -> Self {
        Self::Whole(WholeGroup::Exclusive)
    }
}

/// The two ends of the lattice of groups.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum WholeGroup {
    /// Runs beside everything.
    Independent,
    /// Runs beside nothing.
    Exclusive,
}
