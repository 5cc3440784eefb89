//! From the name of a model to a seat at it: opened, with what is known of it.
//!
//! Not here: the table of models (`fanfold-model`).

use std::sync::Arc;

use fanfold_agent::ModelInUse;
use fanfold_engine::Seat;
use fanfold_model::{ModelFacts, ModelName, Opening, Tap, ThinkingStyle, facts, open};
use fanfold_settings::Settings;
use fanfold_wire::{Effort, Endpoint, Thinking};

use crate::run_error::RunError;

/// Tokens of thinking for models that want a number.
const THINKING_TOKENS: u64 = 8_000;

/// A model, ready to be asked, and what the user should know.
///
/// # Errors
/// When nobody knows the provider, or there is no key.
pub(crate) fn seat(
    name: &str,
    base_url: Option<&str>,
    settings: &Settings,
    tap: Option<Arc<dyn Tap>>,
) -> Result<(Seat, Option<String>), RunError> {
    let parsed = ModelName::parse(name, settings)?;
    let environment = |variable: &str| std::env::var(variable).ok();
    let opening = Opening { settings, base_url, environment: &environment, tap };
    let model = open(&parsed, &opening)?;
    let (facts, notice) = facts(&parsed, settings);
    let wire = model.wire();
    let endpoint = Endpoint::of(wire).expect("a model speaks the wire of an endpoint");
    let asked: Box<str> = name.into();
    let name = match &parsed {
        ModelName::Hosted { model, .. } => model.clone(),
        ModelName::Script(_) => "script".into(),
    };
    let in_use = ModelInUse { asked, wire };
    let thinking = thinking(&facts);
    let ModelFacts { max_output, price, .. } = facts;
    Ok((Seat { model, in_use, endpoint, name, max_output, thinking, price }, notice))
}

/// How much a model is to think when nobody says.
const fn thinking(facts: &ModelFacts) -> Thinking {
    match facts.thinking {
        // What is not asked for is up to the provider.
        ThinkingStyle::None => Thinking::Off,
        // Said, so that the provider seals its reasoning and takes it back.
        ThinkingStyle::Effort => Thinking::Effort(Effort::Medium),
        ThinkingStyle::Budget => Thinking::Budget { tokens: THINKING_TOKENS },
        ThinkingStyle::Adaptive | ThinkingStyle::Gemini => Thinking::Adaptive { effort: None },
    }
}
