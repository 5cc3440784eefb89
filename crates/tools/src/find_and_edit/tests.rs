//! Tests of replacements in many files.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt as _;

use fanfold_schedule::{Claim, Groups, Resource};
use fanfold_transcript::Status;
use serde_json::json;

use super::*;
use crate::place::scene::Scene;
use crate::stop::{StopCause, StopHandle};
use crate::{ReadFile, WriteFile};

fn edited(pattern: &str, replacement: &str, content: &[u8]) -> Vec<u8> {
    Replacer::regex(pattern, replacement).unwrap().edited(content).unwrap().content
}

#[test]
fn matches_are_replaced_line_by_line() {
    let table: [(&str, &str, &[u8], &[u8]); 14] = [
        ("b", "B", b"abab", b"aBaB"),
        (r"(\w+)=(?<v>\w+)", "${v}=$1", b"a=b\nc=d", b"b=a\nd=c"),
        ("a", "$$1", b"a", b"$1"),
        (r"\s+$", "", b"a \t\r\n\r\nb  ", b"a\r\n\r\nb"),
        (r"^", "> ", b"a\n\nb\n", b"> a\n> \n> b\n"),
        (r"a[^x]*", "-", b"ab\nab\n", b"-\n-\n"),
        (r"a\nb", "x\ny", b"a\r\nb\r\n", b"x\r\ny\r\n"),
        (r"(a\n)b", "${1}c\n", b"a\nb\n", b"a\nc\n\n"),
        (r"\r\n", "\n", b"a\r\nb\r\n", b"a\nb\n"),
        ("x", "a\nb", b"x\r\nx\n", b"a\r\nb\r\na\nb\n"),
        ("caf.", "tea", b"caf\xe9 caf\xc3\xa9", b"caf\xe9 tea"),
        (r"(?-u:\xff)", "f", b"a\xffb", b"afb"),
        ("(?i)A", "b", b"aA", b"bb"),
        ("z", "y", b"a\r\n", b"a\r\n"),
    ];
    for (pattern, replacement, before, after) in table {
        assert_eq!(edited(pattern, replacement, before), after, "{pattern:?}");
    }
    let literal = Replacer::literal(r"a.\n$1", "$0").unwrap();
    assert_eq!(literal.edited(br"a.\n$1 ab").unwrap().content, b"$0 ab");
}

#[test]
fn a_template_names_only_groups_that_there_are() {
    let table = [
        ("$1", None),
        ("$1x", Some("1x")),
        ("${1}x", None),
        ("$0 ${name} $name", None),
        ("$names", Some("names")),
        ("cost: $5", Some("5")),
        ("$$5 $ $", None),
        ("${a b}", Some("a b")),
        ("${unclosed", None),
    ];
    for (template, missing) in table {
        let problem = Replacer::regex("(?<name>a)", template).err();
        let expected =
            missing.map(|name| format!("`replacement`: the pattern has no group {name:?}; "));
        match (problem, expected) {
            (None, None) => {}
            (Some(Unfit::Arguments(text)), Some(expected)) => {
                assert!(text.starts_with(&expected), "{text}");
            }
            other => panic!("{template}: {other:?}"),
        }
    }
}

#[tokio::test]
async fn every_file_that_grep_searches_is_changed() {
    let scene = Scene::new();
    scene.file(".gitignore", "*.log\n");
    scene.file("src/a.rs", "fish fish\n");
    scene.file("src/deep/b.rs", "fish");
    scene.file("src/c.txt", "fish");
    scene.file("ignored.log", "fish");
    scene.file("none", "bird");
    scene.file("binary", b"fish\0");
    scene.file(OsStr::from_bytes(b"n\xff\n"), "fish");
    fs::write(scene.base.join("out/f"), "fish").unwrap();
    scene.link("../out/f", "leak");
    fs::File::create(scene.path("huge")).unwrap().set_len(10 << 30).unwrap();

    let table = [
        (
            json!({"dry_run": true}),
            "n\u{fffd}\\n: 1\nsrc/a.rs: 2\nsrc/c.txt: 1\nsrc/deep/b.rs: 1\n(would replace: 5 in \
             files: 4; nothing was written; binary files skipped: 2)",
        ),
        (json!({"glob": "*.txt"}), "src/c.txt: 1\n(replaced: 1 in files: 1)"),
        (json!({"path": "src", "glob": "!deep"}), "src/a.rs: 2\n(replaced: 2 in files: 1)"),
        (
            json!({}),
            "n\u{fffd}\\n: 1\nsrc/deep/b.rs: 1\n(replaced: 2 in files: 2; binary files skipped: 2)",
        ),
        (json!({}), "(no matches: nothing was changed; binary files skipped: 2)"),
        (json!({"path": "ignored.log"}), "ignored.log: 1\n(replaced: 1 in files: 1)"),
    ];
    for (mut arguments, expected) in table {
        arguments["pattern"] = json!("fi(sh)");
        arguments["replacement"] = json!("FI$1");
        assert_eq!(scene.ok(FindAndEdit, arguments).await, expected);
    }
    assert_eq!(fs::read(scene.path("src/a.rs")).unwrap(), b"FIsh FIsh\n");
    assert_eq!(fs::read(scene.base.join("out/f")).unwrap(), b"fish");
    assert_eq!(fs::read_dir(scene.path("src")).unwrap().count(), 3);
}

#[tokio::test]
async fn a_file_that_fails_is_named_and_does_not_stop_the_others() {
    let scene = Scene::new();
    scene.file("a", "fish");
    scene.file("b/.fanfold/settings.json", "fish");
    scene.file("c", "fish");
    for dry_run in [true, false] {
        let arguments = json!({"pattern": "fish", "replacement": "bird", "dry_run": dry_run});
        let text = scene.failed(FindAndEdit, arguments).await;
        let total = if dry_run {
            "would replace: 2 in files: 2; nothing was written"
        } else {
            "replaced: 2 in files: 2"
        };
        let expected = format!(
            "a: 1\nnot changed: b/.fanfold/settings.json decides what Fanfold itself may do: no \
             file tool writes it\nc: 1\n({total}; files that could not be changed: 1)"
        );
        assert_eq!(text, expected);
    }
    assert_eq!(fs::read(scene.path("b/.fanfold/settings.json")).unwrap(), b"fish");
    assert_eq!(fs::read(scene.path("c")).unwrap(), b"bird");
}

#[tokio::test]
async fn refusals_say_why() {
    let scene = Scene::new();
    scene.file("f", "a".repeat(1_000));
    let text = scene.failed(FindAndEdit, json!({"pattern": "(a", "replacement": ""})).await;
    assert!(text.starts_with("bad pattern: "), "{text}");
    let missing = json!({"pattern": "a", "replacement": "", "path": "ff"});
    let text = scene.failed(FindAndEdit, missing).await;
    assert_eq!(text, "no such file or directory: ff (did you mean f?)");
    for (pattern, replacement) in [("", "x"), ("a", "$1")] {
        let arguments = json!({"pattern": pattern, "replacement": replacement});
        let text = scene.declined(FindAndEdit, arguments).await;
        assert!(text.starts_with("FindAndEdit: `"), "{text}");
    }
    let grows = json!({"pattern": "a", "replacement": "b".repeat(40_000)});
    let text = scene.failed(FindAndEdit, grows).await;
    assert!(text.starts_with("not changed: f is too large to be edited: "), "{text}");
    assert!(
        text.ends_with("\n(nothing was changed; files that could not be changed: 1)"),
        "{text}"
    );
    assert_eq!(fs::read(scene.path("f")).unwrap(), "a".repeat(1_000).as_bytes());
}

#[tokio::test]
async fn rows_are_bounded_and_the_total_is_not() {
    let scene = Scene::new();
    for number in 0..ROWS_MAX + 10 {
        scene.file(format!("f{number}"), "fish");
    }
    let text =
        scene.ok(FindAndEdit, json!({"pattern": "fish", "replacement": "", "dry_run": true})).await;
    assert_eq!(text.lines().count(), ROWS_MAX + 1);
    assert!(
        text.ends_with("(would replace: 260 in files: 260; nothing was written; more rows: 10)")
    );
}

#[tokio::test]
async fn what_it_changed_is_known_to_the_agent_but_not_what_others_did_before() {
    let scene = Scene::new();
    let edit = json!({"pattern": "fish", "replacement": "bird"});
    let write = json!({"file_path": "f", "content": "fish"});
    scene.ok(WriteFile, write.clone()).await;
    scene.ok(FindAndEdit, edit.clone()).await;
    scene.ok(WriteFile, write.clone()).await;

    scene.ok(ReadFile, json!({"file_path": "f"})).await;
    scene.file("f", "fish and more");
    scene.ok(FindAndEdit, edit).await;
    let text = scene.failed(WriteFile, write).await;
    assert_eq!(text, "f changed since you read it at c1 by c1; read it again");
}

#[tokio::test]
async fn a_stop_leaves_the_files_that_were_not_reached() {
    let scene = Scene::new();
    scene.file("f", "fish");
    let (handle, stop) = StopHandle::new();
    handle.stop(StopCause::Stop);
    let arguments = json!({"pattern": "fish", "replacement": ""});
    let call = scene.prepared(FindAndEdit, &arguments);
    let outcome = call.run(scene.run_with(stop)).await;
    assert_eq!(outcome.status(), Status::Interrupted);
    let expected = "(no matches: nothing was changed; stopped: not every file was looked at)";
    assert_eq!(outcome.text(), expected);
    assert_eq!(fs::read(scene.path("f")).unwrap(), b"fish");
}

#[test]
fn the_footprint_is_a_write_of_the_subtree() {
    let scene = Scene::new();
    for dry_run in [true, false] {
        let arguments =
            json!({"pattern": "x", "replacement": "", "path": "src", "dry_run": dry_run});
        let footprint = scene.prepared(FindAndEdit, &arguments).footprint(&scene.place);
        let claim = Claim::write(Resource::path(&scene.path("src")));
        assert_eq!((footprint.groups, footprint.claims), (Groups::named("fs"), vec![claim]));
    }
}
