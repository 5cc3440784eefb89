//! Tests of paths, opening and near names.

use std::fs::{Permissions, create_dir, create_dir_all, rename, set_permissions, write};
use std::io::Read as _;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, symlink};
use std::os::unix::net::UnixListener;

use nix::sys::stat::Mode;
use nix::unistd::mkfifo;
use tempfile::TempDir;

use super::*;

/// A workspace `w`, an additional folder `more` and a folder `out` that is not allowed.
fn place() -> (TempDir, PathBuf, Place) {
    let folder = TempDir::new().unwrap();
    let base = folder.path().canonicalize().unwrap();
    create_dir_all(base.join("w/src")).unwrap();
    create_dir(base.join("more")).unwrap();
    create_dir(base.join("out")).unwrap();
    write(base.join("w/src/a.txt"), "inside").unwrap();
    write(base.join("out/secret"), "outside").unwrap();
    let place = Place::new(base.join("w"), vec![base.join("more")]).unwrap();
    (folder, base, place)
}

fn content(place: &Place, path: &Resolved) -> io::Result<String> {
    let mut text = String::new();
    place.open_beneath(path)?.read_to_string(&mut text)?;
    Ok(text)
}

#[test]
fn paths_are_resolved_as_far_as_they_exist() {
    let (_folder, base, place) = place();
    symlink("src", base.join("w/inside")).unwrap();
    symlink("../out", base.join("w/leak")).unwrap();
    symlink(base.join("out/new"), base.join("w/dangling")).unwrap();
    symlink("../w/src/../src/a.txt", base.join("w/winding")).unwrap();
    symlink("../w", base.join("more/back")).unwrap();
    let table = [
        ("", Some("w")),
        (".", Some("w")),
        ("src/a.txt", Some("w/src/a.txt")),
        ("./src//../src/./a.txt/", Some("w/src/a.txt")),
        ("missing/below", Some("w/missing/below")),
        ("missing/../src", Some("w/src")),
        ("inside/a.txt", Some("w/src/a.txt")),
        // The parent of the link's target, not of the link.
        ("inside/../src/new", Some("w/src/new")),
        ("winding", Some("w/src/a.txt")),
        ("../more", Some("more")),
        ("../more/back/src", Some("w/src")),
        ("..", None),
        ("../out/secret", None),
        ("leak", None),
        ("leak/secret", None),
        ("leak/../w/src", Some("w/src")),
        ("dangling", None),
        ("../w-not", None),
        ("../../../../../../../../../etc/passwd", None),
        ("/etc/passwd", None),
    ];
    for (path, expected) in table {
        let resolved = place.resolve(path).ok().map(|resolved| resolved.path);
        assert_eq!(resolved, expected.map(|expected| base.join(expected)), "{path:?}");
    }
}

#[test]
fn a_refusal_names_resolvedworkspace_and_setting() {
    let (_folder, base, place) = place();
    symlink("../out", base.join("w/leak")).unwrap();
    symlink("circle", base.join("w/circle")).unwrap();
    let base = base.to_str().unwrap();
    let setting = "its folder can be allowed in the setting permissions.additional_directories";
    let table = [
        ("../out/x", format!("{base}/out/x is outside the workspace {base}/w; {setting}")),
        ("leak/x", {
            let which = format!("leak/x (which is {base}/out/x)");
            format!("{which} is outside the workspace {base}/w; {setting}")
        }),
        ("circle/x", "circle/x: too many levels of links".to_owned()),
        ("a\0b", r#""a\0b" is no path: it holds a NUL character"#.to_owned()),
    ];
    for (path, expected) in table {
        assert_eq!(place.resolve(path).unwrap_err().to_string(), expected);
    }
}

#[test]
fn footprints_use_the_resolved_resolvedwherever_it_leads() {
    let (_folder, base, place) = place();
    symlink("../out", base.join("w/leak")).unwrap();
    symlink("circle", base.join("w/circle")).unwrap();
    let table =
        [("leak/secret", "out/secret"), ("src/./a.txt", "w/src/a.txt"), ("circle/../x", "w/x")];
    for (path, expected) in table {
        let claim = Claim::read(Resource::path(&base.join(expected)));
        assert_eq!(place.reads(path), Footprint::independent().with(claim), "{path}");
    }
    assert_eq!(place.lexical("leak/../src/./x"), base.join("w/src/x"));
}

#[test]
fn a_path_too_long_to_be_one_is_not_followed() {
    let (_folder, _, place) = place();
    // Followed name by name, this one would take hours.
    let path = "a/".repeat(8 << 20);
    assert_eq!(place.resolve(&path), Err(PathProblem::TooLong(16 << 20)));
    assert_eq!(place.reads(&path), Footprint::independent());
}

#[test]
fn roots_must_exist() {
    let (_folder, base, _) = place();
    assert!(Place::new(base.join("gone"), Vec::new()).is_err());
    for folder in ["gone", "w/src/a.txt"] {
        let error = Place::new(&base, vec![base.join(folder)]).unwrap_err().to_string();
        assert!(error.contains(folder), "{error}");
    }
}

#[test]
fn a_link_put_in_between_leads_nowhere() {
    let (_folder, base, place) = place();
    let file = place.resolve("src/a.txt").unwrap();
    let directory = place.resolve("src").unwrap();
    assert_eq!(content(&place, &file).unwrap(), "inside");

    // The directory on the way becomes a link to the outside, and then one that stays inside.
    write(base.join("out/a.txt"), "outside").unwrap();
    rename(base.join("w/src"), base.join("w/moved")).unwrap();
    for target in [base.join("out"), "moved".into()] {
        symlink(target, base.join("w/src")).unwrap();
        for path in [&file, &directory] {
            let error = place.open_beneath(path).unwrap_err();
            assert!(error.to_string().contains("a link was put on the way"), "{error}");
            assert!(open::step_by_step(path.path()).is_err());
        }
        std::fs::remove_file(base.join("w/src")).unwrap();
    }

    // The file itself becomes one.
    rename(base.join("w/moved"), base.join("w/src")).unwrap();
    std::fs::remove_file(base.join("w/src/a.txt")).unwrap();
    symlink(base.join("out/secret"), base.join("w/src/a.txt")).unwrap();
    assert!(place.open_beneath(&file).is_err());
    assert!(open::step_by_step(file.path()).is_err());
}

#[test]
fn a_link_put_in_the_place_of_the_root_leads_nowhere() {
    let (_folder, base, place) = place();
    let file = place.resolve("src/a.txt").unwrap();
    create_dir(base.join("out/src")).unwrap();
    write(base.join("out/src/a.txt"), "outside").unwrap();
    rename(base.join("w"), base.join("moved")).unwrap();
    symlink("out", base.join("w")).unwrap();
    assert!(place.open_beneath(&file).is_err());
}

#[test]
fn opening_name_by_name_reads_the_same_files() {
    let (_folder, _, place) = place();
    let file = place.resolve("src/a.txt").unwrap();
    let mut text = String::new();
    File::from(open::step_by_step(file.path()).unwrap()).read_to_string(&mut text).unwrap();
    assert_eq!(text, "inside");
    assert!(open::step_by_step(Path::new("/")).is_ok());
    let missing = place.resolve("src/none").unwrap();
    assert_eq!(open::step_by_step(missing.path()).unwrap_err(), nix::errno::Errno::ENOENT);
}

#[test]
fn nothing_but_files_and_directories_is_opened() {
    let (_folder, base, place) = place();
    mkfifo(&base.join("w/pipe"), Mode::from_bits_truncate(0o600)).unwrap();
    let _socket = UnixListener::bind(base.join("w/socket")).unwrap();
    let devices = Place::new("/dev", Vec::new()).unwrap();
    let table = [
        (&place, "pipe", "a named pipe"),
        (&place, "socket", "a socket"),
        (&devices, "null", "a character device"),
    ];
    for (place, path, kind) in table {
        let error = place.open_beneath(&place.resolve(path).unwrap()).unwrap_err();
        assert_eq!(error.to_string(), format!("{kind}, not a file or directory"), "{path}");
    }
    assert!(
        place.open_beneath(&place.resolve("src").unwrap()).unwrap().metadata().unwrap().is_dir()
    );
}

#[test]
fn a_missing_right_is_said() {
    let (_folder, base, place) = place();
    set_permissions(base.join("w/src/a.txt"), Permissions::from_mode(0o000)).unwrap();
    let file = place.resolve("src/a.txt").unwrap();
    match content(&place, &file) {
        // The superuser reads everything.
        Ok(text) => assert_eq!((text.as_str(), base.metadata().unwrap().uid()), ("inside", 0)),
        Err(error) => assert_eq!(place.problem(&file, &error), "permission denied: src/a.txt"),
    }
    let denied = io::Error::from(io::ErrorKind::PermissionDenied);
    assert_eq!(place.problem(&file, &denied), "permission denied: src/a.txt");
}

#[test]
fn a_missing_file_has_near_names() {
    let (_folder, base, place) = place();
    for name in ["main.rs", "Main.md", "mail.rs", "maim.rs", "lib.rs", "README.md"] {
        write(base.join("w").join(name), "").unwrap();
    }
    let table = [
        ("mian.rs", " (did you mean main.rs, mail.rs, maim.rs?)"),
        ("readme", " (did you mean README.md?)"),
        ("libs.rs", " (did you mean lib.rs?)"),
        ("something else", ""),
        ("nowhere/main.rs", ""),
    ];
    for (path, near) in table {
        let resolved = place.resolve(path).unwrap();
        let error = place.open_beneath(&resolved).unwrap_err();
        let expected = format!("no such file or directory: {path}{near}");
        assert_eq!(place.problem(&resolved, &error), expected);
    }
}

#[test]
fn names_are_shown_on_one_line() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt as _;

    let (_folder, base, place) = place();
    let odd = base.join("w").join(OsStr::from_bytes(b"a\n\x1b\xff\xc3\xa4"));
    let more = base.join("more/x");
    let table = [
        (odd.as_path(), r"a\n\u{1b}�ä"),
        (&base.join("w"), "."),
        (&base.join("w/src"), "src"),
        (&more, more.to_str().unwrap()),
    ];
    for (path, expected) in table {
        assert_eq!(place.shown(path), expected);
    }
}

#[test]
fn beginnings_tell_text_from_binaries() {
    let table: [(&[u8], Option<&str>); 9] = [
        (b"", None),
        (b"fn main() {}\n", None),
        (b"caf\xe9", None),
        (b"\x89PNG\r\n\x1a\n....", Some("image/png")),
        (b"\xff\xd8\xff\xe0", Some("image/jpeg")),
        (b"RIFF\x10\x20\x30\x40WEBPVP8 ", Some("image/webp")),
        (b"RIFF", None),
        (b"\xff\xfeh\0i\0", Some("text/plain; charset=utf-16le")),
        (b"a\0b", Some("application/octet-stream")),
    ];
    for (beginning, expected) in table {
        assert_eq!(Binary::sniff(beginning).map(|binary| binary.media_type), expected);
    }
    let mut late = vec![b'a'; 8 * 1024];
    late.push(0);
    assert_eq!(Binary::sniff(&late), None);
    late[8 * 1024 - 1] = 0;
    assert!(Binary::sniff(&late).is_some());
}

#[test]
fn rows_are_bounded_and_the_rest_is_counted() {
    let mut rows = Rows::new(2, 100);
    assert!(rows.is_empty() && !rows.is_full());
    ["a", "b", "c"].iter().for_each(|row| rows.push(row));
    rows.leave_out(4);
    assert_eq!((rows.kept(), rows.left_out(), rows.is_full()), (2, 5, true));
    assert_eq!(rows.close([Some("x".to_owned()), None, Some("y".to_owned())]), "a\nb\n(x; y)");

    let mut rows = Rows::new(9, 10);
    ["12345", "1234", "1", "2"].iter().for_each(|row| rows.push(row));
    assert_eq!((rows.kept(), rows.left_out()), (1, 3));
    assert_eq!(rows.close([None]), "12345");

    let numbers = [(0, "0"), (999, "999"), (1000, "1,000"), (1_234_567, "1,234,567")];
    for (number, expected) in numbers {
        assert_eq!(grouped(number), expected);
    }
}
