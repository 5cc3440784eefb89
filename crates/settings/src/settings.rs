//! The settings in force, typed: every key that a layer may say, with its default and its bounds.
//!
//! The types are the only list of keys: the schema, the checks and the layers follow from them.
//! Not here: the larger sections (`limits.rs`, `compaction.rs`, `command_tool.rs`).

use std::collections::BTreeMap;
use std::path::PathBuf;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::command_tool::CommandTool;
use crate::compaction::Compaction;
use crate::limits::{Limits, ToolOutput};

/// The settings in force.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// Leaf calls running at once, over the whole session. With 1, calls run one by one. From 1 to 1,000.
    #[schemars(range(min = 1, max = 1_000))]
    pub max_parallel_tools: usize,
    /// Limits on calls, jobs, agents, waits, processes and requests.
    pub limits: Limits,
    /// How much of a stream the model is shown.
    pub tool_output: ToolOutput,
    /// When and how the view of a conversation is made smaller.
    pub compaction: Compaction,
    /// What may run beside what.
    pub scheduling: Scheduling,
    /// What may be done without asking.
    pub permissions: Permissions,
    /// The formatter of each file extension, as program and arguments.
    #[schemars(extend("additionalProperties" = {
        "type": "array", "items": {"type": "string"}, "minItems": 1
    }))]
    pub formatters: BTreeMap<String, Vec<String>>,
    /// Tools that are programs of the user's, by name.
    #[schemars(extend("propertyNames" = {"format": "tool-name"}))]
    pub tools: BTreeMap<String, CommandTool>,
    /// The model that agents ask, as `provider/model` or `script:FILE`; null for none.
    pub model: Option<String>,
    /// What is known about models, by `provider/model`.
    #[schemars(extend("propertyNames" = {"format": "model-name"}))]
    pub models: BTreeMap<String, Model>,
    /// How carefully the journal is written.
    pub durability: Durability,
    /// Which calls may start while the reply that holds them is still streaming.
    pub streaming_start: StreamingStart,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            max_parallel_tools: 10,
            limits: Limits::default(),
            tool_output: ToolOutput::default(),
            compaction: Compaction::default(),
            scheduling: Scheduling::default(),
            permissions: Permissions::default(),
            formatters: BTreeMap::new(),
            tools: BTreeMap::new(),
            model: None,
            models: BTreeMap::new(),
            durability: Durability::default(),
            streaming_start: StreamingStart::default(),
        }
    }
}

/// What may run beside what.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Scheduling {
    /// Whether calls that touch the same thing wait for each other; else only groups order them.
    pub claims: bool,
    /// Whether a Shell line that is proved to only read runs beside others.
    pub read_only_shell: bool,
    /// Whether writing file tools form one group.
    pub fs_group: FsGroup,
}

impl Default for Scheduling {
    fn default() -> Self {
        Self { claims: true, read_only_shell: false, fs_group: FsGroup::default() }
    }
}

/// How file tools that write are kept apart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum FsGroup {
    /// One after the other.
    #[default]
    Named,
    /// Only where their paths meet.
    ByPath,
}

/// What may be done without asking. The lists of all layers are joined; deny beats ask beats allow.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Permissions {
    /// Rules that allow, each `Tool` or `Tool(pattern)`.
    pub allow: Vec<String>,
    /// Rules that ask.
    pub ask: Vec<String>,
    /// Rules that deny.
    pub deny: Vec<String>,
    /// Folders beside the workspace that file tools may reach, as absolute paths.
    #[schemars(extend("items" = {"type": "string", "format": "absolute-path"}))]
    pub additional_directories: Vec<PathBuf>,
}

/// What is known about one model.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Model {
    /// Tokens that a request and its reply may have together. From 1 to 1,000,000,000.
    #[schemars(range(min = 1, max = 1_000_000_000))]
    pub context_window: Option<u64>,
    /// Tokens that a reply may have. From 1 to 1,000,000,000.
    #[schemars(range(min = 1, max = 1_000_000_000))]
    pub max_output_tokens: Option<u64>,
    /// Where its server is.
    pub base_url: Option<String>,
    /// The environment variable that holds its key.
    pub api_key_env: Option<String>,
}

/// How carefully the journal is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Durability {
    /// What must not be lost is on the disk before it counts.
    #[default]
    Full,
    /// The operating system writes when it likes; a power cut may lose the newest events.
    Relaxed,
}

/// Which calls may start while the reply that holds them is still streaming.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum StreamingStart {
    /// Every complete call.
    #[default]
    All,
    /// Complete calls of tools that only read.
    ReadOnly,
    /// None.
    Off,
}
