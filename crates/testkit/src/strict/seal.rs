//! Signatures on thinking: made by the provider, and checked when the thinking comes back.
//!
//! A seal binds a text to all that stood before it: the request that it answers, and the seal
//! before it. It is base64 without `+` and `/`, so that a client that decodes and writes it anew
//! in either alphabet sends the same bytes. Not here: what counts as the prefix of a request, which
//! each wire decides.

use std::cell::RefCell;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;
use sha2::{Digest as _, Sha256};

/// How seals are checked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Seals {
    /// As the providers do: each was made here, for this text, behind this prefix.
    #[default]
    Checked,
    /// Any will do: for requests that were recorded with another provider.
    Any,
}

/// What is wrong with a seal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Broken {
    /// It was not made here.
    Forged,
    /// The text is not the one that was sealed.
    Text,
    /// What stands before it is not what stood there.
    Prefix,
    /// The thinking before it was left out or moved.
    Order,
}

/// Seals the texts of one reply.
#[derive(Debug)]
pub(super) struct Sealer {
    prefix: String,
    previous: RefCell<String>,
}

impl Sealer {
    /// For a reply behind this prefix, after this last seal.
    pub(super) fn new(prefix: String, previous: Option<&str>) -> Self {
        Self { prefix, previous: RefCell::new(previous.map(hash).unwrap_or_default()) }
    }

    pub(super) fn seal(&self, text: &str) -> String {
        let mut previous = self.previous.borrow_mut();
        let body = format!("{}.{}.{previous}", hash(text), self.prefix);
        let seal = format!("{}.{body}", hash(&format!("the strict provider's secret {body}")));
        // Full groups of three bytes need no padding.
        let padded = format!("{seal}{}", ".".repeat((3 - seal.len() % 3) % 3));
        let sealed = STANDARD.encode(padded);
        *previous = hash(&sealed);
        sealed
    }
}

/// Checks a seal behind this prefix. `previous` is the seal before it in the same request; the
/// first one of a request may have had others before it, which were left out.
pub(super) fn verify(
    seal: &str,
    text: Option<&str>,
    prefix: Option<&str>,
    previous: Option<&str>,
) -> Result<(), Broken> {
    let decoded = STANDARD.decode(seal).ok().and_then(|bytes| String::from_utf8(bytes).ok());
    let decoded = decoded.ok_or(Broken::Forged)?;
    let mut fields = decoded.splitn(4, '.');
    let mut field = || fields.next().ok_or(Broken::Forged);
    let (mac, sealed_text, sealed_prefix) = (field()?, field()?, field()?);
    let before = field()?.trim_end_matches('.');
    let body = format!("{sealed_text}.{sealed_prefix}.{before}");
    if mac != hash(&format!("the strict provider's secret {body}")) {
        return Err(Broken::Forged);
    }
    if text.is_some_and(|text| hash(text) != sealed_text) {
        return Err(Broken::Text);
    }
    if prefix.is_some_and(|prefix| prefix != sealed_prefix) {
        return Err(Broken::Prefix);
    }
    if previous.is_some_and(|previous| hash(previous) != before) {
        return Err(Broken::Order);
    }
    Ok(())
}

/// The first 96 bits of the text's SHA-256, in hexadecimal.
pub(super) fn hash(text: &str) -> String {
    Sha256::digest(text).iter().take(12).map(|byte| format!("{byte:02x}")).collect()
}

/// A value as text that is the same however its keys are ordered, without cache marks.
pub(super) fn canonical(value: &Value) -> String {
    match value {
        Value::Array(items) => {
            let items: Vec<_> = items.iter().map(canonical).collect();
            format!("[{}]", items.join(","))
        }
        Value::Object(fields) => {
            let kept = fields.iter().filter(|(key, _)| *key != "cache_control");
            let mut fields: Vec<_> =
                kept.map(|(key, value)| format!("{key:?}:{}", canonical(value))).collect();
            fields.sort();
            format!("{{{}}}", fields.join(","))
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => value.to_string(),
    }
}
