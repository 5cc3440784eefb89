//! Writes a journal with group commit: what was queued while the disk was busy goes out as one write.
//!
//! Whoever appends never waits. Whoever is about to act on a fact waits until it is written
//! ([`Journal::written`]). So the queue holds no more than what happens between two such waits: at most
//! a reply of the model, whose size is bounded where it is read. On a slow disk the waits grow, not the
//! queue. Not here: the form of a line (`line.rs`), and one write (`group.rs`).

use std::fmt;
use std::io;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};

use fanfold_settings::Durability;
use fanfold_transcript::{AgentId, Fact, Millis};
use tokio::sync::watch;

use super::file::{DiskFile, JournalFile};
use super::group::{Queue, Writer, lock};

/// A journal that is being written. Dropped, it writes what is queued, as [`Journal::close`] does.
pub struct Journal {
    queue: Arc<Queue>,
    pen: Pen,
    progress: watch::Receiver<Progress>,
}

/// Where a journal ends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Position {
    /// The number of its last line; 0 when it has none.
    pub seq: u64,
    /// Its length.
    pub bytes: u64,
}

/// How far a journal is written.
#[derive(Clone, Debug)]
pub enum Progress {
    /// Up to this line: synced to the disk with [`Durability::Full`], else given to the system.
    Written {
        /// The number of the line; 0 before the first.
        seq: u64,
    },
    /// No line after this one was or will be written.
    Failed {
        /// The number of the last line that is written.
        seq: u64,
        /// Why no more are.
        error: JournalFailure,
    },
}

/// Why a line is not written. Cheap to clone, since all who wait are told.
#[derive(Clone, Debug, thiserror::Error)]
pub enum JournalFailure {
    /// The system says no.
    #[error("cannot write the journal: {0}")]
    Io(Arc<io::Error>),
    /// It came after the journal was closed.
    #[error("cannot write the journal: it is closed")]
    Closed,
}

/// Who writes.
enum Pen {
    /// A thread of its own, until the journal is closed.
    Thread(Mutex<Option<JoinHandle<()>>>),
    /// Whoever appends, until the journal is closed.
    Inline(Mutex<Option<Writer>>),
}

impl Journal {
    /// Makes a new journal, which must not be there yet, and a thread that writes it.
    ///
    /// # Errors
    /// When the file or the thread cannot be made; the error names the file.
    pub fn create(path: &Path, durability: Durability) -> io::Result<Self> {
        let file = DiskFile::create(path)?;
        Self::threaded(Box::new(file), Position::default(), durability)
    }

    /// Goes on with a journal that was read up to `end`, and cuts off what is torn after it. What was
    /// read may not have survived a loss of power until now; from here on it does. The caller holds
    /// the session's lock.
    ///
    /// # Errors
    /// When the file cannot be opened, cut or synced, or there is no thread; the error names the file.
    pub fn resume(path: &Path, end: Position, durability: Durability) -> io::Result<Self> {
        let mut file = DiskFile::existing(path, end.bytes)?;
        file.cut(end.bytes)?;
        if durability == Durability::Full {
            file.sync()?;
        }
        Self::threaded(Box::new(file), end, durability)
    }

    /// A journal written to `file`, which ends at `end`, by a thread of its own.
    ///
    /// # Errors
    /// When there is no thread to be had.
    pub fn threaded(
        file: Box<dyn JournalFile>,
        end: Position,
        durability: Durability,
    ) -> io::Result<Self> {
        let (writer, progress) = Writer::new(file, end, durability);
        let queue = Arc::new(Queue::after(end));
        let shared = Arc::clone(&queue);
        let thread = thread::Builder::new().name("journal".to_owned());
        let thread = thread.spawn(move || writer.run(&shared))?;
        Ok(Self { queue, pen: Pen::Thread(Mutex::new(Some(thread))), progress })
    }

    /// A journal written to `file`, which ends at `end`, by whoever appends: a line is written, or
    /// has failed, when `append` returns. For simulations, in which everything has its moment.
    #[must_use]
    pub fn inline(file: Box<dyn JournalFile>, end: Position, durability: Durability) -> Self {
        let (writer, progress) = Writer::new(file, end, durability);
        let pen = Pen::Inline(Mutex::new(Some(writer)));
        Self { queue: Arc::new(Queue::after(end)), pen, progress }
    }

    /// Queues a line and gives its number. Never waits for the disk; what happens to the line is
    /// known from [`Journal::written`].
    pub fn append(&self, at: Millis, agent: AgentId, fact: &Fact) -> u64 {
        let Pen::Inline(writer) = &self.pen else {
            return self.queue.add(at, agent, fact);
        };
        // Held over both, so that lines are written in the order of their numbers.
        let mut writer = lock(writer);
        let seq = self.queue.add(at, agent, fact);
        if let Some(writer) = &mut *writer {
            writer.write_queued(&self.queue, Vec::new());
        }
        seq
    }

    /// How far the journal is written, now and whenever that changes. Once it is closed the last
    /// value stands.
    #[must_use]
    pub fn durable(&self) -> watch::Receiver<Progress> {
        self.progress.clone()
    }

    /// Waits until the line of this number is written, as durably as was asked for. May be dropped
    /// and asked for again.
    ///
    /// # Errors
    /// When it never will be.
    pub fn written(
        &self,
        seq: u64,
    ) -> impl Future<Output = Result<(), JournalFailure>> + Send + use<> {
        let mut progress = self.progress.clone();
        async move {
            match progress.wait_for(|progress| progress.of(seq).is_some()).await {
                Ok(progress) => progress.of(seq).unwrap_or(Err(JournalFailure::Closed)),
                Err(_) => Err(JournalFailure::Closed),
            }
        }
    }

    /// Writes everything that is queued and ends the thread. Waits for the disk. Lines that are
    /// appended later are not written.
    ///
    /// # Errors
    /// When a line is not written.
    pub fn close(&self) -> Result<(), JournalFailure> {
        let last_seq = self.queue.close();
        match &self.pen {
            Pen::Thread(thread) => {
                let mut thread = lock(thread);
                // A panic of the file's is known from the progress, which then stands still.
                thread.take().map(JoinHandle::join);
            }
            Pen::Inline(writer) => drop(lock(writer).take()),
        }
        self.progress.borrow().of(last_seq).unwrap_or(Err(JournalFailure::Closed))
    }
}

impl Drop for Journal {
    fn drop(&mut self) {
        // Whoever wants to know has called it before.
        self.close().ok();
    }
}

impl fmt::Debug for Journal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Journal")
            .field("progress", &*self.progress.borrow())
            .finish_non_exhaustive()
    }
}

impl Progress {
    /// What is known of the line of this number; `None` while it may still be written.
    #[must_use]
    pub fn of(&self, line: u64) -> Option<Result<(), JournalFailure>> {
        match self {
            Self::Written { seq } | Self::Failed { seq, .. } if line <= *seq => Some(Ok(())),
            Self::Written { .. } => None,
            Self::Failed { error, .. } => Some(Err(error.clone())),
        }
    }
}
