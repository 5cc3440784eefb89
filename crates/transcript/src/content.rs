//! What entries and outcomes are made of: text, images, documents, JSON, and what only a wire understands.
//!
//! Not here: thinking and calls, which only an assistant entry can hold (`entry.rs`).

use crate::json::Json;

/// One piece of content of a user entry, an assistant entry or an outcome.
#[derive(Clone, Debug, PartialEq, Eq)]
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
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Media {
    /// The media type, such as `image/png`.
    pub media_type: Box<str>,
    /// Where the bytes are.
    pub source: MediaSource,
}

/// Where the bytes of a [`Media`] are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MediaSource {
    /// Kept once beside the journal, named by the SHA-256 of its bytes.
    Stored {
        /// SHA-256 of the bytes.
        sha256: [u8; 32],
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
