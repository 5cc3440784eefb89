//! Journals that a crash cut short, a disk damaged, or a newer Fanfold wrote, and a session that is taken.
//!
//! Whatever is left of a session, what is asked of the provider next is a valid request. Not here: how
//! a journal is read (`fanfold-store`).

use serde_json::{Value, json};

use super::provider::Provider;
use super::site::Site;
use super::{MODELS, site};
use crate::{parse, text};

fn replies() -> Value {
    json!([
        {"say": [
            {"thinking": "Two at once."}, {"text": "Looking."},
            {"call": {"tool": "Ls"}}, {"call": {"tool": "Glob", "arguments": {"pattern": "*"}}},
        ]},
        {"say": [{"thinking": "One more."}, {"call": {"tool": "Ls"}}]},
        {"say": [{"thinking": "Enough."}, {"text": "Done."}]},
        {"when": {"last_contains": "go on"}, "say": [{"thinking": "Well."}, {"text": "Here again."}]},
    ])
}

/// A session with a turn that is over, and the lines of its journal.
fn session(model: &str) -> (Site, Vec<Vec<u8>>) {
    let site = Site::new(&replies());
    site.turn(&["--model", model, "begin"]).answered("Done.");
    let journal = std::fs::read(site.journal(&site.session())).unwrap();
    let lines = journal.split_inclusive(|&byte| byte == b'\n').map(<[u8]>::to_vec).collect();
    (site, lines)
}

/// Goes on with this journal at a provider that has never seen the session.
fn go_on(site: &mut Site, model: &str, journal: &[u8]) -> site::Turn {
    let session = site.session();
    std::fs::write(site.journal(&session), journal).unwrap();
    site.provider = Provider::start(&json!({"replies": replies()}));
    site.turn(&["--session", &session, "--model", model, "go on"])
}

#[test]
fn a_journal_cut_after_any_line_is_gone_on_with() {
    for model in MODELS {
        let (mut site, lines) = session(model);
        for length in 0..lines.len() {
            let turn = go_on(&mut site, model, &lines[..length].concat());
            site.provider.refused_nothing();
            turn.answered("Here again.");
            // Half of a line more is as good as none.
            let half = &lines[length][..lines[length].len() / 2];
            let turn = go_on(&mut site, model, &[&lines[..length].concat(), half].concat());
            site.provider.refused_nothing();
            turn.answered("Here again.");
            assert_eq!(site.shown()["problems"], json!([]), "{model}, {length} lines");
        }
    }
}

#[test]
fn a_damaged_line_is_named_and_the_rest_is_gone_on_with() {
    let damages = [&b"{\"v\":1,\"seq\":"[..], b"\xff\xfe", b"{}", b"[[[["];
    for (model, damage) in MODELS.into_iter().zip(damages) {
        let (mut site, whole) = session(model);
        for damaged in 0..whole.len() - 1 {
            let mut lines = whole.clone();
            lines[damaged] = [damage, b"\n"].concat();
            std::fs::write(site.journal(&site.session()), lines.concat()).unwrap();
            let problems = site.shown()["problems"].to_string();
            let place = format!("line {}", damaged + 1);
            assert!(problems.contains(&place), "{model}: no {place:?} in {problems}");
            let turn = go_on(&mut site, model, &lines.concat());
            site.provider.refused_nothing();
            turn.answered("Here again.");
        }
    }
}

#[test]
fn a_journal_of_a_newer_version_is_refused_with_its_number() {
    let model = MODELS[0];
    let (mut site, lines) = session(model);
    let newer = text(&lines.concat()).replace("{\"v\":1,", "{\"v\":7,");
    let turn = go_on(&mut site, model, newer.as_bytes());
    assert_eq!(turn.code, Some(2));
    assert!(turn.stderr.contains('7'), "{}", turn.stderr);
    assert_eq!(site.provider.requests().len(), 0);
}

#[test]
fn a_session_belongs_to_one_process() {
    let late = json!({"text": "Late.", "at_ms": 600_000});
    let site = Site::new(&json!([{"say": [{"text": "Begun."}, late]}]));
    let mut working = site.start(&["--model", MODELS[0], "begin"]);
    working.until(|event| event["text"] == "Begun.");
    let turn = site.turn(&["--session", "last", "me too"]);
    assert_eq!(turn.code, Some(2));
    assert!(turn.stderr.contains(&site.session()), "{}", turn.stderr);
    let list = parse(&site.output(&["sessions", "list", "--json"]).stdout);
    assert_eq!((&list[0]["is_running"], &list[0]["last_turn"]), (&json!(true), &json!("open")));
    assert_eq!(site.shown()["problems"], json!([]));
    assert_eq!(site.output(&["sessions", "rm", "last"]).status.code(), Some(2));
    assert_eq!(site.provider.requests().len(), 1);
    working.kill();
}

#[test]
fn a_home_that_is_no_folder_is_told() {
    let site = Site::new(&replies());
    std::fs::write(site.home().join("file"), "").unwrap();
    let mut command = site.command(&["run", "--model", MODELS[0], "begin"]);
    let output = command.env("FANFOLD_HOME", site.home().join("file")).output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{}", text(&output.stderr));
    assert!(text(&output.stderr).contains("/file"), "{}", text(&output.stderr));
    assert_eq!(site.provider.requests().len(), 0);
}
