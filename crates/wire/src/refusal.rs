//! What a provider says instead of a reply, read as a fault.
//!
//! Every provider has its own words for the same few troubles; some tell them apart in the text only.
//! Not here: what happens next (`fanfold-agent`), and the header that says how long to wait
//! (`fanfold-model`).

mod overflow;
mod words;

use fanfold_transcript::Wire;

use crate::error::{DecodeError, ProviderError};
use crate::fault::{Fault, FaultKind};
use crate::raw::{self, RawObject};

/// How much is told to a person, in characters.
const SAID_MAX: usize = 400;

/// Reads the answer to a request that has another HTTP status than 2xx.
///
/// `retry_after_ms` is what a header said; where none did, Gemini's `RetryInfo` counts. The text for
/// the person begins with the status and is one line of bounded length, whatever the body is.
#[must_use]
pub fn read_refusal(wire: Wire, status: u16, body: &[u8], retry_after_ms: Option<u64>) -> Fault {
    let text = String::from_utf8_lossy(body);
    let told = Told::read(&text);
    let kind = kind(Some(status), &told);
    let waits = wire == Wire::Gemini;
    let retry_after_ms = retry_after_ms.or_else(|| told.retry_after_ms.filter(|_| waits));
    let mut said = format!("HTTP {status}");
    if let Some(word) = told.words.first() {
        said = format!("{said} {word}");
    }
    if !told.message.trim().is_empty() {
        said = format!("{said}: {}", told.message);
    }
    Fault { kind, said: one_line(&said), retry_after_ms }
}

impl Fault {
    /// The fault that a provider reports inside a stream, or with a status that says nothing.
    #[must_use]
    pub fn of_provider_error(error: &ProviderError) -> Self {
        // A server that gives back what the model wrote could not read it.
        let unread = error.failed_generation.as_ref().map(|_| words::UNREAD.to_owned());
        let words = unread.into_iter().chain(error.kind.clone()).collect();
        let told = Told { words, message: error.message.clone(), ..Told::default() };
        let said = match &error.kind {
            Some(kind) => format!("{kind}: {}", error.message),
            None => error.message.clone(),
        };
        Self { kind: kind(None, &told), said: one_line(&said), retry_after_ms: None }
    }
}

impl From<&DecodeError> for Fault {
    /// Bytes that are no reply are a broken one, but for an error that the provider reports in them.
    fn from(error: &DecodeError) -> Self {
        let kind = match error {
            DecodeError::Provider(error) => return Self::of_provider_error(error),
            DecodeError::Empty => FaultKind::Empty,
            DecodeError::NotJson { .. }
            | DecodeError::WrongWire { .. }
            | DecodeError::NoEvent
            | DecodeError::NoReply { .. }
            | DecodeError::NotACall { .. }
            | DecodeError::SeveralReplies
            | DecodeError::TooLarge { .. }
            | DecodeError::TooManyCalls { .. }
            | DecodeError::TooDeep { .. } => FaultKind::Broken,
        };
        Self { kind, said: one_line(&error.to_string()), retry_after_ms: None }
    }
}

/// What a body says.
#[derive(Debug, Default)]
struct Told {
    /// The provider's words for the kind of error, the most telling first.
    words: Vec<String>,
    /// Its text, or all of a body that has none.
    message: String,
    /// More of the body that only Gemini has: which quota, which reason.
    details: String,
    retry_after_ms: Option<u64>,
}

impl Told {
    fn read(body: &str) -> Self {
        let text = raw::mend_surrogates(body.trim());
        let whole = RawObject::parse(&text).ok().or_else(|| {
            let list: Vec<RawObject> = serde_json::from_str(&text).ok()?;
            list.into_iter().next()
        });
        let Some(whole) = whole else {
            return Self { message: body.to_owned(), ..Self::default() };
        };
        let error = whole.object("error").unwrap_or_else(|| whole.clone());
        let word =
            |object: &RawObject, key: &str| object.string(key).filter(|word| word != "error");
        let mut words: Vec<String> = ["code", "type", "status"]
            .iter()
            .filter_map(|key| word(&error, key))
            .filter(|word| !word.is_empty())
            .collect();
        words.dedup();
        let details = error.raw("details").map(|details| details.get().to_owned());
        let wait = error.objects("details").iter().find_map(|one| one.string("retryDelay"));
        let texts = ["message", "detail", "error", "error_description"];
        let message = texts.iter().find_map(|key| error.string(key).or_else(|| whole.string(key)));
        Self {
            words,
            message: message.unwrap_or_else(|| body.to_owned()),
            details: details.unwrap_or_default(),
            retry_after_ms: wait.as_deref().and_then(milliseconds),
        }
    }
}

/// Gemini's `34.5s`.
fn milliseconds(delay: &str) -> Option<u64> {
    let (seconds, fraction) = match delay.strip_suffix('s')?.split_once('.') {
        Some((seconds, fraction)) => (seconds, format!("{fraction:0<3}")),
        None => (delay.strip_suffix('s')?, "000".to_owned()),
    };
    let thousandths: u64 = fraction.get(..3)?.parse().ok()?;
    seconds.parse::<u64>().ok()?.checked_mul(1000)?.checked_add(thousandths)
}

/// The words say more than the text, and the text says more than the status.
fn kind(status: Option<u16>, told: &Told) -> FaultKind {
    let named = told.words.iter().find_map(|word| words::kind_of(word));
    // Rate limits count tokens too, and they are no matter of the window.
    let is_limited = status == Some(429) || named == Some(FaultKind::RateLimited);
    if let Some(too_long) = overflow::find(&told.words, &told.message).filter(|_| !is_limited) {
        return too_long;
    }
    if let Some(kind) = words::kind_of_text(&told.message, &told.details) {
        return kind;
    }
    match status {
        None => named.unwrap_or(FaultKind::Server),
        Some(status) => words::kind_of_status(status, named),
    }
}

/// The text as one line of bounded length, without control characters.
fn one_line(text: &str) -> Box<str> {
    let clean = |c: char| if c.is_control() { ' ' } else { c };
    // White space is folded within a bound too: a body may be nothing else.
    let start: String = text.chars().take(8 * SAID_MAX).map(clean).collect();
    let folded = start.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut line: String = folded.chars().take(SAID_MAX).collect();
    if line.len() < folded.len() {
        line.push('…');
    }
    line.into()
}

#[cfg(test)]
mod tests;
