//! Pictures and documents on their way into the store and out of it.
//!
//! Not here: how they are kept (`fanfold-store`) and written (`fanfold-wire`).

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use fanfold_store::MediaStore;
use fanfold_transcript::{Content, MediaSource, Sha256};
use fanfold_wire::MediaBytes;

/// Puts the bytes of a picture or document into the store. What is no base64, or what the store
/// cannot take, stays as it is: larger than it should be, but not lost.
pub(crate) fn content(store: &MediaStore, mut content: Content) -> Content {
    if let Content::Image(media) | Content::Document(media) = &mut content
        && let MediaSource::Inline { base64 } = &media.source
        && let Ok(bytes) = BASE64_STANDARD.decode(&**base64)
        && let Ok((sha256, bytes)) = store.put(&bytes)
    {
        media.source = MediaSource::Stored { sha256, bytes };
    }
    content
}

/// The store as a request sees it.
#[derive(Debug)]
pub(crate) struct Stored<'a>(pub(crate) &'a MediaStore);

impl MediaBytes for Stored<'_> {
    fn base64(&self, sha256: &Sha256) -> Option<String> {
        self.0.get(sha256).ok().map(|bytes| BASE64_STANDARD.encode(bytes))
    }
}
