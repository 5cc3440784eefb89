//! What is told to be written is there, whenever the disk dies; and one sync serves many lines.

use std::io;
use std::path::Path;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};

use super::disk::Dies;
use super::file::DiskFile;
use super::*;

fn block_on<T>(future: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(future)
}

fn started(n: u32) -> Fact {
    Fact::Started { call: CallId::new(n) }
}

fn seqs(bytes: &[u8]) -> Vec<u64> {
    Journaled::parse(bytes).unwrap().lines.iter().map(|line| line.seq).collect()
}

#[test]
fn whatever_was_told_to_be_written_survives_a_death_at_any_operation() {
    for (operations, how) in (0..30)
        .flat_map(|operations| [Dies::Before, Dies::Halfway, Dies::After].map(|d| (operations, d)))
    {
        let disk = Disk::dying(operations, how);
        let file = Box::new(disk.clone());
        let journal = Journal::inline(file, Position::default(), Durability::Full);
        let mut told = 0;
        for (fact, seq) in facts().iter().zip(1..) {
            assert_eq!(journal.append(Millis(seq), ROOT, fact), seq);
            match block_on(journal.written(seq)) {
                Ok(()) => told = seq,
                Err(error) => assert!(error.to_string().starts_with("cannot write the journal: ")),
            }
        }
        assert_eq!(journal.close().is_ok(), told == 12);
        assert_eq!(told, (u64::from(operations) / 2).min(12));
        for left in [disk.synced(), disk.bytes()] {
            let journaled = Journaled::parse(&left).unwrap();
            let there = journaled.end().seq;
            assert!((told..=told + 1).contains(&there), "{operations} {how:?}: {there} of {told}");
            let count = usize::try_from(there).unwrap();
            assert_eq!(facts_of(&journaled), facts()[..count]);
            assert_eq!(fold(journaled.lines, ROOT).1, []);
        }
    }
}

#[test]
fn half_a_line_on_a_full_disk_is_cut_off_again() {
    for durability in [Durability::Full, Durability::Relaxed] {
        let disk = Disk::full_after(4);
        let file = Box::new(disk.clone());
        let journal = Journal::inline(file, Position::default(), durability);
        for fact in facts() {
            journal.append(Millis(1), ROOT, &fact);
        }
        assert!(journal.close().is_err());
        let Progress::Failed { seq, .. } = *journal.durable().borrow() else {
            panic!("no failure")
        };
        let journaled = Journaled::parse(&disk.bytes()).unwrap();
        assert_eq!((journaled.torn, journaled.end().seq), (None, seq));
        assert_eq!(seq, if durability == Durability::Full { 2 } else { 4 });
    }
}

#[test]
fn threads_may_share_a_journal() {
    const fn shared<T: Send + Sync>() {}
    shared::<Journal>();
    let disk = Disk::default();
    let file = Box::new(disk.clone());
    let journal = Journal::threaded(file, Position::default(), Durability::Relaxed).unwrap();
    std::thread::scope(|scope| {
        for n in 1..=4 {
            let journal = &journal;
            scope.spawn(move || {
                for _ in 0..50 {
                    journal.append(Millis(0), ROOT, &started(n));
                }
            });
        }
    });
    journal.close().unwrap();
    assert_eq!(seqs(&disk.bytes()), (1..=200).collect::<Vec<u64>>());
}

#[test]
fn relaxed_writes_without_syncing() {
    let disk = Disk::default();
    let file = Box::new(disk.clone());
    let journal = Journal::inline(file, Position { seq: 40, bytes: 0 }, Durability::Relaxed);
    assert_eq!(journal.append(Millis(1), ROOT, &started(1)), 41);
    assert!(matches!(*journal.durable().borrow(), Progress::Written { seq: 41 }));
    assert_eq!(disk.counts(), (1, 0));
    journal.close().unwrap();
    assert_eq!(journal.append(Millis(1), ROOT, &started(1)), 42);
    assert!(matches!(block_on(journal.written(42)), Err(JournalFailure::Closed)));
    assert!(block_on(journal.written(41)).is_ok());
    assert!(matches!(journal.close(), Err(JournalFailure::Closed)));
}

/// Lets each write begin, and end, when the test says so.
struct Slow {
    disk: Disk,
    begins: SyncSender<()>,
    may_end: Receiver<()>,
}

impl JournalFile for Slow {
    fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.begins.send(()).unwrap();
        self.may_end.recv().unwrap();
        self.disk.append(bytes)
    }

    fn sync(&mut self) -> io::Result<()> {
        self.disk.sync()
    }

    fn cut(&mut self, bytes: u64) -> io::Result<()> {
        self.disk.cut(bytes)
    }
}

#[test]
fn lines_that_come_while_the_disk_is_busy_share_one_write() {
    let disk = Disk::default();
    let ((begins, begun), (end, may_end)) = (sync_channel(0), sync_channel(0));
    let file = Box::new(Slow { disk: disk.clone(), begins, may_end });
    let journal = Journal::threaded(file, Position::default(), Durability::Full).unwrap();
    assert_eq!(journal.append(Millis(1), ROOT, &started(1)), 1);
    begun.recv().unwrap();
    for n in 2..=65 {
        assert_eq!(journal.append(Millis(2), ROOT, &started(n)), u64::from(n));
    }
    assert!(journal.durable().borrow().of(1).is_none());
    end.send(()).unwrap();
    begun.recv().unwrap();
    assert!(block_on(journal.written(1)).is_ok());
    assert!(journal.durable().borrow().of(65).is_none());
    end.send(()).unwrap();
    block_on(journal.written(65)).unwrap();
    assert_eq!(disk.counts(), (2, 2));
    journal.close().unwrap();
    assert_eq!(seqs(&disk.synced()), (1..=65).collect::<Vec<u64>>());
}

#[test]
fn dropping_writes_what_is_queued() {
    let disk = Disk::default();
    let file = Box::new(disk.clone());
    let journal = Journal::threaded(file, Position::default(), Durability::Full).unwrap();
    for n in 1..=100 {
        journal.append(Millis(1), ROOT, &started(n));
    }
    drop(journal);
    assert_eq!(seqs(&disk.synced()).len(), 100);
}

#[test]
fn a_torn_line_is_cut_off_when_the_journal_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journal.jsonl");
    let journal = Journal::create(&path, Durability::Full).unwrap();
    for fact in facts() {
        journal.append(Millis(1), ROOT, &fact);
    }
    journal.close().unwrap();
    let whole = std::fs::read(&path).unwrap();
    std::fs::write(&path, &whole[..whole.len() - 5]).unwrap();

    let journaled = Journaled::read(&path).unwrap();
    assert!(journaled.torn.is_some());
    let journal = Journal::resume(&path, journaled.end(), Durability::Full).unwrap();
    assert_eq!(journal.append(Millis(1), ROOT, &facts()[11]), 12);
    journal.close().unwrap();
    assert_eq!(std::fs::read(&path).unwrap(), whole);
    let beyond = Position { seq: 12, bytes: journaled.end().bytes + 1_000 };
    let error = Journal::resume(&path, beyond, Durability::Full).unwrap_err().to_string();
    assert!(error.ends_with("is shorter than it was when it was read"), "{error}");
    assert_eq!(std::fs::read(&path).unwrap(), whole);
    let error = Journal::create(&path, Durability::Full).unwrap_err().to_string();
    assert!(error.contains("journal.jsonl: "), "{error}");
}

#[test]
fn a_full_disk_is_told_with_the_path() {
    let file = Box::new(DiskFile::existing(Path::new("/dev/full"), 0).unwrap());
    let journal = Journal::threaded(file, Position::default(), Durability::Full).unwrap();
    let seq = journal.append(Millis(1), ROOT, &started(1));
    let error = block_on(journal.written(seq)).unwrap_err();
    let text = error.to_string();
    assert!(text.starts_with("cannot write the journal: /dev/full: No space left"), "{text}");
    let JournalFailure::Io(error) = error else { panic!("{error}") };
    assert_eq!(error.kind(), io::ErrorKind::StorageFull);
    let next = journal.append(Millis(1), ROOT, &started(2));
    assert!(block_on(journal.written(next)).is_err());
    assert!(journal.close().is_err());
}
