//! What a single value may be, and how that is said in an error.
//!
//! Not here: keys (`shape.rs`).

use std::fmt;

use serde_json::Value;

/// What a value may be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A list, with at least so many elements.
    List(Box<Self>, u64),
    /// A whole number in a range.
    Whole(u64, u64),
    /// A text.
    Text(Format),
    /// This word.
    Word(String),
    /// True or false.
    Switch,
    /// Nothing.
    Null,
    /// An object that is taken whole.
    Object,
    /// One of several kinds.
    Either(Vec<Self>),
    /// A part of the schema that the reader does not know.
    Unknown,
}

impl Kind {
    pub(crate) fn of(schema: &Value) -> Self {
        if let Some(word) = schema.get("const").and_then(Value::as_str) {
            return Self::Word(word.to_owned());
        }
        let choices = schema.get("oneOf").or_else(|| schema.get("anyOf"));
        if let Some(choices) = choices.and_then(Value::as_array) {
            return Self::Either(choices.iter().map(Self::of).collect());
        }
        match &schema["type"] {
            Value::String(name) => Self::of_type(name, schema),
            Value::Array(names) => {
                let names = names.iter().filter_map(Value::as_str);
                Self::Either(names.map(|name| Self::of_type(name, schema)).collect())
            }
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => Self::Unknown,
        }
    }

    fn of_type(name: &str, schema: &Value) -> Self {
        let number = |key: &str| schema.get(key).and_then(Value::as_u64);
        match name {
            "boolean" => Self::Switch,
            "null" => Self::Null,
            "string" => Self::Text(Format::of(schema)),
            "integer" => {
                Self::Whole(number("minimum").unwrap_or(0), number("maximum").unwrap_or(u64::MAX))
            }
            "array" => {
                Self::List(Box::new(Self::of(&schema["items"])), number("minItems").unwrap_or(0))
            }
            "object" => Self::Object,
            _ => Self::Unknown,
        }
    }

    /// Whether a value fits.
    pub(crate) fn accepts(&self, value: &Value) -> bool {
        match self {
            Self::List(item, least) => value.as_array().is_some_and(|list| {
                has_at_least(list, *least) && list.iter().all(|element| item.accepts(element))
            }),
            Self::Whole(least, most) => {
                value.as_u64().is_some_and(|number| (*least..=*most).contains(&number))
            }
            Self::Text(format) => value.as_str().is_some_and(|text| format.accepts(text)),
            Self::Word(word) => value == word,
            Self::Switch => value.is_boolean(),
            Self::Null => value.is_null(),
            Self::Object => value.is_object(),
            Self::Either(kinds) => kinds.iter().any(|kind| kind.accepts(value)),
            Self::Unknown => true,
        }
    }
}

impl fmt::Display for Kind {
    /// What it takes, to follow "must be".
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::List(item, 0) => write!(f, "a list, each element {item}"),
            Self::List(item, least) => write!(f, "a list of {least} or more, each element {item}"),
            Self::Whole(least, most) => write!(f, "a whole number from {least} to {most}"),
            Self::Text(format) => format.fmt(f),
            Self::Word(word) => write!(f, "{word:?}"),
            Self::Switch => f.write_str("true or false"),
            Self::Null => f.write_str("null"),
            Self::Object => f.write_str("an object"),
            Self::Either(kinds) => {
                let shown: Vec<String> = kinds.iter().map(Self::to_string).collect();
                f.write_str(&shown.join(" or "))
            }
            Self::Unknown => f.write_str("anything"),
        }
    }
}

/// What a text must look like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    /// Anything.
    Any,
    /// A path that begins with `/`.
    AbsolutePath,
    /// What every provider takes as the name of a tool.
    ToolName,
    /// `provider/model`.
    ModelName,
}

impl Format {
    pub(crate) fn of(schema: &Value) -> Self {
        match schema.get("format").and_then(Value::as_str) {
            Some("absolute-path") => Self::AbsolutePath,
            Some("tool-name") => Self::ToolName,
            Some("model-name") => Self::ModelName,
            _ => Self::Any,
        }
    }

    /// Whether a text fits.
    pub(crate) fn accepts(self, text: &str) -> bool {
        let legal = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
        match self {
            Self::Any => true,
            Self::AbsolutePath => text.starts_with('/'),
            Self::ToolName => (1..=64).contains(&text.len()) && text.chars().all(legal),
            Self::ModelName => text
                .split_once('/')
                .is_some_and(|(provider, model)| !provider.is_empty() && !model.is_empty()),
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Any => "a text",
            Self::AbsolutePath => "an absolute path",
            Self::ToolName => "a name of at most 64 letters, digits, _ and -",
            Self::ModelName => "a name like provider/model",
        })
    }
}

/// Whether a list is long enough.
pub(crate) fn has_at_least<T>(list: &[T], least: u64) -> bool {
    u64::try_from(list.len()).is_ok_and(|length| length >= least)
}
