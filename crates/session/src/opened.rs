//! A session on disk, opened to be worked in: new, or taken up where an earlier process left it.
//!
//! Not here: the work itself (`run.rs`).

use std::path::PathBuf;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use fanfold_engine::Clock;
use fanfold_settings::Durability;
use fanfold_store::{
    Home, Journal, Journaled, LineBody, Position, Problem, SessionFolder, SessionLock, fold,
};
use fanfold_tools::{ReadState, Sight, Sweep};
use fanfold_transcript::{AgentId, Conversation, Fact, Millis, Prompt, Session, SessionId};

use crate::config::fanfold_home;
use crate::run_error::RunError;

/// The one agent there is so far.
pub(crate) const ROOT: AgentId = AgentId(0);

/// How long what an earlier process left behind may take to end.
const GRACE: Duration = Duration::from_secs(1);

/// A session that this process has.
#[derive(Debug)]
pub(crate) struct Opened {
    pub(crate) folder: SessionFolder,
    /// Held as long as the session is worked in.
    pub(crate) lock: SessionLock,
    pub(crate) journal: Journal,
    pub(crate) conversation: Conversation,
    pub(crate) clock: Clock,
    pub(crate) was_there: bool,
}

/// Where the sessions are.
pub(crate) fn sessions() -> Result<Home, RunError> {
    Ok(Home::at(&fanfold_home()?))
}

impl Opened {
    /// Makes a new session.
    pub(crate) fn create(
        id: &SessionId,
        workspace: &str,
        prompt: Prompt,
        durability: Durability,
    ) -> Result<Self, RunError> {
        let folder = sessions()?.create(id)?;
        let lock = folder.lock()?;
        let journal = Journal::create(&folder.journal_path(), durability);
        let journal = journal.map_err(RunError::JournalFile)?;
        let clock = Clock::started_ago(0);
        let mut opened = Self {
            folder,
            lock,
            journal,
            conversation: Conversation::default(),
            clock,
            was_there: false,
        };
        opened.note(Fact::Session(beginning(id, workspace)));
        opened.note(Fact::Prompt(prompt));
        Ok(opened)
    }

    /// Writes down a fact before there is an agent to do it.
    pub(crate) fn note(&mut self, fact: Fact) {
        self.journal.append(self.clock.now(), ROOT, &fact);
        self.conversation.apply(fact).expect("how a session begins follows from nothing");
    }
}

/// A session that is there, read and taken, but not yet gone on with.
#[derive(Debug)]
pub(crate) struct Found {
    folder: SessionFolder,
    lock: SessionLock,
    pub(crate) conversation: Conversation,
    sights: Vec<Sight>,
    problems: Vec<Problem>,
    end: Position,
    /// The time of the last line; `None` when there is none.
    last: Option<Millis>,
}

impl Found {
    /// The session of this name: its id, the beginning of one, or `last`.
    pub(crate) fn take(name: &str) -> Result<Self, RunError> {
        let folder = sessions()?.open(name)?;
        let lock = folder.lock()?;
        let journaled = Journaled::read(&folder.journal_path())?;
        let end = journaled.end();
        let last = journaled.lines.last().map(|line| line.at);
        let sights = journaled.lines.iter().flat_map(|line| sights(&line.body)).collect();
        let mut problems = journaled.problems;
        let (conversation, unfit) = fold(journaled.lines, ROOT);
        problems.extend(unfit);
        Ok(Self { folder, lock, conversation, sights, problems, end, last })
    }

    /// Where its calls act.
    pub(crate) fn workspace(&self) -> Option<PathBuf> {
        self.conversation.session().map(|session| PathBuf::from(&*session.workspace))
    }

    /// Goes on with it. What an earlier process left running is ended; what its agent saw of files
    /// goes into `reads`. Gives also what is wrong with its journal.
    pub(crate) async fn go_on(
        self,
        workspace: &str,
        reads: &ReadState,
        durability: Durability,
    ) -> Result<(Opened, Vec<String>), RunError> {
        let Self { folder, lock, conversation, sights, problems, end, last } = self;
        reads.restore(sights);
        end_leftovers(folder.id(), &conversation).await;
        let journal = Journal::resume(&folder.journal_path(), end, durability);
        let journal = journal.map_err(RunError::JournalFile)?;
        let began = conversation.session().map_or_else(unix_ms, |session| session.began_unix_ms);
        // A clock that was set back must not make the session's time run backwards.
        let past = last.map_or(0, |at| at.0);
        let clock = Clock::started_ago(unix_ms().saturating_sub(began).max(past));
        let said = |problem| format!("{}, {problem}", folder.journal_path().display());
        let problems: Vec<String> = problems.into_iter().map(said).collect();
        let mut opened = Opened { folder, lock, journal, conversation, clock, was_there: true };
        if last.is_none() {
            // The earlier process ended before its first line was written.
            opened.note(Fact::Session(beginning(opened.folder.id(), workspace)));
        }
        opened.note(Fact::Resumed { version: env!("CARGO_PKG_VERSION").into(), boot: boot() });
        Ok((opened, problems))
    }
}

/// The first line of a session that begins now.
fn beginning(id: &SessionId, workspace: &str) -> Session {
    let began_unix_ms = unix_ms();
    Session {
        session: id.clone(),
        workspace: workspace.into(),
        version: env!("CARGO_PKG_VERSION").into(),
        began_unix_ms,
        seed: began_unix_ms ^ u64::from(std::process::id()).rotate_left(32),
        boot: boot(),
    }
}

fn sights(line: &LineBody) -> Vec<Sight> {
    match line {
        LineBody::Fact(Fact::Seen { sights, .. }) => {
            // One that a newer Fanfold wrote in another form says nothing to this one.
            sights.iter().filter_map(|sight| serde_json::from_value(sight.clone()).ok()).collect()
        }
        LineBody::Fact(_) | LineBody::Unknown(_) => Vec::new(),
    }
}

/// Ends the processes that an earlier Fanfold started in a session.
async fn end_leftovers(session: &SessionId, conversation: &Conversation) {
    if conversation.boot() == Some(&*boot()) {
        Sweep::end_recorded(conversation.processes(), GRACE).await;
    }
    Sweep::end_marked(session.as_str(), GRACE).await;
}

/// This start of the machine; empty where the system does not tell.
fn boot() -> Box<str> {
    let id = std::fs::read_to_string("/proc/sys/kernel/random/boot_id").unwrap_or_default();
    id.trim().into()
}

/// Milliseconds since 1970, UTC.
fn unix_ms() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(now.as_millis()).unwrap_or(u64::MAX)
}
