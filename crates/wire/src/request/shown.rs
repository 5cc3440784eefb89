//! Pictures and documents that a request can carry; of any other a line of text remains.
//!
//! Not here: how a wire writes them, and their bytes, which come from the caller.

use fanfold_transcript::{Content, Media, MediaSource};

use super::{Endpoint, MediaBytes};
use crate::media::note;

/// The most bytes of a picture in base64 that Anthropic takes: "image exceeds 5 MB maximum". It would
/// refuse every later request of the conversation too.
const PICTURE_BYTES_MAX: usize = 5 << 20;

/// The content with every stored medium inlined, and with a note for what cannot be shown.
pub(super) fn shown(
    content: &[Content],
    endpoint: Endpoint,
    bytes: &dyn MediaBytes,
) -> Vec<Content> {
    content.iter().filter_map(|one| show(one, endpoint, bytes)).collect()
}

/// Whether [`shown`] would change anything.
pub(super) fn has_hidden(content: &[Content], endpoint: Endpoint) -> bool {
    content.iter().any(|one| match one {
        Content::Image(media) | Content::Document(media) => {
            matches!(media.source, MediaSource::Stored { .. })
                || !is_taken(one, media, endpoint)
                || is_too_large(one, &media.source, endpoint)
        }
        Content::Text(_) | Content::Json(_) | Content::Opaque(_) => false,
    })
}

fn show(content: &Content, endpoint: Endpoint, bytes: &dyn MediaBytes) -> Option<Content> {
    let (media, image) = match content {
        Content::Image(media) => (media, true),
        Content::Document(media) => (media, false),
        Content::Text(_) | Content::Json(_) => return Some(content.clone()),
        // It belongs to a wire, and a request has no way to tell which.
        Content::Opaque(_) => return None,
    };
    let source = match &media.source {
        _ if !is_taken(content, media, endpoint) => None,
        MediaSource::Stored { sha256, .. } => {
            bytes.base64(sha256).map(|base64| MediaSource::Inline { base64: base64.into() })
        }
        source @ (MediaSource::Inline { .. } | MediaSource::Link { .. }) => Some(source.clone()),
    };
    let source = source.filter(|source| !is_too_large(content, source, endpoint));
    let Some(source) = source else { return Some(Content::text(note(media))) };
    let media = Media { media_type: media.media_type.clone(), source };
    Some(if image { Content::Image(media) } else { Content::Document(media) })
}

/// Whether the endpoint takes media of this type.
///
/// Sources: platform.claude.com, "Vision" and "PDF support"; platform.openai.com, "Images and
/// vision" and "File inputs"; ai.google.dev, "Image understanding" and "Document understanding".
fn is_taken(content: &Content, media: &Media, endpoint: Endpoint) -> bool {
    let kind = &*media.media_type;
    match (content, endpoint) {
        (Content::Document(_), Endpoint::Gemini) => {
            kind == "application/pdf" || kind.starts_with("text/")
        }
        (Content::Document(_), _) => kind == "application/pdf",
        (_, Endpoint::Gemini) => {
            matches!(kind, "image/png" | "image/jpeg" | "image/webp" | "image/heic" | "image/heif")
        }
        (_, Endpoint::Anthropic | Endpoint::OpenaiChat | Endpoint::OpenaiResponses) => {
            matches!(kind, "image/png" | "image/jpeg" | "image/webp" | "image/gif")
        }
    }
}

fn is_too_large(content: &Content, source: &MediaSource, endpoint: Endpoint) -> bool {
    let is_bounded = endpoint == Endpoint::Anthropic && matches!(content, Content::Image(_));
    match source {
        MediaSource::Inline { base64 } => is_bounded && base64.len() > PICTURE_BYTES_MAX,
        MediaSource::Stored { .. } | MediaSource::Link { .. } => false,
    }
}
