//! What is known of a model: the table, and what the settings say over it.
//!
//! Not here: the figures (`models.json`).

use fanfold_settings::Settings;
use serde::Deserialize;

use crate::catalog::Catalog;
use crate::name::ModelName;
use crate::price::Price;

/// The context window of a model of which nothing is known, in tokens.
const WINDOW_UNKNOWN: u64 = 128_000;

/// What is known of a model.
#[derive(Clone, Debug, PartialEq)]
pub struct ModelFacts {
    /// Tokens that a request and its reply may have together.
    pub context_window: u64,
    /// Tokens that a reply may have; `None` when that is not known.
    pub max_output: Option<u64>,
    /// What it costs; `None` when that is not known.
    pub price: Option<Price>,
    /// How it is told to think.
    pub thinking: ThinkingStyle,
    /// Whether it refuses to be told not to think.
    pub always_thinks: bool,
    /// Whether it looks at pictures. A model of which nothing is known is taken to.
    pub vision: bool,
}

/// How a model is told to think.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ThinkingStyle {
    /// Not at all: it thinks or does not, as it likes.
    None,
    /// By a number of tokens (Claude up to 4.5, Gemini 2.5).
    Budget,
    /// It decides itself; an effort may be named (Claude from 4.6 on).
    Adaptive,
    /// By an effort (OpenAI).
    Effort,
    /// By a level (Gemini from 3 on).
    Gemini,
}

/// What is known of a model, and a notice when that is nothing. Settings win over the table.
#[must_use]
pub fn facts(name: &ModelName, settings: &Settings) -> (ModelFacts, Option<String>) {
    let entry = match name {
        ModelName::Hosted { provider, model } => Catalog::get().model(provider, model),
        ModelName::Script(_) => None,
    };
    let mut facts = ModelFacts {
        context_window: entry.map_or(WINDOW_UNKNOWN, |entry| entry.context_window),
        max_output: entry.map(|entry| entry.max_output),
        price: entry.and_then(|entry| entry.price.clone()),
        thinking: entry.map_or(ThinkingStyle::None, |entry| entry.thinking),
        always_thinks: entry.is_some_and(|entry| entry.always_thinks),
        vision: entry.is_none_or(|entry| entry.vision),
    };
    let shown = name.to_string();
    let said = settings.models.get(&shown);
    let window = said.and_then(|said| said.context_window);
    facts.context_window = window.unwrap_or(facts.context_window);
    facts.max_output = said.and_then(|said| said.max_output_tokens).or(facts.max_output);
    let is_unknown = entry.is_none() && window.is_none() && !matches!(name, ModelName::Script(_));
    let notice = is_unknown.then(|| {
        format!(
            "nothing is known of {shown}: a context window of 128,000 tokens is assumed; the settings \
             can say it: models.\"{shown}\".context_window"
        )
    });
    (facts, notice)
}

#[cfg(test)]
mod tests {
    use fanfold_settings::Model;

    use super::*;

    fn of(text: &str, settings: &Settings) -> (ModelFacts, Option<String>) {
        facts(&ModelName::parse(text, settings).unwrap(), settings)
    }

    #[test]
    fn the_table_is_asked_by_provider_and_model() {
        let settings = Settings::default();
        let (facts, notice) = of("anthropic/claude-haiku-4-5-20251001", &settings);
        assert_eq!(notice, None);
        assert_eq!((facts.context_window, facts.max_output), (200_000, Some(64_000)));
        assert_eq!((facts.thinking, facts.vision), (ThinkingStyle::Budget, true));
        assert!(facts.price.is_some());
        // The same model costs something else elsewhere, and may be cut shorter.
        let (facts, notice) = of("openrouter/claude-haiku-4-5", &settings);
        assert_eq!((facts.context_window, facts.price), (128_000, None));
        assert!(notice.unwrap().contains(r#"models."openrouter/claude-haiku-4-5".context_window"#));
    }

    #[test]
    fn settings_win_and_silence_the_notice() {
        let mut settings = Settings::default();
        let said = |context_window, max_output_tokens| Model {
            context_window,
            max_output_tokens,
            ..Model::default()
        };
        settings.models.insert("ollama/x".into(), said(Some(8_000), Some(1_000)));
        settings.models.insert("ollama/y".into(), said(None, Some(1_000)));
        settings.models.insert("openai/gpt-5.5".into(), said(Some(272_000), None));
        let (facts, notice) = of("ollama/x", &settings);
        assert_eq!((facts.context_window, facts.max_output), (8_000, Some(1_000)));
        assert_eq!(notice, None);
        let (facts, notice) = of("ollama/y", &settings);
        assert_eq!((facts.context_window, facts.max_output), (128_000, Some(1_000)));
        assert!(notice.is_some());
        let (facts, notice) = of("openai/gpt-5.5", &settings);
        assert_eq!((facts.context_window, facts.max_output), (272_000, Some(128_000)));
        assert!(facts.price.is_some() && notice.is_none());
    }

    #[test]
    fn a_script_needs_no_notice() {
        let (facts, notice) = of("script:turn.json", &Settings::default());
        assert_eq!((facts.context_window, facts.price, notice), (128_000, None, None));
    }
}
