//! Whether the first bytes of a file are those of text.
//!
//! Not here: decoding it (`read_file.rs`, and the searcher behind `grep.rs`).

use std::fs::File;
use std::io::{self, Read as _};

/// How many bytes from the beginning are looked at.
const SNIFFED_BYTES: usize = 8 * 1024;

/// Beginnings that no text has, with their media types.
const MAGIC: &[(&[u8], &str)] = &[
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"GIF87a", "image/gif"),
    (b"GIF89a", "image/gif"),
    (b"%PDF-", "application/pdf"),
    (b"PK\x03\x04", "application/zip"),
    (b"\x1f\x8b\x08", "application/gzip"),
    (b"\x28\xb5\x2f\xfd", "application/zstd"),
    (b"\xfd7zXZ\0", "application/x-xz"),
    (b"\x7fELF", "application/x-executable"),
    (b"\0asm", "application/wasm"),
    (b"SQLite format 3\0", "application/vnd.sqlite3"),
    (b"\xff\xfe", "text/plain; charset=utf-16le"),
    (b"\xfe\xff", "text/plain; charset=utf-16be"),
];

/// A file that is not text in an encoding ReadFile shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Binary {
    /// What its first bytes say it is.
    pub(crate) media_type: &'static str,
}

impl Binary {
    /// What a file with this beginning is; `None` for text.
    ///
    /// A file is binary when a NUL stands in its first [`SNIFFED_BYTES`], or by its magic bytes.
    pub(crate) fn sniff(beginning: &[u8]) -> Option<Self> {
        let beginning = &beginning[..beginning.len().min(SNIFFED_BYTES)];
        let webp = beginning.starts_with(b"RIFF") && beginning.get(8..12) == Some(b"WEBP");
        let magic = MAGIC.iter().find(|(magic, _)| beginning.starts_with(magic));
        let known = if webp { Some("image/webp") } else { magic.map(|&(_, kind)| kind) };
        let unknown = beginning.contains(&0).then_some("application/octet-stream");
        known.or(unknown).map(|media_type| Self { media_type })
    }

    /// Whether it is text all the same, in UTF-16.
    pub(crate) fn is_utf16(self) -> bool {
        self.media_type.starts_with("text/")
    }
}

/// The first bytes of a file, up to those that tell its kind; reading goes on behind them.
pub(crate) fn beginning(file: &File) -> io::Result<Vec<u8>> {
    let mut beginning = Vec::with_capacity(SNIFFED_BYTES);
    let sniffed = u64::try_from(SNIFFED_BYTES).unwrap_or(u64::MAX);
    file.take(sniffed).read_to_end(&mut beginning)?;
    Ok(beginning)
}
