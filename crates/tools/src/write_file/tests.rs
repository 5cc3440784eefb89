//! Tests of writing whole files.

use std::fs;

use fanfold_schedule::{Claim, Groups, Resource};
use serde_json::json;

use super::*;
use crate::ReadFile;
use crate::place::scene::Scene;

#[tokio::test]
async fn a_file_is_created_or_replaced_with_what_is_given() {
    let scene = Scene::new();
    let table = [
        ("f", "one\r\ntwo\n", "created f: 2 lines, 9 bytes"),
        ("f", "one", "replaced f: 1 line, 3 bytes"),
        ("./x/../f", "", "replaced f: 0 lines, 0 bytes"),
        ("new/folder/g", "\u{feff}a\0b", "created new/folder/g: 1 line, 6 bytes"),
    ];
    for (path, content, expected) in table {
        let arguments = json!({"file_path": path, "content": content});
        assert_eq!(scene.ok(WriteFile, arguments).await, expected);
        let file = scene.path(path.trim_start_matches("./x/../"));
        assert_eq!(fs::read_to_string(file).unwrap(), content);
    }
}

#[tokio::test]
async fn what_cannot_be_written_is_said_and_stays() {
    let scene = Scene::new();
    scene.file("f", "old");
    scene.file(".fanfold/settings.json", "{}");
    scene.link("../out/new", "leak");
    scene.link(".fanfold", "harmless");
    let settings = "decides what Fanfold itself may do: no file tool writes it";
    let table = [
        (".", ". is a directory".to_owned()),
        ("", ". is a directory".to_owned()),
        ("f/below", "f/below: Not a directory (os error 20)".to_owned()),
        (".fanfold/settings.json", format!(".fanfold/settings.json {settings}")),
        ("harmless/settings.local.json", format!(".fanfold/settings.local.json {settings}")),
        ("new/.fanfold/settings", format!("new/.fanfold/settings {settings}")),
    ];
    for (path, expected) in table {
        let arguments = json!({"file_path": path, "content": "new"});
        assert_eq!(scene.failed(WriteFile, arguments).await, expected);
    }
    let leak = scene.failed(WriteFile, json!({"file_path": "leak", "content": "new"})).await;
    assert!(leak.starts_with("leak (which is ") && leak.contains(" is outside"), "{leak}");
    assert!(!scene.path("new").exists() && !scene.base.join("out/new").exists());
    assert_eq!(fs::read(scene.path("f")).unwrap(), b"old");
    assert_eq!(fs::read_dir(scene.path(".fanfold")).unwrap().count(), 1);
}

// https://github.com/adolfousier/opencrabs/issues/954
#[tokio::test]
async fn a_file_that_changed_since_it_was_read_is_not_replaced() {
    let scene = Scene::new();
    let write = json!({"file_path": "f", "content": "mine"});
    let read = json!({"file_path": "f"});
    let stale = "f changed since you read it at c1 by something else; read it again";

    // Never read: allowed. Its own write is known, so a second one is too.
    scene.file("f", "old");
    scene.ok(WriteFile, write.clone()).await;
    scene.ok(WriteFile, write.clone()).await;

    scene.ok(ReadFile, read.clone()).await;
    scene.file("f", "theirs");
    assert_eq!(scene.failed(WriteFile, write.clone()).await, stale);
    assert_eq!(fs::read(scene.path("f")).unwrap(), b"theirs");
    scene.ok(ReadFile, read.clone()).await;
    scene.ok(WriteFile, write.clone()).await;

    // The same content again is no change, and a file that is gone holds nothing to lose.
    scene.file("f", "mine");
    scene.ok(WriteFile, write.clone()).await;
    fs::remove_file(scene.path("f")).unwrap();
    scene.ok(WriteFile, write.clone()).await;

    // Only a part was shown, but the change of any part counts.
    scene.file("f", "one\ntwo\nthree\n");
    scene.ok(ReadFile, json!({"file_path": "f", "limit": 1})).await;
    scene.file("f", "one\ntwo\nTHREE\n");
    let part = stale.replace("read it at", "read a part of it at");
    assert_eq!(scene.failed(WriteFile, write).await, part);
}

#[tokio::test]
async fn a_huge_file_is_known_by_its_length_and_time() {
    let scene = Scene::new();
    let file = fs::File::create(scene.path("f")).unwrap();
    file.set_len(10 << 30).unwrap();
    let notes = scene.run_with(crate::stop::StopHandle::new().1).notes();
    let version = Version::of_large(&file.metadata().unwrap()).unwrap();
    notes.read(&scene.path("f"), version, crate::read_state::Glance::Part);
    file.set_len(11 << 30).unwrap();
    let write = json!({"file_path": "f", "content": "small"});
    let text = scene.failed(WriteFile, write.clone()).await;
    assert!(text.starts_with("f changed since you read a part of it at c1"), "{text}");
    let version = Version::of_large(&file.metadata().unwrap()).unwrap();
    notes.read(&scene.path("f"), version, crate::read_state::Glance::Part);
    assert_eq!(scene.ok(WriteFile, write).await, "replaced f: 1 line, 5 bytes");
}

#[test]
fn the_footprint_is_a_write_of_the_file_a_link_leads_to() {
    let scene = Scene::new();
    scene.link("src/f", "link");
    let claim = Claim::write(Resource::path(&scene.path("src/f")));
    let call = scene.prepared(WriteFile, &json!({"file_path": "./link", "content": ""}));
    let footprint = call.footprint(&scene.place);
    assert_eq!((footprint.groups, footprint.claims), (Groups::named("fs"), vec![claim.clone()]));

    let by_path = (*scene.place).clone().with_writes_apart_by_path();
    let footprint = call.footprint(&by_path);
    assert_eq!((footprint.groups, footprint.claims), (Groups::independent(), vec![claim]));
}
