//! Tests of finding files by name.

use std::fs::File;
use std::time::{Duration, UNIX_EPOCH};

use fanfold_schedule::{Claim, Resource};
use fanfold_transcript::Status;
use serde_json::json;

use super::*;
use crate::place::scene::Scene;
use crate::stop::{StopCause, StopHandle};

/// Files, the first one the oldest.
fn scene(files: &[&str]) -> Scene {
    let scene = Scene::new();
    for (age, path) in files.iter().enumerate() {
        set_modified(&scene, path, u64::try_from(age).unwrap());
    }
    scene
}

fn set_modified(scene: &Scene, path: &str, second: u64) {
    let file = File::options().append(true).open(scene.file(path, "")).unwrap();
    file.set_modified(UNIX_EPOCH + Duration::from_secs(second)).unwrap();
}

#[tokio::test]
async fn patterns_match_paths_newest_first() {
    let scene =
        scene(&["old.rs", "src/a.rs", "src/deep/b.rs", "src/c.ts", "new.rs", ".github/w.yml"]);
    let table = [
        ("*.rs", "new.rs\nold.rs"),
        ("./*.rs", "new.rs\nold.rs"),
        ("**/*.rs", "new.rs\nsrc/deep/b.rs\nsrc/a.rs\nold.rs"),
        ("src/*", "src/c.ts\nsrc/a.rs"),
        ("src/**", "src/c.ts\nsrc/deep/b.rs\nsrc/a.rs"),
        ("**/*.{ts,yml}", ".github/w.yml\nsrc/c.ts"),
        ("**/[ab].rs", "src/deep/b.rs\nsrc/a.rs"),
        ("*.py", "(no files match)"),
        ("src", "(no files match)"),
    ];
    for (pattern, expected) in table {
        assert_eq!(scene.ok(Glob, json!({"pattern": pattern})).await, expected, "{pattern}");
    }
    let below = json!({"pattern": "*.rs", "path": "src/deep"});
    assert_eq!(scene.ok(Glob, below).await, "src/deep/b.rs");
}

#[tokio::test]
async fn equally_new_files_come_by_path() {
    let scene = Scene::new();
    for path in ["b", "a/z", "c", "a/a"] {
        set_modified(&scene, path, 7);
    }
    assert_eq!(scene.ok(Glob, json!({"pattern": "**"})).await, "a/a\na/z\nb\nc");
}

#[tokio::test]
async fn ignored_files_and_version_control_are_left_out() {
    let scene = scene(&["target/x", "a.log", "keep.log", "sub/b.log", ".git/config", "sub/c", "d"]);
    for path in [".gitignore", "sub/.gitignore"] {
        set_modified(&scene, path, 0);
    }
    std::fs::write(scene.path(".gitignore"), "target/\n*.log\n!keep.log\n.gitignore\n").unwrap();
    std::fs::write(scene.path("sub/.gitignore"), "c\n").unwrap();
    assert_eq!(scene.ok(Glob, json!({"pattern": "**"})).await, "d\nkeep.log");
    // What is named is looked at, ignored or not.
    let inside = json!({"pattern": "*", "path": "target"});
    assert_eq!(scene.ok(Glob, inside).await, "target/x");
}

#[tokio::test]
async fn ignore_files_count_without_a_repository() {
    let scene = scene(&["a.log", "b"]);
    std::fs::write(scene.path(".gitignore"), "*.log\n.gitignore\n").unwrap();
    assert_eq!(scene.ok(Glob, json!({"pattern": "**"})).await, "b");
}

#[tokio::test]
async fn links_are_named_but_not_followed() {
    let scene = scene(&["a/f"]);
    std::fs::write(scene.base.join("out/secret"), "").unwrap();
    scene.link("../out", "leak");
    scene.link("a", "a/again");
    let text = scene.ok(Glob, json!({"pattern": "**"})).await;
    let mut paths: Vec<&str> = text.lines().collect();
    paths.sort_unstable();
    assert_eq!(paths, ["a/again", "a/f", "leak"]);
}

#[tokio::test]
async fn refusals_say_why() {
    let scene = scene(&["a/f"]);
    scene.link("../out", "leak");
    for pattern in ["/etc/*", "../*", "a/../../*"] {
        let text = scene.failed(Glob, json!({"pattern": pattern})).await;
        assert!(
            text.starts_with(&format!("the pattern {pattern} must lie below `path`")),
            "{text}"
        );
    }
    let table = [
        (json!({"pattern": "a["}), "bad pattern: "),
        (json!({"pattern": "{a,b}".repeat(200_000)}), "bad pattern: "),
        (json!({"pattern": "*", "path": "a/f"}), "a/f is no directory"),
        (json!({"pattern": "*", "path": "b"}), "no such file or directory: b"),
        (json!({"pattern": "*", "path": "leak"}), "leak (which is "),
    ];
    for (arguments, beginning) in table {
        let text = scene.failed(Glob, arguments).await;
        assert!(text.starts_with(beginning), "{text}");
    }
}

#[tokio::test]
async fn only_the_newest_thousand_are_listed() {
    let scene = Scene::new();
    for number in 0..1_005 {
        set_modified(&scene, &format!("f{number:04}"), number);
    }
    let text = scene.ok(Glob, json!({"pattern": "*"})).await;
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!((lines[0], lines[999]), ("f1004", "f0005"));
    assert_eq!(lines[1_000..], ["(older files left out: 5)"]);
}

#[tokio::test]
async fn a_stop_ends_the_walk() {
    let scene = scene(&["a"]);
    let (handle, stop) = StopHandle::new();
    handle.stop(StopCause::Deadline);
    let outcome = scene.prepared(Glob, &json!({"pattern": "*"})).run(scene.run_with(stop)).await;
    assert_eq!(outcome.status(), Status::TimedOut);
    assert!(outcome.text().contains("not everything was looked at"), "{}", outcome.text());
}

#[test]
fn the_footprint_is_the_subtree() {
    let scene = scene(&["a/f"]);
    let table = [(json!({"pattern": "**"}), "w"), (json!({"pattern": "*", "path": "a"}), "w/a")];
    for (arguments, expected) in table {
        let claim = Claim::read(Resource::path(&scene.base.join(expected)));
        let footprint = scene.prepared(Glob, &arguments).footprint(&scene.place);
        assert_eq!(footprint, Footprint::independent().with(claim));
    }
}
