//! Events come out the same however the bytes come in.

use super::*;

/// The frames in short form, up to an error.
fn frames(input: &[u8], size: usize) -> Vec<String> {
    let mut framing = Framing::Unknown(Vec::new());
    let mut frames = Vec::new();
    for piece in input.chunks(size) {
        framing.push(piece);
        loop {
            match framing.next() {
                Ok(Some(frame)) => frames.push(show(&frame)),
                Ok(None) => break,
                Err(_) => {
                    frames.push("unclosed".to_owned());
                    return frames;
                }
            }
            framing.is_stream();
        }
        framing.compact();
    }
    frames.extend(framing.rest().as_ref().map(show));
    frames
}

#[test]
fn every_way_to_write_events_is_read() {
    let one = "data: {\"a\":1}";
    let table = [
        ("data: {\"a\":1}\n\ndata: [DONE]\n\n", vec![one, "[DONE]"]),
        ("\u{feff}\n: hello\nevent: x\r\ndata:{\"a\":1}\r\n\r\n", vec![one]),
        ("data: {\"a\":1}\revent: x\r\r: bye\r", vec![one]),
        ("id: 7\ndata: {\"a\":\ndata: 1}\nretry: 5\n\n", vec!["data: {\"a\":\n1}"]),
        ("data: {\"a\":1}\n", vec!["torn: {\"a\":1}"]),
        ("data: {\"a\":1}\n\ndata: {\"b\"", vec![one, "torn: {\"b\""]),
        ("event: error\ndata\ndata:\n\n: x\n{\"a\":1}\n", vec![one]),
        ("{\"a\":1}\n{\"a\":1}", vec![one, one]),
        ("\u{feff}\n \u{feff} {\"a\":1}", vec![one]),
        (" [{\"a\":1}\n,\r\n{\"a\":1}]\n", vec![one, one]),
        ("{\"a\":\"}{\\\"\"}{\"a\":1}", vec!["data: {\"a\":\"}{\\\"\"}", one]),
        ("{\"type\":\"response.created\",\"b\":{}\n{\"a\":1}\n", vec![one]),
        ("{\"a\":1}\n{\"b\":{\"c\":1}", vec![one]),
        ("{\"a\":1}\n{\"b\":{\"c\":1}\n{\"a\":1}\n", vec![one, "unclosed"]),
        ("{\"a\":1}\n{\"b\":\"c\n", vec![one]),
        ("{\"a\":1}\n{\"b\":\"c\n{\"a\":1}\n", vec![one, "unclosed"]),
        ("{\"b\":[\n{\"c\":1},\n{\"c\":1}]}\n", vec!["data: {\"b\":[\n{\"c\":1},\n{\"c\":1}]}"]),
        ("dat", vec![]),
        ("data", vec![]),
        ("prose {\"a\":1}", vec![]),
        ("", vec![]),
    ];
    for (input, expected) in table {
        for size in 1..=input.len().max(1) {
            assert_eq!(frames(input.as_bytes(), size), expected, "{input:?} by {size}");
        }
    }
}

#[test]
fn text_cut_within_a_character_is_whole_again_and_broken_text_is_replaced() {
    let input = "data: {\"a\":\"語é\"}\n\n".as_bytes();
    for size in 1..input.len() {
        assert_eq!(frames(input, size), ["data: {\"a\":\"語é\"}"]);
    }
    let broken = b"data: {\"a\":\"\xff\"}\n\n";
    assert_eq!(frames(broken, 3), ["data: {\"a\":\"\u{fffd}\"}"]);
}

fn show(frame: &Frame) -> String {
    match frame {
        Frame::Event { text, torn: false } => format!("data: {text}"),
        Frame::Event { text, torn: true } => format!("torn: {text}"),
        Frame::Done => "[DONE]".to_owned(),
    }
}
