//! The numbers that bound everything: how many, how long, how much.
//!
//! Each has a default and a range; a value outside its range is an error. Not here: who enforces them.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Limits on calls, jobs, agents, waits, processes and requests.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Limits {
    /// Calls in one `parallel` call. From 1 to 1,000.
    #[schemars(range(min = 1, max = 1_000))]
    pub parallel_calls: usize,
    /// Entries in one `multi_tool` envelope. From 1 to 1,000.
    #[schemars(range(min = 1, max = 1_000))]
    pub envelope_entries: usize,
    /// Jobs of a session that have not ended. From 1 to 10,000.
    #[schemars(range(min = 1, max = 10_000))]
    pub live_jobs: usize,
    /// Agents that ask a model or run a call at the same time. From 1 to 1,000.
    #[schemars(range(min = 1, max = 1_000))]
    pub agents_alive: usize,
    /// Agents that one turn may make, all generations together. From 1 to 10,000.
    #[schemars(range(min = 1, max = 10_000))]
    pub agents_per_tree: usize,
    /// How deep subordinates may have subordinates. From 1 to 64.
    #[schemars(range(min = 1, max = 64))]
    pub agent_depth: usize,
    /// Tokens that an agent and all its subordinates may use together; null for no limit.
    /// From 1 to 1,000,000,000,000.
    #[schemars(range(min = 1, max = 1_000_000_000_000_u64))]
    pub tree_tokens: Option<u64>,
    /// How long a wait for jobs may last, in seconds. From 1 to 86,400.
    #[schemars(range(min = 1, max = 86_400))]
    pub wait_timeout_s: u64,
    /// Rows of the note that tells an agent about its jobs. From 1 to 1,000.
    #[schemars(range(min = 1, max = 1_000))]
    pub extras_rows: usize,
    /// Bytes of one aggregate result. From 1,024 to 67,108,864.
    #[schemars(range(min = 1_024, max = 67_108_864))]
    pub aggregate_bytes: usize,
    /// Bytes recorded of one stream before only its head and tail are kept. From 1,024 to 1,099,511,627,776.
    #[schemars(range(min = 1_024, max = 1_099_511_627_776_u64))]
    pub record_bytes: u64,
    /// How long a Shell command may run when it does not say so itself, in milliseconds. From 1 to 600,000.
    #[schemars(range(min = 1, max = 600_000))]
    pub shell_timeout_ms: u64,
    /// How long a stopped process may take to end before it is killed, in milliseconds. From 1 to 60,000.
    #[schemars(range(min = 1, max = 60_000))]
    pub stop_grace_ms: u64,
    /// How often a model is asked before its failure counts. From 1 to 20.
    #[schemars(range(min = 1, max = 20))]
    pub model_attempts: u32,
    /// How long a connection to a model's server may take, in milliseconds. From 1 to 600,000.
    #[schemars(range(min = 1, max = 600_000))]
    pub model_connect_ms: u64,
    /// How long a model may take from the request to the first byte of its reply, the connection
    /// included, in milliseconds. From 1 to 3,600,000.
    #[schemars(range(min = 1, max = 3_600_000))]
    pub model_first_byte_ms: u64,
    /// How long a model may say nothing in the middle of a reply, in milliseconds. From 1 to 3,600,000.
    #[schemars(range(min = 1, max = 3_600_000))]
    pub model_silence_ms: u64,
    /// Model replies in one turn. From 1 to 10,000.
    #[schemars(range(min = 1, max = 10_000))]
    pub steps: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            parallel_calls: 8,
            envelope_entries: 64,
            live_jobs: 64,
            agents_alive: 8,
            agents_per_tree: 64,
            agent_depth: 4,
            tree_tokens: None,
            wait_timeout_s: 300,
            extras_rows: 20,
            aggregate_bytes: 256 << 10,
            record_bytes: 256 << 20,
            shell_timeout_ms: 120_000,
            stop_grace_ms: 3_000,
            model_attempts: 4,
            model_connect_ms: 10_000,
            model_first_byte_ms: 600_000,
            model_silence_ms: 300_000,
            steps: 200,
        }
    }
}

/// How much of a stream the model is shown.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct ToolOutput {
    /// Bytes kept of the beginning of each stream. From 256 to 16,777,216.
    #[schemars(range(min = 256, max = 16_777_216))]
    pub head_bytes: usize,
    /// Bytes kept of the end of each stream. From 256 to 16,777,216.
    #[schemars(range(min = 256, max = 16_777_216))]
    pub tail_bytes: usize,
}

impl Default for ToolOutput {
    fn default() -> Self {
        Self { head_bytes: 16 << 10, tail_bytes: 16 << 10 }
    }
}
