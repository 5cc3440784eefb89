//! One group of lines: what waits, and its one write.
//!
//! Not here: who waits for it (`writer.rs`).

use std::io;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use fanfold_settings::Durability;
use fanfold_transcript::{AgentId, Fact, Millis};
use tokio::sync::watch;

use super::file::JournalFile;
use super::line;
use super::writer::{JournalFailure, Position, Progress};

/// A buffer that grew beyond this is given back after its group.
const BUFFER_BYTES_KEPT: usize = 1 << 20;

/// What waits to be written.
pub(super) struct Queue {
    waiting: Mutex<Waiting>,
    changed: Condvar,
}

struct Waiting {
    /// Whole lines.
    bytes: Vec<u8>,
    /// The number of the last line that was appended.
    last_seq: u64,
    /// Nothing more is taken: the journal is closed, or has failed.
    is_over: bool,
}

/// Whole lines up to a number.
struct Group {
    bytes: Vec<u8>,
    last_seq: u64,
}

impl Queue {
    pub(super) const fn after(end: Position) -> Self {
        let waiting = Waiting { bytes: Vec::new(), last_seq: end.seq, is_over: false };
        Self { waiting: Mutex::new(waiting), changed: Condvar::new() }
    }

    /// Adds a line and gives its number, which it gets even when nothing more is taken.
    pub(super) fn add(&self, at: Millis, agent: AgentId, fact: &Fact) -> u64 {
        let mut waiting = lock(&self.waiting);
        waiting.last_seq += 1;
        let seq = waiting.last_seq;
        if !waiting.is_over {
            line::write(&mut waiting.bytes, seq, at, agent, fact);
            self.changed.notify_one();
        }
        seq
    }

    /// Takes nothing more, and gives the number of the last line.
    pub(super) fn close(&self) -> u64 {
        let mut waiting = lock(&self.waiting);
        waiting.is_over = true;
        self.changed.notify_one();
        waiting.last_seq
    }

    /// Takes nothing more, and forgets what waits.
    fn give_up(&self) {
        let mut waiting = lock(&self.waiting);
        waiting.is_over = true;
        waiting.bytes = Vec::new();
    }

    /// All that waits, leaving `empty` in its place; waits until there is something. `None` once
    /// there never will be.
    fn take(&self, empty: Vec<u8>) -> Option<Group> {
        let nothing = |waiting: &mut Waiting| waiting.bytes.is_empty() && !waiting.is_over;
        let waiting = self.changed.wait_while(lock(&self.waiting), nothing);
        let mut waiting = waiting.unwrap_or_else(PoisonError::into_inner);
        if waiting.bytes.is_empty() {
            return None;
        }
        let bytes = std::mem::replace(&mut waiting.bytes, empty);
        Some(Group { bytes, last_seq: waiting.last_seq })
    }
}

/// Writes groups until one fails.
pub(super) struct Writer {
    file: Box<dyn JournalFile>,
    durability: Durability,
    /// The end of the last group that is written.
    end: Position,
    progress: watch::Sender<Progress>,
}

impl Writer {
    pub(super) fn new(
        file: Box<dyn JournalFile>,
        end: Position,
        durability: Durability,
    ) -> (Self, watch::Receiver<Progress>) {
        let (progress, receiver) = watch::channel(Progress::Written { seq: end.seq });
        (Self { file, durability, end, progress }, receiver)
    }

    /// Writes what is queued, whenever there is something, until the queue is closed or a write fails.
    pub(super) fn run(mut self, queue: &Queue) {
        let mut buffer = Vec::new();
        while let Some(emptied) = self.write_queued(queue, buffer) {
            buffer = emptied;
        }
    }

    /// Writes all that waits, or waits for it, and gives its buffer back; `None` at the end.
    pub(super) fn write_queued(&mut self, queue: &Queue, empty: Vec<u8>) -> Option<Vec<u8>> {
        let Group { mut bytes, last_seq } = queue.take(empty)?;
        if let Err(error) = self.write(&bytes) {
            queue.give_up();
            // Nobody was told that any of it is there, so none of it should be. Where even this
            // fails, a reader finds whole lines that are true, and perhaps a torn one.
            self.file.cut(self.end.bytes).ok();
            let error = JournalFailure::Io(Arc::new(error));
            self.progress.send_replace(Progress::Failed { seq: self.end.seq, error });
            return None;
        }
        self.end.seq = last_seq;
        self.end.bytes += u64::try_from(bytes.len()).unwrap_or(u64::MAX);
        self.progress.send_replace(Progress::Written { seq: last_seq });
        bytes.clear();
        Some(if bytes.capacity() > BUFFER_BYTES_KEPT { Vec::new() } else { bytes })
    }

    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.file.append(bytes)?;
        match self.durability {
            Durability::Full => self.file.sync(),
            Durability::Relaxed => Ok(()),
        }
    }
}

pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // Nothing under these locks is ever half changed.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
