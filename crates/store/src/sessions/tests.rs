//! Sessions on disk: made, found, listed, removed, and run by one process at a time.

use std::env;
use std::io::Read as _;
use std::os::unix::fs::{MetadataExt as _, symlink};
use std::process::{Child, Command, Stdio};

use fanfold_settings::Durability;
use fanfold_transcript::{
    AgentId, Content, EntryId, Fact, MessageId, Millis, Session, Speaker, StepId, TurnEnd,
};
use tempfile::TempDir;

use super::*;
use crate::Journal;

fn home() -> (TempDir, Home) {
    let folder = tempfile::tempdir().unwrap();
    let home = Home::at(&folder.path().join("state/fanfold"));
    (folder, home)
}

fn id(text: &str) -> SessionId {
    text.parse().unwrap()
}

fn said(text: &str) -> Fact {
    let content = vec![Content::text(text)];
    Fact::Said { message: MessageId(1), by: Speaker::User, content }
}

fn user() -> Fact {
    Fact::User { entry: EntryId(1), parent: None, message: MessageId(1) }
}

/// A session with these facts after its first line.
fn session(home: &Home, name: &str, facts: &[Fact]) -> SessionFolder {
    let folder = home.create(&id(name)).unwrap();
    let journal = Journal::create(&folder.journal_path(), Durability::Relaxed).unwrap();
    let (workspace, version) = ("/home/user/notes".into(), "0.1.0".into());
    let began_unix_ms = 1_796_059_139_000;
    let session =
        Session { session: id(name), workspace, version, began_unix_ms, seed: 1, boot: "b".into() };
    journal.append(Millis(0), AgentId(0), &Fact::Session(session));
    for (fact, at) in facts.iter().zip(1..) {
        journal.append(Millis(at * 10), AgentId(0), fact);
    }
    journal.close().unwrap();
    folder
}

fn listed(home: &Home) -> Vec<String> {
    home.list().unwrap().iter().map(|summary| summary.id.to_string()).collect()
}

#[test]
fn a_folder_is_made_once_and_for_its_owner_only() {
    let (_folder, home) = home();
    let made = session(&home, "20261130-171859-k3f9", &[]);
    for (path, mode) in [(made.path().to_owned(), 0o700), (made.journal_path(), 0o600)] {
        assert_eq!(path.metadata().unwrap().mode() & 0o777, mode, "{}", path.display());
    }
    assert_eq!(home.sessions().metadata().unwrap().mode() & 0o777, 0o700);
    assert_eq!(home.path.metadata().unwrap().mode() & 0o777, 0o700);
    let again = home.create(made.id()).unwrap_err().to_string();
    assert_eq!(again, "session 20261130-171859-k3f9 exists already");
    let records = made.records_folder(AgentId(0), StepId(3));
    assert!(records.ends_with("20261130-171859-k3f9/steps/a0/003/tools"));
}

#[test]
fn a_session_is_found_by_its_id_its_beginning_or_as_the_last() {
    let (_folder, home) = home();
    let error = home.open("last").unwrap_err().to_string();
    assert!(error.starts_with("there is no session yet in /"), "{error}");
    session(&home, "20261130-171859-k3f9", &[]);
    session(&home, "20261130-182000-aaaa", &[]);
    session(&home, "20261201-090000-bbbb", &[]);
    // Its process died before it could write anything.
    home.create(&id("20261202-000000-dead")).unwrap();
    let open = |name: &str| match home.open(name) {
        Ok(folder) => folder.id().to_string(),
        Err(error) => error.to_string(),
    };
    let table = [
        ("last", "20261201-090000-bbbb"),
        ("20261130-171859-k3f9", "20261130-171859-k3f9"),
        ("20261130-18", "20261130-182000-aaaa"),
        (
            "20261130",
            r#""20261130" is the beginning of several sessions: 20261130-182000-aaaa, 20261130-171859-k3f9"#,
        ),
        (
            "20261130-171895-k3f9",
            r#"no session "20261130-171895-k3f9"; near: 20261130-171859-k3f9"#,
        ),
        ("zzz", r#"no session "zzz""#),
        ("", r#"no session """#),
        ("../sessions", r#"no session "../sessions""#),
    ];
    for (name, expected) in table {
        assert!(open(name).starts_with(expected), "{name}: {}", open(name));
    }
}

#[test]
fn a_list_says_what_each_session_is_about() {
    let (_folder, home) = home();
    assert_eq!(home.list().unwrap(), []);
    let stopped = Fact::Turn(TurnEnd::Stopped);
    let limit = Fact::Turn(TurnEnd::Limit { said: "200 steps".into() });
    let long = format!("fix\n\tthe   {}", "parser ".repeat(100));
    let facts = [said(&long), user(), stopped, said("more"), user(), limit];
    let over = session(&home, "20261130-171859-k3f9", &facts);
    let open = session(&home, "20261130-182000-aaaa", &facts[..5]);
    // Torn, as after a crash.
    let text = fs::read_to_string(open.journal_path()).unwrap();
    fs::write(open.journal_path(), format!("{text}{}", &text[..50])).unwrap();
    home.create(&id("20261202-000000-dead")).unwrap();
    fs::write(home.sessions().join("notes.txt"), "not a session").unwrap();
    symlink(over.path(), home.sessions().join("20270101-000000-link")).unwrap();

    let list = home.list().unwrap();
    let ids = ["20261202-000000-dead", "20261130-182000-aaaa", "20261130-171859-k3f9"];
    assert_eq!(listed(&home), ids);
    let turns: Vec<_> =
        list.iter().map(|summary| (summary.turns, summary.last_turn.clone())).collect();
    let limit = LastTurn::Over(TurnEnd::Limit { said: "200 steps".into() });
    assert_eq!(turns, [(0, LastTurn::None), (1, LastTurn::Open), (2, limit)]);
    let SessionSummary { workspace, began_unix_ms, last_unix_ms, first_text, bytes, .. } = &list[2];
    assert_eq!(workspace.as_deref(), Some("/home/user/notes"));
    assert_eq!((*began_unix_ms, *last_unix_ms), (Some(1_796_059_139_000), Some(1_796_059_139_060)));
    let text = first_text.as_deref().unwrap();
    assert!(text.starts_with("fix the parser parser") && text.chars().count() == 200, "{text}");
    assert_eq!(*bytes, over.journal_path().metadata().unwrap().len());
}

#[test]
fn what_is_removed_is_gone_and_half_a_removal_is_finished_by_the_next() {
    let (_folder, home) = home();
    let first = session(&home, "20261130-171859-k3f9", &[]);
    let second = session(&home, "20261130-182000-aaaa", &[]);
    let outside = home.path.join("outside");
    fs::create_dir(&outside).unwrap();
    fs::write(outside.join("precious"), "").unwrap();
    symlink(&outside, first.path().join("steps")).unwrap();
    fs::create_dir_all(home.path.join("trash-20260101-000000-aaaa/steps")).unwrap();

    let lock = first.lock().unwrap();
    let error = home.remove(first.id()).unwrap_err().to_string();
    let pid = std::process::id();
    let expected = format!("session 20261130-171859-k3f9 is in use by process {pid}; wait until");
    assert!(error.starts_with(&expected), "{error}");
    drop(lock);
    home.remove(first.id()).unwrap();
    assert_eq!(listed(&home), [second.id().as_str()]);
    let mut left: Vec<_> =
        fs::read_dir(&home.path).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    left.sort();
    assert_eq!(left, ["outside", "sessions"]);
    assert!(outside.join("precious").exists());
    let gone = first.lock().unwrap_err().to_string();
    assert_eq!(gone, "session 20261130-171859-k3f9 was removed");
    assert!(matches!(home.remove(first.id()), Err(SessionsError::Unknown { .. })));
}

#[test]
fn a_home_that_cannot_be_written_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    fs::write(&file, "").unwrap();
    let error = Home::at(&file).create(&id("20261130-171859-k3f9")).unwrap_err().to_string();
    assert!(error.starts_with(&format!("cannot make {}: ", file.display())), "{error}");
    let error = Home::at(&file).list().unwrap_err().to_string();
    assert!(error.starts_with("cannot read "), "{error}");
}

const HOME_OF_THE_OTHER: &str = "FANFOLD_TEST_LOCK_HOME";

/// Starts this test binary again, to hold a session's lock until its input ends.
fn other_process(home: &Home) -> Child {
    let mut command = Command::new(env::current_exe().unwrap());
    let test = "sessions::tests::a_lock_is_free_again_when_it_is_dropped";
    command.args([test, "--exact", "--nocapture"]).env(HOME_OF_THE_OTHER, &home.path);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut output = child.stdout.take().unwrap();
    let mut seen = Vec::new();
    // Its test framework prints too; what counts is the mark.
    while !seen.ends_with(b"LOCKED") {
        let mut byte = [0];
        assert_eq!(output.read(&mut byte).unwrap(), 1, "{}", String::from_utf8_lossy(&seen));
        seen.push(byte[0]);
    }
    child.stdout = Some(output);
    child
}

#[test]
fn a_lock_is_free_again_when_it_is_dropped() {
    if let Some(path) = env::var_os(HOME_OF_THE_OTHER) {
        let _lock = Home::at(Path::new(&path)).open("last").unwrap().lock().unwrap();
        println!("LOCKED");
        io::stdin().read_to_end(&mut Vec::new()).unwrap();
        return;
    }
    let (_folder, home) = home();
    let folder = session(&home, "20261130-171859-k3f9", &[]);
    assert!(!folder.is_locked());
    let lock = folder.lock().unwrap();
    assert!(folder.is_locked());
    assert!(matches!(folder.lock(), Err(LockError::Held { .. })));
    drop(lock);
    assert!(!folder.is_locked());
    drop(folder.lock().unwrap());
}

#[test]
fn one_process_at_a_time_runs_a_session() {
    let (_folder, home) = home();
    let folder = session(&home, "20261130-171859-k3f9", &[]);
    let mut other = other_process(&home);
    let Err(LockError::Held { pid, .. }) = folder.lock() else { panic!("both have it") };
    assert_eq!(pid, Some(other.id()));
    assert!(home.list().unwrap()[0].is_running);
    assert!(home.remove(folder.id()).is_err());
    // However it ends, the lock ends with it.
    other.kill().unwrap();
    other.wait().unwrap();
    assert!(!home.list().unwrap()[0].is_running);
    drop(folder.lock().unwrap());
}

#[test]
fn a_link_is_no_lock_and_no_journal() {
    let (folder, home) = home();
    let session = home.create(&id("20261130-171859-k3f9")).unwrap();
    let outside = folder.path().join("outside");
    fs::write(&outside, "precious").unwrap();
    symlink(&outside, session.path().join("lock")).unwrap();
    symlink(&outside, session.journal_path()).unwrap();
    assert!(matches!(session.lock(), Err(LockError::Io { .. })));
    let end = crate::Position::default();
    assert!(Journal::resume(&session.journal_path(), end, Durability::Full).is_err());
    assert!(crate::Journaled::read(&session.journal_path()).is_err());
    assert_eq!(fs::read_to_string(&outside).unwrap(), "precious");
}
