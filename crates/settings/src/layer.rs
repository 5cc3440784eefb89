//! One settings file, read strictly: a wrong type or an impossible number is an error with its key.
//!
//! Not here: which layer wins (`lib.rs`).

use std::path::PathBuf;

use jsonc_parser::ParseOptions;
use serde_json::Value;

use crate::MAX_PARALLEL_TOOLS;

/// Whose file it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// The user's own: may say anything.
    User,
    /// A workspace's, which may have come with a cloned repository: may only narrow. A repository
    /// cannot arm itself.
    Workspace,
}

/// What one file says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Layer {
    pub(crate) max_parallel_tools: Option<usize>,
    pub(crate) additional_directories: Option<Vec<PathBuf>>,
    pub(crate) notices: Vec<String>,
}

/// A settings file that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SettingsError {
    /// Not JSON, even with comments.
    #[error("{file}: {problem}")]
    Syntax {
        /// The file.
        file: String,
        /// Line, column and what is wrong there.
        problem: String,
    },
    /// A key with a value of the wrong type or out of range.
    #[error("{file}: {key} must be {expected}, not {found}")]
    Value {
        /// The file.
        file: String,
        /// The key, with dots between levels.
        key: &'static str,
        /// What it takes.
        expected: String,
        /// What it was given.
        found: String,
    },
}

impl Layer {
    /// Reads a file's text; an empty one says nothing. `file` names it in errors.
    ///
    /// # Errors
    /// When it is no JSON object, or a known key has an impossible value.
    pub fn parse(text: &str, file: &str, scope: Scope) -> Result<Self, SettingsError> {
        let value: Option<Value> =
            jsonc_parser::parse_to_serde_value(text, &ParseOptions::default()).map_err(
                |error| SettingsError::Syntax { file: file.to_owned(), problem: error.to_string() },
            )?;
        let Some(value) = value else { return Ok(Self::default()) };
        let reader = Reader { file };
        let root = reader.object(&value, "the file")?;
        let mut layer = Self::default();
        if let Some(count) = root.get("max_parallel_tools") {
            layer.max_parallel_tools = Some(reader.slots(count)?);
        }
        if let Some(permissions) = root.get("permissions") {
            let permissions = reader.object(permissions, "permissions")?;
            if let Some(directories) = permissions.get("additional_directories") {
                layer.additional_directories = Some(reader.directories(directories)?);
            }
        }
        if scope == Scope::Workspace && layer.additional_directories.take().is_some() {
            layer.notices.push(format!(
                "{file}: permissions.additional_directories is ignored in a workspace's own settings"
            ));
        }
        Ok(layer)
    }
}

struct Reader<'a> {
    file: &'a str,
}

impl Reader<'_> {
    fn object<'v>(
        &self,
        value: &'v Value,
        key: &'static str,
    ) -> Result<&'v serde_json::Map<String, Value>, SettingsError> {
        value.as_object().ok_or_else(|| self.wrong(key, "an object", value))
    }

    fn slots(&self, value: &Value) -> Result<usize, SettingsError> {
        let count = value.as_u64().and_then(|count| usize::try_from(count).ok());
        let expected = format!("a whole number from 1 to {MAX_PARALLEL_TOOLS}");
        count
            .filter(|count| (1..=MAX_PARALLEL_TOOLS).contains(count))
            .ok_or_else(|| self.wrong("max_parallel_tools", &expected, value))
    }

    fn directories(&self, value: &Value) -> Result<Vec<PathBuf>, SettingsError> {
        let texts = value.as_array().map(|list| list.iter().map(Value::as_str).collect());
        let texts: Option<Vec<&str>> = texts.unwrap_or_default();
        let absolute = |texts: &Vec<&str>| texts.iter().all(|text| text.starts_with('/'));
        let texts = texts.filter(absolute).filter(|_| value.is_array());
        let key = "permissions.additional_directories";
        let texts = texts.ok_or_else(|| self.wrong(key, "a list of absolute paths", value))?;
        Ok(texts.into_iter().map(PathBuf::from).collect())
    }

    fn wrong(&self, key: &'static str, expected: &str, found: &Value) -> SettingsError {
        let found: String = found.to_string().chars().take(80).collect();
        SettingsError::Value {
            file: self.file.to_owned(),
            key,
            expected: expected.to_owned(),
            found,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Layer, String> {
        Layer::parse(text, "s.json", Scope::User).map_err(|error| error.to_string())
    }

    #[test]
    fn a_wrong_value_names_file_key_and_what_it_takes() {
        let slots = |found: &str| {
            Err(format!(
                "s.json: max_parallel_tools must be a whole number from 1 to 1000, not {found}"
            ))
        };
        for found in ["0", "-1", "2.5", "\"2abc\"", "1001", "null", "[1]"] {
            assert_eq!(parse(&format!("{{\"max_parallel_tools\": {found}}}")), slots(found));
        }
        assert_eq!(parse("[]").unwrap_err(), "s.json: the file must be an object, not []");
        assert!(parse("{").unwrap_err().starts_with("s.json: "));
        let relative = r#"{"permissions": {"additional_directories": ["a"]}}"#;
        assert!(parse(relative).unwrap_err().contains("a list of absolute paths"));
        let no_list = r#"{"permissions": {"additional_directories": "/a"}}"#;
        assert!(parse(no_list).unwrap_err().contains("a list of absolute paths"));
    }

    #[test]
    fn comments_are_allowed_and_nothing_is_nothing() {
        assert_eq!(parse("").unwrap(), Layer::default());
        let layer =
            parse("// slots\n{ /* few */ \"max_parallel_tools\": 2, \"other\": 1 }").unwrap();
        assert_eq!(layer.max_parallel_tools, Some(2));
    }

    #[test]
    fn a_workspace_cannot_reach_beyond_itself() {
        let text =
            r#"{"max_parallel_tools": 3, "permissions": {"additional_directories": ["/etc"]}}"#;
        let layer = Layer::parse(text, "w.json", Scope::Workspace).unwrap();
        assert_eq!((layer.max_parallel_tools, layer.additional_directories), (Some(3), None));
        assert_eq!(layer.notices.len(), 1);
        let user = Layer::parse(text, "u.json", Scope::User).unwrap();
        assert_eq!(user.additional_directories, Some(vec![PathBuf::from("/etc")]));
    }
}
