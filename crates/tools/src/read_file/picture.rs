//! A picture as content that a model can look at.
//!
//! Not here: how a provider wants it (`fanfold-wire`), and other binaries, which are refused.

use std::io::{self, Read};

use fanfold_transcript::{Content, Ending, Media, MediaSource, Outcome};

use crate::place::grouped;

/// The largest picture that is shown, in bytes.
pub(super) const BYTES_MAX: u64 = 5 * 1024 * 1024;

/// The kinds of pictures that providers take.
const MEDIA_TYPES: [&str; 4] = ["image/png", "image/jpeg", "image/gif", "image/webp"];

/// Whether a file of this media type is shown as a picture.
pub(super) fn is_picture(media_type: &str) -> bool {
    MEDIA_TYPES.contains(&media_type)
}

/// Reads a picture of this size; gives a line about it and the picture itself, or why it is not shown.
///
/// # Errors
/// Those of the reader.
pub(super) fn show(
    name: &str,
    media_type: &'static str,
    size: u64,
    file: impl Read,
) -> io::Result<Result<Outcome, String>> {
    let too_large = |size| {
        let size = grouped(size);
        let text = format!("{name} is a picture ({media_type}, {size} bytes); 5 MiB are the limit");
        Ok(Err(text))
    };
    if size > BYTES_MAX {
        return too_large(size);
    }
    let mut bytes = Vec::new();
    // It may have grown meanwhile.
    file.take(BYTES_MAX + 1).read_to_end(&mut bytes)?;
    let length = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
    if length > BYTES_MAX {
        return too_large(length);
    }
    // A provider refuses the whole request for a picture that is none.
    let Some((width, height)) = dimensions(media_type, &bytes) else {
        return Ok(Err(format!("{name} begins as {media_type} but is damaged: it has no size")));
    };
    let size = grouped(length);
    let line = format!("{name}: {media_type}, {width} × {height} pixels, {size} bytes");
    let source = MediaSource::Inline { base64: base64(&bytes).into() };
    let image = Content::Image(Media { media_type: media_type.into(), source });
    let content = vec![Content::text(line), image];
    Ok(Ok(Outcome { ending: Ending::Ok, content, exit_code: None, bytes: length, cut: None }))
}

/// Width and height in pixels, from the header; `None` when there is no whole header, or no pixel.
fn dimensions(media_type: &str, bytes: &[u8]) -> Option<(u32, u32)> {
    let size = match media_type {
        "image/png" => (big(bytes.get(16..20)?), big(bytes.get(20..24)?)),
        "image/gif" => (little(bytes.get(6..8)?), little(bytes.get(8..10)?)),
        "image/webp" => webp(bytes)?,
        _ => jpeg(bytes)?,
    };
    (size.0 > 0 && size.1 > 0).then_some(size)
}

/// The size in the first frame header; the segments before it are passed over.
fn jpeg(bytes: &[u8]) -> Option<(u32, u32)> {
    let mut at = 2;
    loop {
        let marker = *bytes.get(at + 1).filter(|_| bytes[at] == 0xff)?;
        match marker {
            // Fill bytes.
            0xff => at += 1,
            // Every frame header but the tables that share its row.
            0xc0..=0xcf if !matches!(marker, 0xc4 | 0xc8 | 0xcc) => {
                let height = big(bytes.get(at + 5..at + 7)?);
                return Some((big(bytes.get(at + 7..at + 9)?), height));
            }
            _ => at += 2 + usize::try_from(big(bytes.get(at + 2..at + 4)?)).ok()?,
        }
    }
}

/// The size in any of the three forms of the format.
fn webp(bytes: &[u8]) -> Option<(u32, u32)> {
    match bytes.get(12..16)? {
        b"VP8X" => Some((1 + little(bytes.get(24..27)?), 1 + little(bytes.get(27..30)?))),
        b"VP8L" => {
            let bits = little(bytes.get(21..25)?);
            Some((1 + (bits & 0x3fff), 1 + (bits >> 14 & 0x3fff)))
        }
        b"VP8 " => {
            let size = |at| Some(little(bytes.get(at..at + 2)?) & 0x3fff);
            Some((size(26)?, size(28)?))
        }
        _ => None,
    }
}

fn big(bytes: &[u8]) -> u32 {
    bytes.iter().fold(0, |number, &byte| number << 8 | u32::from(byte))
}

fn little(bytes: &[u8]) -> u32 {
    bytes.iter().rev().fold(0, |number, &byte| number << 8 | u32::from(byte))
}

/// Base64 with padding, as RFC 4648 has it.
fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for group in bytes.chunks(3) {
        let mut three = [0; 3];
        three[..group.len()].copy_from_slice(group);
        let [a, b, c] = three;
        let digits = [a >> 2, (a & 3) << 4 | b >> 4, (b & 15) << 2 | c >> 6, c & 63];
        for (at, digit) in digits.into_iter().enumerate() {
            text.push(if at <= group.len() { char::from(DIGITS[usize::from(digit)]) } else { '=' });
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_size_is_read_from_each_kind_of_header() {
        type Row = (&'static str, Vec<u8>, Option<(u32, u32)>);
        let riff = |chunk: &[u8]| [b"RIFF\0\0\0\0WEBP", chunk].concat();
        let table: [Row; 11] = [
            (
                "image/png",
                b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\x02\x80\0\0\x01\xe0".to_vec(),
                Some((640, 480)),
            ),
            ("image/png", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0".to_vec(), None),
            ("image/gif", b"GIF89a\x80\x02\xe0\x01".to_vec(), Some((640, 480))),
            ("image/gif", b"GIF89a\0\0\xe0\x01".to_vec(), None),
            (
                "image/jpeg",
                b"\xff\xd8\xff\xe0\0\x04JF\xff\xff\xc4\0\x02\xff\xc2\0\x11\x08\x01\xe0\x02\x80"
                    .to_vec(),
                Some((640, 480)),
            ),
            ("image/jpeg", b"\xff\xd8\xff\xe0\xff\xff".to_vec(), None),
            ("image/jpeg", b"\xff\xd8".to_vec(), None),
            ("image/webp", riff(b"VP8X\x0a\0\0\0\0\0\0\0\x7f\x02\0\xdf\x01\0"), Some((640, 480))),
            ("image/webp", riff(b"VP8L\0\0\0\0\x2f\x7f\xc2\x77\0"), Some((640, 480))),
            (
                "image/webp",
                riff(b"VP8 \0\0\0\0\0\0\0\x9d\x01\x2a\x80\x02\xe0\x01"),
                Some((640, 480)),
            ),
            ("image/webp", riff(b"VP9 "), None),
        ];
        for (kind, bytes, size) in table {
            assert_eq!(dimensions(kind, &bytes), size, "{bytes:?}");
        }
    }

    #[test]
    fn base64_is_that_of_the_rfc() {
        let table = [
            ("", ""),
            ("f", "Zg=="),
            ("fo", "Zm8="),
            ("foo", "Zm9v"),
            ("foob", "Zm9vYg=="),
            ("fooba", "Zm9vYmE="),
            ("foobar", "Zm9vYmFy"),
        ];
        for (plain, encoded) in table {
            assert_eq!(base64(plain.as_bytes()), encoded);
        }
        assert_eq!(base64(&[0xfb, 0xff, 0xbf]), "+/+/");
    }
}
