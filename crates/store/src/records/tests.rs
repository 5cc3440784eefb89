//! Records on disk: what is there when, what a reader gets, and that nothing leads out of the folder.

use std::fs;
use std::os::unix::fs::symlink;

use fanfold_transcript::{Cut, Ending, Failure};
use serde_json::{Value, json};
use tempfile::TempDir;

use super::*;

/// A folder of records that keep 8 bytes of a stream.
fn records() -> (TempDir, Records) {
    let folder = tempfile::tempdir().unwrap();
    let records = Records::open(&folder.path().join("made/on/demand"), 8).unwrap();
    (folder, records)
}

fn input(arguments: &str) -> Input {
    let call = CallId::new(7);
    Input {
        call,
        wire_id: Some("toolu_1".into()),
        tool: "Shell".into(),
        arguments: arguments.into(),
    }
}

fn output(outcome: &Outcome) -> Output<'_> {
    Output { outcome, span: Span { started: Some(Millis(3)), ended: Millis(5) } }
}

fn json(records: &Records, name: &str) -> Value {
    serde_json::from_slice(&fs::read(records.folder.join("c7").join(name)).unwrap()).unwrap()
}

fn read(records: &Records, handle: &str) -> io::Result<String> {
    records.read(handle.parse().unwrap()).and_then(io::read_to_string)
}

fn names(records: &Records) -> Vec<String> {
    let entries = fs::read_dir(records.folder.join("c7")).unwrap();
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn the_input_is_there_before_the_streams_grow_and_the_output_comes_last() {
    let (_folder, records) = records();
    let record = records.begin(&input(r#"{"command":  "make"}"#));
    assert_eq!(names(&records), ["input.json", "stderr", "stdout"]);
    let expected = json!({
        "v": 1, "call": "c7", "tool": "Shell", "wire_id": "toolu_1",
        "arguments": {"command": "make"},
    });
    assert_eq!(json(&records, "input.json"), expected);
    record.write(Stream::Stdout, b"he\xff");
    assert_eq!(fs::read(records.folder.join("c7/stdout")).unwrap(), b"he\xff");
    let mut outcome =
        Outcome::of_text(Ending::Failed(Failure::ExitCode), "Exit code: 2\nhe\u{fffd}");
    (outcome.exit_code, outcome.bytes) = (Some(2), 3);
    outcome.cut = Some(Cut { bytes: 3, lines: 1 });
    let ended = record.end(&output(&outcome));
    let handle = "record:c7/stdout".parse().unwrap();
    let stdout = Recorded { handle, is_whole: true };
    assert_eq!(ended, Ended { streams: vec![stdout], problem: None });
    assert_eq!(names(&records), ["input.json", "output.json", "stderr", "stdout"]);
    let empty = json!({"bytes": 0, "head_bytes": 0, "tail_bytes": 0});
    let expected = json!({
        "v": 1, "status": "failed", "reason": "exit_code", "exit_code": 2, "bytes": 3,
        "cut": {"bytes": 3, "lines": 1}, "started_ms": 3, "ended_ms": 5,
        "streams": {"stdout": {"bytes": 3, "head_bytes": 3, "tail_bytes": 0}, "stderr": empty},
        "incomplete": null, "text": "Exit code: 2\nhe\u{fffd}",
    });
    assert_eq!(json(&records, "output.json"), expected);
}

#[test]
fn arguments_are_kept_as_they_were_sent() {
    let (_folder, records) = records();
    let written = |arguments: &str| {
        drop(records.never_ran(&input(arguments)));
        assert_eq!(names(&records), ["input.json"]);
        fs::read_to_string(records.folder.join("c7/input.json")).unwrap()
    };
    for arguments in [r#"{"b": 1,   "a":1e3, "b":2}"#, "{}"] {
        assert!(written(arguments).contains(&format!(r#""arguments": {arguments}"#)));
    }
    for arguments in ["", "{\"cut", "[1]", "text"] {
        let text = format!(r#""arguments": {}"#, Value::from(arguments));
        assert!(written(arguments).contains(&text), "{arguments}");
    }
}

#[test]
fn a_long_stream_keeps_both_ends_and_says_what_is_missing() {
    let (_folder, records) = records();
    let record = records.begin(&input("{}"));
    record.write(Stream::Stderr, b"0123456789");
    assert_eq!(read(&records, "record:c7/stderr").unwrap(), "0123");
    record.write(Stream::Stderr, b"abcdef");
    record.write(Stream::Stdout, b"12345678");
    assert!(!record.recorded(Stream::Stderr).unwrap().is_whole);
    assert!(record.recorded(Stream::Stdout).unwrap().is_whole);
    let ended = record.end(&output(&Outcome::ok_text("")));
    assert_eq!(ended.streams.len(), 2);
    assert_eq!(fs::read(records.folder.join("c7/stderr")).unwrap(), b"0123cdef");
    let gap = "0123\n[8 bytes left out here, of 16: not recorded]\ncdef";
    assert_eq!(read(&records, "record:c7/stderr").unwrap(), gap);
    assert_eq!(read(&records, "record:c7/stdout").unwrap(), "12345678");
    assert_eq!(names(&records), ["input.json", "output.json", "stderr", "stdout"]);
    let sizes = json!({"bytes": 16, "head_bytes": 4, "tail_bytes": 4});
    assert_eq!(json(&records, "output.json")["streams"]["stderr"], sizes);
}

#[test]
fn an_ended_record_stays_as_it_is() {
    let (_folder, records) = records();
    let record = records.begin(&input("{}"));
    let first = record.end(&output(&Outcome::ok_text("first")));
    record.write(Stream::Stdout, b"late");
    assert_eq!(record.end(&output(&Outcome::ok_text("second"))), first);
    assert_eq!(json(&records, "output.json")["text"], "first");
    assert_eq!(read(&records, "record:c7/stdout").unwrap(), "");
    // The next session's first call may bear the same name.
    drop(records.begin(&input("{}")));
    assert_eq!(names(&records), ["input.json", "stderr", "stdout"]);
}

#[test]
fn what_is_not_recorded_is_not_found() {
    let (_folder, records) = records();
    drop(records.never_ran(&input("{}")));
    for handle in ["record:c8/stdout", "record:c7/stdout"] {
        assert_eq!(read(&records, handle).unwrap_err().kind(), io::ErrorKind::NotFound);
    }
}

#[test]
fn trouble_with_the_disk_is_told_and_harms_nothing() {
    let (_folder, records) = records();
    fs::write(records.folder.join("c7"), "a file in the way").unwrap();
    let record = records.begin(&input("{}"));
    record.write(Stream::Stdout, b"lost");
    let ended = record.end(&output(&Outcome::ok_text("")));
    assert!(ended.problem.unwrap().ends_with("c7 is no folder"));
    assert_eq!(ended.streams, []);
    fs::remove_file(records.folder.join("c7")).unwrap();

    fs::create_dir_all(records.folder.join("c7/stderr")).unwrap();
    let ended = records.begin(&input("{}")).end(&output(&Outcome::ok_text("")));
    assert!(ended.problem.is_some());
    assert!(!json(&records, "output.json")["incomplete"].is_null());

    let file = records.folder.join("file");
    fs::write(&file, "").unwrap();
    let error = Records::open(&file.join("below"), 8).unwrap_err().to_string();
    assert!(error.starts_with("cannot keep records in "), "{error}");
}

#[test]
fn links_put_in_the_folder_lead_nowhere() {
    let (folder, records) = records();
    let outside = folder.path().join("outside");
    fs::create_dir(&outside).unwrap();
    fs::write(outside.join("stdout"), "precious").unwrap();

    symlink(&outside, records.folder.join("c7")).unwrap();
    let record = records.begin(&input("{}"));
    record.write(Stream::Stdout, b"x");
    assert!(record.end(&output(&Outcome::ok_text(""))).problem.is_some());
    assert!(read(&records, "record:c7/stdout").is_err());
    fs::remove_file(records.folder.join("c7")).unwrap();

    fs::create_dir(records.folder.join("c7")).unwrap();
    for name in ["stdout", "input.json", "input.json.new", "output.json", "stdout.tail"] {
        symlink(outside.join("stdout"), records.folder.join("c7").join(name)).unwrap();
    }
    assert!(read(&records, "record:c7/stdout").is_err());
    let record = records.begin(&input("{}"));
    record.write(Stream::Stdout, b"0123456789");
    assert_eq!(record.end(&output(&Outcome::ok_text(""))).problem, None);
    assert_eq!(fs::read_dir(&outside).unwrap().count(), 1);
    assert_eq!(fs::read_to_string(outside.join("stdout")).unwrap(), "precious");
}
