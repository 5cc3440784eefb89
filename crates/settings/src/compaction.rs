//! When and how the view of a conversation is made smaller.
//!
//! Not here: the compaction itself.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The three levels of compaction.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Compaction {
    /// Every turn, without a model.
    pub micro: Micro,
    /// Near the threshold, with one model call.
    pub auto: Auto,
    /// After a provider has refused a request as too long.
    pub reactive: Reactive,
}

/// Level 1: what can be shortened without asking a model.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
#[expect(clippy::struct_excessive_bools, reason = "independent switches of a settings file")]
pub struct Micro {
    /// Whether this level runs at all.
    pub enabled: bool,
    /// Lines of a tool result, the marker of the cut counted. From 3 to 1,000,000.
    #[schemars(range(min = 3, max = 1_000_000))]
    pub max_tool_result_lines: usize,
    /// Bytes of a tool result; null for what `tool_output` gives. From 1,024 to 67,108,864.
    #[schemars(range(min = 1_024, max = 67_108_864))]
    pub max_tool_result_bytes: Option<usize>,
    /// Whether an older read of a file becomes a pointer to a newer one that covers it.
    pub deduplicate_reads: bool,
    /// Whether the same error again and again is shown once, with a count.
    pub collapse_error_cycles: bool,
    /// Whether old results shrink to a line each when the threshold is near.
    pub mask_old_results: bool,
    /// Tokens of the newest results that are never masked. From 1 to 10,000,000.
    #[schemars(range(min = 1, max = 10_000_000))]
    pub keep_recent_tokens: u64,
    /// When what was already sent may be rewritten.
    pub rewrite: Rewrite,
    /// Tokens that a rewrite must save when it has to pay. From 1 to 10,000,000.
    #[schemars(range(min = 1, max = 10_000_000))]
    pub min_gain_tokens: u64,
}

impl Default for Micro {
    fn default() -> Self {
        Self {
            enabled: true,
            max_tool_result_lines: 100,
            max_tool_result_bytes: None,
            deduplicate_reads: true,
            collapse_error_cycles: true,
            mask_old_results: true,
            keep_recent_tokens: 40_000,
            rewrite: Rewrite::Auto,
            min_gain_tokens: 5_000,
        }
    }
}

/// When what was already sent may be rewritten; that costs the provider's prompt cache.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Rewrite {
    /// Whenever there is something to gain.
    EveryTurn,
    /// Only for a gain of `min_gain_tokens`, or when the cache is cold or the threshold near.
    WhenItPays,
    /// Every turn until the session has seen a cache read, then when it pays.
    #[default]
    Auto,
}

/// Level 2: a summary by a model.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Auto {
    /// Whether this level runs at all.
    pub enabled: bool,
    /// Tokens of the context window kept free for the response. The default adapts to small windows;
    /// a configured value is used as it is. From 1 to 10,000,000.
    #[schemars(range(min = 1, max = 10_000_000))]
    pub reserve_tokens: u64,
    /// Newest messages kept as they are. From 1 to 10,000.
    #[schemars(range(min = 1, max = 10_000))]
    pub keep_recent: usize,
    /// The model that summarises, as `provider/model`; null for the agent's own.
    pub model: Option<String>,
}

impl Default for Auto {
    fn default() -> Self {
        Self { enabled: true, reserve_tokens: 33_000, keep_recent: 10, model: None }
    }
}

/// Level 3: the last resort.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Reactive {
    /// Whether this level runs at all.
    pub enabled: bool,
    /// Newest messages kept as they are. From 1 to 10,000.
    #[schemars(range(min = 1, max = 10_000))]
    pub keep_recent: usize,
    /// How often the shortened request is sent again. From 0 to 10.
    #[schemars(range(min = 0, max = 10))]
    pub max_retries: u32,
}

impl Default for Reactive {
    fn default() -> Self {
        Self { enabled: true, keep_recent: 5, max_retries: 1 }
    }
}
