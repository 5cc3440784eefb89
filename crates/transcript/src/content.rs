//! What entries and outcomes are made of: text, images, documents, JSON, and what only a wire understands.
//!
//! Not here: thinking and calls, which only an assistant entry can hold (`entry.rs`).

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::ids::IdError;
use crate::json::Json;

/// One piece of content of a user entry, an assistant entry or an outcome.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Content {
    /// Plain text.
    Text(Box<str>),
    /// A picture.
    Image(Media),
    /// A document such as a PDF.
    Document(Media),
    /// Structured data.
    Json(Json),
    /// A block that Fanfold does not interpret and gives back as it came, to the same wire only.
    Opaque(Json),
}

impl Content {
    /// Text content.
    #[must_use]
    pub fn text(text: impl Into<Box<str>>) -> Self {
        Self::Text(text.into())
    }

    /// The text as the model would read it, where there is any.
    #[must_use]
    pub fn as_text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            Self::Json(json) => Some(json.text()),
            Self::Image(_) | Self::Document(_) | Self::Opaque(_) => None,
        }
    }
}

/// An image or a document.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Media {
    /// The media type, such as `image/png`.
    pub media_type: Box<str>,
    /// Where the bytes are.
    pub source: MediaSource,
}

/// Where the bytes of a [`Media`] are.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MediaSource {
    /// Kept once beside the journal, named by the SHA-256 of its bytes.
    Stored {
        /// SHA-256 of the bytes.
        sha256: Sha256,
        /// How many bytes.
        bytes: u64,
    },
    /// As a wire delivered it, until a store takes it.
    Inline {
        /// The bytes in base64.
        base64: Box<str>,
    },
    /// Kept by somebody else.
    Link {
        /// The address.
        url: Box<str>,
    },
}

/// The SHA-256 of some bytes. Written as 64 lower-case hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct Sha256(pub [u8; 32]);

impl fmt::Display for Sha256 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for Sha256 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl From<Sha256> for String {
    fn from(hash: Sha256) -> Self {
        hash.to_string()
    }
}

impl FromStr for Sha256 {
    type Err = IdError;

    fn from_str(text: &str) -> Result<Self, IdError> {
        let error = || IdError::new("SHA-256", "64 lower-case hexadecimal digits", text);
        let digit = |byte: &u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(byte);
        if text.len() != 64 || !text.as_bytes().iter().all(digit) {
            return Err(error());
        }
        let mut bytes = [0; 32];
        for (byte, pair) in bytes.iter_mut().zip(text.as_bytes().chunks(2)) {
            let pair = std::str::from_utf8(pair).map_err(|_| error())?;
            *byte = u8::from_str_radix(pair, 16).map_err(|_| error())?;
        }
        Ok(Self(bytes))
    }
}

impl TryFrom<String> for Sha256 {
    type Error = IdError;

    fn try_from(text: String) -> Result<Self, IdError> {
        text.parse()
    }
}
