//! JSON objects whose values stay raw text, byte for byte.
//!
//! Not here: tolerance. The only mending is that of lone surrogate escapes, which no UTF-8 text
//! can hold and which `serde_json` therefore refuses.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;

use fanfold_transcript::Json;
use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde::ser::{Serialize, SerializeMap as _, Serializer};
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use crate::error::DecodeError;
use crate::scan;

/// Deeper JSON is never entered; `serde_json` has the same bound.
pub(crate) const DEPTH_MAX: usize = 128;

/// An object of raw values in the order of the text. Of a repeated key the last one counts.
#[derive(Clone, Debug, Default)]
pub(crate) struct RawObject(Vec<(String, Box<RawValue>)>);

impl RawObject {
    pub(crate) fn parse(text: &str) -> Result<Self, serde_json::Error> {
        serde_json::from_str(text)
    }

    /// The value of `key`, `null` included.
    pub(crate) fn raw(&self, key: &str) -> Option<&RawValue> {
        self.0.iter().rev().find(|(name, _)| name == key).map(|(_, value)| &**value)
    }

    /// The value of `key`, unless it is `null`.
    pub(crate) fn get(&self, key: &str) -> Option<&RawValue> {
        self.raw(key).filter(|value| value.get() != "null")
    }

    pub(crate) fn has(&self, key: &str) -> bool {
        self.get(key).is_some()
    }

    pub(crate) fn string(&self, key: &str) -> Option<String> {
        self.get(key).and_then(string)
    }

    /// The string of `key`, unless it is empty.
    pub(crate) fn word(&self, key: &str) -> Option<Box<str>> {
        self.string(key).filter(|text| !text.is_empty()).map(Into::into)
    }

    pub(crate) fn number(&self, key: &str) -> Option<u64> {
        self.get(key).and_then(|value| value.get().parse().ok())
    }

    pub(crate) fn is_true(&self, key: &str) -> bool {
        self.raw(key).is_some_and(|value| value.get() == "true")
    }

    pub(crate) fn object(&self, key: &str) -> Option<Self> {
        self.get(key).and_then(object)
    }

    pub(crate) fn array(&self, key: &str) -> Option<Vec<Box<RawValue>>> {
        self.get(key).and_then(array)
    }

    /// The objects in the array of `key`; elements of another kind are passed over.
    pub(crate) fn objects(&self, key: &str) -> Vec<Self> {
        self.array(key).unwrap_or_default().iter().filter_map(|raw| object(raw)).collect()
    }

    /// The object of `key`, entered; empty when there is none.
    pub(crate) fn map(&self, key: &str) -> Result<Map<String, Value>, DecodeError> {
        match self.get(key).map(value).transpose()? {
            Some(Value::Object(map)) => Ok(map),
            Some(_) | None => Ok(Map::new()),
        }
    }

    /// The object made of this map.
    pub(crate) fn of(map: &Map<String, Value>) -> Self {
        Self(map.iter().map(|(key, value)| (key.clone(), of(value))).collect())
    }

    /// Replaces the value of `key` in its place, or adds it at the end.
    pub(crate) fn set(&mut self, key: &str, value: Box<RawValue>) {
        match self.0.iter_mut().rev().find(|(name, _)| name == key) {
            Some((_, old)) => *old = value,
            None => self.0.push((key.to_owned(), value)),
        }
    }

    /// Adds a key behind the others; of a repeated one the last counts.
    pub(crate) fn push(&mut self, key: &str, value: Box<RawValue>) {
        self.0.push((key.to_owned(), value));
    }

    /// The same object with each key once: in its first place, with its last value.
    pub(crate) fn unique(&self) -> Self {
        let mut places = BTreeMap::new();
        let mut unique: Vec<(String, Box<RawValue>)> = Vec::new();
        for (key, value) in &self.0 {
            let place = *places.entry(key.as_str()).or_insert(unique.len());
            match unique.get_mut(place) {
                Some((_, old)) => *old = value.clone(),
                None => unique.push((key.clone(), value.clone())),
            }
        }
        Self(unique)
    }

    /// The same object without these keys.
    pub(crate) fn without(&self, keys: &[&str]) -> Self {
        let others = self.0.iter().filter(|(name, _)| !keys.contains(&name.as_str()));
        Self(others.cloned().collect())
    }

    /// The object as text, with one key more behind the others. It is copied once, however large.
    pub(crate) fn written_with<T: Serialize>(&self, key: &str, value: &T) -> Box<RawValue> {
        of(&WithLast { object: self, key, value })
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Keys and values, in the order of the text.
    pub(crate) fn entries(&self) -> impl Iterator<Item = (&str, &RawValue)> {
        self.0.iter().map(|(key, value)| (key.as_str(), &**value))
    }
}

impl<'de> Deserialize<'de> for RawObject {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Entries;

        impl<'de> Visitor<'de> for Entries {
            type Value = RawObject;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a JSON object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<RawObject, A::Error> {
                let mut entries = Vec::new();
                while let Some(entry) = map.next_entry()? {
                    entries.push(entry);
                }
                Ok(RawObject(entries))
            }
        }

        deserializer.deserialize_map(Entries)
    }
}

impl Serialize for RawObject {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.entries())
    }
}

struct WithLast<'a, T> {
    object: &'a RawObject,
    key: &'a str,
    value: &'a T,
}

impl<T: Serialize> Serialize for WithLast<'_, T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        for (key, value) in self.object.entries() {
            map.serialize_entry(key, value)?;
        }
        map.serialize_entry(self.key, self.value)?;
        map.end()
    }
}

/// The value as an object, if it is one.
pub(crate) fn object(value: &RawValue) -> Option<RawObject> {
    RawObject::parse(value.get()).ok()
}

/// The value as an array, if it is one.
pub(crate) fn array(value: &RawValue) -> Option<Vec<Box<RawValue>>> {
    serde_json::from_str(value.get()).ok()
}

/// The value as a string, if it is one.
pub(crate) fn string(value: &RawValue) -> Option<String> {
    serde_json::from_str(value.get()).ok()
}

/// The value, entered.
pub(crate) fn value(raw: &RawValue) -> Result<Value, DecodeError> {
    serde_json::from_str(raw.get()).map_err(|error| match scan::depth(raw.get()) > DEPTH_MAX {
        true => DecodeError::TooDeep { limit: DEPTH_MAX },
        false => DecodeError::NotJson { place: "a value".into(), problem: error.to_string() },
    })
}

/// Writes what was built here; raw values in it stay as they are.
pub(crate) fn of<T: Serialize>(value: &T) -> Box<RawValue> {
    serde_json::value::to_raw_value(value).expect("strings, values and raw values serialize")
}

/// The same as a [`Json`].
pub(crate) fn json<T: Serialize>(value: &T) -> Json {
    Json::from(of(value))
}

/// The text with every lone surrogate escape replaced by that of U+FFFD.
pub(crate) fn mend_surrogates(text: &str) -> Cow<'_, str> {
    let bytes = text.as_bytes();
    let mut mended = String::new();
    let (mut copied, mut at) = (0, 0);
    while let Some(found) = text[at..].find('\\') {
        at += found;
        match (unit(bytes, at), unit(bytes, at + 6)) {
            (Some(0xD800..=0xDBFF), Some(0xDC00..=0xDFFF)) => at += 12,
            (Some(0xD800..=0xDFFF), _) => {
                mended.push_str(&text[copied..at]);
                mended.push_str("\\ufffd");
                at += 6;
                copied = at;
            }
            _ => at += 1 + text[at + 1..].chars().next().map_or(0, char::len_utf8),
        }
    }
    if copied == 0 {
        return Cow::Borrowed(text);
    }
    mended.push_str(&text[copied..]);
    Cow::Owned(mended)
}

/// The UTF-16 unit of a `\uXXXX` escape that stands at `at`.
fn unit(bytes: &[u8], at: usize) -> Option<u16> {
    let digits = bytes.get(at..at + 6)?.strip_prefix(b"\\u")?;
    let digits = std::str::from_utf8(digits).ok().filter(|text| !text.starts_with('+'))?;
    u16::from_str_radix(digits, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_lone_surrogates_are_mended() {
        let table = [
            (r#""\ud83d""#, r#""\ufffd""#),
            (r#""\ude00 x""#, r#""\ufffd x""#),
            (r#""\ud83d\ud83d\ude00""#, r#""\ufffd\ud83d\ude00""#),
            (r#""\ud83d\ude00""#, r#""\ud83d\ude00""#),
            (r#""\\ud83d""#, r#""\\ud83d""#),
            (r#""\u00e9 \"#, r#""\u00e9 \"#),
            (r#""\ud8"#, r#""\ud8"#),
            ("\"\\é\"", "\"\\é\""),
        ];
        for (text, expected) in table {
            assert_eq!(mend_surrogates(text), expected);
        }
    }

    #[test]
    fn values_keep_their_bytes_and_the_last_key_counts() {
        let text = r#"{"a":1.0e5,"b":{ "c" : "\u00e9" },"a":2}"#;
        let object = RawObject::parse(text).unwrap();
        assert_eq!(of(&object).get(), text);
        assert_eq!(object.number("a"), Some(2));
        assert_eq!(of(&object.unique()).get(), r#"{"a":2,"b":{ "c" : "\u00e9" }}"#);
        assert_eq!(object.raw("b").unwrap().get(), r#"{ "c" : "\u00e9" }"#);
    }
}
