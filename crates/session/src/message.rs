//! A message of the user: text, and files beside it.
//!
//! Not here: where the bytes are kept (`fanfold-store`).

use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use fanfold_transcript::{Content, Media, MediaSource};

use crate::run_error::RunError;

/// The most bytes of all files of a message: in base64 they fit a request of 32 MB, the least that a
/// provider takes. What does not fit would be refused with every later request, too.
const FILES_BYTES_MAX: u64 = 22 << 20;

/// A message, its files read.
#[derive(Clone, Debug, PartialEq)]
pub struct Message {
    pub(crate) content: Vec<Content>,
}

impl Message {
    /// A message of this text with these files: pictures and PDFs as such, others as text.
    ///
    /// # Errors
    /// When there is neither text nor a file, the files are larger than 22 MiB together, or one cannot
    /// be read or is neither a picture, a PDF nor text.
    pub fn new(text: &str, attachments: &[PathBuf]) -> Result<Self, RunError> {
        let mut room = FILES_BYTES_MAX;
        let files: Result<Vec<Content>, RunError> =
            attachments.iter().map(|path| attached(path, &mut room)).collect();
        let text = Some(text).filter(|text| !text.trim().is_empty()).map(Content::text);
        // Pictures first: models read them better in front of the question.
        let content: Vec<Content> = files?.into_iter().chain(text).collect();
        if content.is_empty() { Err(RunError::EmptyPrompt) } else { Ok(Self { content }) }
    }
}

fn attached(path: &Path, room: &mut u64) -> Result<Content, RunError> {
    let wrong = |problem: String| RunError::Attachment { path: path.to_owned(), problem };
    let bytes = read(path, room).map_err(wrong)?;
    if let Some(media_type) = media_type(&bytes) {
        let source = MediaSource::Inline { base64: BASE64_STANDARD.encode(&bytes).into() };
        let media = Media { media_type: media_type.into(), source };
        let is_picture = media_type.starts_with("image/");
        return Ok(if is_picture { Content::Image(media) } else { Content::Document(media) });
    }
    let text = String::from_utf8(bytes).map_err(|_| {
        wrong("it is neither a picture (PNG, JPEG, GIF, WebP), a PDF nor text".into())
    })?;
    Ok(Content::text(format!("The file {}:\n{text}", path.display())))
}

/// Reads a file for which there is room, and takes that.
fn read(path: &Path, room: &mut u64) -> Result<Vec<u8>, String> {
    let metadata = std::fs::metadata(path).map_err(|error| error.to_string())?;
    if !metadata.is_file() {
        return Err("it is not a file".into());
    }
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(|error| error.to_string())?;
    file.take(*room + 1).read_to_end(&mut bytes).map_err(|error| error.to_string())?;
    let left = u64::try_from(bytes.len()).ok().and_then(|length| room.checked_sub(length));
    *room = left.ok_or("the files of a message may have 22 MiB together")?;
    Ok(bytes)
}

/// By the first bytes, since a name promises nothing.
fn media_type(bytes: &[u8]) -> Option<&'static str> {
    let kinds: [(&[u8], &str); 5] = [
        (b"\x89PNG\r\n\x1a\n", "image/png"),
        (b"\xff\xd8\xff", "image/jpeg"),
        (b"GIF8", "image/gif"),
        (b"%PDF-", "application/pdf"),
        (b"RIFF", "image/webp"),
    ];
    let (magic, kind) = kinds.into_iter().find(|(magic, _)| bytes.starts_with(magic))?;
    let is_webp = bytes.get(8..12) == Some(b"WEBP");
    (magic != b"RIFF" || is_webp).then_some(kind)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_files_together_have_a_bound() {
        let file = std::env::temp_dir().join(format!("fanfold-files-{}", std::process::id()));
        std::fs::write(&file, "0123456789").unwrap();
        let mut room = 25;
        assert_eq!(read(&file, &mut room).map(|bytes| bytes.len()), Ok(10));
        assert!(read(&file, &mut room).is_ok());
        let error = read(&file, &mut room).unwrap_err();
        assert_eq!((error.as_str(), room), ("the files of a message may have 22 MiB together", 5));
        std::fs::remove_file(&file).unwrap();
    }

    #[test]
    fn a_file_is_what_its_bytes_say() {
        assert_eq!(media_type(b"\x89PNG\r\n\x1a\n..."), Some("image/png"));
        assert_eq!(media_type(b"RIFF....WEBPVP8 "), Some("image/webp"));
        assert_eq!(media_type(b"RIFF....WAVEfmt "), None);
        assert_eq!(media_type(b"hello"), None);
        assert!(Message::new(" ", &[]).is_err());
        assert!(Message::new("x", &["/no/such/file".into()]).is_err());
    }
}
