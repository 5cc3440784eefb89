//! Journals that were cut, glued or lost a line: the session goes on all the same.
//!
//! Not here: what is kept of which damage, which is shown beside `fanfold-store`.

use std::path::PathBuf;

use serde_json::{Value, json};

use super::{MODEL, answer, call, messages, results, say, shell};
use crate::agent::MODELS;
use crate::agent::site::Site;
use crate::stop::until_exists;

/// A session of two turns whose journal is rewritten before the last one.
fn after(model: &str, next: &str, damage: impl FnOnce(Vec<String>) -> String) -> Site {
    let site = Site::new(&json!([
        say(&[call("Ls", json!({})), call("Glob", json!({"pattern": "*"}))]),
        answer("First."),
        answer("Second."),
    ]));
    site.turn(&["--model", model, "go"]).answered("First.");
    let path: PathBuf = site.journal(&site.session());
    let lines = std::fs::read_to_string(&path).unwrap();
    let lines: Vec<String> = lines.split_inclusive('\n').map(str::to_owned).collect();
    std::fs::write(&path, damage(lines)).unwrap();
    site.turn(&["--model", next, "--session", "last", "go on"]).answered("Second.");
    site.provider.refused_nothing();
    site
}

fn is_of(line: &str, kind: &str) -> bool {
    line.contains(&format!("\"type\":\"{kind}\""))
}

// https://github.com/anomalyco/opencode/issues/10616
// https://github.com/google-gemini/gemini-cli/issues/16437
#[test]
fn calls_whose_results_are_lost_are_answered_when_the_request_is_made() {
    // The same provider would see another past: it has read the results that are lost now.
    let pairs = MODELS.into_iter().flat_map(|model| MODELS.map(|next| (model, next)));
    for (model, next) in pairs.filter(|(model, next)| model != next) {
        let without_results = |lines: Vec<String>| {
            let kept = lines.into_iter().filter(|line| !is_of(line, "settled"));
            kept.collect()
        };
        let site = after(model, next, without_results);
        if next == MODEL {
            let request = site.provider.requests().len() - 1;
            let messages = messages(&site, request);
            let results = results(&messages[2]);
            assert_eq!(results.len(), 2, "{messages:?}");
            assert!(results.iter().all(|said| said.starts_with("[interrupted: crashed]")));
        }
    }
}

// https://github.com/EvoScientist/EvoScientist/issues/463
#[test]
fn a_batch_cut_by_a_crash_is_not_run_again() {
    let site = Site::new(&json!([
        say(&[
            shell("echo done >> log"),
            shell("echo begun >> log; touch up; sleep 600"),
            shell("echo never >> log")
        ]),
        answer("I look before I repeat."),
    ]));
    let working = site.start(&["--model", MODEL, "go"]);
    until_exists(&site.file("up"));
    working.kill();
    site.turn(&["--session", "last"]).answered("I look before I repeat.");
    site.provider.refused_nothing();
    assert_eq!(site.read("log"), "done\nbegun\n");
    let messages = messages(&site, 1);
    let results = results(&messages[2]);
    let begin = ["Exit code: 0", "[interrupted: crashed]", "[skipped: crashed]"];
    assert!(results.iter().zip(begin).all(|(said, begin)| said.starts_with(begin)), "{results:?}");
}

// https://github.com/QwenLM/qwen-code/pull/3656
#[test]
fn records_without_a_line_break_between_them_are_all_kept() {
    let glued = |lines: Vec<String>| lines.concat().replace("}\n{", "}{");
    let site = after(MODEL, MODEL, glued);
    let shown = site.shown();
    assert_eq!(shown["entries"].as_array().unwrap().len(), 5, "{shown}");
    assert_ne!(shown["problems"], json!([]));
}

// https://github.com/github/copilot-cli/issues/4098
#[test]
fn half_a_record_in_front_of_a_whole_one_does_not_end_the_session() {
    let half = |mut lines: Vec<String>| {
        let at = lines.iter().position(|line| is_of(line, "usage")).unwrap();
        let torn = lines[at][..lines[at].len() / 2].to_owned();
        lines[at] = format!("{torn}{}", lines[at]);
        lines.concat()
    };
    let shown = after(MODEL, MODEL, half).shown();
    assert_eq!(shown["entries"].as_array().unwrap().len(), 5, "{shown}");
}

// https://github.com/github/copilot-cli/issues/2649
#[test]
fn line_breaks_in_an_output_do_not_break_the_line_of_a_record() {
    let odd = "printf 'a\\nb\\r\\n\\342\\200\\250c\\302\\205d\\n'";
    let site = Site::new(&json!([say(&[shell(odd)]), answer("First."), answer("Second.")]));
    site.turn(&["--model", MODEL, "go"]).answered("First.");
    site.turn(&["--session", "last", "go\non"]).answered("Second.");
    let journal = std::fs::read_to_string(site.journal(&site.session())).unwrap();
    let types = |line: &str| serde_json::from_str::<Value>(line).unwrap()["type"].is_string();
    assert!(journal.split_terminator('\n').all(types), "{journal}");
    let (live, resumed) = (messages(&site, 1), messages(&site, 2));
    assert_eq!(results(&live[2]), results(&resumed[2]));
}

// https://github.com/BaseIntelligence/bounty-challenge/issues/8950
#[test]
fn two_processes_do_not_write_one_journal() {
    let site = Site::new(&json!([say(&[shell("touch up; sleep 600")]), answer("Done.")]));
    let working = site.start(&["--model", MODEL, "go"]);
    until_exists(&site.file("up"));
    let session = site.session();
    let second = site.turn(&["--session", &session, "me too"]);
    assert_eq!(second.code, Some(2), "{}", second.stderr);
    let journal = std::fs::read_to_string(site.journal(&session)).unwrap();
    assert!(!journal.contains("me too"), "{journal}");
    working.interrupt();
    working.end();
    site.turn(&["--session", &session, "and now?"]).answered("Done.");
    assert_eq!(site.shown()["problems"], json!([]));
}
