//! What a list shows of a session.
//!
//! A journal is gone through line by line in flat memory, looking at how each line begins; the few
//! lines that say something for the list are read whole. Not here: what is wrong with a damaged one
//! (`journal/reader.rs`).

use std::fs;
use std::io::{self, BufRead, BufReader};
use std::path::Path;

use fanfold_transcript::{AgentId, Content, Fact, Millis, SessionId, Speaker, TurnEnd};

use super::folder::SessionFolder;
use crate::files;
use crate::journal;

/// How many characters of the first message a list gets to see.
const TEXT_CHARS_MAX: usize = 200;
const ROOT: AgentId = AgentId(0);

/// What a list shows of a session. Of a damaged one, what can be told.
#[derive(Clone, Debug, PartialEq)]
pub struct SessionSummary {
    /// Its id.
    pub id: SessionId,
    /// The folder its calls act in.
    pub workspace: Option<Box<str>>,
    /// When it began, in milliseconds since 1970, UTC.
    pub began_unix_ms: Option<u64>,
    /// When something last happened in it, in milliseconds since 1970, UTC.
    pub last_unix_ms: Option<u64>,
    /// How many turns are over.
    pub turns: u32,
    /// The first thing the user said, in one line of at most 200 characters.
    pub first_text: Option<Box<str>>,
    /// Whether a process has it now.
    pub is_running: bool,
    /// How it stands.
    pub last_turn: LastTurn,
    /// What all its files take, in bytes.
    pub bytes: u64,
}

/// How the newest turn of a session stands. The set is closed.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum LastTurn {
    /// There is none.
    #[default]
    None,
    /// It is not over: it runs, or was cut off with its process.
    Open,
    /// It is over.
    Over(TurnEnd),
}

impl SessionSummary {
    pub(super) fn of(folder: &SessionFolder) -> Self {
        let mut summary = Self {
            id: folder.id().clone(),
            workspace: None,
            began_unix_ms: None,
            last_unix_ms: None,
            turns: 0,
            first_text: None,
            is_running: folder.is_locked(),
            last_turn: LastTurn::None,
            bytes: bytes_in(folder.path()),
        };
        if let Ok(journal) = files::open_file(&folder.journal_path()) {
            // What was read before an error is still true.
            summary.look_through(BufReader::with_capacity(1 << 16, journal)).ok();
        }
        summary
    }

    fn look_through(&mut self, mut journal: impl BufRead) -> io::Result<()> {
        let (mut line, mut last_at, mut last_end) = (Vec::new(), Millis(0), None);
        while journal.read_until(b'\n', &mut line)? > 0 {
            let text = String::from_utf8_lossy(&line);
            if let Some(head) = journal::head(&text).filter(|_| line.ends_with(b"\n")) {
                last_at = head.at;
                match head.kind {
                    "session" | "said" => self.take(journal::fact_of(&text)),
                    "user" | "reply" if head.agent == ROOT => self.last_turn = LastTurn::Open,
                    "turn" if head.agent == ROOT => {
                        self.turns = self.turns.saturating_add(1);
                        self.last_turn = LastTurn::None;
                        last_end = Some(text.into_owned());
                    }
                    _ => {}
                }
            }
            line.clear();
        }
        if let (LastTurn::None, Some(Fact::Turn(end))) =
            (&self.last_turn, last_end.as_deref().and_then(journal::fact_of))
        {
            self.last_turn = LastTurn::Over(end);
        }
        self.last_unix_ms = self.began_unix_ms.map(|began| began.saturating_add(last_at.0));
        Ok(())
    }

    fn take(&mut self, fact: Option<Fact>) {
        match fact {
            Some(Fact::Session(session)) => {
                self.workspace = Some(session.workspace);
                self.began_unix_ms = Some(session.began_unix_ms);
            }
            Some(Fact::Said { by: Speaker::User, content, .. }) if self.first_text.is_none() => {
                self.first_text = Some(one_line(&content));
            }
            _ => {}
        }
    }
}

fn one_line(content: &[Content]) -> Box<str> {
    let texts = content.iter().filter_map(Content::as_text);
    let words: Vec<&str> = texts.flat_map(str::split_whitespace).take(TEXT_CHARS_MAX).collect();
    words.join(" ").chars().take(TEXT_CHARS_MAX).collect()
}

/// What the files beneath a folder take; links are not followed, and what cannot be read is nothing.
fn bytes_in(folder: &Path) -> u64 {
    let (mut bytes, mut folders) = (0_u64, vec![folder.to_owned()]);
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            let Ok(kind) = entry.metadata() else { continue };
            if kind.is_dir() {
                folders.push(entry.path());
            } else {
                bytes = bytes.saturating_add(kind.len());
            }
        }
    }
    bytes
}
