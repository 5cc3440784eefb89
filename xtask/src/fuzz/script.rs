//! Target `script`: scripts, the models that are written down.
//!
//! Held for any text: it is a script, or the error says what is wrong; whatever is one plays on every
//! wire, and a reply that was played whole reads as what it says. Not here: which reply answers which
//! request, of which the model crate's own tests have tables.

use fanfold_model::Script;
use fanfold_model::script::{Answer, End, Player, ReplyBody, Said, Saying, Spoken, encode};
use fanfold_transcript::{Assistant, Json, Usage, Wire};
use fanfold_wire::{Endpoint, decode};

use super::search::Target;

pub(super) const TARGET: Target = Target { name: "script", samples, words: &WORDS, check };

const SAMPLES: [&str; 5] = [
    r#"{"replies": [{"say": [{"text": "Let me look."}, {"call": {"tool": "Ls", "arguments": {"path": "src"}}}]}, {"say": [{"text": "One file."}]}]}"#,
    r#"{"wire": "gemini", "model": "m", "replies": [{"say": [{"thinking": "Both.", "at_ms": 50, "chunks": 3}, {"call": {"tool": "ReadFile", "arguments": {"file_path": "ä.txt"}, "id": "x"}, "at_ms": 100}, {"call": {"tool": "WriteFile", "arguments": "{\"content\": \"Once up"}, "at_ms": 600}], "stop": "output_limit", "ends_at_ms": 1000, "usage": {"input": 12, "output": 3}}]}"#,
    r#"{"replies": [{"when": {"tokens_above": 50}, "faults": [{"prompt_too_long": {"above_tokens": 50}}]}, {"faults": [{"status": 429, "retry_after_s": 1}, {"status": 529, "message": "Overloaded"}, {"broken": {"after": 1, "mid_piece": true}}, "empty", {"silent_ms": 3}], "say": [{"text": "At last."}], "repeat": true}]}"#,
    r#"{"wire": "openai-chat", "replies": [{"when": {"replies": 0, "contains": "x", "last_contains": "y"}, "raw": [{"at_ms": 310, "bytes": "data: {\"choices\":[]}\n\n"}], "broken": false}]}"#,
    r#"{"wire": "openai-responses", "replies": [{"faults": ["empty"], "repeat": true}, {"say": [{"thinking": ""}, {"text": ""}, {"call": {"tool": "a b", "arguments": [1]}}], "stop": "refused"}]}"#,
];

const WORDS: [&str; 34] = [
    "{",
    "}",
    "[",
    "]",
    ",",
    "\"",
    "\\u0000",
    "\\ud83d\\ude00",
    "null",
    "-1",
    "1e999",
    "18446744073709551615",
    "\"at_ms\":18446744073709551615,",
    "\"chunks\":1000000000,",
    "\"chunks\":0,",
    "\"chunks\":2,",
    "\"ends_at_ms\":0,",
    "\"repeat\":true,",
    "\"when\":{},",
    "\"stop\":\"output_limit\",",
    "\"stop\":\"refused\",",
    "\"faults\":[\"empty\"],",
    "{\"broken\":{\"after\":0}},",
    "{\"broken\":{\"after\":9,\"mid_piece\":true}},",
    "{\"status\":400},",
    "{\"text\":\"x\"},",
    "{\"text\":\"\"},",
    "{\"thinking\":\"x\",\"chunks\":9},",
    "{\"call\":{\"tool\":\"Ls\"}},",
    "{\"call\":{\"tool\":\"\",\"id\":\"\"}},",
    "{\"call\":{\"tool\":\"Ls\",\"arguments\":\"{\"}},",
    "{\"call\":{\"tool\":\"Ls\",\"arguments\":null}},",
    "\"wire\":\"gemini\",",
    "\"usage\":{\"input\":18446744073709551615},",
];

/// Requests that hold no reply, one and two, in the forms of all wires at once.
const REQUESTS: [&str; 3] = [
    r#"{"messages":[{"role":"user","content":"x"}],"input":"x","contents":[]}"#,
    r#"{"messages":[{"role":"assistant"},{"role":"user","content":"xy"}],"input":[{"type":"function_call"},{"role":"user","content":"xy"}],"contents":[{"role":"model"},{"role":"user","parts":[{"text":"xy"}]}]}"#,
    r#"{"messages":[{"role":"assistant"},{"role":"user"},{"role":"assistant"}],"input":[{"role":"assistant"},{"role":"user"},{"role":"assistant"}],"contents":[{"role":"model"},{},{"role":"model"}]}"#,
];

/// How often each request is made: the faults of a reply are used up one by one.
const ATTEMPTS: usize = 3;

fn samples() -> Vec<Vec<u8>> {
    SAMPLES.map(|text| text.as_bytes().to_vec()).into()
}

fn check(bytes: &[u8]) -> Result<(), String> {
    let script = match Script::parse(&String::from_utf8_lossy(bytes)) {
        Ok(script) => script,
        Err(error) if error.to_string().is_empty() => {
            return Err("an error that says nothing".to_owned());
        }
        Err(_) => return Ok(()),
    };
    for wire in Endpoint::ALL.map(Endpoint::wire) {
        for reply in &script.replies {
            if let ReplyBody::Spoken(spoken) = &reply.body {
                reads_as_said(spoken, wire).map_err(|what| format!("as {wire}: {what}"))?;
            }
        }
        plays(&script, wire)?;
    }
    Ok(())
}

/// Plays a written reply whole, and reads it.
fn reads_as_said(spoken: &Spoken, wire: Wire) -> Result<(), String> {
    let seal = |_: &str| "c2VhbGVk".to_owned();
    let saying = Saying { model: "m", tag: "t", usage: Usage::default(), seal: &seal };
    let Some(Answer::Stream { chunks, end: End::Whole }) = encode(wire, spoken, None, &saying)
    else {
        return Err("it is no whole stream".to_owned());
    };
    if chunks.iter().zip(chunks.iter().skip(1)).any(|(one, next)| one.at_ms > next.at_ms) {
        return Err(format!("time runs backwards in {chunks:?}"));
    }
    let bytes: Vec<u8> = chunks.into_iter().flat_map(|chunk| chunk.bytes).collect();
    let reply = decode(&bytes, Some(wire), 1);
    let reply = reply.map_err(|error| format!("{error} in {}", bytes.escape_ascii()))?;
    let (said, read) = (Gist::said(spoken), Gist::read(&reply));
    if said == read {
        return Ok(());
    }
    Err(format!("{said:?} reads as {read:?} in {}", bytes.escape_ascii()))
}

/// What no wire may lose: the text, and the tools of the calls.
#[derive(Debug, PartialEq, Eq)]
struct Gist {
    text: String,
    tools: Vec<String>,
}

impl Gist {
    fn said(spoken: &Spoken) -> Self {
        let mut gist = Self { text: String::new(), tools: Vec::new() };
        for piece in &spoken.pieces {
            match &piece.said {
                Said::Text(text) => gist.text.push_str(text),
                Said::Thinking(_) => {}
                Said::Call(call) => gist.tools.push(call.tool.to_string()),
            }
        }
        gist
    }

    fn read(reply: &Assistant) -> Self {
        let tools = reply.calls().map(|call| call.tool.to_string()).collect();
        Self { text: reply.text(), tools }
    }
}

/// Answers every request a few times; what is sent reads as something.
fn plays(script: &Script, wire: Wire) -> Result<(), String> {
    let player = Player::new(script.clone());
    for request in REQUESTS {
        let body = Json::parse(request).map_err(|error| error.to_string())?;
        for _ in 0..ATTEMPTS {
            match player.answer(wire, &body, &|_| "c2VhbGVk".to_owned()) {
                Answer::Stream { chunks, .. } => {
                    let bytes: Vec<u8> = chunks.into_iter().flat_map(|chunk| chunk.bytes).collect();
                    // A stream that broke may be anything, but never a panic.
                    drop(decode(&bytes, Some(wire), 1));
                }
                Answer::Refusal { status, body, .. } => {
                    let is_json = Json::parse(&body).is_ok();
                    if !is_json || !(400..600).contains(&status) {
                        return Err(format!("a refusal with status {status} that says {body}"));
                    }
                }
                Answer::Silent { .. } => {}
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reply_that_reads_otherwise_is_told() {
        let script = Script::parse(SAMPLES[0]).unwrap();
        let ReplyBody::Spoken(spoken) = &script.replies[0].body else { panic!("it is written") };
        assert_eq!(reads_as_said(spoken, Wire::Anthropic), Ok(()));
        let mut other = Gist::said(spoken);
        other.tools.push("Rm".to_owned());
        assert_ne!(other, Gist::said(spoken));
    }
}
