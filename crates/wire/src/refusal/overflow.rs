//! A request that does not fit the context window, in the words of many servers.
//!
//! Not here: limits of another kind, such as tokens a minute, or a `max_tokens` that is too high.

use crate::fault::FaultKind;

/// Words that name this and nothing else.
const CODES: [&str; 7] = [
    "context_length_exceeded",
    "context_too_large",
    "context_window_exceeded",
    "exceed_context_size_error",
    "model_context_window_exceeded",
    "model_max_prompt_tokens_exceeded",
    "request_too_large",
];

/// What texts hold, in lower case: all the words of a line, in any order.
const TEXTS: [&[&str]; 20] = [
    &["prompt is too long"],
    &["input is too long"],
    &["input length and `max_tokens` exceed context limit"],
    &["maximum context length"],
    &["maximum prompt length", "request contains"],
    &["exceed", "context window"],
    &["exceed", "context length"],
    &["exceed", "context size"],
    &["exceed", "context limit"],
    &["exceed", "model token limit"],
    &["context window", "too small"],
    &["greater than the context length"],
    &["input token", "exceed", "limit"],
    &["input token count", "exceeds the maximum"],
    &["prompt token count", "exceeds the limit"],
    &["too many tokens", "prompt"],
    &["too large for model", "maximum context"],
    &["reduce the length of the messages"],
    &["range of input length should be"],
    &["payload too large"],
];

/// What a message about the output or the rate holds, and one about the window does not.
const OTHERS: [&str; 3] = ["per minute", "per day", "number of output tokens"];

/// What stands before the limit, where a message says which number that is.
const LIMITS: [&str; 4] = ["length is ", "limit of ", "limit: ", "> "];

/// Smaller numbers in a message are counts of something else.
const TOKENS_MIN: u64 = 256;

/// The fault, if this is what the error says, with the numbers that it names.
pub(super) fn find(words: &[String], message: &str) -> Option<FaultKind> {
    let text = message.to_ascii_lowercase();
    let named = words.iter().any(|word| CODES.contains(&word.as_str()));
    let holds = |needles: &&[&str]| needles.iter().all(|needle| text.contains(needle));
    let told = TEXTS.iter().any(holds) && !OTHERS.iter().any(|other| text.contains(other));
    if !named && !told {
        return None;
    }
    let (tokens, limit) = numbers(&text);
    Some(FaultKind::TooLong { tokens, limit })
}

/// How many tokens there were, and how many there may be. The request was too long, so of the numbers
/// in a message the largest is the request; unless one is named as the limit that is the next one,
/// and a lone one is the limit.
fn numbers(text: &str) -> (Option<u64>, Option<u64>) {
    let mut found = all_numbers(text);
    let named = LIMITS.iter().find_map(|words| text.split_once(words));
    let limit = named.and_then(|(_, rest)| {
        let digits = rest.split(|c: char| !c.is_ascii_digit() && c != ',').next()?;
        all_numbers(digits).first().copied()
    });
    // Anthropic writes `input + max_tokens > limit`.
    if let [input, output, limit] = *found
        && text.contains('+')
        && input.saturating_add(output) > limit
    {
        return (Some(input.saturating_add(output)), Some(limit));
    }
    found.sort_unstable_by(|a, b| b.cmp(a));
    found.dedup();
    if let (Some(limit), [most, ..]) = (limit, &*found)
        && *most > limit
    {
        return (Some(*most), Some(limit));
    }
    match *found {
        [] => (None, None),
        [only] => (None, Some(only)),
        [tokens, limit, ..] => (Some(tokens), Some(limit)),
    }
}

/// The numbers that stand alone, with or without commas between their digits. Those in a name or an
/// id, such as that of a model, are no numbers.
fn all_numbers(text: &str) -> Vec<u64> {
    let in_number = |c: char| c.is_alphanumeric() || matches!(c, ',' | '_' | '-' | '.' | '/' | ':');
    let words = text.split(|c: char| !in_number(c));
    let read = |word: &str| {
        let word = word.trim_matches([',', '.', ':']).replace(',', "");
        word.parse().ok().filter(|number| *number >= TOKENS_MIN)
    };
    words.filter_map(read).collect()
}
