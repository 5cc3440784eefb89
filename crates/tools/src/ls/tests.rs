//! Tests of listings.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt as _;

use fanfold_schedule::{Claim, Resource};
use fanfold_transcript::Status;
use nix::sys::stat::Mode;
use nix::unistd::mkfifo;
use serde_json::json;

use super::*;
use crate::place::scene::Scene;
use crate::stop::{StopCause, StopHandle};

#[tokio::test]
async fn entries_are_sorted_and_say_what_they_are() {
    let scene = Scene::new();
    scene.file("src/lib.rs", "x");
    scene.file("b.txt", "x".repeat(1234));
    scene.file("a.txt", "x");
    scene.file(".hidden", "");
    scene.file(OsStr::from_bytes(b"odd\n\xff"), "");
    scene.link("src", "to-src");
    scene.link("../out", "to-out");
    scene.link("gone", "to-nothing");
    mkfifo(&scene.path("pipe"), Mode::from_bits_truncate(0o600)).unwrap();
    let expected = "\
.hidden (0 bytes)
a.txt (1 byte)
b.txt (1,234 bytes)
odd\\n\u{fffd} (0 bytes)
pipe (a named pipe)
src/
to-nothing -> gone
to-out -> ../out
to-src -> src";
    assert_eq!(scene.ok(Ls, json!({})).await, expected);
    assert_eq!(scene.ok(Ls, json!({"path": null, "ignore": null})).await, expected);
    assert_eq!(scene.ok(Ls, json!({"path": scene.path("")})).await, expected);
    assert_eq!(scene.ok(Ls, json!({"path": "to-src"})).await, "lib.rs (1 byte)");
}

#[tokio::test]
async fn ignored_entries_are_counted() {
    let scene = Scene::new();
    for file in ["a.log", "keep.log", "a.rs", "target/x", "build/x"] {
        scene.file(file, "");
    }
    let table = [
        (
            json!(["*.log", "!keep.log"]),
            "a.rs (0 bytes)\nbuild/\nkeep.log (0 bytes)\ntarget/\n(1 ignored)",
        ),
        (
            json!(["target/", "a.rs/", "build"]),
            "a.log (0 bytes)\na.rs (0 bytes)\nkeep.log (0 bytes)\n(2 ignored)",
        ),
        (json!(["*"]), "(5 ignored)"),
    ];
    for (ignore, expected) in table {
        assert_eq!(scene.ok(Ls, json!({"ignore": ignore})).await, expected, "{ignore}");
    }
    let text = scene.failed(Ls, json!({"ignore": ["a["]})).await;
    assert!(text.starts_with("bad glob in `ignore`: "), "{text}");
}

#[tokio::test]
async fn refusals_say_why() {
    let scene = Scene::new();
    scene.file("src/lib.rs", "");
    scene.link("../out", "leak");
    let table = [
        ("src/lib.rs", "src/lib.rs is no directory; ReadFile shows files"),
        ("scr", "no such file or directory: scr (did you mean src?)"),
    ];
    for (path, expected) in table {
        assert_eq!(scene.failed(Ls, json!({"path": path})).await, expected);
    }
    for path in ["leak", "..", "/"] {
        let text = scene.failed(Ls, json!({"path": path})).await;
        assert!(text.contains("is outside the workspace"), "{text}");
    }
    fs::create_dir(scene.path("none")).unwrap();
    assert_eq!(scene.ok(Ls, json!({"path": "none"})).await, "(empty)");
}

#[tokio::test]
async fn a_large_directory_is_cut_after_the_first_thousand_names() {
    let scene = Scene::new();
    for number in (0..1_200).rev() {
        scene.file(format!("f{number:04}"), "");
    }
    let text = scene.ok(Ls, json!({})).await;
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 1_001);
    assert_eq!((lines[0], lines[999]), ("f0000 (0 bytes)", "f0999 (0 bytes)"));
    assert_eq!(lines[1_000], "(more entries: 200)");
}

#[tokio::test]
async fn a_stop_leaves_what_was_read() {
    let scene = Scene::new();
    scene.file("a", "");
    let (handle, stop) = StopHandle::new();
    handle.stop(StopCause::Cancel);
    let outcome = scene.prepared(Ls, &json!({})).run(scene.run_with(stop)).await;
    assert_eq!(outcome.status(), Status::Cancelled);
    assert!(outcome.text().contains("not everything was read"), "{}", outcome.text());
}

#[test]
fn the_footprint_is_the_directory() {
    let scene = Scene::new();
    scene.link("../out", "leak");
    let table =
        [(json!({}), "w"), (json!({"path": "src/.."}), "w"), (json!({"path": "leak"}), "out")];
    for (arguments, expected) in table {
        let claim = Claim::read(Resource::path(&scene.base.join(expected)));
        let footprint = scene.prepared(Ls, &arguments).footprint(&scene.place);
        assert_eq!(footprint, Footprint::independent().with(claim));
    }
}
