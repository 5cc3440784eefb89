//! Tests of searching in files.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt as _;

use fanfold_schedule::{Claim, Resource};
use fanfold_transcript::Status;
use nix::sys::stat::Mode;
use nix::unistd::mkfifo;
use serde_json::{Value, json};

use super::excerpt::{LINE_CHARS, excerpt};
use super::*;
use crate::place::scene::Scene;
use crate::stop::{StopCause, StopHandle};
use crate::tool::{Tool as _, Typed};

const POEM: &str = "one fish\ntwo fish\nred\nblue\ngreen\nred fish\nend\n";

/// Two poems, one of them with other line ends, and files that must not show up.
fn scene() -> Scene {
    let scene = Scene::new();
    scene.file("poem.txt", POEM);
    scene.file("src/dos.md", "Fish\r\ntwo fish\r\n");
    scene.file("binary", b"fish\0");
    scene.file("ignored.txt", "fish");
    scene.file(".gitignore", "ignored.txt\n");
    scene.file(".git/config", "fish");
    fs::write(scene.base.join("out/secret"), "fish").unwrap();
    scene.link("../out", "leak");
    scene.link("../out/secret", "secret");
    mkfifo(&scene.path("pipe"), Mode::from_bits_truncate(0o600)).unwrap();
    scene
}

async fn check(scene: &Scene, table: &[(Value, &str)]) {
    for (arguments, expected) in table {
        assert_eq!(scene.ok(Grep, arguments.clone()).await, *expected, "{arguments}");
    }
}

#[tokio::test]
async fn rows_come_in_the_order_of_paths() {
    let scene = scene();
    let table = [
        (
            json!({"pattern": "fish$", "path": null, "glob": null, "context": null}),
            "poem.txt:1:one fish\npoem.txt:2:two fish\npoem.txt:6:red fish\nsrc/dos.md:2:two fish",
        ),
        (json!({"pattern": "fish", "output_mode": "files"}), "poem.txt\nsrc/dos.md"),
        (json!({"pattern": "fish", "output_mode": "count"}), "poem.txt:3\nsrc/dos.md:1"),
        (
            json!({"pattern": "^FISH$", "case_insensitive": true, "output_mode": "content"}),
            "src/dos.md:1:Fish",
        ),
        (json!({"pattern": "two", "glob": "*.md"}), "src/dos.md:2:two fish"),
        (json!({"pattern": "two", "glob": "!src"}), "poem.txt:2:two fish"),
        (json!({"pattern": "two", "glob": "src/**/*.md"}), "src/dos.md:2:two fish"),
        (json!({"pattern": "two", "path": "src"}), "src/dos.md:2:two fish"),
        (json!({"pattern": "two", "path": "poem.txt"}), "poem.txt:2:two fish"),
        (json!({"pattern": "fish", "path": "ignored.txt"}), "ignored.txt:1:fish"),
        (json!({"pattern": "whale"}), "(no matches; binary files skipped: 1)"),
        (json!({"pattern": "fish", "glob": "*.rs"}), "(no matches)"),
    ];
    check(&scene, &table).await;
}

#[tokio::test]
async fn context_stands_between_dashes_and_groups_are_parted() {
    let scene = scene();
    let table = [
        (
            json!({"pattern": "two|end", "context": 1}),
            "poem.txt-1-one fish\npoem.txt:2:two fish\npoem.txt-3-red\n--\npoem.txt-6-red fish\n\
             poem.txt:7:end\n--\nsrc/dos.md-1-Fish\nsrc/dos.md:2:two fish",
        ),
        (
            json!({"pattern": "one|blue", "context": 1}),
            "poem.txt:1:one fish\npoem.txt-2-two fish\npoem.txt-3-red\npoem.txt:4:blue\n\
             poem.txt-5-green",
        ),
        (json!({"pattern": "one", "context": 9, "output_mode": "files"}), "poem.txt"),
    ];
    check(&scene, &table).await;
}

#[tokio::test]
async fn a_match_may_span_lines_when_asked() {
    let scene = scene();
    let table = [
        (
            json!({"pattern": "two.*blue", "multiline": true}),
            "poem.txt:2:two fish\npoem.txt:3:red\npoem.txt:4:blue",
        ),
        (json!({"pattern": r"red\nblue", "multiline": true, "output_mode": "count"}), "poem.txt:2"),
        (json!({"pattern": "two.*blue"}), "(no matches; binary files skipped: 1)"),
    ];
    check(&scene, &table).await;
}

#[tokio::test]
async fn refusals_say_why() {
    let scene = scene();
    let table = [
        (json!({"pattern": "(a"}), "bad pattern: "),
        (json!({"pattern": r"a\nb"}), "bad pattern: "),
        (json!({"pattern": "(a{1000}){1000}"}), "bad pattern: "),
        (json!({"pattern": "a", "glob": "a["}), "bad glob: "),
        (json!({"pattern": "a", "path": "leak"}), "leak (which is "),
        (json!({"pattern": "a", "path": "poem.tx"}), "no such file or directory: poem.tx (did you"),
        (json!({"pattern": "a", "path": "pipe"}), "pipe: a named pipe"),
    ];
    for (arguments, beginning) in table {
        let text = scene.failed(Grep, arguments).await;
        assert!(text.starts_with(beginning), "{text}");
    }
    let text = scene.failed(Grep, json!({"pattern": r"a\nb"})).await;
    assert!(text.ends_with("; set `multiline` to match across lines"), "{text}");
    for (arguments, part) in [
        (json!({"pattern": "a", "head_limit": 0}), "`head_limit` is 0"),
        (json!({"pattern": "a", "context": 101}), "`context` is 101"),
    ] {
        let problem = Typed::new(Grep).prepare(arguments.as_object().unwrap()).err().unwrap();
        assert!(problem.to_string().contains(part), "{problem}");
    }
}

#[tokio::test]
async fn rows_are_bounded_and_the_rest_is_counted() {
    let scene = Scene::new();
    for file in ["a", "b"] {
        scene.file(file, "hit\n".repeat(200));
    }
    let table = [
        (json!({"pattern": "hit"}), 250, "(more rows: 150; narrow the search or raise head_limit)"),
        (
            json!({"pattern": "hit", "head_limit": 3, "context": 2}),
            3,
            "(more rows: 397; narrow the search or raise head_limit)",
        ),
        (
            json!({"pattern": "hit", "head_limit": 1, "output_mode": "files"}),
            1,
            "(more rows: 1; narrow the search or raise head_limit)",
        ),
    ];
    for (arguments, rows, note) in table {
        let text = scene.ok(Grep, arguments).await;
        let lines: Vec<&str> = text.lines().filter(|line| *line != "--").collect();
        assert_eq!((lines.len(), lines[lines.len() - 1]), (rows + 1, note));
    }
    assert_eq!(
        scene.ok(Grep, json!({"pattern": "hit", "head_limit": 400})).await.lines().count(),
        400
    );

    scene.file("c", "hit\n".repeat(20_000));
    let text = scene.ok(Grep, json!({"pattern": "hit", "path": "c"})).await;
    assert!(text.ends_with("(more rows: at least 10,000; narrow the search or raise head_limit)"));

    scene.file("d", format!("hit {}\n", "x".repeat(400)).repeat(300));
    let text = scene.ok(Grep, json!({"pattern": "hit", "path": "d", "head_limit": 300})).await;
    assert!(text.len() < BYTES_MAX + 200);
    assert!(text.ends_with("; narrow the search: at most 32 KiB are shown)"));
}

#[tokio::test]
async fn odd_names_and_odd_bytes_are_shown() {
    let scene = Scene::new();
    scene.file(OsStr::from_bytes(b"n\xff\n"), b"caf\xe9 fish\n");
    scene.file("utf16", b"\xff\xfef\0i\0s\0h\0\n\0");
    let expected = "n\u{fffd}\\n:1:caf\u{fffd} fish\nutf16:1:fish";
    assert_eq!(scene.ok(Grep, json!({"pattern": "fish"})).await, expected);
}

// https://github.com/felan-ai/felan/issues/33
#[tokio::test]
async fn a_huge_line_is_searched_and_too_huge_a_one_is_told() {
    let scene = Scene::new();
    scene.file("a", format!("{}needle{}", "x".repeat(10_000_000), "y".repeat(10_000_000)));
    let text = scene.ok(Grep, json!({"pattern": "needle"})).await;
    assert_eq!(text, format!("a:1:…{}needle{}…", "x".repeat(100), "y".repeat(LINE_CHARS - 106)));
    scene.file("a", "x".repeat(HEAP_BYTES + 1));
    let text = scene.ok(Grep, json!({"pattern": "needle"})).await;
    assert_eq!(text, "(no matches; files skipped, unreadable or with too long lines: 1)");
}

#[test]
fn an_excerpt_shows_the_match_between_whole_characters() {
    let long = "ä".repeat(1_000);
    let table = [
        ("short\r\n".to_owned(), 0, "short".to_owned()),
        (String::new(), 0, String::new()),
        ("x".repeat(500), 499, "x".repeat(500)),
        ("x".repeat(501), 0, format!("{}…", "x".repeat(500))),
        ("x".repeat(501), 400, format!("…{}", "x".repeat(201))),
        (long.clone(), 0, format!("{}…", "ä".repeat(500))),
        // The match is in the 301st character; the window begins 50 characters before it.
        (long.clone(), 601, format!("…{}…", "ä".repeat(500))),
        (format!("{long}!"), 2_000, format!("…{}!", "ä".repeat(50))),
        ("😀".repeat(500), 1_999, "😀".repeat(500)),
    ];
    for (line, at, expected) in table {
        assert_eq!(excerpt(line.as_bytes(), at), expected, "{at}");
    }
}

#[tokio::test]
async fn a_stop_ends_the_search_with_what_it_has() {
    let scene = scene();
    let (handle, stop) = StopHandle::new();
    handle.stop(StopCause::Stop);
    let outcome = scene.prepared(Grep, &json!({"pattern": "fish"})).run(scene.run_with(stop)).await;
    assert_eq!(outcome.status(), Status::Interrupted);
    assert_eq!(outcome.text(), "(no matches; stopped: not everything was searched)");
}

#[test]
fn the_footprint_is_the_subtree() {
    let scene = scene();
    for (path, expected) in [("src", "w/src"), ("leak/x", "out/x"), (".", "w")] {
        let claim = Claim::read(Resource::path(&scene.base.join(expected)));
        let call = scene.prepared(Grep, &json!({"pattern": "x", "path": path}));
        assert_eq!(call.footprint(&scene.place), Footprint::independent().with(claim));
    }
}
