//! Tests of pages of files.

use std::fs::{self, File};
use std::sync::Arc;

use fanfold_schedule::{Claim, Resource};
use fanfold_transcript::{Content, Media, MediaSource, RecordHandle, Status};
use nix::sys::stat::Mode;
use nix::unistd::mkfifo;
use serde_json::json;

use super::page::{COUNTED_BYTES, LINE_BYTES, PAGE_BYTES};
use super::*;
use crate::capture::ReadRecords;
use crate::place::scene::Scene;
use crate::stop::{StopCause, StopHandle};
use crate::tool::{Tool as _, Typed};

fn numbers(lines: std::ops::RangeInclusive<u64>) -> String {
    lines.map(|number| format!("line {number}\n")).collect()
}

#[tokio::test]
async fn lines_are_numbered() {
    let scene = Scene::new();
    let table: [(&[u8], &str); 8] = [
        (b"", "(f is empty)"),
        (b"\n", "     1\t"),
        (b"one", "     1\tone"),
        (b"one\n", "     1\tone"),
        (b"one\n\nthree\n", "     1\tone\n     2\t\n     3\tthree"),
        (b"a\xffb\xc3\xa4\n", "     1\ta\u{fffd}b\u{e4}"),
        (b"one\r\ntwo\r\n", "     1\tone\n     2\ttwo\n(lines end with CR LF)"),
        (b"one\r\ntwo\rx\n", "     1\tone\n     2\ttwo\rx\n(some lines end with CR LF)"),
    ];
    for (content, expected) in table {
        scene.file("f", content);
        let arguments = json!({"file_path": "f", "offset": null, "limit": null});
        assert_eq!(scene.ok(ReadFile, arguments).await, expected, "{content:?}");
    }
}

#[tokio::test]
async fn a_page_says_how_to_go_on() {
    let scene = Scene::new();
    scene.file("f", numbers(1..=5_432));
    scene.file("short", "a\nb\nc");
    let table = [
        (json!({"file_path": "f"}), 1, 100, "(lines 1-100 of 5,432; go on with offset 101)"),
        (
            json!({"file_path": "f", "offset": 5_000, "limit": 2}),
            5_000,
            5_001,
            "(lines 5,000-5,001 of 5,432; go on with offset 5002)",
        ),
        (json!({"file_path": "f", "offset": 5_431}), 5_431, 5_432, "(lines 5,431-5,432 of 5,432)"),
    ];
    for (arguments, first, last, note) in table {
        let text = scene.ok(ReadFile, arguments).await;
        let rows: Vec<&str> = text.lines().collect();
        let expected = |number: u64| format!("{number:>6}\tline {number}");
        assert_eq!(rows.len(), usize::try_from(last - first + 2).unwrap());
        assert_eq!((rows[0], rows[rows.len() - 2]), (&*expected(first), &*expected(last)));
        assert_eq!(rows[rows.len() - 1], note);
    }
    let table = [
        (1, 3, "     1\ta\n     2\tb\n     3\tc"),
        (1, 2, "     1\ta\n     2\tb\n(lines 1-2 of 3; go on with offset 3)"),
        (3, u64::MAX, "     3\tc\n(lines 3-3 of 3)"),
    ];
    for (offset, limit, expected) in table {
        let arguments = json!({"file_path": "short", "offset": offset, "limit": limit});
        assert_eq!(scene.ok(ReadFile, arguments).await, expected);
    }
}

#[tokio::test]
async fn offsets_outside_the_file_are_refused() {
    let scene = Scene::new();
    scene.file("one", "a");
    scene.file("two", "a\nb\n");
    let table = [
        ("one", 2, "offset 2 is past the end: one has 1 line"),
        ("two", 3, "offset 3 is past the end: two has 2 lines"),
        ("two", u64::MAX, "offset 18446744073709551615 is past the end: two has 2 lines"),
    ];
    for (file, offset, expected) in table {
        let arguments = json!({"file_path": file, "offset": offset});
        assert_eq!(scene.failed(ReadFile, arguments).await, expected);
    }
    for name in ["offset", "limit"] {
        let arguments = json!({"file_path": "one", name: 0});
        let refused = Typed::new(ReadFile).prepare(arguments.as_object().unwrap()).err().unwrap();
        let text = format!("ReadFile: `{name}` is 0: it is less than the minimum of 1");
        assert_eq!(refused.to_string(), text);
    }
}

/// Pages joined by following the offsets give every line once, whatever the page's bounds.
#[tokio::test]
async fn following_the_offsets_reads_the_whole_file() {
    let scene = Scene::new();
    let line = |number: usize| format!("{number} {}", "ä".repeat(number * 7 % 3_000));
    let lines: Vec<String> = (1..=200).map(line).collect();
    scene.file("f", lines.join("\n"));
    let (mut read, mut offset) = (Vec::new(), 1);
    loop {
        let arguments = json!({"file_path": "f", "offset": offset, "limit": 1_000});
        let text = scene.ok(ReadFile, arguments).await;
        assert!(text.len() < PAGE_BYTES + 100);
        let rows = text.lines().filter_map(|row| row.split_once('\t'));
        read.extend(rows.map(|(_, line)| line.to_owned()));
        let Some((_, next)) = text.rsplit_once("go on with offset ") else { break };
        offset = next.trim_end_matches(')').parse().unwrap();
    }
    assert_eq!(read, lines);
}

// https://github.com/microsoft/vscode/pull/317862
#[tokio::test]
async fn a_huge_line_is_cut_at_a_character() {
    let scene = Scene::new();
    // 20 MB on one line; the cut falls into the middle of a character.
    scene.file("f", format!("x{}\nnext\n", "ä".repeat(10_000_000)));
    let text = scene.ok(ReadFile, json!({"file_path": "f"})).await;
    let kept = "ä".repeat((LINE_BYTES - 1) / 2);
    let note = "… (line cut: 16,383 of its 20,000,001 bytes shown)";
    assert_eq!(text, format!("     1\tx{kept}{note}\n     2\tnext"));
}

#[tokio::test]
async fn counting_ends_somewhere() {
    let scene = Scene::new();
    let counted = usize::try_from(COUNTED_BYTES).unwrap();
    let mut content = b"short\n".repeat(200);
    content.resize(content.len() + counted + (1 << 20), b'x');
    content.extend_from_slice(b"\nlast\n".repeat(50_000).as_slice());
    scene.file("f", &content);
    let text = scene.ok(ReadFile, json!({"file_path": "f"})).await;
    assert!(text.ends_with("\n(lines 1-100 of more than 200; go on with offset 101)"), "{text}");
    let text = scene.ok(ReadFile, json!({"file_path": "f", "offset": 201})).await;
    assert!(text.contains("bytes shown)\n(lines 201-201 of more than 201; go on with offset 202)"));
    let text = scene.ok(ReadFile, json!({"file_path": "f", "offset": 202, "limit": 1})).await;
    assert_eq!(text, "   202\tlast\n(lines 202-202 of 100,200; go on with offset 203)");
}

/// Neither a line nor lines without end make the page grow, or the reading go on for ever.
#[test]
fn endless_streams_make_a_page_too() {
    struct Lines;
    impl Read for Lines {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            buffer.iter_mut().zip(b"a\n".iter().cycle()).for_each(|(to, from)| *to = *from);
            Ok(buffer.len() & !1)
        }
    }
    let window = Window { first: 1, lines_max: u64::MAX };
    let page = Page::read(&mut BufReader::new(io::repeat(b'x')), window).unwrap().into_text();
    assert!(page.ends_with("(lines 1-1 of more than 1; go on with offset 2)"));
    assert!(page.len() < LINE_BYTES + 200);
    let page = Page::read(&mut BufReader::new(Lines), window).unwrap().into_text();
    assert!(page.contains(" of more than 33,5"), "{page}");
    assert!(page.len() < PAGE_BYTES + 200);
}

#[tokio::test]
async fn what_is_no_text_is_refused() {
    let scene = Scene::new();
    scene.file("image.png", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR");
    scene.file("huge.gif", [&b"GIF89a\x01\0\x01\0"[..], &vec![0; 5 << 20]].concat());
    scene.file("paper.pdf", b"%PDF-1.7");
    scene.file("blob", b"text and then\0");
    let sparse = File::create(scene.path("sparse")).unwrap();
    sparse.set_len(300 * 1024 * 1024).unwrap();
    fs::create_dir(scene.path("src")).unwrap();
    mkfifo(&scene.path("pipe"), Mode::from_bits_truncate(0o600)).unwrap();
    let binary = "ReadFile shows only text in UTF-8 and pictures";
    let table = [
        ("image.png", "image.png begins as image/png but is damaged: it has no size".to_owned()),
        (
            "huge.gif",
            "huge.gif is a picture (image/gif, 5,242,890 bytes); 5 MiB are the limit".to_owned(),
        ),
        ("paper.pdf", format!("paper.pdf is a binary file (application/pdf, 8 bytes); {binary}")),
        ("blob", format!("blob is a binary file (application/octet-stream, 14 bytes); {binary}")),
        (
            "sparse",
            format!(
                "sparse is a binary file (application/octet-stream, 314,572,800 bytes); {binary}"
            ),
        ),
        ("src", "src is a directory; Ls lists it".to_owned()),
        ("pipe", "pipe: a named pipe, not a file or directory".to_owned()),
        ("srk", "no such file or directory: srk (did you mean src?)".to_owned()),
    ];
    for (path, expected) in table {
        assert_eq!(scene.failed(ReadFile, json!({"file_path": path})).await, expected);
    }
    let late = [&[b'a'; 9_000][..], b"\0\n"].concat();
    scene.file("late", late);
    assert!(scene.ok(ReadFile, json!({"file_path": "late"})).await.ends_with(r"a\0"));
}

#[tokio::test]
async fn a_picture_comes_as_a_picture() {
    let scene = Scene::new();
    // A whole GIF of one pixel, and one of exactly the largest size.
    let small =
        b"GIF89a\x01\0\x01\0\x80\0\0\0\0\0\xff\xff\xff,\0\0\0\0\x01\0\x01\0\0\x02\x02D\x01\0;";
    scene.file("dot.gif", small);
    let mut large = small.to_vec();
    large.resize(5 << 20, 0);
    scene.file("large.gif", large);
    let outcome = scene.run(ReadFile, json!({"file_path": "dot.gif"})).await;
    assert_eq!((outcome.status(), outcome.bytes), (Status::Ok, 35));
    assert_eq!(outcome.text(), "dot.gif: image/gif, 1 × 1 pixels, 35 bytes");
    let base64 = "R0lGODlhAQABAIAAAAAAAP///ywAAAAAAQABAAACAkQBADs=".into();
    let source = MediaSource::Inline { base64 };
    assert_eq!(
        outcome.content[1],
        Content::Image(Media { media_type: "image/gif".into(), source })
    );
    let text = scene.ok(ReadFile, json!({"file_path": "large.gif"})).await;
    assert_eq!(text, "large.gif: image/gif, 1 × 1 pixels, 5,242,880 bytes");
}

/// Records of a call `c1` that printed this.
#[derive(Debug)]
struct Recorded(&'static [u8]);

impl ReadRecords for Recorded {
    fn open(&self, handle: RecordHandle) -> io::Result<Box<dyn Read + Send>> {
        match handle.to_string().as_str() {
            "record:c1/stdout" => Ok(Box::new(self.0)),
            "record:c1/stderr" => Ok(Box::new(io::empty())),
            "record:c2/stdout" => Err(io::Error::other("the disk is gone")),
            _ => Err(io::ErrorKind::NotFound.into()),
        }
    }
}

#[tokio::test]
async fn a_record_is_read_by_its_handle() {
    let scene = Scene::new();
    scene.file("record:c1/stdout", "a file of that name");
    let read = async |records: Option<Arc<dyn ReadRecords>>, arguments| {
        let (_handle, stop) = StopHandle::new();
        let call = scene.prepared(ReadFile, &arguments);
        assert_eq!(call.footprint(&scene.place), Footprint::independent());
        let outcome = call.run(Run { records, ..scene.run_with(stop) }).await;
        (outcome.status(), outcome.text())
    };
    let records: Arc<dyn ReadRecords> =
        Arc::new(Recorded(b"\x1b[1mone\x1b[0m\0\ntwo\nthr\xc3\xa9\xff\n"));
    let table = [
        (
            json!({"file_path": "record:c1/stdout", "offset": 2}),
            Status::Ok,
            "     2\ttwo\n     3\tthré\u{fffd}\n(lines 2-3 of 3)",
        ),
        (
            json!({"file_path": "record:c1/stdout", "limit": 1}),
            Status::Ok,
            "     1\tone\\0\n(lines 1-1 of 3; go on with offset 2)",
        ),
        (json!({"file_path": "record:c1/stderr"}), Status::Ok, "(record:c1/stderr is empty)"),
        (
            json!({"file_path": "record:c1/stdout", "offset": 9}),
            Status::Failed,
            "offset 9 is past the end: record:c1/stdout has 3 lines",
        ),
        (
            json!({"file_path": "record:c3/stdout"}),
            Status::Failed,
            "there is no record:c3/stdout: no call c3 has run",
        ),
        (
            json!({"file_path": "record:c2/stdout"}),
            Status::Failed,
            "record:c2/stdout: the disk is gone",
        ),
        (
            json!({"file_path": "record:../c1/stdout"}),
            Status::Failed,
            "not a record id: \"record:../c1/stdout\" (expected record:c7/stdout or \
             record:c7/stderr)",
        ),
    ];
    for (arguments, status, text) in table {
        let expected = (status, text.to_owned());
        assert_eq!(read(Some(Arc::clone(&records)), arguments).await, expected);
    }
    let (status, text) = read(None, json!({"file_path": "record:c1/stdout"})).await;
    let expected = "there is no record:c1/stdout: nothing is recorded here";
    assert_eq!((status, &*text), (Status::Failed, expected));
    let file = scene.ok(ReadFile, json!({"file_path": "./record:c1/stdout"})).await;
    assert_eq!(file, "     1\ta file of that name");
}

#[tokio::test]
async fn a_page_is_as_long_as_configured() {
    let scene = Scene::new();
    scene.file("f", numbers(1..=9));
    let (_handle, stop) = StopHandle::new();
    let run = Run { page_lines: 2, ..scene.run_with(stop) };
    let outcome = scene.prepared(ReadFile, &json!({"file_path": "f"})).run(run).await;
    assert!(outcome.text().ends_with("\n(lines 1-2 of 9; go on with offset 3)"));
}

#[tokio::test]
async fn links_lead_no_further_than_the_workspace() {
    let scene = Scene::new();
    fs::write(scene.base.join("out/secret"), "secret").unwrap();
    scene.file("a", "inside");
    scene.link("a", "b");
    scene.link("../out/secret", "leak");
    scene.link(scene.base.join("out"), "folder");
    assert_eq!(scene.ok(ReadFile, json!({"file_path": "b"})).await, "     1\tinside");
    let absolute = scene.path("b");
    assert_eq!(scene.ok(ReadFile, json!({"file_path": absolute})).await, "     1\tinside");
    for path in ["leak", "folder/secret", "../out/secret"] {
        let text = scene.failed(ReadFile, json!({"file_path": path})).await;
        assert!(text.contains("permissions.additional_directories"), "{text}");
    }
}

#[tokio::test]
async fn a_stop_ends_the_reading() {
    let scene = Scene::new();
    scene.file("f", "text");
    let (handle, stop) = StopHandle::new();
    handle.stop(StopCause::Stop);
    let call = scene.prepared(ReadFile, &json!({"file_path": "f"}));
    let outcome = call.run(scene.run_with(stop)).await;
    assert_eq!(outcome.status(), Status::Interrupted);
    assert_eq!(outcome.text(), "stopped before the lines were read");
}

#[test]
fn the_footprint_is_the_file() {
    let scene = Scene::new();
    scene.file("a", "");
    scene.link("a", "b");
    let footprint = scene.prepared(ReadFile, &json!({"file_path": "b"})).footprint(&scene.place);
    let claim = Claim::read(Resource::path(&scene.path("a")));
    assert_eq!(footprint, Footprint::independent().with(claim));
}
