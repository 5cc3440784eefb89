//! `fanfold models`: the known models with their windows and prices.
//!
//! Not here: where the figures come from.

use std::process::ExitCode;

use fanfold_session::{ModelView, list_models};

use crate::args::ModelsArgs;
use crate::run::problem;
use crate::table::Table;
use crate::tally::{dollars, grouped};
use crate::voice::clean;
use crate::{Problem, exec};

/// Runs the command.
pub(crate) fn run(args: &ModelsArgs) -> Result<ExitCode, Problem> {
    let models = list_models(&args.workspace).map_err(problem)?;
    if args.json.json {
        exec::print_json(serde_json::to_value(&models))?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut table = Table::new(["MODEL", "WINDOW", "MAX OUTPUT", "$/M IN", "$/M OUT"]);
    for model in &models {
        table.row(row(model));
    }
    exec::print(&table.to_string())?;
    Ok(ExitCode::SUCCESS)
}

/// A dash where nothing is known.
fn row(model: &ModelView) -> [String; 5] {
    let known = |figure: Option<String>| figure.unwrap_or_else(|| "-".to_owned());
    [
        clean(&model.name, usize::MAX),
        grouped(model.context_window),
        known(model.max_output.map(grouped)),
        known(model.input_usd.map(dollars)),
        known(model.output_usd.map(dollars)),
    ]
}
