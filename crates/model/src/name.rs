//! The name of a model, as it stands on the command line and in settings.
//!
//! Not here: what is known of it (`facts.rs`), and asking it (`open.rs`).

use std::collections::BTreeSet;
use std::fmt;
use std::path::PathBuf;

use fanfold_settings::Settings;

use crate::catalog::{Catalog, Provider};

/// Providers named after a misspelled one.
const NEAR_MAX: usize = 3;

/// A model: `provider/model`, or `script:FILE`.
///
/// The provider is one of those that Fanfold knows, or anybody's for whose very model the settings
/// give a `base_url`: that server is asked as one compatible with OpenAI Chat Completions.
///
/// ```
/// use fanfold_model::ModelName;
/// use fanfold_settings::Settings;
///
/// let name = ModelName::parse("openrouter/qwen/qwen3-max", &Settings::default())?;
/// assert_eq!(name.to_string(), "openrouter/qwen/qwen3-max");
/// let error = ModelName::parse("antropic/claude-opus-5-5", &Settings::default()).unwrap_err();
/// assert!(error.to_string().contains("did you mean anthropic?"));
/// # Ok::<(), fanfold_model::NameError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ModelName {
    /// A model of a provider.
    Hosted {
        /// Who serves it: what stands before the first slash.
        provider: Box<str>,
        /// The provider's own name for it.
        model: Box<str>,
    },
    /// The scripted model of this file.
    Script(PathBuf),
}

/// A text that names no model.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NameError {
    /// Neither form.
    #[error(
        "{given:?} names no model{}; write provider/model, such as anthropic/claude-opus-5-5, or script:FILE",
        did_you_mean(near)
    )]
    Form {
        /// What was given.
        given: String,
        /// Models of this name.
        near: Vec<String>,
    },
    /// Nobody of this name.
    #[error(
        "there is no provider {provider:?}{}; known are {}; the settings can describe another server: \
         models.\"{provider}/{model}\".base_url",
        did_you_mean(near),
        known()
    )]
    Provider {
        /// The provider's name.
        provider: String,
        /// The model's name.
        model: String,
        /// Providers with a name like it.
        near: Vec<String>,
    },
}

impl ModelName {
    /// Reads a name.
    ///
    /// # Errors
    /// When it has neither form, or names a provider of whom nothing is known.
    pub fn parse(text: &str, settings: &Settings) -> Result<Self, NameError> {
        if let Some(file) = text.strip_prefix("script:").filter(|file| !file.is_empty()) {
            return Ok(Self::Script(file.into()));
        }
        let parts = text.split_once('/');
        let parts = parts.filter(|(provider, model)| !provider.is_empty() && !model.is_empty());
        let Some((provider, model)) = parts else {
            return Err(NameError::Form { given: text.to_owned(), near: served_as(text) });
        };
        let is_own = settings.models.get(text).is_some_and(|model| model.base_url.is_some());
        if !is_own && Catalog::get().provider(provider).is_none() {
            return Err(NameError::unknown(provider, model));
        }
        Ok(Self::Hosted { provider: provider.into(), model: model.into() })
    }
}

/// Every model of which something is known, those of the settings included, in alphabetical order.
#[must_use]
pub fn known_models(settings: &Settings) -> Vec<ModelName> {
    let table = Catalog::get().names().map(|(provider, model)| format!("{provider}/{model}"));
    let all: BTreeSet<String> = table.chain(settings.models.keys().cloned()).collect();
    all.iter().filter_map(|name| ModelName::parse(name, settings).ok()).collect()
}

impl fmt::Display for ModelName {
    /// As it was read.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Hosted { provider, model } => write!(f, "{provider}/{model}"),
            Self::Script(file) => write!(f, "script:{}", file.display()),
        }
    }
}

impl NameError {
    pub(crate) fn unknown(provider: &str, model: &str) -> Self {
        let near = near(provider);
        Self::Provider { provider: provider.to_owned(), model: model.to_owned(), near }
    }
}

/// The providers with the names most like this one.
fn near(name: &str) -> Vec<String> {
    let name = name.to_lowercase();
    let likeness = |provider: &Provider| {
        let names = provider.near.iter().chain([&provider.name]);
        names.map(|known| strsim::jaro_winkler(&name, known)).fold(0.0, f64::max)
    };
    let providers = Catalog::get().providers.iter();
    let mut scored: Vec<(f64, &str)> =
        providers.map(|provider| (likeness(provider), provider.name.as_str())).collect();
    scored.retain(|(score, _)| *score > 0.8);
    scored.sort_by(|(a, _), (b, _)| b.total_cmp(a));
    scored.into_iter().take(NEAR_MAX).map(|(_, name)| name.to_owned()).collect()
}

/// Models that somebody serves under this name.
fn served_as(model: &str) -> Vec<String> {
    let catalog = Catalog::get();
    let providers = catalog.providers.iter();
    let serving = providers.filter(|provider| catalog.model(&provider.name, model).is_some());
    serving.take(NEAR_MAX).map(|provider| format!("{}/{model}", provider.name)).collect()
}

fn did_you_mean(near: &[String]) -> String {
    if near.is_empty() {
        return String::new();
    }
    format!("; did you mean {}?", near.join(" or "))
}

fn known() -> String {
    let names = Catalog::get().providers.iter().map(|provider| provider.name.as_str());
    names.chain(["script:FILE"]).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use fanfold_settings::Model;

    use super::*;

    fn read(text: &str) -> String {
        match ModelName::parse(text, &Settings::default()) {
            Ok(name) => format!("{name:?}"),
            Err(error) => error.to_string().split("; known are").next().unwrap().to_owned(),
        }
    }

    #[test]
    fn names_of_both_forms() {
        let table = [
            (
                "anthropic/claude-opus-5-5",
                r#"Hosted { provider: "anthropic", model: "claude-opus-5-5" }"#,
            ),
            ("ollama/qwen3:8b", r#"Hosted { provider: "ollama", model: "qwen3:8b" }"#),
            ("openrouter/a/b", r#"Hosted { provider: "openrouter", model: "a/b" }"#),
            ("script:a/b.json", r#"Script("a/b.json")"#),
            ("antropic/x", r#"there is no provider "antropic"; did you mean anthropic?"#),
            ("google/x", r#"there is no provider "google"; did you mean gemini?"#),
            ("zzz/x", r#"there is no provider "zzz""#),
        ];
        for (text, expected) in table {
            assert_eq!(read(text), expected);
        }
        let form = "names no model; write provider/model, such as anthropic/claude-opus-5-5, or \
                    script:FILE";
        for text in ["", "/", "a/", "/a", "script:"] {
            assert_eq!(read(text), format!("{text:?} {form}"));
        }
        let hint = "did you mean openai/gpt-5.5 or openai-chat/gpt-5.5?";
        assert!(read("gpt-5.5").contains(hint), "{}", read("gpt-5.5"));
    }

    #[test]
    fn the_settings_make_a_provider_by_its_base_url() {
        let mut settings = Settings::default();
        let base_url = Some("http://127.0.0.1:9/v1".to_owned());
        settings.models.insert("acme/a".into(), Model { base_url, ..Model::default() });
        settings.models.insert("acme/b".into(), Model::default());
        assert!(ModelName::parse("acme/a", &settings).is_ok());
        let error = ModelName::parse("acme/b", &settings).unwrap_err().to_string();
        assert!(error.contains("known are anthropic, openai, "), "{error}");
        assert!(error.ends_with(r#"models."acme/b".base_url"#), "{error}");
    }
}
