//! What front ends see: commands in, updates out, plain data.
//!
//! A front end knows this crate and nothing below it. Today it can execute the calls of one reply
//! ([`exec()`]) and print tool definitions ([`definitions`]). Not here: how anything is shown.

mod config;
mod definitions;
mod error;
mod exec;
mod prepare;
mod report;
mod request;
mod settings_view;
mod update;

pub use config::Overrides;
pub use definitions::definitions;
pub use error::ExecError;
pub use exec::{Done, exec};
pub use fanfold_agent::Answer;
pub use fanfold_engine::Command;
pub use fanfold_settings::schema_text as settings_schema;
pub use fanfold_transcript::CallId;
pub use report::{CallReport, ClaimReport, GroupsReport, Report, WaitReport};
pub use request::Request;
pub use settings_view::{
    FileView, FromView, SettingView, SettingsView, TrustedFile, trust_settings, view_settings,
    view_settings_files,
};
pub use update::{Change, Update};

/// The formats in which replies are read and results written, by name.
pub const FORMATS: [&str; 7] =
    ["anthropic", "openai-chat", "openai-responses", "gemini", "bedrock", "cohere", "plain"];
