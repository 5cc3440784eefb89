//! `fanfold tools`: prints definitions; and the tools in a few words each.

use std::process::ExitCode;

use crate::args::ToolsArgs;
use crate::{Problem, exec};

/// Prints the definitions in the format asked for.
pub(crate) fn run(args: &ToolsArgs) -> Result<ExitCode, Problem> {
    let text = fanfold_session::definitions(&args.format, args.name.as_deref());
    let text = text.map_err(Problem::input)?;
    let value: serde_json::Value = serde_json::from_str(&text).map_err(Problem::work)?;
    let pretty = serde_json::to_string_pretty(&value).map_err(Problem::work)?;
    exec::print(&pretty)?;
    Ok(ExitCode::SUCCESS)
}

/// Each tool with the first sentence of what it says of itself.
pub(crate) fn lines() -> String {
    let definitions = fanfold_session::definitions("anthropic", None).unwrap_or_default();
    let tools: Vec<serde_json::Value> = serde_json::from_str(&definitions).unwrap_or_default();
    let line = |tool: &serde_json::Value| {
        let text = tool["description"].as_str().unwrap_or_default();
        let sentence = text.split(". ").next().unwrap_or_default().trim_end_matches('.');
        format!("{:14} {sentence}", tool["name"].as_str().unwrap_or_default())
    };
    tools.iter().map(line).collect::<Vec<_>>().join("\n")
}
