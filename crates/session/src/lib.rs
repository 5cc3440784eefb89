//! What front ends see: commands in, updates out, plain data.
//!
//! A front end knows this crate and nothing below it. Today it can execute the calls of one reply
//! ([`exec()`]), let an agent work in a session ([`converse`]) and print tool definitions
//! ([`definitions`]). Not here: how anything is shown.

mod chair;
mod config;
mod definitions;
mod error;
mod event;
mod exec;
mod message;
mod models;
mod opened;
mod prepare;
mod prompt;
mod report;
mod request;
mod run;
mod run_error;
mod sessions;
mod settings_view;
mod teller;
mod update;

pub use config::Overrides;
pub use definitions::definitions;
pub use error::ExecError;
pub use event::{CallChange, Event, HowEnded, What};
pub use exec::{Done, exec};
pub use fanfold_agent::Answer;
pub use fanfold_engine::Command;
pub use fanfold_settings::schema_text as settings_schema;
pub use fanfold_transcript::{CallId, Protocol, SessionId, StepId};
pub use message::Message;
pub use models::{ModelView, list_models};
pub use report::{CallReport, ClaimReport, GroupsReport, Report, WaitReport};
pub use request::Request;
pub use run::{Order, RunRequest, Summary, converse};
pub use run_error::RunError;
pub use sessions::{
    SessionShown, SessionView, ShownCall, ShownEntry, list_sessions, remove_session, show_session,
};
pub use settings_view::{
    FileView, FromView, SettingView, SettingsView, TrustedFile, trust_settings, view_settings,
    view_settings_files,
};
pub use update::{Change, Update};

/// Fanfold's own folder: `$FANFOLD_HOME`, by default `~/.local/state/fanfold`. It may not be there yet.
///
/// # Errors
/// When the variable that names it, or `HOME`, is no absolute path.
pub fn home() -> Result<std::path::PathBuf, RunError> {
    Ok(config::fanfold_home()?)
}

/// The formats in which replies are read and results written, by name.
pub const FORMATS: [&str; 7] =
    ["anthropic", "openai-chat", "openai-responses", "gemini", "bedrock", "cohere", "plain"];
