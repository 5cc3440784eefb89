//! From a request and the settings to what a batch is run with.
//!
//! Not here: running it (`exec.rs`), and where settings come from (`config.rs`).

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use fanfold_agent::{Folders, Gate, Grace, Permissions, Rule};
use fanfold_engine::{Bounds, Output, Setting};
use fanfold_model::key_variables;
use fanfold_schedule::{Groups, Limits};
use fanfold_settings::{FsGroup, Settings, WholeGroup};
use fanfold_tools::{
    Children, CommandSpec, CommandTool, Effect, FormatFile, Place, ReadState, Shell, Toolbox, Typed,
};
use fanfold_transcript::SessionId;
use serde_json::{Value, json};

use crate::config::{self, Loaded};
use crate::definitions::unknown;
use crate::error::ExecError;
use crate::request::Freedom;

/// How long a killed call may take to be gone.
const KILL_MS: u64 = 1_000;

/// What calls are run with, the settings behind it, and what the user should know.
pub(crate) struct Prepared {
    /// Nothing is recorded yet.
    pub(crate) setting: Setting,
    pub(crate) settings: Settings,
    pub(crate) notices: Vec<String>,
}

/// Makes ready what calls are run with. `more` are tools beside those of the settings.
///
/// # Errors
/// When the settings, a rule or the workspace cannot be used.
pub(crate) fn prepare(
    freedom: &Freedom<'_>,
    more: impl FnOnce(Toolbox) -> Toolbox,
) -> Result<Prepared, ExecError> {
    let Loaded { settings, mut notices, .. } = config::load(freedom.workspace, freedom.overrides)?;
    let toolbox = more(toolbox(&settings));
    let permissions = permissions(freedom, &settings)?;
    // A misspelled denial would deny nothing, and nobody would notice.
    let denials: Result<Vec<Rule>, _> = freedom.deny.iter().map(|rule| rule.parse()).collect();
    if let Some(rule) = denials?.iter().find(|rule| toolbox.get(rule.tool()).is_none()) {
        return Err(unknown(&toolbox, rule.tool()));
    }
    notices.extend(permissions.check(toolbox.iter().map(|tool| &*tool.definition().name)));
    let place = place(freedom.workspace, &settings)?;
    let folders = Folders {
        workspace: Some(place.directory().to_string_lossy().into()),
        home: std::env::var("HOME").ok().map(Into::into),
    };
    let tools = toolbox.iter().map(|tool| {
        let definition = tool.definition();
        (definition.name.clone(), definition.effect == Effect::ReadsOnly)
    });
    let withheld = key_variables(&settings).into_iter().map(Into::into).collect();
    let setting = Setting {
        gate: Gate::new(permissions, tools).within(folders),
        asks: freedom.asks,
        limits: Limits { slots: settings.max_parallel_tools, claims: settings.scheduling.claims },
        grace: Grace { stop_ms: settings.limits.stop_grace_ms, kill_ms: KILL_MS },
        toolbox,
        place: Arc::new(place),
        reads: Arc::new(ReadState::default()),
        children: Children { withheld, watch: None },
        session: new_session(),
        output: output(&settings),
    };
    Ok(Prepared { setting, settings, notices })
}

/// The built-in tools as the settings want them, and the tools that the settings declare. A declared
/// tool takes the place of a built-in one of its name.
pub(crate) fn toolbox(settings: &Settings) -> Toolbox {
    let shell = Shell::with_grace(Duration::from_millis(settings.limits.stop_grace_ms))
        .with_timeout(settings.limits.shell_timeout_ms)
        .with_read_only_lines(settings.scheduling.read_only_shell);
    let builtin = Toolbox::builtin()
        .with(Typed::new(shell))
        .with(Typed::new(FormatFile::new(settings.formatters.clone())));
    settings.tools.iter().fold(builtin, |toolbox, (name, declared)| {
        toolbox.with(CommandTool::new(spec(name, declared, settings)))
    })
}

fn spec(name: &str, declared: &fanfold_settings::CommandTool, settings: &Settings) -> CommandSpec {
    let timeout_ms = declared.timeout_ms.unwrap_or(settings.limits.shell_timeout_ms);
    let input_schema = if declared.input_schema.is_empty() {
        json!({"type": "object"})
    } else {
        Value::Object(declared.input_schema.clone())
    };
    CommandSpec {
        name: name.to_owned(),
        description: declared.description.clone(),
        input_schema,
        command: declared.command.clone(),
        groups: match &declared.groups {
            fanfold_settings::Groups::Whole(WholeGroup::Independent) => Groups::independent(),
            fanfold_settings::Groups::Whole(WholeGroup::Exclusive) => Groups::Exclusive,
            fanfold_settings::Groups::Named(names) => {
                Groups::Named(names.iter().map(|name| name.as_str().into()).collect())
            }
        },
        reads: declared.reads.clone(),
        writes: declared.writes.clone(),
        timeout: Duration::from_millis(timeout_ms),
    }
}

/// The rules of the settings and of the command line together.
fn permissions(freedom: &Freedom<'_>, settings: &Settings) -> Result<Permissions, ExecError> {
    let rules = |settings: &[String], request: &[String]| -> Result<Vec<Rule>, ExecError> {
        settings.iter().chain(request).map(|text| Ok(text.parse()?)).collect()
    };
    Ok(Permissions {
        allow: rules(&settings.permissions.allow, freedom.allow)?,
        ask: rules(&settings.permissions.ask, &[])?,
        deny: rules(&settings.permissions.deny, freedom.deny)?,
        allow_the_rest: freedom.yes,
    })
}

fn place(workspace: &Path, settings: &Settings) -> Result<Place, ExecError> {
    let place = Place::new(workspace, settings.permissions.additional_directories.clone())?;
    Ok(match settings.scheduling.fs_group {
        FsGroup::Named => place,
        FsGroup::ByPath => place.with_writes_apart_by_path(),
    })
}

fn output(settings: &Settings) -> Output {
    let (streams, micro) = (&settings.tool_output, &settings.compaction.micro);
    let mut output = Output::default();
    output.kept.head_bytes = streams.head_bytes;
    output.kept.tail_bytes = streams.tail_bytes;
    output.page_lines = u64::try_from(micro.max_tool_result_lines).unwrap_or(u64::MAX);
    output.shown = if micro.enabled {
        Bounds { lines: micro.max_tool_result_lines, bytes: micro.max_tool_result_bytes }
    } else {
        Bounds::NONE
    };
    output
}

/// A name for this run: it marks every process that the calls start.
fn new_session() -> SessionId {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    // The tail of the id sorts by time as well: a millisecond has 1,679 of its 36⁴ values.
    let chance = u64::from(now.subsec_nanos()) ^ u64::from(std::process::id());
    SessionId::at(now.as_secs(), u64::from(now.subsec_millis()) * 1_679 + chance % 1_679)
}
