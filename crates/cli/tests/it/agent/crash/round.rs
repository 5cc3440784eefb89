//! A session that is killed one to three times, each time gone on with, maybe by another model.
//!
//! Not here: what must hold afterwards (`checks.rs`).

use std::thread::sleep;
use std::time::Duration;

use super::Tally;
use super::chance::Chance;
use super::{checks, script};
use crate::agent::MODELS;
use crate::agent::site::Site;

/// When a run is killed.
#[derive(Debug)]
enum Moment {
    /// After so many events.
    Event(u64),
    /// After so many milliseconds.
    Time(u64),
}

/// Plays the round of this seed.
pub(super) fn play(seed: u64) -> Tally {
    let mut chance = Chance::new(seed);
    let site = Site::new(&script::replies());
    site.write(script::NOTES, "END\n");
    let mut tally = Tally { rounds: 1, ..Tally::default() };
    for _ in 0..=chance.below(3) {
        let model = chance.of(&MODELS);
        let moment = match chance.below(3) {
            0 => Moment::Time(chance.below(1_500)),
            _ => Moment::Event(1 + chance.below(110)),
        };
        if kill(&site, model, &moment) {
            tally.kills += 1;
        } else {
            tally.ended_first += 1;
        }
    }
    let model = chance.of(&MODELS);
    let turn = site.turn(&arguments(&site, model));
    assert_eq!(turn.code, Some(0), "{}\n{:#?}", turn.stderr, turn.events);
    tally.calls = checks::of(&site);
    tally.requests = site.provider.requests().len();
    tally
}

/// Lets the agent work and kills it. False when it had ended before.
fn kill(site: &Site, model: &str, moment: &Moment) -> bool {
    let mut working = site.start(&arguments(site, model));
    match *moment {
        Moment::Event(number) => {
            for _ in 0..number {
                if working.next().is_none() {
                    break;
                }
            }
        }
        // Not to wait for anything: any moment will do.
        Moment::Time(ms) => sleep(Duration::from_millis(ms)),
    }
    let turn = working.kill();
    assert!(matches!(turn.code, None | Some(0)), "{moment:?}: {:?} {}", turn.code, turn.stderr);
    turn.code.is_none()
}

/// Begins, or goes on. A kill may come before there is a session, or before it holds the prompt.
fn arguments(site: &Site, model: &str) -> Vec<String> {
    let mut arguments = vec!["--model".to_owned(), model.to_owned()];
    let session = site.sessions().pop();
    let journal = session.as_deref().map(|session| site.journal(session));
    let journal = journal.and_then(|path| std::fs::read_to_string(path).ok()).unwrap_or_default();
    let is_said =
        journal.lines().any(|line| line.contains(r#""type":"said""#) && line.ends_with('}'));
    if let Some(session) = session {
        arguments.extend(["--session".to_owned(), session]);
    }
    if !is_said {
        arguments.push("Work through it.".to_owned());
    }
    arguments
}
