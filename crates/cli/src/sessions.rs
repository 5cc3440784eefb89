//! `fanfold sessions`: lists, shows, resumes and removes them.
//!
//! Not here: where they are kept (`fanfold-session`), and how a shown one looks (`sessions/shown.rs`).

mod shown;

use std::process::ExitCode;
use std::time::{SystemTime, UNIX_EPOCH};

use fanfold_session::{Order, SessionView, list_sessions, remove_session, show_session};

use crate::args::{AgentArgs, JsonArgs, SessionsArgs, SessionsCommand};
use crate::run::problem;
use crate::table::Table;
use crate::voice::{clean, say};
use crate::{Problem, exec, interactive, run};

/// Characters of the first message in a list.
const TEXT_CHARS_MAX: usize = 60;

/// Runs the command.
pub(crate) fn run(args: SessionsArgs) -> Result<ExitCode, Problem> {
    match args.command.unwrap_or(SessionsCommand::List(JsonArgs::default())) {
        SessionsCommand::List(JsonArgs { json }) => list(json)?,
        SessionsCommand::Show { session, json: JsonArgs { json } } => show(&session, json)?,
        SessionsCommand::Resume { session, agent } => return resume(session, *agent),
        SessionsCommand::Rm { sessions } => {
            for session in sessions {
                let removed = remove_session(&session).map_err(problem)?;
                exec::print(&format!("removed {removed}"))?;
            }
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn resume(session: String, agent: AgentArgs) -> Result<ExitCode, Problem> {
    if interactive::is_at_terminal() {
        return interactive::run(agent, Some(session));
    }
    run::one_turn(run::request(agent, Some(session))?, Order::Continue, false)
}

fn list(json: bool) -> Result<(), Problem> {
    let sessions = list_sessions().map_err(problem)?;
    if json {
        return exec::print_json(serde_json::to_value(&sessions));
    }
    if sessions.is_empty() {
        say("there are no sessions yet");
        return Ok(());
    }
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let now_ms = u64::try_from(now.as_millis()).unwrap_or(u64::MAX);
    let mut table = Table::new(["SESSION", "LAST", "TURNS", "STATE", "SIZE", "FIRST MESSAGE"]);
    for session in &sessions {
        table.row(row(session, now_ms));
    }
    exec::print(&table.to_string())
}

fn row(session: &SessionView, now_ms: u64) -> [String; 6] {
    let age = session.last_unix_ms.map(|last| age(now_ms.saturating_sub(last)));
    let state = if session.is_running { "running" } else { session.last_turn };
    [
        session.id.to_string(),
        age.unwrap_or_else(|| "?".to_owned()),
        session.turns.to_string(),
        state.to_owned(),
        size(session.bytes),
        clean(session.first_text.as_deref().unwrap_or_default(), TEXT_CHARS_MAX),
    ]
}

/// How long ago, in the largest unit that fits.
fn age(ms: u64) -> String {
    match ms / 1_000 {
        s @ 0..60 => format!("{s} s"),
        s @ 60..3_600 => format!("{} min", s / 60),
        s @ 3_600..86_400 => format!("{} h", s / 3_600),
        s => format!("{} d", s / 86_400),
    }
}

/// Bytes as a person reads them.
fn size(bytes: u64) -> String {
    match bytes {
        0..1_024 => format!("{bytes} B"),
        1_024..1_048_576 => format!("{} KiB", bytes >> 10),
        _ => format!("{} MiB", bytes >> 20),
    }
}

fn show(session: &str, json: bool) -> Result<(), Problem> {
    let shown = show_session(session).map_err(problem)?;
    for problem in &shown.problems {
        say(&format!("fanfold: {problem}"));
    }
    if json {
        return exec::print_json(serde_json::to_value(&shown));
    }
    exec::print(&shown::draw(&shown))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_read_at_a_glance() {
        let ages = [59_999, 60_000, 3_600_000, 200_000_000].map(age);
        assert_eq!(ages, ["59 s", "1 min", "1 h", "2 d"]);
        assert_eq!([0, 1_023, 1_024, 5 << 20].map(size), ["0 B", "1023 B", "1 KiB", "5 MiB"]);
    }
}
