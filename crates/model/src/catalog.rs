//! What Fanfold knows of providers and models: `models.json`, read when it is first asked for.
//!
//! Not here: what settings say (`facts.rs`, `open.rs`). Figures carry their source and date; a price
//! that was not found is left out.

use std::sync::OnceLock;

use serde::Deserialize;

use crate::api::Api;
use crate::facts::ThinkingStyle;
use crate::price::Price;

/// The whole table.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Catalog {
    pub(crate) providers: Vec<Provider>,
    families: Vec<Family>,
}

/// Somebody who serves models.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Provider {
    pub(crate) name: String,
    /// What it may have been called by mistake.
    #[serde(default)]
    pub(crate) near: Vec<String>,
    pub(crate) api: Api,
    pub(crate) base_url: String,
    /// The variable that says where else it is.
    #[serde(default)]
    pub(crate) base_url_env: Option<String>,
    /// The variable that holds its key.
    pub(crate) key_env: String,
}

/// Models of one maker, from one source.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Family {
    #[cfg_attr(not(test), expect(dead_code, reason = "for the reader of the file"))]
    name: String,
    providers: Vec<String>,
    #[cfg_attr(not(test), expect(dead_code, reason = "for the reader of the file"))]
    source: String,
    #[cfg_attr(not(test), expect(dead_code, reason = "for the reader of the file"))]
    as_of: String,
    models: Vec<Entry>,
}

/// One model.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Entry {
    name: String,
    /// Its other names.
    #[serde(default)]
    also: Vec<String>,
    pub(crate) context_window: u64,
    pub(crate) max_output: u64,
    pub(crate) thinking: ThinkingStyle,
    #[serde(default)]
    pub(crate) always_thinks: bool,
    #[serde(default)]
    pub(crate) vision: bool,
    #[serde(default)]
    pub(crate) price: Option<Price>,
}

impl Catalog {
    /// The one table.
    pub(crate) fn get() -> &'static Self {
        static CATALOG: OnceLock<Catalog> = OnceLock::new();
        CATALOG.get_or_init(|| {
            serde_json::from_str(include_str!("models.json"))
                .expect("the built-in table is well-formed: a test reads it")
        })
    }

    /// Every model of the table, by the names under which it is asked.
    pub(crate) fn names(&self) -> impl Iterator<Item = (&str, &str)> {
        self.families.iter().flat_map(|family| {
            let models = family.models.iter();
            family.providers.iter().flat_map(move |provider| {
                models.clone().map(move |entry| (provider.as_str(), entry.name.as_str()))
            })
        })
    }

    /// The provider of this name.
    pub(crate) fn provider(&self, name: &str) -> Option<&Provider> {
        self.providers.iter().find(|provider| provider.name == name)
    }

    /// What is known of a model; a date at the end of its name does not matter.
    pub(crate) fn model(&self, provider: &str, name: &str) -> Option<&Entry> {
        let name = undated(name);
        let families = self.families.iter();
        let of_provider = families.filter(|family| family.providers.iter().any(|p| p == provider));
        let mut entries = of_provider.flat_map(|family| &family.models);
        entries.find(|entry| entry.name == name || entry.also.iter().any(|other| other == name))
    }
}

/// The name without `-20251001`, `-2026-04-23` or `-latest` at its end.
fn undated(name: &str) -> &str {
    let name = name.strip_suffix("-latest").unwrap_or(name);
    let is_date = |end: &str| match end.len() {
        9 => end.starts_with('-') && end.bytes().skip(1).all(|byte| byte.is_ascii_digit()),
        11 => end.bytes().enumerate().all(|(at, byte)| match at {
            0 | 5 | 8 => byte == b'-',
            _ => byte.is_ascii_digit(),
        }),
        _ => false,
    };
    let cut = [9, 11]
        .into_iter()
        .filter_map(|length| name.split_at_checked(name.len().checked_sub(length)?));
    cut.filter(|(_, end)| is_date(end)).map(|(start, _)| start).next().unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn the_built_in_table_is_sound() {
        let catalog = Catalog::get();
        let mut names = BTreeSet::new();
        for family in &catalog.families {
            assert!(family.source.starts_with("https://"), "{}", family.name);
            assert_eq!(family.as_of.len(), 10, "{}", family.name);
            for provider in &family.providers {
                assert!(catalog.provider(provider).is_some(), "{provider}");
                for entry in &family.models {
                    let all = entry.also.iter().chain([&entry.name]);
                    all.for_each(|name| assert!(names.insert((provider, name)), "{name} twice"));
                }
            }
            for entry in &family.models {
                assert_eq!(undated(&entry.name), entry.name, "no model may look like a dated one");
                assert!(entry.max_output < entry.context_window, "{}", entry.name);
                entry.price.iter().for_each(|price| price.assert_sound(&entry.name));
            }
        }
    }

    #[test]
    fn a_date_does_not_matter() {
        let same = |a: &str, b: &str| {
            let find = |name| Catalog::get().model("anthropic", name).map(|entry| &entry.name);
            assert_eq!(find(a), find(b), "{a}");
            find(a).is_some()
        };
        assert!(same("claude-haiku-4-5-20251001", "claude-haiku-4-5"));
        assert!(same("claude-opus-5-5-2026-09-22", "claude-opus-5-5"));
        assert!(same("claude-opus-5-latest", "claude-opus-5"));
        assert!(!same("claude-opus-5-2025100", "claude-opus-9"));
        assert!(!same("ü-20251001", ""));
    }
}
