//! What an agent last saw of each file, so that a write over a change it has not seen is refused.
//!
//! Not here: reading and writing files (the tools, `place/replace.rs`), and where sights are kept while
//! Fanfold does not run.

mod sight;
mod version;

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use fanfold_transcript::CallId;
use serde::{Deserialize, Serialize};

pub use self::sight::Sight;
pub(crate) use self::version::{Hashing, Version};

/// What one agent last read or wrote of each file, and who of its session wrote last.
///
/// Everything is kept for the life of the agent: a few hundred bytes for each file it touched.
#[derive(Debug, Default)]
pub struct ReadState {
    seen: Mutex<BTreeMap<PathBuf, Seen>>,
    /// What each call noted and nobody has taken yet.
    noted: Mutex<BTreeMap<CallId, Vec<Sight>>>,
    writers: Arc<Mutex<BTreeMap<PathBuf, Written>>>,
}

/// How an agent came to know a content.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Glance {
    /// It read all of it.
    Whole,
    /// It read some of it.
    Part,
    /// It wrote it.
    Wrote,
}

#[derive(Clone, Copy, Debug)]
struct Seen {
    version: Version,
    glance: Glance,
    call: CallId,
}

#[derive(Clone, Copy, Debug)]
struct Written {
    version: Version,
    call: CallId,
}

/// A file is not as the agent last saw it. The text is for the model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stale {
    glance: Glance,
    at: CallId,
    by: Option<CallId>,
}

impl fmt::Display for Stale {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let how = match self.glance {
            Glance::Whole => "read it",
            Glance::Part => "read a part of it",
            Glance::Wrote => "wrote it",
        };
        write!(f, "changed since you {how} at {} by ", self.at)?;
        match self.by {
            Some(call) => write!(f, "{call}")?,
            None => f.write_str("something else")?,
        }
        f.write_str("; read it again")
    }
}

impl ReadState {
    /// The state of another agent of the same session, which has seen nothing yet.
    #[must_use]
    pub fn of_another_agent(&self) -> Self {
        Self { writers: Arc::clone(&self.writers), ..Self::default() }
    }

    /// What this call noted, in the order in which it did. Each sight is given once: whoever keeps them
    /// takes them when the call has ended.
    #[must_use]
    pub fn take_sights_of(&self, call: CallId) -> Vec<Sight> {
        self.noted().remove(&call).unwrap_or_default()
    }

    /// Takes up what calls had noted before a restart. A later sight of a file replaces an earlier one,
    /// so they come in the order in which they were kept.
    pub fn restore(&self, sights: impl IntoIterator<Item = Sight>) {
        for sight in sights {
            self.apply(&sight);
        }
    }

    fn apply(&self, sight: &Sight) {
        let Sight { ref path, version, how, call } = *sight;
        if let Some(glance) = how {
            self.seen().insert(path.clone(), Seen { version, glance, call });
        }
        match how {
            Some(Glance::Wrote) | None => {
                self.writers().insert(path.clone(), Written { version, call });
            }
            Some(Glance::Whole | Glance::Part) => {}
        }
    }

    fn noted(&self) -> MutexGuard<'_, BTreeMap<CallId, Vec<Sight>>> {
        self.noted.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn seen(&self) -> MutexGuard<'_, BTreeMap<PathBuf, Seen>> {
        // Each change is one insertion, so a panic elsewhere spoils nothing.
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn writers(&self) -> MutexGuard<'_, BTreeMap<PathBuf, Written>> {
        self.writers.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What one call notes of the files it reads and writes.
#[derive(Clone, Debug)]
pub(crate) struct Notes {
    state: Arc<ReadState>,
    call: CallId,
}

impl Notes {
    /// The notes of this call.
    pub(crate) const fn new(state: Arc<ReadState>, call: CallId) -> Self {
        Self { state, call }
    }

    /// The agent has read this.
    pub(crate) fn read(&self, path: &Path, version: Version, glance: Glance) {
        self.note(path, version, Some(glance));
    }

    /// The agent has written this, and knows what it wrote.
    pub(crate) fn wrote(&self, path: &Path, version: Version) {
        self.note(path, version, Some(Glance::Wrote));
    }

    /// The call has changed a file without the agent having to know it: a change by others before
    /// that the agent has not seen remains one it has not seen.
    pub(crate) fn rewrote(&self, path: &Path, before: Version, after: Version) {
        let known = self.check(path, before).is_ok();
        self.note(path, after, known.then_some(Glance::Wrote));
    }

    fn note(&self, path: &Path, version: Version, how: Option<Glance>) {
        let sight = Sight { path: path.to_owned(), version, how, call: self.call };
        self.state.apply(&sight);
        self.state.noted().entry(self.call).or_default().push(sight);
    }

    /// Whether the agent has ever read or written this file.
    pub(crate) fn knows(&self, path: &Path) -> bool {
        self.state.seen().contains_key(path)
    }

    /// Whether a file that has this content now is as the agent last saw it, if it ever did.
    ///
    /// # Errors
    /// When it is not.
    pub(crate) fn check(&self, path: &Path, now: Version) -> Result<(), Stale> {
        let Some(seen) = self.state.seen().get(path).copied() else { return Ok(()) };
        if seen.version == now {
            return Ok(());
        }
        let writer = self.state.writers().get(path).copied();
        let by = writer.filter(|written| written.version == now).map(|written| written.call);
        Err(Stale { glance: seen.glance, at: seen.call, by })
    }
}

#[cfg(test)]
mod tests {
    use super::version::Hash;
    use super::*;

    const VERSIONS: [Version; 3] = [version(1), version(2), version(3)];

    const fn version(hash: u64) -> Version {
        Version::Content(Hash(hash))
    }

    fn notes(call: u32, state: &Arc<ReadState>) -> Notes {
        Notes::new(Arc::clone(state), CallId::new(call))
    }

    #[test]
    fn a_change_names_who_read_and_who_wrote() {
        let (agent, path) = (Arc::new(ReadState::default()), Path::new("/w/f"));
        let other = Arc::new(agent.of_another_agent());
        let versions = VERSIONS;
        assert_eq!(notes(1, &agent).check(path, versions[0]), Ok(()));

        notes(1, &agent).read(path, versions[0], Glance::Whole);
        assert_eq!(notes(2, &agent).check(path, versions[0]), Ok(()));
        let text = |version| notes(9, &agent).check(path, version).unwrap_err().to_string();
        let unknown = "changed since you read it at c1 by something else; read it again";
        assert_eq!(text(versions[1]), unknown);

        notes(2, &other).wrote(path, versions[1]);
        assert_eq!(text(versions[1]), "changed since you read it at c1 by c2; read it again");
        // Somebody outside wrote after that call.
        assert_eq!(text(versions[2]), unknown);

        notes(3, &agent).read(path, versions[1], Glance::Part);
        let part = "changed since you read a part of it at c3 by something else; read it again";
        assert_eq!(text(versions[2]), part);
        notes(4, &agent).wrote(path, versions[2]);
        let wrote = "changed since you wrote it at c4 by something else; read it again";
        assert_eq!(text(versions[0]), wrote);
    }

    #[test]
    fn a_rewrite_does_not_hide_a_change_that_was_not_seen() {
        let (agent, path) = (Arc::new(ReadState::default()), Path::new("/w/f"));
        let versions = VERSIONS;
        notes(1, &agent).read(path, versions[0], Glance::Whole);
        notes(2, &agent).rewrote(path, versions[0], versions[1]);
        assert_eq!(notes(3, &agent).check(path, versions[1]), Ok(()));
        notes(4, &agent).rewrote(path, versions[2], versions[0]);
        assert!(notes(5, &agent).check(path, versions[0]).is_err());
    }

    #[test]
    fn after_a_restart_everything_is_known_again() {
        let (old, path) = (Arc::new(ReadState::default()), |name: &str| Path::new("/w").join(name));
        let [one, two, three] = VERSIONS;
        notes(1, &old).read(&path("read"), one, Glance::Whole);
        notes(1, &old).read(&path("twice"), one, Glance::Part);
        notes(2, &old).wrote(&path("twice"), two);
        notes(2, &old).read(&path("unseen"), one, Glance::Whole);
        notes(3, &old).rewrote(&path("unseen"), two, three);

        let new = Arc::new(ReadState::default());
        for call in [1, 2, 3, 4] {
            let sights = old.take_sights_of(CallId::new(call));
            let text = serde_json::to_string(&sights).unwrap();
            new.restore(serde_json::from_str::<Vec<Sight>>(&text).unwrap());
        }
        for name in ["read", "twice", "unseen", "never"] {
            for version in VERSIONS {
                let both = [&old, &new].map(|state| notes(9, state).check(&path(name), version));
                assert_eq!(both[0], both[1], "{name} {version:?}");
            }
        }
        let unseen = notes(9, &new).check(&path("unseen"), three).unwrap_err().to_string();
        assert_eq!(unseen, "changed since you read it at c2 by c3; read it again");
    }

    #[test]
    fn each_call_gives_its_own_sights_and_once() {
        let (state, path) = (Arc::new(ReadState::default()), Path::new("/w/f"));
        // Two calls read the same file at once; neither hides what the other saw.
        notes(1, &state).read(path, VERSIONS[0], Glance::Whole);
        notes(2, &state).read(path, VERSIONS[0], Glance::Part);
        notes(1, &state).wrote(path, VERSIONS[1]);
        let hows = |call| -> Vec<Option<Glance>> {
            let sights = state.take_sights_of(CallId::new(call));
            sights.into_iter().map(|sight| sight.how).collect()
        };
        assert_eq!(hows(1), [Some(Glance::Whole), Some(Glance::Wrote)]);
        assert_eq!(hows(2), [Some(Glance::Part)]);
        assert_eq!(hows(1), []);
        assert!(notes(3, &state).knows(path), "what is given away is still known");
    }
}
