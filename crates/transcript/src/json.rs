//! One JSON text, kept byte for byte as it was received.
//!
//! Not here: any reading of broken JSON. A [`Json`] is valid by construction; tolerance is the
//! business of `fanfold-wire`.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;

/// A valid JSON text that is never re-serialized: signatures and number spellings survive.
///
/// Two are equal when their bytes are. Serialized it is a string: it may hold line breaks.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct Json(Box<RawValue>);

/// A text that is not JSON, or is nested too deep to look into.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct JsonError(String);

impl From<serde_json::Error> for JsonError {
    fn from(error: serde_json::Error) -> Self {
        Self(error.to_string())
    }
}

impl Json {
    /// Takes `text` as it is, without surrounding white space.
    ///
    /// # Errors
    /// When `text` is not exactly one JSON value.
    pub fn parse(text: &str) -> Result<Self, JsonError> {
        Ok(Self(RawValue::from_string(text.trim().to_owned())?))
    }

    /// Writes a value that was built here.
    #[must_use]
    pub fn of(value: &Value) -> Self {
        Self(serde_json::value::to_raw_value(value).expect("a JSON value always serializes"))
    }

    /// The text, byte for byte.
    #[must_use]
    pub fn text(&self) -> &str {
        self.0.get()
    }

    /// The text read as a value.
    ///
    /// # Errors
    /// When it is nested deeper than 128 levels: nothing here ever recurses further.
    pub fn value(&self) -> Result<Value, JsonError> {
        Ok(serde_json::from_str(self.text())?)
    }

    /// The raw text, for embedding in a larger document.
    #[must_use]
    pub fn raw(&self) -> &RawValue {
        &self.0
    }
}

impl From<Json> for String {
    fn from(json: Json) -> Self {
        Box::<str>::from(json.0).into()
    }
}

impl TryFrom<String> for Json {
    type Error = JsonError;

    fn try_from(text: String) -> Result<Self, JsonError> {
        Ok(Self(RawValue::from_string(text)?))
    }
}

impl From<Box<RawValue>> for Json {
    fn from(raw: Box<RawValue>) -> Self {
        Self(raw)
    }
}

impl PartialEq for Json {
    fn eq(&self, other: &Self) -> bool {
        self.text() == other.text()
    }
}

impl Eq for Json {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_every_byte() {
        let text = r#"{ "b" : 1.0e5, "a":"\u00e9" }"#;
        assert_eq!(Json::parse(text).unwrap().text(), text);
    }

    #[test]
    fn deep_nesting_is_held_but_not_entered() {
        let deep = format!("{}{}", "[".repeat(50_000), "]".repeat(50_000));
        let json = Json::parse(&deep).unwrap();
        assert!(json.value().is_err());
    }
}
