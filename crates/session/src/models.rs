//! The models of which something is known, as a front end lists them.
//!
//! Not here: asking one (`chair.rs`).

use std::path::Path;

use fanfold_model::{ModelFacts, facts, known_models};
use serde::Serialize;

use crate::config::{self, Overrides};
use crate::run_error::RunError;

/// One model.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ModelView {
    /// `provider/model`: what `--model` takes.
    pub name: String,
    /// Tokens that a request and its reply may have together.
    pub context_window: u64,
    /// Tokens that a reply may have.
    pub max_output: Option<u64>,
    /// US dollars for a million tokens of input, for short requests.
    pub input_usd: Option<f64>,
    /// US dollars for a million tokens of output, likewise.
    pub output_usd: Option<f64>,
    /// Whether it looks at pictures.
    pub vision: bool,
}

/// The models of the built-in table and of the settings in force for a workspace. Others can be asked
/// too, under the names that their providers give them.
///
/// # Errors
/// When the settings cannot be used.
pub fn list_models(workspace: &Path) -> Result<Vec<ModelView>, RunError> {
    let settings = config::load(workspace, Overrides::default())?.settings;
    let models = known_models(&settings);
    Ok(models.iter().map(|name| view(name.to_string(), facts(name, &settings).0)).collect())
}

fn view(name: String, facts: ModelFacts) -> ModelView {
    let rates = facts.price.map(|price| price.short);
    ModelView {
        name,
        context_window: facts.context_window,
        max_output: facts.max_output,
        input_usd: rates.map(|rates| rates.input),
        output_usd: rates.map(|rates| rates.output),
        vision: facts.vision,
    }
}
