//! The form that an answer must have: a JSON Schema, and what is wrong with an answer.
//!
//! Not here: the schemas of tools (`schema.rs`), and what happens to a wrong answer (`fanfold-agent`).

use serde_json::Value;

use crate::quote::shortened;

/// How many problems are listed.
const PROBLEMS_MAX: usize = 20;

/// A JSON Schema that answers must fit.
#[derive(Debug)]
pub struct Form {
    validator: jsonschema::Validator,
}

/// A text that is no JSON Schema.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not a JSON Schema: {0}")]
pub struct BadForm(String);

impl Form {
    /// The form that this schema describes.
    ///
    /// # Errors
    /// When it is no JSON Schema.
    pub fn new(schema: &Value) -> Result<Self, BadForm> {
        let validator = jsonschema::validator_for(schema);
        Ok(Self { validator: validator.map_err(|error| BadForm(error.to_string()))? })
    }

    /// Whether the `data` of an answer fits, or where there is none its `text` read as JSON.
    ///
    /// # Errors
    /// What is wrong, in one line for the model.
    pub fn check(&self, text: &str, data: Option<&Value>) -> Result<(), String> {
        let read;
        let answer = match data {
            Some(data) => data,
            None => {
                read = serde_json::from_str::<Value>(bare(text));
                read.as_ref().map_err(|error| format!("it is not JSON: {error}"))?
            }
        };
        let problems = self.validator.iter_errors(answer).take(PROBLEMS_MAX);
        let problems: Vec<String> = problems
            .map(|error| match error.instance_path().to_string() {
                path if path.is_empty() => shortened(&error.to_string()),
                path => format!("`{path}`: {}", shortened(&error.to_string())),
            })
            .collect();
        if problems.is_empty() { Ok(()) } else { Err(problems.join("; ")) }
    }
}

/// The text without the code fence that models like to put around JSON.
fn bare(text: &str) -> &str {
    let text = text.trim();
    let inside = text.strip_prefix("```").and_then(|rest| rest.strip_suffix("```"));
    match inside.and_then(|inside| inside.split_once('\n')) {
        Some((_language, inside)) => inside.trim(),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn an_answer_fits_or_every_problem_is_named() {
        let schema = json!({
            "type": "object", "required": ["n", "s"],
            "properties": {"n": {"type": "integer"}, "s": {"type": "string"}},
        });
        let form = Form::new(&schema).unwrap();
        assert_eq!(form.check(r#"{"n": 1, "s": "x"}"#, None), Ok(()));
        assert_eq!(form.check("```json\n{\"n\": 1, \"s\": \"x\"}\n```", None), Ok(()));
        assert_eq!(form.check("done", Some(&json!({"n": 1, "s": "x"}))), Ok(()));
        let wrong = form.check(r#"{"n": "1"}"#, None).unwrap_err();
        assert!(wrong.contains("`/n`") && wrong.contains("\"s\""), "{wrong}");
        assert!(form.check("sorry", None).unwrap_err().starts_with("it is not JSON"));
        assert!(Form::new(&json!({"type": 7})).is_err());
    }
}
