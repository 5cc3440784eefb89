//! The command line.
//!
//! Not here: what the words mean. Values are checked where they are used.

mod agent;

use std::path::PathBuf;

use clap::builder::PossibleValuesParser;
use clap::{Args as ClapArgs, Parser, Subcommand};

pub(crate) use agent::{
    AgentArgs, LimitsArgs, ModelsArgs, Protocol, RulesArgs, RunArgs, SessionArg, SessionsArgs,
    SessionsCommand,
};

/// Fan out the work, fold up the context.
///
/// Without a command: an agent to talk to, on a terminal.
#[derive(Debug, Parser)]
#[command(version, about, propagate_version = true, args_conflicts_with_subcommands = true)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
    #[command(flatten)]
    pub(crate) session: SessionArg,
    #[command(flatten)]
    pub(crate) agent: AgentArgs,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Let an agent work until it has an answer
    Run(Box<RunArgs>),
    /// List, show, resume and remove sessions
    Sessions(SessionsArgs),
    /// The models that are known, with their context windows and prices
    Models(ModelsArgs),
    /// Run the tool calls of a model reply and answer in the reply's own format
    Exec(ExecArgs),
    /// Print the definitions of the built-in tools
    Tools(ToolsArgs),
    /// Show the settings in force, where each was said, and which files are trusted
    Settings(SettingsArgs),
}

/// `fanfold exec`.
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Exit codes: 0 every call has its result, 1 with --strict when one is not ok, \
2 bad input (nothing was run), 130 interrupted.\n\
Tools that only read run without a rule; others need --allow or --yes.")]
pub(crate) struct ExecArgs {
    /// The reply: a file, a .gz file, or - for standard input
    #[arg(value_name = "FILE", default_value = "-")]
    pub(crate) file: PathBuf,
    /// The format of the reply
    #[arg(long, default_value = "auto", value_parser = formats(true))]
    pub(crate) format: String,
    /// The folder in which the calls act
    #[arg(long, value_name = "DIR", default_value = ".")]
    pub(crate) workspace: PathBuf,
    /// How many calls may run at once
    #[arg(long, value_name = "N")]
    pub(crate) max_parallel: Option<usize>,
    /// What may run
    #[command(flatten)]
    pub(crate) rules: RulesArgs,
    /// How the run is shown, judged and kept
    #[command(flatten)]
    pub(crate) shown: ShownArgs,
}

/// How a run is shown, judged and kept.
#[derive(Debug, ClapArgs)]
pub(crate) struct ShownArgs {
    /// Exit with 1 if a call is not ok
    #[arg(long)]
    pub(crate) strict: bool,
    /// Write a JSON report of the run to this file
    #[arg(long, value_name = "FILE")]
    pub(crate) report: Option<PathBuf>,
    /// Draw the run on standard error when it is over
    #[arg(long)]
    pub(crate) timeline: bool,
    /// Keep input, full output and outcome of every call in this folder
    #[arg(long, value_name = "DIR")]
    pub(crate) records: Option<PathBuf>,
}

/// `fanfold tools`.
#[derive(Debug, ClapArgs)]
pub(crate) struct ToolsArgs {
    /// Only this tool
    pub(crate) name: Option<String>,
    /// The format of the definitions
    #[arg(long, default_value = "anthropic", value_parser = formats(false))]
    pub(crate) format: String,
}

/// `fanfold settings`.
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Layers, the weakest first: defaults, the user's settings.json, .fanfold/settings.json of the workspace, \
FANFOLD_* variables, flags.\n\
Until you trust it, a workspace's file can only narrow.")]
pub(crate) struct SettingsArgs {
    #[command(subcommand)]
    pub(crate) command: Option<SettingsCommand>,
    /// The workspace whose settings are meant
    #[arg(long, value_name = "DIR", default_value = ".", global = true)]
    pub(crate) workspace: PathBuf,
    /// Say also which variables name no setting
    #[arg(short, long, global = true)]
    pub(crate) verbose: bool,
}

/// What to do with settings; by default they are shown.
#[derive(Debug, Subcommand)]
pub(crate) enum SettingsCommand {
    /// Each value with where it was said
    Show(JsonArgs),
    /// The JSON Schema of a settings file
    Schema,
    /// The files that are looked at, whether they exist, and whether they are trusted
    Path(JsonArgs),
    /// Let the workspace's settings, as they are now, say anything
    Trust,
}

/// Whether a program reads the output.
#[derive(Debug, Default, ClapArgs)]
pub(crate) struct JsonArgs {
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

fn formats(auto: bool) -> PossibleValuesParser {
    let auto = auto.then_some("auto");
    PossibleValuesParser::new(auto.into_iter().chain(fanfold_session::FORMATS))
}
