//! The command line of what lets an agent work: `run`, the interactive mode, `sessions`, `models`.
//!
//! Not here: what the words mean.

use std::path::PathBuf;

use clap::{Args as ClapArgs, Subcommand, ValueEnum};

use super::JsonArgs;

/// `fanfold run`.
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Exit codes: 0 answered, 1 failed or at a limit, 2 bad input (nothing was run), 130 stopped.\n\
The model: --model, else \"model\" in the settings, else FANFOLD_MODEL; script:FILE needs no key.\n\
Tools that only read run without a rule; others need --allow or --yes, or are asked for on a terminal.")]
pub(crate) struct RunArgs {
    /// What the agent is told; - or a pipe for standard input; none with --session to go on
    pub(crate) prompt: Option<String>,
    /// Send this file too: a picture, a PDF or text (repeatable)
    #[arg(long, value_name = "FILE")]
    pub(crate) attach: Vec<PathBuf>,
    /// The JSON Schema that the answer must fit
    #[arg(long, value_name = "FILE")]
    pub(crate) output_schema: Option<PathBuf>,
    /// Print every event as a line of JSON
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) session: SessionArg,
    #[command(flatten)]
    pub(crate) agent: AgentArgs,
}

/// Which session.
#[derive(Debug, Default, ClapArgs)]
pub(crate) struct SessionArg {
    /// Go on with a session: its id, the beginning of one, or last
    #[arg(long, value_name = "ID")]
    pub(crate) session: Option<String>,
}

/// What agent, and with which freedom.
#[derive(Debug, Default, ClapArgs)]
pub(crate) struct AgentArgs {
    /// The model, as PROVIDER/NAME or script:FILE
    #[arg(long, value_name = "MODEL")]
    pub(crate) model: Option<String>,
    /// Where the model's server is
    #[arg(long, value_name = "URL")]
    pub(crate) base_url: Option<String>,
    /// A file with a system prompt in place of Fanfold's own
    #[arg(long, value_name = "FILE")]
    pub(crate) system: Option<PathBuf>,
    /// The folder in which the calls act [default: the session's, else the current one]
    #[arg(long, value_name = "DIR")]
    pub(crate) workspace: Option<PathBuf>,
    /// How the model asks for calls: by its provider's rules, or as JSON in its text
    #[arg(long, value_name = "PROTOCOL", value_enum, default_value_t)]
    pub(crate) protocol: Protocol,
    /// Record what the model says in this file, to be played again with --model script:FILE
    #[arg(long, value_name = "FILE")]
    pub(crate) record: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) rules: RulesArgs,
    #[command(flatten)]
    pub(crate) limits: LimitsArgs,
}

/// What may run.
#[derive(Debug, Default, ClapArgs)]
pub(crate) struct RulesArgs {
    /// Allow this tool (repeatable)
    #[arg(long, value_name = "RULE")]
    pub(crate) allow: Vec<String>,
    /// Deny this tool (repeatable; wins over --allow and --yes)
    #[arg(long, value_name = "RULE")]
    pub(crate) deny: Vec<String>,
    /// Allow what no rule denies
    #[arg(long)]
    pub(crate) yes: bool,
}

/// How much.
#[derive(Debug, Default, ClapArgs)]
pub(crate) struct LimitsArgs {
    /// How many calls may run at once
    #[arg(long, value_name = "N")]
    pub(crate) max_parallel: Option<usize>,
    /// Replies of the model in one turn
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) max_steps: Option<u32>,
    /// Tokens in one turn, input and output over all requests
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) max_tokens: Option<u64>,
    /// US dollars in one turn
    #[arg(long, value_name = "USD", value_parser = amount, allow_negative_numbers = true)]
    pub(crate) max_cost: Option<f64>,
}

/// How the model asks for calls.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Protocol {
    /// By its provider's rules.
    #[default]
    Native,
    /// As JSON objects in its text.
    Plain,
}

/// `fanfold sessions`.
#[derive(Debug, ClapArgs)]
#[command(after_help = "ID is a session's id, the beginning of one, or last.")]
pub(crate) struct SessionsArgs {
    #[command(subcommand)]
    pub(crate) command: Option<SessionsCommand>,
}

/// What to do with sessions; by default they are listed.
#[derive(Debug, Subcommand)]
pub(crate) enum SessionsCommand {
    /// All sessions, the newest first
    List(JsonArgs),
    /// What was said and done in a session
    Show {
        /// Which one
        #[arg(value_name = "ID")]
        session: String,
        #[command(flatten)]
        json: JsonArgs,
    },
    /// Go on with a session: interactively on a terminal, else where it stands
    Resume {
        /// Which one
        #[arg(value_name = "ID")]
        session: String,
        #[command(flatten)]
        agent: Box<AgentArgs>,
    },
    /// Remove sessions for good
    Rm {
        /// Which ones
        #[arg(value_name = "ID", required = true)]
        sessions: Vec<String>,
    },
}

/// `fanfold models`.
#[derive(Debug, ClapArgs)]
#[command(
    after_help = "Other models can be asked too, under the names that their providers give them."
)]
pub(crate) struct ModelsArgs {
    /// The workspace whose settings may describe more
    #[arg(long, value_name = "DIR", default_value = ".")]
    pub(crate) workspace: PathBuf,
    #[command(flatten)]
    pub(crate) json: JsonArgs,
}

fn amount(text: &str) -> Result<f64, String> {
    let amount: f64 = text.parse().map_err(|_| "it is no number".to_owned())?;
    if amount.is_finite() && amount > 0.0 {
        Ok(amount)
    } else {
        Err("it must be more than 0".to_owned())
    }
}
