//! Captured output: cuts, characters, escapes, and how little of it is kept.

use proptest::prelude::*;

use super::*;

fn captured(head_bytes: usize, tail_bytes: usize, chunks: &[&[u8]]) -> Captured {
    let sink = Sink::new(Limits { head_bytes, tail_bytes });
    for chunk in chunks {
        sink.write(Stream::Stdout, chunk);
    }
    assert_eq!(sink.captured(Stream::Stderr).text, "");
    sink.captured(Stream::Stdout)
}

#[test]
fn whole_output_becomes_plain_text() {
    let table: [(&[u8], &str); 18] = [
        (b"", ""),
        (b"one\r\ntwo\n", "one\r\ntwo\n"),
        ("né 語 🦀".as_bytes(), "né 語 🦀"),
        (b"a\0b", "a\\0b"),
        (b"a\xffb\xc3", "a\u{fffd}b\u{fffd}"),
        (b"\x1b[1;31mred\x1b[0m", "red"),
        (b"\x1b]0;title\x07after", "after"),
        (b"\x1b]8;;http://a/\x1b\\link\x1b]8;;\x1b\\", "link"),
        ("\x1b]0;tïtle\x07after".as_bytes(), "after"),
        (b"\x1bPdevice\x1b\\after", "after"),
        (b"\x1b(B\x1b)0\x1b7\x1b8\x1b=x\x1bcy", "xy"),
        (b"\x1b[2K\x1b[1Gx", "x"),
        (b"\x1b[?25lx\x1b[?25h", "x"),
        (b"\x1b[1\nx", "\nx"),
        (b"\x1b]never closed\nnext line", "\nnext line"),
        (b"\x1b]a\x1b[1mb", "b"),
        (b"\x1b\x1b[1mx", "x"),
        (b"x\x1b[3", "x"),
    ];
    for (bytes, text) in table {
        let whole = captured(64, 64, &[bytes]);
        assert_eq!((&*whole.text, whole.cut), (text, None), "{bytes:?}");
        assert_eq!(whole.bytes, count(bytes.len()));
    }
}

#[test]
fn a_cut_names_the_stream_and_what_is_left_out() {
    let cut = captured(4, 4, &[b"ab\ncd\nef\ngh"]);
    let marker = "[stdout: 3 bytes and 1 line ends left out here, of 11 bytes in 4 lines]";
    assert_eq!(cut.text, format!("ab\nc\n{marker}\nf\ngh"));
    assert_eq!(cut.cut, Some(Cut { bytes: 11, lines: 4 }));
}

#[test]
fn output_at_the_limit_is_whole_and_one_byte_more_is_not() {
    let at = captured(4, 4, &[b"abcdefgh"]);
    assert_eq!((&*at.text, at.lines, at.cut), ("abcdefgh", 1, None));
    assert!(captured(4, 4, &[b"abcdefghi"]).text.ends_with("]\nfghi"));
    assert_eq!(captured(0, 0, &[]).text, "");
    assert!(captured(0, 0, &[b"x"]).text.starts_with("[stdout: 1 bytes"));
}

#[test]
fn a_line_without_its_end_counts_even_where_its_last_byte_is_not_kept() {
    let table: [(usize, usize, &[&[u8]], u64); 7] = [
        (0, 0, &[], 0),
        (0, 0, &[b"x"], 1),
        (0, 0, &[b"a\nb"], 2),
        (0, 0, &[b"a\nb", b"\n", b""], 2),
        (1, 0, &[b"a\n"], 1),
        (2, 0, &[b"a\nb"], 2),
        (0, 1, &[b"a\nb"], 2),
    ];
    for (head_bytes, tail_bytes, chunks, lines) in table {
        let kept = captured(head_bytes, tail_bytes, chunks);
        assert_eq!(kept.lines, lines, "{head_bytes} {tail_bytes} {chunks:?}");
        assert!(kept.cut.is_none_or(|cut| cut.lines == lines));
    }
}

/// Head and tail of a cut text, without the marker.
fn parts(captured: &Captured) -> (&str, &str) {
    let (head, rest) = captured.text.split_once("[stdout: ").unwrap();
    (head, rest.split_once("]\n").unwrap().1)
}

// https://github.com/yologdev/yoyo-evolve/issues/250
// https://github.com/Karanjot786/TermUI/issues/2017
#[test]
fn a_cut_splits_no_character_and_leaks_no_sequence() {
    let table: [(&[u8], (&str, &str)); 7] = [
        ("abcé----éxyz".as_bytes(), ("abc\n", "xyz")),
        ("ab語---語yz".as_bytes(), ("ab\n", "yz")),
        ("a🦀---🦀z".as_bytes(), ("a\n", "z")),
        (b"ab\x1b[1m----\x1b[1myz", ("ab\n", "yz")),
        (b"abcd----\x1b[31mz", ("abcd\n", "z")),
        (b"abcd\x1b]0;a long title\x07z", ("abcd\n", "z")),
        // These were invalid before the cut.
        (b"abc\xff----\xffxyz", ("abc\u{fffd}\n", "\u{fffd}xyz")),
    ];
    for (bytes, expected) in table {
        assert_eq!(parts(&captured(4, 4, &[bytes])), expected, "{bytes:?}");
    }
}

/// A copy in memory, with its record whole or not.
#[derive(Debug, Default)]
struct Copied {
    bytes: Mutex<Vec<(Stream, Vec<u8>)>>,
    is_whole: bool,
}

impl CopyTo for Copied {
    fn write(&self, stream: Stream, bytes: &[u8]) {
        self.bytes.lock().unwrap().push((stream, bytes.to_vec()));
    }

    fn recorded(&self, stream: Stream) -> Option<Recorded> {
        let handle = format!("record:c3/{stream}").parse().unwrap();
        let is_known = stream == Stream::Stdout;
        is_known.then_some(Recorded { handle, is_whole: self.is_whole })
    }
}

#[test]
fn a_copy_gets_every_byte_and_its_handle_is_named_where_something_is_cut() {
    for (is_whole, named) in [
        (true, "in 1 lines; full output: record:c3/stdout]"),
        (false, "in 1 lines; full output: record:c3/stdout (not whole)]"),
    ] {
        let copy = Arc::new(Copied { is_whole, ..Copied::default() });
        let sink = Sink::with_copy(Limits { head_bytes: 2, tail_bytes: 2 }, Arc::clone(&copy) as _);
        sink.write(Stream::Stdout, b"abcd");
        assert_eq!(sink.captured(Stream::Stdout).text, "abcd");
        sink.write(Stream::Stderr, b"12345");
        sink.write(Stream::Stdout, b"\xff");
        let text = sink.captured(Stream::Stdout).text;
        assert!(text.contains(named), "{text}");
        // Not recorded: nothing to name.
        assert!(sink.captured(Stream::Stderr).text.contains("in 1 lines]"));
        let expected = [
            (Stream::Stdout, b"abcd".to_vec()),
            (Stream::Stderr, b"12345".to_vec()),
            (Stream::Stdout, b"\xff".to_vec()),
        ];
        assert_eq!(*copy.bytes.lock().unwrap(), expected);
    }
}

#[test]
fn memory_stays_flat() {
    let limits = Limits::default();
    let mut kept = Kept::new(limits);
    for size in [1, 7, 4096, 100_000].into_iter().cycle().take(2_000) {
        kept.push(&vec![b'x'; size]);
    }
    assert_eq!(kept.bytes, 500 * (1 + 7 + 4096 + 100_000));
    assert!(kept.head.capacity() <= 2 * limits.head_bytes);
    assert!(kept.tail.capacity() <= 4 * limits.tail_bytes);
}

/// Bytes rich in what matters here.
fn output() -> impl Strategy<Value = Vec<Vec<u8>>> {
    let piece = prop_oneof![
        proptest::collection::vec(any::<u8>(), 0..6),
        "[a-c\n\0é語🦀]{0,6}".prop_map(String::into_bytes),
        Just(b"\x1b[1;31m".to_vec()),
        Just(b"\x1b]0;t\x07".to_vec()),
        Just(b"\x1b\\".to_vec()),
    ];
    proptest::collection::vec(piece, 0..12)
}

proptest! {
    #[test]
    fn a_reader_gives_what_the_whole_text_would(pieces in output(), size in 1..9_usize) {
        let all = pieces.concat();
        let mut reader = PlainReader::new(&*all);
        let (mut read, mut buffer) = (Vec::new(), vec![0; size]);
        while let length @ 1.. = std::io::Read::read(&mut reader, &mut buffer).unwrap() {
            read.extend_from_slice(&buffer[..length]);
        }
        prop_assert_eq!(read, Parser::START.strip(&all));
    }

    #[test]
    fn chunks_do_not_matter_and_text_is_bounded(
        pieces in output(), head in 0..12_usize, tail in 0..12_usize,
    ) {
        let all = pieces.concat();
        let chunks: Vec<&[u8]> = pieces.iter().map(AsRef::as_ref).collect();
        let once = captured(head, tail, &[&all]);
        let bytes: Vec<&[u8]> = all.chunks(1).collect();
        prop_assert_eq!(&captured(head, tail, &chunks), &once);
        prop_assert_eq!(&captured(head, tail, &bytes), &once);
        prop_assert!(!once.text.contains(['\0', '\x1b']));
        prop_assert_eq!(once.cut.is_some(), all.len() > head + tail);
        // A byte becomes at most one replacement character of three bytes.
        prop_assert!(once.text.len() <= 3 * (head + tail) + 200);
    }

    #[test]
    fn a_cut_adds_no_replacement_character(
        text in "[a\né語🦀]{0,40}", head in 0..12_usize, tail in 0..12_usize,
    ) {
        let cut = captured(head, tail, &[text.as_bytes()]);
        prop_assert!(!cut.text.contains(char::REPLACEMENT_CHARACTER));
        if cut.cut.is_some() {
            let (head, tail) = parts(&cut);
            prop_assert!(text.starts_with(head.trim_end_matches('\n')));
            prop_assert!(text.ends_with(tail));
        }
    }
}

#[test]
fn a_stream_that_ends_inside_a_sequence_ends() {
    for all in [&b"a\x1b"[..], b"a\x1b[3", b"a\x1b]0;title"] {
        let mut text = Vec::new();
        std::io::Read::read_to_end(&mut PlainReader::new(all), &mut text).unwrap();
        assert_eq!(text, b"a");
    }
}

#[test]
fn lines_are_told_once_and_whole() {
    let sink = Sink::new(Limits { head_bytes: 8, tail_bytes: 8 });
    let mut at = 0;
    let mut told = Vec::new();
    for piece in ["on", "e\ntw", "o\nthree\n", "four", " and more than is kept\nlast\n", ""] {
        sink.write(Stream::Stdout, piece.as_bytes());
        let (lines, end) = sink.lines_since(Stream::Stdout, at);
        at = end;
        told.push(lines);
    }
    assert_eq!(told, ["", "one\n", "two\nthree\n", "", "pt\nlast\n", ""]);
}
