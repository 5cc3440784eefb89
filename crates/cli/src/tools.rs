//! `fanfold tools`: prints definitions.

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
