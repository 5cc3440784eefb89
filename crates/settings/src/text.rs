//! JSON with comments, and the line of each part of it.
//!
//! Comments and trailing commas are allowed, nothing else that JSON does not know. Not here: what the
//! values mean.

use jsonc_parser::ast::Value as Ast;
use jsonc_parser::common::Range;
use jsonc_parser::{CollectOptions, ParseOptions, parse_to_ast};
use serde_json::{Map, Number, Value};

/// A text and where its lines begin.
#[derive(Debug)]
pub(crate) struct Text<'a> {
    text: &'a str,
    lines: Vec<usize>,
}

/// Why a text is no JSON, and in which line.
#[derive(Debug)]
pub(crate) struct NotJson {
    pub(crate) line: usize,
    pub(crate) what: String,
}

impl<'a> Text<'a> {
    pub(crate) fn new(text: &'a str) -> Self {
        let breaks = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
        Self { text, lines: breaks.map(|(at, _)| at + 1).collect() }
    }

    /// Its parts; `None` if there is nothing but comments.
    pub(crate) fn parse(&self) -> Result<Option<Ast<'a>>, NotJson> {
        let options = ParseOptions {
            allow_comments: true,
            allow_trailing_commas: true,
            allow_loose_object_property_names: false,
            allow_missing_commas: false,
            allow_single_quoted_strings: false,
            allow_hexadecimal_numbers: false,
            allow_unary_plus_numbers: false,
            allow_bare_decimal_point_numbers: false,
            allow_non_finite_numbers: false,
            allow_extended_string_escapes: false,
        };
        let parsed = parse_to_ast(self.text, &CollectOptions::default(), &options);
        parsed.map(|parsed| parsed.value).map_err(|error| NotJson {
            line: self.line(error.range().start),
            what: lower_first(&error.kind().to_string()),
        })
    }

    /// The line of an offset, from 1.
    pub(crate) fn line(&self, offset: usize) -> usize {
        self.lines.partition_point(|begin| *begin <= offset) + 1
    }

    /// A part as it was written, in one line, and not much of it.
    pub(crate) fn quote(&self, range: Range) -> String {
        let written = self.text.get(range.start..range.end).unwrap_or_default();
        let mut quote = written.split_whitespace().collect::<Vec<_>>().join(" ");
        if let Some((end, _)) = quote.char_indices().nth(80) {
            quote.truncate(end);
            quote.push('…');
        }
        quote
    }
}

/// A part as a value. An error is the place of a number too large to be one, or of a repeated key.
pub(crate) fn to_json(part: &Ast<'_>) -> Result<Value, Range> {
    Ok(match part {
        Ast::StringLit(text) => Value::String(text.value.clone().into_owned()),
        Ast::NumberLit(number) => {
            Value::Number(number.value.parse::<Number>().map_err(|_| number.range)?)
        }
        Ast::BooleanLit(switch) => Value::Bool(switch.value),
        Ast::NullKeyword(_) => Value::Null,
        Ast::Array(list) => {
            Value::Array(list.elements.iter().map(to_json).collect::<Result<_, _>>()?)
        }
        Ast::Object(object) => {
            let mut map = Map::new();
            for property in &object.properties {
                let name = property.name.as_str().to_owned();
                if map.insert(name, to_json(&property.value)?).is_some() {
                    return Err(property.range);
                }
            }
            Value::Object(map)
        }
    })
}

fn lower_first(text: &str) -> String {
    let mut rest = text.chars();
    rest.next().map(|first| first.to_lowercase().chain(rest).collect()).unwrap_or_default()
}
