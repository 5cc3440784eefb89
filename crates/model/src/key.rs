//! A key, held so that it is never shown.
//!
//! Not here: where keys come from (`open.rs`).

use std::fmt;

use reqwest::header::HeaderValue;

/// A shorter key is a word that stands for one, as local servers want it, and stands in other words.
const SECRET_BYTES_MIN: usize = 8;

/// A provider's key. Its `Debug` shows nothing of it, and neither does that of its headers.
#[derive(Clone)]
pub(crate) struct ApiKey {
    plain: HeaderValue,
    bearer: HeaderValue,
}

impl ApiKey {
    /// Takes a key as it stands in a variable; white space around it is dropped. `None` when it
    /// holds characters that no header may hold.
    pub(crate) fn new(text: &str) -> Option<Self> {
        let text = text.trim();
        let mut plain = HeaderValue::from_str(text).ok()?;
        let mut bearer = HeaderValue::from_str(&format!("Bearer {text}")).ok()?;
        plain.set_sensitive(true);
        bearer.set_sensitive(true);
        Some(Self { plain, bearer })
    }

    pub(crate) fn plain(&self) -> HeaderValue {
        self.plain.clone()
    }

    pub(crate) fn bearer(&self) -> HeaderValue {
        self.bearer.clone()
    }

    /// The text without the key: some servers quote it when they refuse it.
    pub(crate) fn hidden_in(&self, text: &str) -> String {
        match self.plain.to_str() {
            Ok(key) if key.len() >= SECRET_BYTES_MIN => text.replace(key, "[key]"),
            Ok(_) | Err(_) => text.to_owned(),
        }
    }
}

impl fmt::Debug for ApiKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ApiKey(hidden)")
    }
}
