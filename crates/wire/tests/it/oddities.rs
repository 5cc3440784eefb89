//! Streams as servers really send them, each oddity on its own.
//!
//! A table is text: a title after `#`, the events one a line, the steps after `>`, the reply
//! after `=`. Each wire has its own short forms for the events.

mod anthropic;
mod bedrock;
mod chat;
mod cohere;
mod gemini;
mod responses;

use crate::support::{follow, show, steps};

/// Checks every row of a table whose lines `event` turns into events.
fn check(table: &str, event: impl Fn(&str) -> String) {
    let rows: Vec<&str> = table.split("# ").skip(1).collect();
    assert!(!rows.is_empty());
    for row in rows {
        let (title, rest) = row.split_once('\n').expect("lines after the title");
        let lines: Vec<&str> = rest.lines().filter(|line| !line.trim().is_empty()).collect();
        let is_event = |line: &&&str| !line.starts_with("> ") && !line.starts_with("= ");
        let stream: String = lines
            .iter()
            .filter(is_event)
            .map(|line| format!("data: {}\n\n", event(line)))
            .collect();
        let followed = follow(stream.as_bytes().chunks(16));
        let found = [("> ", steps(&followed)), ("= ", show(&followed.1))];
        for (mark, found) in found {
            if let Some(expected) = lines.iter().find_map(|line| line.strip_prefix(mark)) {
                assert_eq!(found, expected.trim_end(), "{title}");
            }
        }
        assert!(lines.iter().any(|line| line.starts_with("= ")), "{title} expects no reply");
    }
}
