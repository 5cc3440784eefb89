//! Pictures and documents as parts of a message.
//!
//! Not here: the form in which a wire holds them, and which of them it takes.

use fanfold_transcript::{Content, Media, MediaSource};

/// The picture or document, if it is one.
pub(crate) const fn of(content: &Content) -> Option<&Media> {
    match content {
        Content::Image(media) | Content::Document(media) => Some(media),
        Content::Text(_) | Content::Json(_) | Content::Opaque(_) => None,
    }
}

/// The line in place of one that a request cannot carry.
pub(crate) fn note(media: &Media) -> String {
    format!("[{}: not shown]", media.media_type)
}

/// Its address: a link, or a `data:` URL; `None` while the bytes are only in a store.
pub(crate) fn address(media: &Media) -> Option<String> {
    match &media.source {
        MediaSource::Inline { base64 } => {
            Some(format!("data:{};base64,{base64}", media.media_type))
        }
        MediaSource::Link { url } => Some(url.to_string()),
        MediaSource::Stored { .. } => None,
    }
}
