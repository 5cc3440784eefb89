//! A whole response, as it came or as it was put together from a stream.

use fanfold_transcript::{Assistant, Block, BlockBody, Content, Json, Source, Stop, Usage, Wire};
use serde_json::value::RawValue;

use crate::arguments::{self, End, Place, Sent};
use crate::detect;
use crate::error::DecodeError;
use crate::live::CallIds;
use crate::raw::{self, RawObject};

/// A whole response.
pub(crate) fn read(response: &RawObject, ids: CallIds) -> Result<Assistant, DecodeError> {
    let expected = "an object with an `output` array";
    let missing = DecodeError::NoReply { wire: Wire::OpenaiResponses, expected };
    let items = response.array("output").ok_or(missing)?;
    if items.is_empty()
        && let Some(error) = detect::provider_error(response)
    {
        return Err(DecodeError::Provider(error));
    }
    read_response(response, items, Stop::Finished, ids)
}

/// The output items of a response without the response.
pub(crate) fn read_items(
    items: Vec<Box<RawValue>>,
    ids: CallIds,
) -> Result<Assistant, DecodeError> {
    read_response(&RawObject::default(), items, Stop::Finished, ids)
}

/// A response whose items are given apart; `silent` is its stop when it names none.
pub(super) fn read_response(
    response: &RawObject,
    items: Vec<Box<RawValue>>,
    silent: Stop,
    ids: CallIds,
) -> Result<Assistant, DecodeError> {
    let stop = stop(response).unwrap_or(silent);
    let blocks = read_all(items, End::of(&stop), ids)?;
    let refused = stop == Stop::Finished && blocks.iter().any(refuses);
    let stop = if refused { Stop::Refused } else { stop };
    let source = Source {
        asked: None,
        wire: Wire::OpenaiResponses,
        model: response.word("model"),
        response_id: response.word("id"),
        extras: None,
    };
    Ok(Assistant { blocks, source, stop, usage: usage(response) })
}

/// The items of a response that ended so, or some of them.
pub(super) fn read_all(
    items: Vec<Box<RawValue>>,
    end: End,
    mut ids: CallIds,
) -> Result<Vec<Block>, DecodeError> {
    let count = items.len();
    let mut blocks = Vec::with_capacity(count);
    for (index, item) in items.into_iter().enumerate() {
        let object = raw::object(&item).unwrap_or_default();
        let open = object.string("status").as_deref() == Some("incomplete");
        let place = Place::new(open || index + 1 == count);
        let body = read_item(&item, &object, (place, end), &mut ids)?;
        let signature = object.word("encrypted_content");
        blocks.push(Block { body, signature, original: Some(Json::from(item)) });
    }
    Ok(blocks)
}

fn read_item(
    raw: &RawValue,
    item: &RawObject,
    (place, end): (Place, End),
    ids: &mut CallIds,
) -> Result<BlockBody, DecodeError> {
    Ok(match item.string("type").as_deref() {
        Some("message") => {
            let texts =
                parts(item).filter_map(|part| part.string("text").or(part.string("refusal")));
            BlockBody::Content(Content::text(texts.collect::<String>()))
        }
        Some("reasoning") => {
            let texts = item.objects("summary").into_iter().chain(item.objects("content"));
            let texts: Vec<String> = texts.filter_map(|part| part.string("text")).collect();
            BlockBody::Thinking(texts.join("\n\n").into())
        }
        Some("function_call") => {
            let sent = Sent::new(arguments::text(item, "arguments"), place, end);
            let tool = item.string("name").unwrap_or_default();
            BlockBody::Call(arguments::call(ids.next()?, item.word("call_id"), &tool, sent))
        }
        _ => BlockBody::Content(Content::Opaque(Json::from(raw.to_owned()))),
    })
}

fn refuses(block: &Block) -> bool {
    let item = block.original.as_ref().and_then(|item| raw::object(item.raw()));
    item.is_some_and(|item| parts(&item).any(|part| part.has("refusal")))
}

fn parts(item: &RawObject) -> impl Iterator<Item = RawObject> + use<> {
    item.objects("content").into_iter()
}

fn stop(response: &RawObject) -> Option<Stop> {
    let details = response.object("incomplete_details").unwrap_or_default();
    Some(match (&*response.word("status")?, details.word("reason").as_deref()) {
        ("completed", _) => Stop::Finished,
        ("incomplete", Some("max_output_tokens" | "max_tokens") | None) => Stop::OutputLimit,
        ("incomplete", Some("content_filter")) => Stop::Refused,
        ("incomplete", Some(reason)) => Stop::Other(reason.into()),
        // The head of a stream that broke, or a failure after some output.
        ("in_progress" | "queued", _) => return None,
        ("failed", _) => Stop::Unfinished,
        (other, _) => Stop::Other(other.into()),
    })
}

/// The input is counted with its cached part, which is taken off here.
fn usage(response: &RawObject) -> Usage {
    let usage = response.object("usage").unwrap_or_default();
    let input = usage.object("input_tokens_details").unwrap_or_default();
    let output = usage.object("output_tokens_details").unwrap_or_default();
    let cache_read = input.number("cached_tokens");
    let cache_write = input.number("cache_write_tokens");
    let cached = cache_read.unwrap_or(0).saturating_add(cache_write.unwrap_or(0));
    Usage {
        input: usage.number("input_tokens").map(|all| all.saturating_sub(cached)),
        cache_read,
        cache_write,
        output: usage.number("output_tokens"),
        reasoning: output.number("reasoning_tokens"),
    }
}
