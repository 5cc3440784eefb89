//! A disk that dies at a chosen moment and forgets what was not synced.

use std::io;
use std::sync::{Arc, Mutex};

use super::*;

/// What happens to the operation at which the disk dies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Dies {
    /// Nothing of it is done.
    Before,
    /// Half of it is done.
    Halfway,
    /// All of it is done, and nobody hears of it.
    After,
}

/// Shared by the test and the journal.
#[derive(Clone, Debug, Default)]
pub(super) struct Disk(Arc<Mutex<Platter>>);

#[derive(Debug, Default)]
struct Platter {
    bytes: Vec<u8>,
    /// So many of them survive the loss of power.
    synced: usize,
    /// Appends and syncs until it dies, and how.
    life: Option<(u32, Dies)>,
    /// Dead for writing only, as when it is full.
    can_cut: bool,
    appends: u32,
    syncs: u32,
}

impl Disk {
    /// Dies at the operation after `operations` more.
    pub(super) fn dying(operations: u32, how: Dies) -> Self {
        let platter = Platter { life: Some((operations, how)), ..Platter::default() };
        Self(Arc::new(Mutex::new(platter)))
    }

    /// Is full after so many operations, halfway through one.
    pub(super) fn full_after(operations: u32) -> Self {
        let disk = Self::dying(operations, Dies::Halfway);
        disk.0.lock().unwrap().can_cut = true;
        disk
    }

    pub(super) fn bytes(&self) -> Vec<u8> {
        self.0.lock().unwrap().bytes.clone()
    }

    /// What is there after a loss of power that kept only what was synced.
    pub(super) fn synced(&self) -> Vec<u8> {
        let platter = self.0.lock().unwrap();
        platter.bytes[..platter.synced].to_vec()
    }

    /// How often it was written, and synced.
    pub(super) fn counts(&self) -> (u32, u32) {
        let platter = self.0.lock().unwrap();
        (platter.appends, platter.syncs)
    }
}

impl Platter {
    fn operation(&mut self, act: impl FnOnce(&mut Self, Option<Dies>)) -> io::Result<()> {
        let dies = match &mut self.life {
            Some((0, how)) => Some(*how),
            Some((left, _)) => {
                *left -= 1;
                None
            }
            None => None,
        };
        if dies != Some(Dies::Before) {
            act(self, dies);
        }
        match dies {
            Some(_) => Err(io::ErrorKind::StorageFull.into()),
            None => Ok(()),
        }
    }
}

impl JournalFile for Disk {
    fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.0.lock().unwrap().operation(|platter, dies| {
            let length = if dies == Some(Dies::Halfway) { bytes.len() / 2 } else { bytes.len() };
            platter.bytes.extend(&bytes[..length]);
            platter.appends += 1;
        })
    }

    fn sync(&mut self) -> io::Result<()> {
        self.0.lock().unwrap().operation(|platter, dies| {
            let new = platter.bytes.len() - platter.synced;
            platter.synced += if dies == Some(Dies::Halfway) { new / 2 } else { new };
            platter.syncs += 1;
        })
    }

    fn cut(&mut self, bytes: u64) -> io::Result<()> {
        let mut platter = self.0.lock().unwrap();
        if matches!(platter.life, Some((0, _))) && !platter.can_cut {
            return Err(io::ErrorKind::StorageFull.into());
        }
        let bytes = usize::try_from(bytes).unwrap();
        platter.bytes.truncate(bytes);
        platter.synced = platter.synced.min(bytes);
        Ok(())
    }
}
