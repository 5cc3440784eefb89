//! What must hold when a session that was killed is over.
//!
//! Not here: the provider's rules, which it checks itself.

use std::collections::BTreeMap;

use serde_json::Value;

use super::script;
use crate::agent::site::{Site, processes_of};
use crate::parse;

/// How often something was journaled of a call.
#[derive(Debug, Default, PartialEq, Eq)]
struct Journaled {
    started: usize,
    settled: usize,
}

/// Checks all of it; gives the calls by their status.
pub(super) fn of(site: &Site) -> BTreeMap<String, usize> {
    site.provider.refused_nothing();
    let session = site.session();
    assert_eq!(processes_of(&session), [""; 0]);
    let shown = site.shown();
    assert_eq!(shown["problems"], Value::Array(Vec::new()));
    let list = parse(&site.output(&["sessions", "list", "--json"]).stdout);
    assert_eq!(list[0]["last_turn"], "answered");
    let journaled = journaled(site, &session);
    let mut marks = marks(site);
    let mut statuses = BTreeMap::new();
    for call in calls(&shown) {
        let status = call["status"].as_str().unwrap_or_else(|| panic!("no outcome: {call}"));
        *statuses.entry(status.to_owned()).or_default() += 1;
        let Some(Journaled { started, settled: 1 }) = journaled.get(call["id"].as_str().unwrap())
        else {
            panic!("{call} is journaled as {journaled:?}");
        };
        let ran = usize::from(!matches!(status, "declined" | "skipped"));
        assert_eq!(*started, ran, "{call}");
        let Some(mark) = mark_of(call["arguments"].as_str().unwrap()) else { continue };
        let left = marks.remove(mark).unwrap_or_default();
        let fits = match status {
            "ok" => left == 1,
            "declined" | "skipped" => left == 0,
            _ => left <= 1,
        };
        assert!(fits, "{left} times {mark}: {call}");
    }
    assert_eq!(marks, BTreeMap::new(), "marks of calls that nobody knows");
    statuses
}

/// Every call of the conversation.
fn calls(shown: &Value) -> impl Iterator<Item = &Value> {
    let entries = shown["entries"].as_array().unwrap().iter();
    entries.filter_map(|entry| entry["calls"].as_array()).flatten()
}

fn journaled(site: &Site, session: &str) -> BTreeMap<String, Journaled> {
    let mut calls: BTreeMap<String, Journaled> = BTreeMap::new();
    let text = std::fs::read_to_string(site.journal(session)).unwrap();
    for line in text.lines().map(|line| parse(line.as_bytes())) {
        let call = || line["call"].as_str().unwrap().to_owned();
        match line["type"].as_str().unwrap() {
            "started" => calls.entry(call()).or_default().started += 1,
            "settled" => calls.entry(call()).or_default().settled += 1,
            _ => {}
        }
    }
    calls
}

/// How often each mark stands in the files.
fn marks(site: &Site) -> BTreeMap<String, usize> {
    let text = [script::NOTES, script::LOG].map(|name| site.read(name)).concat();
    let mut marks = BTreeMap::new();
    for mark in text.lines().filter(|line| line.starts_with("mark-")) {
        *marks.entry(mark.to_owned()).or_default() += 1;
    }
    marks
}

/// The mark that a call leaves.
fn mark_of(arguments: &str) -> Option<&str> {
    let mark = &arguments[arguments.find("mark-")?..];
    let end = mark.find(|c: char| !c.is_ascii_alphanumeric() && c != '-').unwrap_or(mark.len());
    Some(&mark[..end])
}
