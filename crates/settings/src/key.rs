//! The name of one setting, level by level.
//!
//! Not here: which keys there are (`shape.rs`).

use std::fmt;

/// A key: the names of its levels from the outside in, such as `compaction`, `auto`, `keep_recent`.
///
/// Shown with dots between the levels; a name with other characters than letters, digits, `_` and `-`
/// stands in quotes: `models."openai/gpt-4.1".context_window`.
///
/// ```
/// let key = fanfold_settings::Key::of(&["models", "openai/gpt-4.1", "base_url"]);
/// assert_eq!(key.to_string(), r#"models."openai/gpt-4.1".base_url"#);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Key(Vec<String>);

impl Key {
    /// The key with these levels.
    #[must_use]
    pub fn of(levels: &[&str]) -> Self {
        Self(levels.iter().map(|&level| level.to_owned()).collect())
    }

    /// The names of its levels.
    #[must_use]
    pub fn levels(&self) -> Vec<&str> {
        self.0.iter().map(String::as_str).collect()
    }

    /// The key one level further in.
    pub(crate) fn child(&self, name: &str) -> Self {
        let mut levels = self.0.clone();
        levels.push(name.to_owned());
        Self(levels)
    }

    /// Whether it is the other key or stands somewhere in it.
    pub(crate) fn is_within(&self, outer: &Self) -> bool {
        self.0.starts_with(&outer.0)
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() {
            return f.write_str("the file");
        }
        for (at, level) in self.0.iter().enumerate() {
            let plain = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
            let dot = if at == 0 { "" } else { "." };
            // An error stays readable, whatever a file calls its keys.
            let short: String = level.chars().take(80).collect();
            if short.chars().all(plain) && !short.is_empty() {
                write!(f, "{dot}{short}")?;
            } else {
                write!(f, "{dot}{short:?}")?;
            }
        }
        Ok(())
    }
}
