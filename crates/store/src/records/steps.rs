//! The records of a session, which lie in the folders of its steps.
//!
//! A call's number is unique in its session, so it alone finds the record. Not here: what a record is.

use std::collections::BTreeMap;
use std::io;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use fanfold_transcript::{AgentId, CallId, StepId};

use crate::files;
use crate::sessions::{SessionFolder, step_names};

/// Where the records of a session's calls are. Clones share what they know.
#[derive(Clone, Debug)]
pub(super) struct Steps {
    session: SessionFolder,
    /// As far as it was asked for, or made here.
    known: Arc<Mutex<BTreeMap<CallId, Arc<Path>>>>,
}

impl Steps {
    pub(super) fn of(session: &SessionFolder) -> Self {
        Self { session: session.clone(), known: Arc::default() }
    }

    /// The folder of a step's records, which need not be there.
    pub(super) fn folder(&self, agent: AgentId, step: StepId) -> Arc<Path> {
        self.session.records_folder(agent, step).into()
    }

    /// Makes the folder of a step's records.
    pub(super) fn make(&self, agent: AgentId, step: StepId) -> io::Result<()> {
        let (agent, step) = (agent.to_string(), step.to_string());
        files::folders_beneath(self.session.path(), &step_names(&agent, &step)).map(drop)
    }

    /// Notes that a call's record is made in this folder.
    pub(super) fn note(&self, call: CallId, folder: &Arc<Path>) {
        self.known().insert(call, Arc::clone(folder));
    }

    /// The folder that holds a call's record; looks through all steps if need be, such as after a
    /// restart.
    pub(super) fn find(&self, call: CallId) -> Option<Arc<Path>> {
        if let Some(folder) = self.known().get(&call) {
            return Some(Arc::clone(folder));
        }
        let found: Arc<Path> = self.session.find_records(call)?.into();
        self.note(call, &found);
        Some(found)
    }

    fn known(&self) -> MutexGuard<'_, BTreeMap<CallId, Arc<Path>>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::io::Read as _;
    use std::os::unix::fs::{MetadataExt as _, symlink};

    use fanfold_transcript::{SessionId, Stream};

    use super::super::{Input, Records};
    use super::*;
    use crate::sessions::Home;

    const ROOT: AgentId = AgentId(0);

    fn record(records: &Records, call: &str, text: &str) {
        let call = call.parse().unwrap();
        let input = Input { call, wire_id: None, tool: "Shell".into(), arguments: "{}".into() };
        records.begin(&input).write(Stream::Stdout, text.as_bytes());
    }

    fn read(records: &Records, call: &str) -> io::Result<String> {
        let mut text = String::new();
        records
            .read(format!("record:{call}/stdout").parse().unwrap())?
            .read_to_string(&mut text)?;
        Ok(text)
    }

    #[test]
    fn a_record_of_any_step_is_found_also_after_a_restart() {
        let folder = tempfile::tempdir().unwrap();
        let session = Home::at(folder.path()).create(&SessionId::at(0, 1)).unwrap();
        let first = Records::in_session(&session, ROOT, StepId(1), 100);
        record(&first, "c1", "one");
        let second = first.at_step(AgentId(1), StepId(2));
        record(&second, "c2-1", "two");
        assert_eq!(fs::read(session.path().join("steps/a0/001/tools/c1/stdout")).unwrap(), b"one");
        let made = session.path().join("steps/a1/002/tools/c2-1/stdout");
        assert_eq!(made.metadata().unwrap().mode() & 0o777, 0o600);

        let resumed = Records::in_session(&session, ROOT, StepId(3), 100);
        for records in [&first, &second, &resumed] {
            assert_eq!(read(records, "c1").unwrap(), "one");
            assert_eq!(read(records, "c2-1").unwrap(), "two");
            let missing = read(records, "c2").unwrap_err();
            assert_eq!(missing.kind(), io::ErrorKind::NotFound);
        }
        assert!(!session.path().join("steps/a0/003").exists());
    }

    #[test]
    fn a_step_that_is_a_link_holds_no_records() {
        let folder = tempfile::tempdir().unwrap();
        let session = Home::at(folder.path()).create(&SessionId::at(0, 1)).unwrap();
        let outside = folder.path().join("outside");
        fs::create_dir_all(outside.join("tools/c1")).unwrap();
        fs::write(outside.join("tools/c1/stdout"), "precious").unwrap();
        fs::create_dir_all(session.path().join("steps/a0")).unwrap();
        symlink(&outside, session.path().join("steps/a0/001")).unwrap();
        let records = Records::in_session(&session, ROOT, StepId(1), 100);
        assert!(read(&records, "c1").is_err());
        record(&records, "c1", "x");
        assert_eq!(fs::read(outside.join("tools/c1/stdout")).unwrap(), b"precious");
    }
}
