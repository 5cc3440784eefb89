//! What the requests of a turn cost together, and the line that says so.
//!
//! Not here: prices (`fanfold-session` gives each request with its cost).

use fanfold_session::What;

/// Sums since the last turn ended.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    requests: u32,
    input: u64,
    cached: u64,
    output: u64,
    cost_usd: f64,
    /// Requests whose cost nobody knows.
    unpriced: u32,
}

impl Tally {
    /// Adds a request. Anything else costs nothing.
    pub(crate) fn add(&mut self, what: &What) {
        let What::Usage { input, cache_read, cache_write, output, cost_usd, .. } = what else {
            return;
        };
        self.requests += 1;
        for tokens in [input, cache_read, cache_write] {
            self.input = self.input.saturating_add(tokens.unwrap_or(0));
        }
        self.cached = self.cached.saturating_add(cache_read.unwrap_or(0));
        self.output = self.output.saturating_add(output.unwrap_or(0));
        match cost_usd {
            Some(cost) => self.cost_usd += cost,
            None => self.unpriced += 1,
        }
    }

    /// The line, and begins anew; `None` when nothing was asked.
    pub(crate) fn take_line(&mut self) -> Option<String> {
        let Self { requests, input, cached, output, cost_usd, unpriced } = std::mem::take(self);
        if requests == 0 {
            return None;
        }
        let cached =
            if cached > 0 { format!(" ({} cached)", grouped(cached)) } else { String::new() };
        let cost = match unpriced {
            0 => format!(", {}", dollars(cost_usd)),
            _ if unpriced == requests => String::new(),
            _ => format!(", at least {}", dollars(cost_usd)),
        };
        let (input, output) = (grouped(input), grouped(output));
        Some(format!("tokens: {input} in{cached}, {output} out{cost}"))
    }
}

/// A number with its thousands apart.
pub(crate) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut grouped = String::new();
    for (position, digit) in digits.chars().enumerate() {
        if position > 0 && (digits.len() - position).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

/// An amount; a small one with enough digits to be seen.
pub(crate) fn dollars(amount: f64) -> String {
    let text = format!("${amount:.4}");
    let is_small = amount < 1.0 && !text.ends_with("00");
    if is_small { text } else { format!("${amount:.2}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn usage(input: u64, cache_read: u64, output: u64, cost_usd: Option<f64>) -> What {
        What::Usage {
            model: "p/m".into(),
            request_id: None,
            input: Some(input),
            cache_read: Some(cache_read),
            cache_write: None,
            output: Some(output),
            reasoning: None,
            cost_usd,
        }
    }

    #[test]
    fn a_line_says_what_is_known() {
        let cases: [(&[What], Option<&str>); 4] = [
            (&[], None),
            (&[usage(1200, 0, 50, None)], Some("tokens: 1,200 in, 50 out")),
            (
                &[usage(1000, 2_000_000, 7, Some(0.5)), usage(1, 0, 1, Some(0.75))],
                Some("tokens: 2,001,001 in (2,000,000 cached), 8 out, $1.25"),
            ),
            (
                &[usage(1, 0, 1, Some(0.0012)), usage(1, 0, 1, None)],
                Some("tokens: 2 in, 2 out, at least $0.0012"),
            ),
        ];
        let mut tally = Tally::default();
        for (events, line) in cases {
            events.iter().for_each(|event| tally.add(event));
            assert_eq!(tally.take_line().as_deref(), line);
        }
    }

    #[test]
    fn small_amounts_are_seen() {
        let amounts = [0.0, 0.5, 0.0012, 0.1234, 1.0, 12.345].map(dollars);
        assert_eq!(amounts, ["$0.00", "$0.50", "$0.0012", "$0.1234", "$1.00", "$12.35"]);
    }
}
