//! Events come out the same however the bytes come in.

use super::*;

fn frames(input: &[u8], size: usize) -> Vec<Frame> {
    let mut framing = Framing::Unknown(Vec::new());
    let mut frames = Vec::new();
    for piece in input.chunks(size) {
        framing.push(piece);
        while let Some(frame) = framing.next().unwrap() {
            framing.is_stream();
            frames.push(frame);
        }
        framing.compact();
    }
    frames.extend(framing.rest());
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
        (" [{\"a\":1}\n,\r\n{\"a\":1}]\n", vec![one, one]),
        ("{\"a\":\"}{\\\"\"}{\"a\":1}", vec!["data: {\"a\":\"}{\\\"\"}", one]),
        ("{\"b\":{\"c\":1}\n{\"a\":1}\n", vec!["torn: {\"b\":{\"c\":1}", one]),
        ("{\"b\":[\n{\"c\":1},\n{\"c\":1}]}\n", vec!["data: {\"b\":[\n{\"c\":1},\n{\"c\":1}]}"]),
        ("dat", vec![]),
        ("data", vec![]),
        ("prose {\"a\":1}", vec![]),
        ("", vec![]),
    ];
    for (input, expected) in table {
        for size in 1..=input.len().max(1) {
            let shown: Vec<String> = frames(input.as_bytes(), size).iter().map(show).collect();
            assert_eq!(shown, expected, "{input:?} by {size}");
        }
    }
}

#[test]
fn text_cut_within_a_character_is_whole_again_and_broken_text_is_replaced() {
    let input = "data: {\"a\":\"語é\"}\n\n".as_bytes();
    for size in 1..input.len() {
        let shown: Vec<String> = frames(input, size).iter().map(show).collect();
        assert_eq!(shown, ["data: {\"a\":\"語é\"}"]);
    }
    let shown: Vec<String> = frames(b"data: {\"a\":\"\xff\"}\n\n", 3).iter().map(show).collect();
    assert_eq!(shown, ["data: {\"a\":\"\u{fffd}\"}"]);
}

fn show(frame: &Frame) -> String {
    match frame {
        Frame::Event { text, torn: false } => format!("data: {text}"),
        Frame::Event { text, torn: true } => format!("torn: {text}"),
        Frame::Done => "[DONE]".to_owned(),
    }
}
