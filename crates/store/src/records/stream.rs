//! One recorded stream: a file that grows while the call runs and keeps head and tail in the end.
//!
//! The head goes to the file itself, which is at any time a true beginning of the stream. What comes
//! after it goes to a second file that is written round and round, and is put behind the head at the
//! end. Not here: what else a record holds.

use std::fs::{self, File};
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::os::unix::fs::FileExt as _;
use std::path::{Path, PathBuf};

use fanfold_transcript::Stream;

use crate::files;

/// The file of one stream.
#[derive(Debug)]
pub(super) struct StreamFile {
    folder: PathBuf,
    name: &'static str,
    /// `None` before it is made, after it is finished, and once the disk has failed.
    head: Option<File>,
    tail: Option<Ring>,
    head_bytes_max: u64,
    tail_bytes_max: u64,
    size: StreamSize,
}

/// How much of a stream there was, and how much is kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct StreamSize {
    /// Bytes in all.
    pub(super) bytes: u64,
    /// Bytes kept from the beginning.
    pub(super) head_bytes: u64,
    /// Bytes kept from the end; 0 when everything is kept as the head.
    pub(super) tail_bytes: u64,
}

impl StreamSize {
    /// Bytes that are not kept.
    pub(super) const fn left_out(self) -> u64 {
        self.bytes.saturating_sub(self.head_bytes).saturating_sub(self.tail_bytes)
    }
}

impl StreamFile {
    /// A stream without a file yet; at most `bytes_max` bytes of it will be kept.
    pub(super) fn new(folder: &Path, stream: Stream, bytes_max: u64) -> Self {
        let tail_bytes_max = bytes_max / 2;
        Self {
            folder: folder.to_owned(),
            name: stream.as_str(),
            head: None,
            tail: None,
            head_bytes_max: bytes_max - tail_bytes_max,
            tail_bytes_max,
            size: StreamSize::default(),
        }
    }

    /// Makes the file.
    pub(super) fn create(&mut self) -> io::Result<()> {
        self.head = Some(files::create(&self.folder, self.name)?);
        Ok(())
    }

    /// Adds bytes. After an error nothing more is kept, only counted.
    pub(super) fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.size.bytes = self.size.bytes.saturating_add(length(bytes));
        let kept = self.keep(bytes);
        if kept.is_err() {
            self.head = None;
        }
        kept
    }

    fn keep(&mut self, bytes: &[u8]) -> io::Result<()> {
        let Some(head) = &mut self.head else { return Ok(()) };
        let room = self.head_bytes_max - self.size.head_bytes;
        let (first, rest) = bytes.split_at(bytes.len().min(index(room)));
        if let Err(error) = head.write_all(first) {
            self.size.head_bytes = head.stream_position()?;
            return Err(error);
        }
        self.size.head_bytes += length(first);
        if rest.is_empty() || self.tail_bytes_max == 0 {
            return Ok(());
        }
        let tail = match &mut self.tail {
            Some(tail) => tail,
            None => {
                let file = files::create(&self.folder, &self.tail_name())?;
                self.tail.insert(Ring { file, bytes_max: self.tail_bytes_max, written: 0 })
            }
        };
        tail.write(rest)
    }

    /// Puts the tail behind the head.
    pub(super) fn finish(&mut self) -> io::Result<()> {
        let (Some(mut head), Some(tail)) = (self.head.take(), self.tail.take()) else {
            return self.drop_tail();
        };
        let tail_bytes = tail.append_to(&mut head)?;
        // Where nothing lies between, all of it is head.
        if self.size.head_bytes + tail_bytes == self.size.bytes {
            self.size.head_bytes = self.size.bytes;
        } else {
            self.size.tail_bytes = tail_bytes;
        }
        self.drop_tail()
    }

    /// How much there was and is kept.
    pub(super) const fn size(&self) -> StreamSize {
        self.size
    }

    /// Whether every byte is kept, at the end of the stream if it ended now; `None` when it has none.
    pub(super) fn is_whole(&self) -> Option<bool> {
        let has_bytes = self.size.head_bytes > 0;
        let in_ring = self.tail.as_ref().map_or(0, |tail| tail.written.min(tail.bytes_max));
        has_bytes.then(|| self.size.left_out() <= in_ring)
    }

    fn tail_name(&self) -> String {
        format!("{}.tail", self.name)
    }

    fn drop_tail(&self) -> io::Result<()> {
        match fs::remove_file(self.folder.join(self.tail_name())) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            Ok(()) | Err(_) => Ok(()),
        }
    }
}

/// A file of bounded length that holds the last bytes written to it.
#[derive(Debug)]
struct Ring {
    file: File,
    bytes_max: u64,
    written: u64,
}

impl Ring {
    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        // What would be overwritten at once need not be written.
        let skipped = bytes.len().saturating_sub(index(self.bytes_max));
        self.written += length(&bytes[..skipped]);
        let mut left = &bytes[skipped..];
        while !left.is_empty() {
            let at = self.written % self.bytes_max;
            let (piece, rest) = left.split_at(left.len().min(index(self.bytes_max - at)));
            self.file.write_all_at(piece, at)?;
            self.written += length(piece);
            left = rest;
        }
        Ok(())
    }

    /// Copies what it holds, oldest first; gives how much that is.
    fn append_to(mut self, file: &mut File) -> io::Result<u64> {
        if self.written <= self.bytes_max {
            self.file.rewind()?;
            return io::copy(&mut self.file, file);
        }
        let oldest = self.written % self.bytes_max;
        self.file.seek(SeekFrom::Start(oldest))?;
        let older = io::copy(&mut self.file, file)?;
        self.file.rewind()?;
        Ok(older + io::copy(&mut self.file.take(oldest), file)?)
    }
}

fn length(bytes: &[u8]) -> u64 {
    u64::try_from(bytes.len()).unwrap_or(u64::MAX)
}

fn index(length: u64) -> usize {
    usize::try_from(length).unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_disk_is_told_once_and_what_came_is_counted() {
        let mut stream = StreamFile::new(Path::new("/no/such"), Stream::Stdout, 100);
        stream.head = Some(File::options().write(true).open("/dev/full").unwrap());
        let error = stream.write(b"abc").unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::StorageFull);
        stream.write(b"def").unwrap();
        stream.finish().unwrap();
        assert_eq!(stream.size(), StreamSize { bytes: 6, head_bytes: 0, tail_bytes: 0 });
        assert_eq!(stream.is_whole(), None);
    }

    /// Every length around the limits, in pieces of every size, against the plain bytes.
    #[test]
    fn head_and_tail_are_what_was_written_first_and_last() {
        let folder = tempfile::tempdir().unwrap();
        let all: Vec<u8> = (0..60).collect();
        for (bytes_max, total, piece) in (0..12_usize)
            .flat_map(|max| (0..40_usize).map(move |total| (max, total)))
            .flat_map(|(max, total)| [1, 2, 3, 5, 7, 40].map(|piece| (max, total, piece)))
        {
            let mut stream =
                StreamFile::new(folder.path(), Stream::Stdout, length(&all[..bytes_max]));
            stream.create().unwrap();
            for piece in all[..total].chunks(piece) {
                stream.write(piece).unwrap();
            }
            let whole_while_open = stream.is_whole();
            stream.finish().unwrap();
            let kept = fs::read(folder.path().join("stdout")).unwrap();
            let expected = if total <= bytes_max {
                all[..total].to_vec()
            } else {
                let head = bytes_max.div_ceil(2);
                [&all[..head], &all[total - bytes_max / 2..total]].concat()
            };
            assert_eq!(kept, expected, "{bytes_max} {total} {piece}");
            assert_eq!(index(stream.size().left_out()), total.saturating_sub(bytes_max));
            assert_eq!(stream.is_whole(), whole_while_open);
            assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
        }
    }
}
