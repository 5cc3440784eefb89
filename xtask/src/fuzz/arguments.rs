//! Target `arguments`: the text of a call's arguments, as providers carry it and as plain calls.
//!
//! Held for any text: one JSON object is read as that object, bare, in a string or in a fence; what
//! is cut is never guessed; and an object cut anywhere never becomes something to run. Not here: how
//! far tolerance goes for a complete text.

mod carriers;

use fanfold_transcript::{Arguments, Reading, Wire};
use fanfold_wire::decode;
use serde_json::{Map, Value, json};

use self::carriers::{CARRIERS, Ending};
use super::random::Random;
use super::search::Target;

pub(super) const TARGET: Target = Target { name: "arguments", samples, words: &WORDS, check };

/// In how many places an object is cut.
const CUTS: usize = 8;

const SAMPLES: [&str; 20] = [
    r#"{"a":1}"#,
    r#"{"file_path": "src/lib.rs", "limit": 15.0, "deep": {"list": [1, null, {"x": "y"}]}}"#,
    r#"{"content":"{\"a\":1}","text":"café \ud83d\ude00 \\d+ \n"}"#,
    r#""{\"a\":1}""#,
    "```json\n{\"a\":1}\n```\nDone.",
    r#"{"a":1} That lists it."#,
    r#"{"a":1}{"a":2}"#,
    r#"{"a":"grep \d+"}"#,
    r#"{"a": True, "b": None,}"#,
    "{'a': 1, 'b': [True, 'it\\'s']}",
    "```python\n{'a': 1}\n```",
    r#"{"a":"x"#,
    "{a: src/lib.rs}",
    "{\"a\": \"line\nline\", \"b\": undefined}",
    "get_price(item=\"tea\", qty=2); get_price(item='rice')",
    "[get\\_price(item='tea', where={'k': [1, 2]})]",
    r#"[{"tool_name":"Ls","tool_args":{"path":"src"}},{"tool":"Ls","args":"{path: src}"}]"#,
    r#"{"calls":"[{'tool':'Ls','args':{}}]"}"#,
    "<tool_call>{\"name\":\"Ls\",\"arguments\":{\"path\":\"</b>\"}}</tool_call>",
    "null",
];

const WORDS: [&str; 32] = [
    "{",
    "}",
    "[",
    "]",
    "(",
    ")",
    ",",
    ":",
    "=",
    ";",
    "\"",
    "'",
    "\\",
    "\\\"",
    "\\u0000",
    "\\ud83d",
    "\\ude00",
    "```",
    "```json\n",
    "\n",
    "#",
    "//",
    "True",
    "None",
    "null",
    "-0",
    "1e999",
    "0x1f",
    "<tool_call>",
    "</tool_call>",
    "{\"a\":1}",
    "name(",
];

fn samples() -> Vec<Vec<u8>> {
    SAMPLES.map(|text| text.as_bytes().to_vec()).into()
}

fn check(bytes: &[u8]) -> Result<(), String> {
    let text = &*String::from_utf8_lossy(bytes);
    let object: Option<Map<String, Value>> = serde_json::from_str(text).ok();
    for (name, carry) in CARRIERS {
        let read = |text: &str, ending| calls(&carry(text, ending));
        carried(text, object.as_ref(), read).map_err(|problem| format!("{name}: {problem}"))?;
    }
    plain(text).map_err(|problem| format!("plain: {problem}"))
}

/// Holds the arguments of one call against how its reply ended.
fn carried(
    text: &str,
    object: Option<&Map<String, Value>>,
    read: impl Fn(&str, Ending) -> Result<Vec<Arguments>, String>,
) -> Result<(), String> {
    let whole = read(text, Ending::Complete)?;
    for ending in [Ending::Limit, Ending::Torn] {
        never_guessed(&read(text, ending)?, &whole)?;
    }
    let Some(object) = object else { return Ok(()) };
    if whole != [Arguments::strict(object.clone())] {
        return Err(format!("an object is read as {whole:?}"));
    }
    let wrapped = [Arguments::Object { object: object.clone(), reading: Reading::Unwrapped }];
    for wrapping in [Value::from(text).to_string(), format!("```json\n{text}\n```")] {
        let unwrapped = read(&wrapping, Ending::Complete)?;
        if unwrapped != wrapped {
            return Err(format!("{wrapping:?} is read as {unwrapped:?}"));
        }
    }
    for cut in cuts(text) {
        for ending in [Ending::Limit, Ending::Torn] {
            let arguments = read(cut, ending)?;
            if arguments != [Arguments::Cut] {
                return Err(format!("cut to {cut:?} it is {arguments:?}"));
            }
        }
    }
    Ok(())
}

/// Of a reply that ended early nothing is guessed, and what is read is what the whole one says.
fn never_guessed(early: &[Arguments], whole: &[Arguments]) -> Result<(), String> {
    let is_said = |found: &Arguments| match found.object() {
        Some(object) => whole.iter().any(|whole| whole.object() == Some(object)),
        None => found.guess().is_none(),
    };
    if early.iter().all(is_said) {
        return Ok(());
    }
    Err(format!("{whole:?} became {early:?} when the reply ended early"))
}

/// Holds plain calls that are one JSON text, as they are and as arguments, against every cut.
fn plain(text: &str) -> Result<(), String> {
    drop(decode(text.as_bytes(), Some(Wire::Plain), 1));
    let inside = format!("[{{\"tool_name\":\"Ls\",\"tool_args\":{text}}}]");
    let quoted = json!({ "tool": "Ls", "args": text }).to_string();
    for document in [text, &inside, &quoted] {
        let value = serde_json::from_str(document);
        if !matches!(value, Ok(Value::Object(_) | Value::Array(_))) {
            continue;
        }
        for cut in cuts(document) {
            let Ok(reply) = decode(cut.as_bytes(), Some(Wire::Plain), 1) else { continue };
            let mut calls = reply.calls().map(|call| &call.arguments);
            if let Some(found) = calls.find(|found| found.object().or(found.guess()).is_some()) {
                return Err(format!("cut to {cut:?} it is a call with {found:?}"));
            }
        }
    }
    Ok(())
}

/// The text without its end, cut in some places that are always the same, and before its last byte.
fn cuts(text: &str) -> impl Iterator<Item = &str> {
    let text = text.trim_end();
    let mut random = Random::new(1);
    let places = (0..CUTS).map(move |_| random.below(text.len()));
    let last = text.len().checked_sub(1);
    places.chain(last).filter_map(|at| text.get(..at))
}

/// The arguments of the calls: one call, or several where a stream sends several objects as one.
fn calls(reply: &str) -> Result<Vec<Arguments>, String> {
    let decoded = decode(reply.as_bytes(), None, 1).map_err(|error| error.to_string())?;
    Ok(decoded.calls().map(|call| call.arguments.clone()).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judged(read: fn(&str, Ending) -> Result<Vec<Arguments>, String>) -> Result<(), String> {
        let text = r#"{"a": 1}"#;
        carried(text, serde_json::from_str(text).ok().as_ref(), read)
    }

    #[test]
    fn a_reader_that_mends_what_is_cut_is_caught() {
        let good = |text: &str, ending| calls(&CARRIERS[0].1(text, ending));
        assert_eq!(judged(good), Ok(()));
        let mends = |text: &str, _| match calls(&CARRIERS[0].1(text, Ending::Complete))? {
            found if found.iter().any(|found| found.guess().is_some()) => {
                Ok(vec![Arguments::none()])
            }
            found => Ok(found),
        };
        assert!(judged(mends).unwrap_err().contains("cut to"));
        let empty = |_: &str, _| Ok(vec![Arguments::none()]);
        assert!(judged(empty).unwrap_err().contains("an object is read as"));
    }

    #[test]
    fn what_is_guessed_or_changed_by_an_early_end_is_told() {
        let problem = fanfold_transcript::ArgumentsProblem::SeveralObjects;
        let guess = [Arguments::Guessed { object: Map::new(), problem }];
        assert!(never_guessed(&guess, &guess).is_err());
        assert!(never_guessed(&[Arguments::none()], &guess).is_err());
        assert_eq!(never_guessed(&[Arguments::Cut], &guess), Ok(()));
    }
}
