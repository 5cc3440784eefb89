//! Tests of replacing files: what is there afterwards, whatever happened in between.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::PathBuf;
use std::sync::Arc;

use nix::unistd::mkfifo;

use super::*;
use crate::place::scene::Scene;
use crate::stop::{StopCause, StopHandle};

/// A scene, and work in it that nobody stops.
fn with<T: Send + 'static>(
    scene: &Scene,
    work: impl FnOnce(&Place, &Halt) -> T + Send + 'static,
) -> T {
    let (_handle, stop) = StopHandle::new();
    let work = crate::place::finished_off_thread(scene.run_with(stop), work);
    tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(work).unwrap()
}

fn mode(path: &PathBuf) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o7777
}

/// The names in a folder, so that no temporary file goes unnoticed.
fn names(folder: PathBuf) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into()).collect();
    names.sort();
    names
}

/// Why this file could not be replaced.
fn refused(scene: &Scene, path: &'static str) -> String {
    with(scene, move |place, halt| {
        let path = place.resolve(path).unwrap();
        let error = place.replace(&path, b"new", Expected::Anything, halt).unwrap_err();
        place.why(&path, &error)
    })
}

#[test]
fn a_file_is_created_and_replaced_and_keeps_its_mode() {
    let scene = Scene::new();
    let replace = |content: &'static [u8]| {
        with(&scene, move |place, halt| {
            let path = place.resolve("f").unwrap();
            place.replace(&path, content, Expected::Anything, halt).unwrap()
        })
    };
    let created = replace(b"one");
    assert_eq!((created.before, created.version), (Before::Nothing, Version::of(b"one")));
    for bits in [0o600, 0o640, 0o755, 0o444] {
        fs::set_permissions(scene.path("f"), Permissions::from_mode(bits)).unwrap();
        if bits & 0o200 == 0 && fs::metadata(scene.path("f")).unwrap().uid() != 0 {
            continue;
        }
        assert_eq!(replace(b"two").before, Before::OneName);
        assert_eq!(mode(&scene.path("f")), bits);
    }
    assert_eq!(fs::read(scene.path("f")).unwrap(), b"two");
    assert_eq!(names(scene.path("")), ["f"]);
}

#[test]
fn a_link_is_followed_and_a_hard_link_is_left_behind() {
    let scene = Scene::new();
    scene.file("src/f", "old");
    scene.link("src/f", "link");
    fs::hard_link(scene.path("src/f"), scene.path("other")).unwrap();
    let replaced = with(&scene, |place, halt| {
        let path = place.resolve("link").unwrap();
        place.replace(&path, b"new", Expected::Anything, halt).unwrap()
    });
    assert_eq!(replaced.before, Before::MoreNames);
    assert!(scene.path("link").is_symlink());
    assert_eq!(fs::read(scene.path("src/f")).unwrap(), b"new");
    assert_eq!(fs::read(scene.path("other")).unwrap(), b"old");
}

#[test]
fn what_is_no_file_is_refused() {
    let scene = Scene::new();
    scene.file("folder/.fanfold/settings.json", "{}");
    mkfifo(&scene.path("pipe"), Mode::from_bits_truncate(0o600)).unwrap();
    let table = [
        (".", ". is a directory"),
        ("folder", "folder is a directory"),
        ("pipe", "pipe: a named pipe, not a file or directory"),
        ("missing/f", "no such file or directory: missing/f"),
        (
            "folder/.fanfold/settings.json",
            "folder/.fanfold/settings.json decides what Fanfold itself may do: no file tool writes it",
        ),
    ];
    for (path, expected) in table {
        assert_eq!(refused(&scene, path), expected);
    }
    assert_eq!(names(scene.path("")), ["folder", "pipe"]);
    assert_eq!(names(scene.path("folder/.fanfold")), ["settings.json"]);
}

/// What happens to a workspace between the temporary file and the rename.
type Meanwhile = fn(&Scene);

#[test]
fn whatever_happens_before_the_rename_leaves_no_half_a_file_and_nothing_outside() {
    let table: [(&str, Meanwhile); 7] = [
        ("src/f is a directory", |scene| {
            fs::remove_file(scene.path("src/f")).unwrap();
            fs::create_dir(scene.path("src/f")).unwrap();
        }),
        ("src/f: a link was put in its place while it was being written", |scene| {
            fs::remove_file(scene.path("src/f")).unwrap();
            scene.link("../../out/f", "src/f");
        }),
        ("src/f: a link was put on the way to it while it was being opened", |scene| {
            fs::rename(scene.path("src"), scene.path("moved")).unwrap();
            scene.link("../out", "src");
        }),
        ("src/f: its folder was moved while it was being written", |scene| {
            fs::rename(scene.path("src"), scene.base.join("out/src")).unwrap();
            scene.file("src/f", "another");
        }),
        ("no such file or directory: src/f", |scene| {
            fs::rename(scene.path("src"), scene.base.join("out/src")).unwrap();
        }),
        ("src/f changed while editing; read it again", |scene| {
            scene.file("src/f", "another");
        }),
        ("src/f changed while editing; read it again", |scene| {
            fs::remove_file(scene.path("src/f")).unwrap();
        }),
    ];
    for (expected, meanwhile) in table {
        let scene = Scene::new();
        scene.file("src/f", "old");
        fs::write(scene.base.join("out/f"), "outside").unwrap();
        let knows = expected.contains("changed");
        let place = Arc::clone(&scene.place);
        let (scene, error) = with_scene(scene, move |scene, halt| {
            let path = place.resolve("src/f").unwrap();
            let staged = Staged::write(&place, &path, b"new", halt).unwrap();
            assert_eq!(names(scene.path("src")).len(), 2);
            meanwhile(scene);
            let old = Expected::Version(Version::of(b"old"));
            let expected = if knows { old } else { Expected::Anything };
            let error = staged.commit(expected, halt).unwrap_err();
            place.why(&path, &error)
        });
        assert_eq!(error, expected);
        assert_eq!(fs::read_to_string(scene.base.join("out/f")).unwrap(), "outside");
        for folder in ["w", "w/src", "w/moved", "out", "out/src"] {
            let folder = scene.base.join(folder);
            let left = if folder.is_dir() { names(folder) } else { Vec::new() };
            assert!(left.iter().all(|name| !name.contains(".fanfold-")), "{expected}: {left:?}");
        }
    }
}

fn with_scene<T: Send + 'static>(
    scene: Scene,
    work: impl FnOnce(&Scene, &Halt) -> T + Send + 'static,
) -> (Scene, T) {
    let (_handle, stop) = StopHandle::new();
    let run = scene.run_with(stop);
    let work = crate::place::finished_off_thread(run, move |_, halt| {
        let done = work(&scene, halt);
        (scene, done)
    });
    tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(work).unwrap()
}

#[test]
fn a_crash_before_the_rename_leaves_the_old_content() {
    let scene = Scene::new();
    scene.file("f", "old");
    with(&scene, |place, halt| {
        let path = place.resolve("f").unwrap();
        // As if the process ended here: nothing is cleaned up.
        std::mem::forget(Staged::write(place, &path, b"new", halt).unwrap());
    });
    assert_eq!(fs::read(scene.path("f")).unwrap(), b"old");
    // What is left does not stand in the way of the next one.
    with(&scene, |place, halt| {
        let path = place.resolve("f").unwrap();
        place.replace(&path, b"new", Expected::Anything, halt).unwrap();
    });
    assert_eq!(fs::read(scene.path("f")).unwrap(), b"new");
    assert_eq!(names(scene.path("")).len(), 2);
}

#[test]
fn a_stopped_call_writes_nothing() {
    let scene = Scene::new();
    scene.file("f", "old");
    let (handle, stop) = StopHandle::new();
    handle.stop(StopCause::Cancel);
    let work = crate::place::finished_off_thread(scene.run_with(stop), |place, halt| {
        let path = place.resolve("f").unwrap();
        place.replace(&path, b"new", Expected::Anything, halt).unwrap_err().to_string()
    });
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    assert_eq!(runtime.block_on(work).unwrap(), "was not written: the call was ended");
    assert_eq!(fs::read(scene.path("f")).unwrap(), b"old");
    assert_eq!(names(scene.path("")), ["f"]);
}

#[test]
fn a_folder_that_takes_no_files_is_said() {
    // The folder of a process takes no new files, whoever asks.
    let mut scene = Scene::new();
    scene.place = Arc::new(Place::new("/proc/self/fdinfo", Vec::new()).unwrap());
    let text = refused(&scene, "new");
    assert!(
        text.starts_with("new cannot be written: no new file can be made beside it: "),
        "{text}"
    );
}

#[test]
fn readers_see_one_content_or_the_other() {
    let scene = Scene::new();
    let contents = [vec![b'a'; 100_000], vec![b'b'; 50_000]];
    let file = scene.file("f", &contents[0]);
    let (writes, seen) = (contents.clone(), std::sync::atomic::AtomicBool::new(false));
    std::thread::scope(|threads| {
        threads.spawn(|| {
            while !seen.load(Ordering::Relaxed) {
                assert!(contents.contains(&fs::read(&file).unwrap()));
            }
        });
        with(&scene, move |place, halt| {
            let path = place.resolve("f").unwrap();
            for round in 0..200 {
                place.replace(&path, &writes[round % 2], Expected::Anything, halt).unwrap();
            }
        });
        seen.store(true, Ordering::Relaxed);
    });
}

#[test]
fn names_of_any_bytes_and_lengths_are_replaced() {
    let scene = Scene::new();
    for name in [OsStr::from_bytes(b"n\xff\n"), OsStr::new(&"x".repeat(255))] {
        let file = scene.file(name, "old");
        let link = scene.path("link");
        symlink(&file, &link).unwrap();
        with(&scene, |place, halt| {
            let path = place.resolve("link").unwrap();
            place.replace(&path, b"new", Expected::Anything, halt).unwrap();
        });
        assert_eq!(fs::read(&file).unwrap(), b"new");
        fs::remove_file(file).unwrap();
        fs::remove_file(link).unwrap();
    }
    assert_eq!(names(scene.path("")), [""; 0]);
}
