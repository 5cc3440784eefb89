//! Tests of edits.

use std::fs;

use fanfold_transcript::Status;
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Value, json};

use super::splice::Change;
use super::*;
use crate::ReadFile;
use crate::place::scene::Scene;

fn change(old: &str, new: &str) -> Value {
    json!({"file_path": "f", "old_string": old, "new_string": new})
}

#[tokio::test]
async fn what_was_there_stays_what_it_was() {
    let table: [(&[u8], &str, &str, &[u8]); 10] = [
        (b"a b c", "b", "B", b"a B c"),
        (b"a\nb\n", "a\nb\n", "", b""),
        (b"\xef\xbb\xbfa\r\nb\r\n", "a\nb", "x\ny\nz", b"\xef\xbb\xbfx\r\ny\r\nz\r\n"),
        (b"a\r\nb", "b", "c\nd", b"a\r\nc\r\nd"),
        (b"a\r\nb\r\n", "\nb", "", b"a\r\n"),
        // A line ends as the lines around it do.
        (b"a\r\nb\nc\n", "b", "x\ny", b"a\r\nx\ny\nc\n"),
        (b"a\nb\r\nc\n", "b", "x\ny", b"a\nx\r\ny\r\nc\n"),
        // Carriage returns that are written are meant.
        (b"a\r\nb\r\n", "a\r\nb", "a\nb", b"a\nb\r\n"),
        (b"a\nb\n", "b", "b\r", b"a\nb\r\n"),
        ("ä\u{1f600}ö".as_bytes(), "\u{1f600}", "", "äö".as_bytes()),
    ];
    for (before, old, new, after) in table {
        let scene = Scene::new();
        scene.file("f", before);
        scene.ok(EditFile, change(old, new)).await;
        assert_eq!(fs::read(scene.path("f")).unwrap(), after, "{old:?} {new:?}");
    }
}

#[tokio::test]
async fn the_changed_lines_are_shown() {
    let scene = Scene::new();
    let lines: String = (1..=30).map(|number| format!("line {number}\r\n")).collect();
    scene.file("f", lines);
    let text = scene.ok(EditFile, change("line 10\n", "ten\nand more\n")).await;
    assert_eq!(
        text,
        "replaced 1 match in f\n@@ -7,7 +7,8 @@\n line 7\n line 8\n line 9\n-line 10\n+ten\n\
         +and more\n line 11\n line 12\n line 13"
    );
    let mut all = change("line 2", "L");
    all["replace_all"] = json!(true);
    let text = scene.ok(EditFile, all).await;
    let (head, hunks) = text.split_once('\n').unwrap();
    assert_eq!(head, "replaced 11 matches in f");
    let heads: Vec<&str> = hunks.lines().filter(|line| line.starts_with("@@")).collect();
    assert_eq!(heads, ["@@ -1,5 +1,5 @@", "@@ -18,14 +18,14 @@"]);
    let changed: Vec<&str> = hunks.lines().filter(|line| line.starts_with('+')).collect();
    assert_eq!(
        changed,
        ["+L", "+L0", "+L1", "+L2", "+L3", "+L4", "+L5", "+L6", "+L7", "+L8", "+L9"]
    );

    let scene = Scene::new();
    scene.file("f", "x ".repeat(1_000) + &"x\n".repeat(1_000));
    let mut all = change("x", "yy");
    all["replace_all"] = json!(true);
    let text = scene.ok(EditFile, all).await;
    assert!(text.starts_with("replaced 2,000 matches in f\n@@ -1,"), "{text}");
    assert!(text.ends_with("(more changes are not shown)") && text.len() < 10_000, "{text}");
}

#[tokio::test]
async fn a_text_that_is_absent_is_answered_with_the_nearest_lines() {
    let scene = Scene::new();
    scene.file("f", "fn main() {\n    let count = 1;\n}\n\nfn other() {\n    call(count);\n}\n");
    let table = [
        (
            "fn main() {\n\tlet count = 1;\n}",
            ": old_string is not in it; nearest lines:\n-- (differs only in white space)\n     1\t\
             fn main() {\n     2\t    let count = 1;\n     3\t}\n--\n     5\tfn other() {\n     \
             6\t    call(count);\n     7\t}",
        ),
        (
            "    call(counter);\n",
            ": old_string is not in it; nearest lines:\n--\n     6\t    call(count);",
        ),
        ("nothing of the kind", ": old_string is not in it, nor anything like it"),
        ("\n\n\n", ": old_string is not in it, nor anything like it"),
    ];
    for (old, expected) in table {
        assert_eq!(scene.failed(EditFile, change(old, "x")).await, format!("f{expected}"));
    }
    scene.file("f", "same\n".repeat(100_000));
    let text = scene.failed(EditFile, change("sames", "x")).await;
    assert_eq!(text.lines().count(), 1 + 2 * 3, "{text}");
    scene.file("f", "");
    let text = scene.failed(EditFile, change("sames", "x")).await;
    assert_eq!(text, "f: old_string is not in it, nor anything like it");
}

#[tokio::test]
async fn a_text_that_is_there_twice_is_answered_with_its_lines() {
    let scene = Scene::new();
    let table = [
        ("x\ny\nx\r\n", "x", "1, 3"),
        ("aaa", "aa", "1, 1"),
        ("\n\n\n", "\n\n", "1, 2"),
        (&"x\n".repeat(10), "x", "1, 2, 3, 4, 5, 6, 7, 8, 9, 10"),
        (&"x\n".repeat(11), "x", "1, 2, 3, 4, 5, 6, 7, 8, 9, 10 and more"),
    ];
    for (content, old, lines) in table {
        scene.file("f", content);
        let text = scene.failed(EditFile, change(old, "new")).await;
        let expected = format!("f: old_string is in it more than once, at lines {lines}; ");
        assert!(text.starts_with(&expected), "{text}");
        assert_eq!(fs::read_to_string(scene.path("f")).unwrap(), content);
    }
}

#[tokio::test]
async fn refusals_say_why() {
    let scene = Scene::new();
    scene.file("binary", b"\x89PNG\r\n\x1a\n");
    scene.file("latin", b"one\ncaf\xe9\n");
    scene.file(".fanfold/settings.json", "{ \"x\": 1 }");
    fs::File::create(scene.path("huge")).unwrap().set_len(10 << 30).unwrap();
    let table = [
        (
            "binary",
            "binary is a binary file (image/png, 8 bytes); EditFile edits only text in UTF-8",
        ),
        ("latin", "latin: line 2 is not valid UTF-8; EditFile edits only text in UTF-8"),
        ("huge", "huge is too large to be edited: 10,737,418,240 bytes, the limit is 32 MiB"),
        (".", ". is a directory"),
        ("hug", "no such file or directory: hug (did you mean huge?)"),
        (
            ".fanfold/settings.json",
            ".fanfold/settings.json decides what Fanfold itself may do: no file tool writes it",
        ),
    ];
    for (path, expected) in table {
        let arguments = json!({"file_path": path, "old_string": "x", "new_string": "y"});
        assert_eq!(scene.failed(EditFile, arguments).await, expected);
    }
    for (old, new) in [("", "x"), ("x", "x")] {
        scene.declined(EditFile, change(old, new)).await;
    }
    let grows = format!("{}y", "x".repeat(1 << 20));
    scene.file("f", "y".repeat(40));
    let mut all = change("y", &grows);
    all["replace_all"] = json!(true);
    let text = scene.failed(EditFile, all).await;
    assert!(text.starts_with("f is too large to be edited: "), "{text}");
    assert_eq!(fs::read_to_string(scene.path("f")).unwrap(), "y".repeat(40));
}

#[tokio::test]
async fn a_file_that_changed_since_it_was_read_is_not_edited() {
    let scene = Scene::new();
    scene.file("f", "one");
    scene.ok(ReadFile, json!({"file_path": "f"})).await;
    scene.ok(EditFile, change("one", "two")).await;
    scene.ok(EditFile, change("two", "three")).await;
    scene.file("f", "three and more");
    let expected = "f changed since you wrote it at c1 by something else; read it again";
    assert_eq!(scene.failed(EditFile, change("three", "four")).await, expected);
    scene.ok(ReadFile, json!({"file_path": "f"})).await;
    scene.ok(EditFile, change("three", "four")).await;
    assert_eq!(fs::read_to_string(scene.path("f")).unwrap(), "four and more");
}

// https://github.com/vybestack/llxprt-code/issues/3239
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn edits_of_one_file_at_once_never_lose_one_that_succeeded() {
    let scene = Scene::new();
    let words: Vec<String> = (0..40).map(|number| format!("<{number}>")).collect();
    scene.file("src/f", words.join("\n"));
    scene.link("src/f", "link");
    let spellings = ["src/f", "./src/../link"];
    let edits: Vec<_> = words
        .iter()
        .enumerate()
        .map(|(number, word)| {
            let arguments =
                json!({"file_path": spellings[number % 2], "old_string": word, "new_string": "x"});
            // Each from an agent of its own, and nothing keeps them apart: no claims are held here.
            let (handle, stop) = crate::stop::StopHandle::new();
            let mut run = scene.run_with(stop);
            run.reads = std::sync::Arc::new(scene.reads.of_another_agent());
            let running = scene.prepared(EditFile, &arguments).run(run);
            tokio::spawn(async move {
                let outcome = running.await;
                drop(handle);
                outcome
            })
        })
        .collect();
    let mut done = 0;
    for edit in edits {
        let outcome = edit.await.unwrap();
        match outcome.status() {
            Status::Ok => done += 1,
            _ => assert_eq!(outcome.text(), "src/f changed while editing; read it again"),
        }
    }
    let content = fs::read_to_string(scene.path("src/f")).unwrap();
    assert_eq!(content.lines().count(), words.len(), "{content}");
    assert!(done >= 1 && content.matches('x').count() <= done);
    assert_eq!(fs::read_dir(scene.path("src")).unwrap().count(), 1);
}

/// A text as its characters, with CR LF as one of them.
fn characters(text: &str) -> Vec<&str> {
    let mut rest = text;
    let mut characters = Vec::new();
    while let Some(first) = rest.chars().next() {
        let length = if rest.starts_with("\r\n") { 2 } else { first.len_utf8() };
        let (character, behind) = rest.split_at(length);
        characters.push(character);
        rest = behind;
    }
    characters
}

/// The plain way to do the same: character by character.
fn oracle(text: &str, old: &str, new: &str) -> String {
    let (text, old) = (characters(text), characters(old));
    let same = |a: &str, b: &str| a == b || (a == "\r\n" && b == "\n");
    let (mut result, mut at) = (String::new(), 0);
    while at < text.len() {
        let here = text.get(at..at + old.len());
        if here.is_some_and(|here| here.iter().zip(&old).all(|(a, b)| same(a, b))) {
            let is_end = |character: &&&str| character.ends_with('\n');
            let next = text[at..].iter().find(is_end).or(text.iter().rev().find(is_end));
            let crlf = next.is_some_and(|end| *end == "\r\n");
            for character in characters(new) {
                result += if crlf && character == "\n" { "\r\n" } else { character };
            }
            at += old.len();
        } else {
            result += text[at];
            at += 1;
        }
    }
    result
}

fn text_of_pieces(pieces: &'static [&'static str], most: usize) -> impl Strategy<Value = String> {
    prop::collection::vec(select(pieces), 0..most).prop_map(|pieces| pieces.concat())
}

const PIECES: &[&str] = &["a", "b", "ä", " ", "\n", "\r\n", "\r", "\u{feff}"];

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn edits_do_what_the_plain_way_does(
        text in text_of_pieces(PIECES, 40),
        old in text_of_pieces(&["a", "b", " ", "\n"], 4),
        new in text_of_pieces(&["a", "x", "\n", "\r\n"], 5),
    ) {
        prop_assume!(!old.is_empty() && text.replace("\r\n", "\n").contains(&old));
        let arguments = EditFileArguments {
            file_path: String::new(),
            old_string: old.clone(),
            new_string: new.clone(),
            replace_all: Some(true),
        };
        let edited = spliced(text.as_bytes(), &arguments).unwrap().unwrap();
        prop_assert_eq!(String::from_utf8(edited.content.clone()).unwrap(), oracle(&text, &old, &new));

        // What is shown says where it is: the changed ranges hold all of the difference.
        let mut rebuilt = Vec::new();
        let mut at = 0;
        for Change { old, new } in &edited.changes {
            rebuilt.extend_from_slice(&text.as_bytes()[at..old.start]);
            prop_assert_eq!(rebuilt.len(), new.start);
            rebuilt.extend_from_slice(&edited.content[new.clone()]);
            at = old.end;
        }
        rebuilt.extend_from_slice(&text.as_bytes()[at..]);
        prop_assert_eq!(&rebuilt, &edited.content);
        excerpt(text.as_bytes(), &edited);
    }
}
