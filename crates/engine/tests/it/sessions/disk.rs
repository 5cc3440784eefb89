//! A disk that dies before or after a chosen write and loses what was not synced.

use std::io;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use fanfold_settings::Durability;
use fanfold_store::JournalFile;

use super::dice::Dice;
use super::world::{Pace, World};

/// The disk. It outlives the process that writes to it.
#[derive(Debug, Default)]
pub(super) struct Disk {
    synced: Vec<u8>,
    unsynced: Vec<u8>,
}

/// When a process comes to its end: at which operation on the disk, and how.
#[derive(Clone, Copy, Debug)]
pub(super) struct Death {
    pub(super) at: u64,
    pub(super) how: How,
}

/// How a process comes to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum How {
    /// It dies before the operation.
    Before,
    /// It dies after it.
    After,
    /// The disk is full from here on, and the process has to say so.
    Full,
}

/// The disk as one process writes to it.
pub(super) struct DyingFile {
    disk: Arc<Mutex<Disk>>,
    world: World,
    death: Option<Death>,
    operations: u64,
}

impl Disk {
    /// What is left after the process died: all that was synced, and by chance some of the rest,
    /// perhaps not to the end of a line; all of it when only the process died.
    pub(super) fn survive(&mut self, dice: &mut Dice, durability: Durability) -> Vec<u8> {
        let kept = match durability {
            Durability::Full => dice.index(self.unsynced.len() + 1),
            Durability::Relaxed => self.unsynced.len(),
        };
        self.synced.extend_from_slice(&self.unsynced[..kept]);
        self.unsynced.clear();
        self.synced.clone()
    }

    pub(super) fn all(&self) -> Vec<u8> {
        [&self.synced[..], &self.unsynced[..]].concat()
    }
}

impl DyingFile {
    pub(super) fn new(disk: &Arc<Mutex<Disk>>, world: &World, death: Option<Death>) -> Self {
        Self { disk: Arc::clone(disk), world: world.clone(), death, operations: 0 }
    }

    fn operate(&mut self, operate: impl FnOnce(&mut Disk)) -> io::Result<()> {
        let gone = || Err(io::Error::other("the process is dead"));
        if self.world.is_dead() {
            return gone();
        }
        self.operations += 1;
        let ends = self.death.filter(|death| death.at <= self.operations).map(|death| death.how);
        match ends {
            Some(How::Before) => {
                self.world.die();
                return gone();
            }
            Some(How::Full) => return Err(io::Error::other("the disk is full")),
            Some(How::After) | None => {}
        }
        operate(&mut self.disk.lock().unwrap_or_else(PoisonError::into_inner));
        if ends.is_some() {
            self.world.die();
        }
        Ok(())
    }
}

impl JournalFile for DyingFile {
    fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.operate(|disk| disk.unsynced.extend_from_slice(bytes))
    }

    fn sync(&mut self) -> io::Result<()> {
        if self.world.pace() == Pace::Real {
            // So that more than one line waits for the next time. Nothing is waited for by it.
            std::thread::sleep(Duration::from_micros(300));
        }
        self.operate(|disk| disk.synced.append(&mut disk.unsynced))
    }

    fn cut(&mut self, bytes: u64) -> io::Result<()> {
        let bytes = usize::try_from(bytes).expect("a small disk");
        self.operate(|disk| {
            let mut all = disk.all();
            all.truncate(bytes);
            *disk = Disk { synced: all, unsynced: Vec::new() };
        })
    }
}
