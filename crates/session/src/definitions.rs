//! Tool definitions as a provider wants them.

use fanfold_tools::{Definition, Response, Toolbox, Typed};
use fanfold_transcript::Wire;
use fanfold_wire::{ToolDefinition, write_definitions};

use crate::error::ExecError;

/// The definitions of all tools, or of the one named, as JSON in this format.
///
/// # Errors
/// When there is no such format or tool.
pub fn definitions(format: &str, name: Option<&str>) -> Result<String, ExecError> {
    let wire: Wire = format.parse().map_err(ExecError::Format)?;
    let toolbox = Toolbox::builtin().with(Typed::new(Response));
    let chosen: Vec<&Definition> = match name {
        None => toolbox.iter().map(|tool| tool.definition()).collect(),
        Some(name) => {
            let tool = toolbox.get(name).ok_or_else(|| unknown(&toolbox, name))?;
            vec![tool.definition()]
        }
    };
    let written: Vec<ToolDefinition<'_>> = chosen
        .into_iter()
        .map(|definition| ToolDefinition {
            name: &definition.name,
            description: &definition.description,
            input_schema: definition.input_schema.json(),
        })
        .collect();
    Ok(write_definitions(wire, &written).text().to_owned())
}

/// The error for a name that no tool has, with the nearest one.
pub(crate) fn unknown(toolbox: &Toolbox, name: &str) -> ExecError {
    let names = toolbox.iter().map(|tool| &*tool.definition().name);
    let score = |known: &str| strsim::jaro_winkler(&name.to_lowercase(), &known.to_lowercase());
    let best = names.max_by(|a, b| score(a).total_cmp(&score(b)));
    let hint = best.filter(|best| score(best) > 0.7);
    let hint = hint.map(|best| format!("; did you mean {best}?")).unwrap_or_default();
    ExecError::UnknownTool { name: name.to_owned(), hint }
}
