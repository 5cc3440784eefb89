//! Records of calls, and bounded output: what the model gets, what stands on disk, how one leads to
//! the other.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::{Run, call, field, parse, text};

/// The record of a call: one of its files.
fn file(run: &Run, path: &str) -> Vec<u8> {
    let path = run.path().join("records").join(path);
    fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn shell(command: &str) -> Value {
    call("Shell", json!({"command": command}))
}

fn read(handle: &str) -> Value {
    call("ReadFile", json!({"file_path": handle}))
}

fn result(results: &Value, at: usize) -> &str {
    results[at]["result"].as_str().unwrap()
}

fn recorded(run: &Run, calls: Value) -> (Value, Value) {
    run.calls(&calls, &["--records", "records"])
}

#[test]
fn every_call_has_its_record() {
    let run = Run::new();
    let calls = json!([
        shell("printf 'out\\377'; echo err >&2; exit 3"),
        call("Ls", json!({"path": "."})),
        call("Nope", json!({"a": 1})),
    ]);
    let (results, _) = recorded(&run, calls);
    assert_eq!(field(&results, "outcome"), ["failed", "ok", "declined"]);
    assert_eq!(file(&run, "c1/stdout"), b"out\xff");
    assert_eq!(file(&run, "c1/stderr"), b"err\n");
    let input = parse(&file(&run, "c1/input.json"));
    assert_eq!((&input["tool"], &input["call"]), (&json!("Shell"), &json!("c1")));
    assert!(input["arguments"]["command"].as_str().unwrap().ends_with("exit 3"));
    let output = parse(&file(&run, "c1/output.json"));
    assert_eq!((&output["status"], &output["exit_code"]), (&json!("failed"), &json!(3)));
    assert_eq!(output["text"], result(&results, 0));
    // The only output of a tool that is no process is its text.
    assert_eq!(text(&file(&run, "c2/stdout")), result(&results, 1));
    let declined = parse(&file(&run, "c3/output.json"));
    assert_eq!(declined["reason"], "unknown_tool");
    assert_eq!(declined["started_ms"], Value::Null);
    assert_eq!(fs::read_dir(run.path().join("records/c3")).unwrap().count(), 2);
}

#[test]
fn long_results_are_cut_to_their_lines_and_lead_to_the_whole() {
    let run = Run::new();
    fs::write(run.path().join("f"), "needle\n".repeat(150)).unwrap();
    let calls = json!([
        shell("seq 5000"),
        call("Grep", json!({"pattern": "needle", "output_mode": "content"})),
        shell("true"),
        call("ReadFile", json!({"file_path": "record:c1/stdout", "offset": 2500, "limit": 300})),
    ]);
    let (results, _) = recorded(&run, calls);
    let lines: Vec<&str> = result(&results, 0).lines().collect();
    assert_eq!((lines.len(), lines[0], lines[1], lines[100]), (101, "Exit code: 0", "1", "5000"));
    let marker = "[lines left out here, of 23893 bytes in 5000 lines; full output: \
                  record:c1/stdout]";
    assert_eq!(lines[51], marker);
    assert_eq!(
        parse(&file(&run, "c1/output.json"))["text"].as_str().unwrap().lines().count(),
        5001
    );
    assert_eq!(result(&results, 1).lines().count(), 100);
    assert!(result(&results, 1).contains("full output: record:c2/stdout]"));
    assert!(file(&run, "c2/stdout").len() > 150 * 7);
    // What was asked for by its lines is not cut again.
    assert_eq!(result(&results, 3).lines().count(), 301);
    assert!(result(&results, 3).starts_with("  2500\t2500\n"));

    let (results, _) = run.calls(&json!([shell("seq 5000"), read("record:c1/stdout")]), &[]);
    assert!(result(&results, 0).contains("in 5000 lines]"));
    assert_eq!(result(&results, 1), "there is no record:c1/stdout: nothing is recorded here");
}

/// The tail begins inside a character, then inside an escape sequence.
#[test]
fn a_cut_gives_valid_text_and_the_record_every_byte() {
    let run = Run::new();
    let letter = "printf 'é%.0s' $(seq 30000)";
    let colour = r"head -c 30000 /dev/zero | tr '\0' x; printf '\033]0;%s\007' $(head -c 16390 /dev/zero | tr '\0' t); echo end";
    let (results, _) = recorded(
        &run,
        json!([shell(letter), shell(&format!("printf a; {letter}")), shell(colour)]),
    );
    for at in [0, 1] {
        let shown = result(&results, at);
        let parts: Vec<&str> = shown.lines().collect();
        assert_eq!(parts.len(), 4);
        assert!(parts[1].trim_start_matches('a').chars().all(|c| c == 'é'));
        let handle = format!("full output: record:c{}/stdout]", at + 1);
        assert!(parts[2].ends_with(&handle), "{}", parts[2]);
        assert!(parts[3].chars().all(|c| c == 'é'));
    }
    assert_eq!(text(&file(&run, "c1/stdout")), "é".repeat(30_000));
    assert_eq!(file(&run, "c2/stdout").len(), 60_001);
    assert!(result(&results, 2).ends_with("full output: record:c3/stdout]\nend\n"));
    assert_eq!(file(&run, "c3/stdout").len(), 30_000 + 16_390 + 5 + 4);
}

#[test]
fn a_line_of_300_megabytes_is_recorded_whole_in_flat_memory() {
    let run = Run::new();
    fs::create_dir_all(run.path().join(".config/fanfold")).unwrap();
    let settings = json!({"limits": {"record_bytes": 400_000_000}}).to_string();
    fs::write(run.path().join(".config/fanfold/settings.json"), settings).unwrap();
    let calls = json!([
        shell("head -c 300000000 /dev/zero | tr '\\0' x; echo; echo last"),
        shell("grep VmHWM /proc/$PPID/status"),
        read("record:c1/stdout"),
    ]);
    let (results, report) = recorded(&run, calls);
    assert_eq!(field(&results, "outcome"), ["ok"; 3]);
    let shown = result(&results, 0);
    assert!(shown.len() < 34_000 && shown.ends_with("x\nlast\n"));
    assert!(shown.contains("of 300000006 bytes in 2 lines; full output: record:c1/stdout]"));
    assert_eq!(report["calls"][0]["bytes"], 300_000_006);
    let stdout = run.path().join("records/c1/stdout");
    assert_eq!(stdout.metadata().unwrap().len(), 300_000_006);
    let peak_kib: u64 =
        result(&results, 1).split_whitespace().rev().nth(1).unwrap().parse().unwrap();
    assert!(peak_kib < 64 * 1024, "{peak_kib} KiB");
    assert!(result(&results, 2).starts_with("     1\txxxx"));
}

#[test]
fn a_stream_over_its_bound_keeps_both_ends_in_the_record() {
    let run = Run::new();
    fs::create_dir_all(run.path().join(".config/fanfold")).unwrap();
    let settings = json!({
        "limits": {"record_bytes": 2_000}, "tool_output": {"head_bytes": 300, "tail_bytes": 300},
    });
    fs::write(run.path().join(".config/fanfold/settings.json"), settings.to_string()).unwrap();
    let (results, _) = recorded(&run, json!([shell("seq -w 9999"), read("record:c1/stdout")]));
    assert!(result(&results, 0).contains("full output: record:c1/stdout (not whole)]"));
    let kept = text(&file(&run, "c1/stdout"));
    assert_eq!((kept.len(), &kept[..5], &kept[1995..]), (2_000, "0001\n", "9999\n"));
    let sizes = json!({"bytes": 49_995, "head_bytes": 1_000, "tail_bytes": 1_000});
    assert_eq!(parse(&file(&run, "c1/output.json"))["streams"]["stdout"], sizes);
    let call =
        call("ReadFile", json!({"file_path": "record:c1/stdout", "offset": 199, "limit": 6}));
    let (results, _) = recorded(&run, json!([shell("seq -w 9999"), shell("true"), call]));
    let lines: Vec<&str> = result(&results, 2).lines().collect();
    assert_eq!(lines[1], "   200\t0200");
    assert_eq!(lines[3], "   202\t[47995 bytes left out here, of 49995: not recorded]");
    assert_eq!(lines[4], "   203\t9800");
}

#[test]
fn trouble_with_the_disk_fails_no_call() {
    let run = Run::new();
    let calls = json!([shell("echo one"), shell("echo two"), shell("echo three")]);
    fs::create_dir(run.path().join("records")).unwrap();
    fs::write(run.path().join("records/c1"), "in the way").unwrap();
    let input = calls.to_string();
    let output = run.with(&["exec", "--yes", "--records", "records"], input.as_bytes());
    assert_eq!(output.status.code(), Some(0));
    let results = parse(&output.stdout);
    assert!(result(&results, 0).starts_with("Exit code: 0\none\n"));
    assert!(result(&results, 0).contains("(its record is incomplete: "));
    assert!(!result(&results, 2).contains("incomplete"));
    let notices = text(&output.stderr);
    assert_eq!(notices.matches("records are incomplete").count(), 1, "{notices}");
    assert_eq!(fs::read_to_string(run.path().join("records/c1")).unwrap(), "in the way");
}

#[test]
fn a_folder_that_cannot_be_is_bad_input() {
    let run = Run::new();
    fs::write(run.path().join("file"), "").unwrap();
    let calls = json!([shell("echo > ran")]).to_string();
    let output = run.with(&["exec", "--yes", "--records", "file/below"], calls.as_bytes());
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("cannot keep records in file/below: "));
    assert!(!Path::new(&run.path().join("ran")).exists());
}

#[test]
fn a_picture_goes_to_the_model_as_a_picture() {
    let run = Run::new();
    let dot =
        b"GIF89a\x01\0\x01\0\x80\0\0\0\0\0\xff\xff\xff,\0\0\0\0\x01\0\x01\0\0\x02\x02D\x01\0;";
    fs::write(run.path().join("dot.gif"), dot).unwrap();
    let reply = json!({"role": "assistant", "content": [{
        "type": "tool_use", "id": "toolu_1", "name": "ReadFile", "input": {"file_path": "dot.gif"},
    }]});
    let output = run.with(&["exec", "--format", "anthropic"], reply.to_string().as_bytes());
    let content = &parse(&output.stdout)["content"][0]["content"];
    assert_eq!(content[0]["text"], "dot.gif: image/gif, 1 × 1 pixels, 35 bytes");
    let source = json!({
        "type": "base64", "media_type": "image/gif",
        "data": "R0lGODlhAQABAIAAAAAAAP///ywAAAAAAQABAAACAkQBADs=",
    });
    assert_eq!(content[1], json!({"type": "image", "source": source}));
}
