//! What a request costs.
//!
//! Not here: the figures (`models.json`), and limits on spending (`fanfold-agent`).

use fanfold_transcript::Usage;
use serde::Deserialize;

/// What a model costs, in dollars of the United States.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct Price {
    /// For short requests.
    #[serde(flatten)]
    pub short: Rates,
    /// For longer ones, the lowest bound first. The rates of the highest bound that is exceeded hold
    /// for the whole request, its reply included.
    #[serde(default)]
    pub longer: Vec<Longer>,
}

/// Prices of requests above a length.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct Longer {
    /// Input tokens, cached ones included, that must be exceeded.
    pub above: u64,
    /// The rates then.
    #[serde(flatten)]
    pub rates: Rates,
}

/// Dollars per million tokens.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
pub struct Rates {
    /// Input that is neither read from a cache nor written to one.
    pub input: f64,
    /// Input read from a cache; where there is no price of its own, that of input holds.
    #[serde(default)]
    pub cache_read: Option<f64>,
    /// Input written to a cache; where there is no price of its own, that of input holds.
    #[serde(default)]
    pub cache_write: Option<f64>,
    /// Output, reasoning included.
    pub output: f64,
}

impl Price {
    /// What this usage costs in dollars. Its parts do not overlap: `input` is without the cached
    /// parts, `output` holds the reasoning. What the provider did not report counts as nothing.
    #[must_use]
    pub fn cost_usd(&self, usage: &Usage) -> f64 {
        let input = usage.input.unwrap_or(0);
        let cache_read = usage.cache_read.unwrap_or(0);
        let cache_write = usage.cache_write.unwrap_or(0);
        let request = input.saturating_add(cache_read).saturating_add(cache_write);
        let longer = self.longer.iter().rev().find(|longer| request > longer.above);
        let rates = longer.map_or(&self.short, |longer| &longer.rates);
        let parts = [
            (input, rates.input),
            (cache_read, rates.cache_read.unwrap_or(rates.input)),
            (cache_write, rates.cache_write.unwrap_or(rates.input)),
            (usage.output.unwrap_or(0), rates.output),
        ];
        parts.into_iter().map(|(tokens, rate)| tokens as f64 * rate).sum::<f64>() / 1e6
    }
}

#[cfg(test)]
impl Price {
    /// Panics unless the figures can be prices.
    pub(crate) fn assert_sound(&self, name: &str) {
        let all = self.longer.iter().map(|longer| &longer.rates).chain([&self.short]);
        for rates in all {
            assert!(rates.input > 0.0 && rates.output >= rates.input, "{name}");
            assert!(rates.cache_read.is_none_or(|read| read < rates.input), "{name}");
            assert!(rates.cache_write.is_none_or(|write| write > rates.input), "{name}");
        }
        assert!(self.longer.is_sorted_by(|a, b| a.above < b.above), "{name}");
        assert!(self.longer.iter().all(|longer| longer.rates.input > self.short.input), "{name}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn usage(input: u64, cache_read: u64, cache_write: u64, output: u64) -> Usage {
        let [input, cache_read, cache_write, output] =
            [input, cache_read, cache_write, output].map(Some);
        Usage { input, cache_read, cache_write, output, reasoning: Some(7) }
    }

    fn price(text: &str) -> Price {
        serde_json::from_str(text).unwrap()
    }

    #[test]
    fn each_part_has_its_price_and_none_is_counted_twice() {
        let price = price(r#"{"input": 2, "cache_read": 0.5, "cache_write": 3, "output": 10}"#);
        let million = 1_000_000;
        assert_eq!(price.cost_usd(&usage(million, 0, 0, 0)), 2.0);
        assert_eq!(price.cost_usd(&usage(0, million, 0, 0)), 0.5);
        assert_eq!(price.cost_usd(&usage(0, 0, million, 0)), 3.0);
        assert_eq!(price.cost_usd(&usage(0, 0, 0, million)), 10.0);
        assert_eq!(price.cost_usd(&usage(million, million, million, million)), 15.5);
        assert_eq!(price.cost_usd(&Usage::default()), 0.0);
    }

    #[test]
    fn a_cache_without_a_price_costs_what_input_does() {
        let price = price(r#"{"input": 2, "output": 10}"#);
        assert_eq!(price.cost_usd(&usage(0, 500_000, 500_000, 0)), 2.0);
    }

    #[test]
    fn a_long_request_pays_the_rates_of_its_length_for_all_of_it() {
        let price = price(
            r#"{"input": 1, "output": 1, "longer": [
                {"above": 100, "input": 2, "output": 3}, {"above": 200, "input": 4, "output": 5}]}"#,
        );
        let dollars = |usage| price.cost_usd(&usage) * 1e6;
        assert_eq!(dollars(usage(50, 25, 25, 1)), 101.0);
        assert_eq!(dollars(usage(50, 26, 25, 1)), 205.0);
        assert_eq!(dollars(usage(200, 0, 0, 1)), 403.0);
        assert_eq!(dollars(usage(201, 0, 0, 1)), 809.0);
    }
}
