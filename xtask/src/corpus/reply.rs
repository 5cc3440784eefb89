//! All that must hold for one recorded reply.
//!
//! However its bytes are cut, it reads the same; written back it is what was recorded; and each of
//! its calls gets exactly one result. Not here: what a broken call should become (`malformed.rs`).

use fanfold_transcript::{Arguments, Assistant, Call, Decline, Outcome, Wire};
use fanfold_wire::{DecodeError, Decoder, Progress, decode, write_reply, write_results};

use crate::corpus::parts;

/// What the bytes turned out to be.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Found {
    /// A reply of a model.
    Reply {
        /// Its calls.
        calls: usize,
        /// Those of them that were cut.
        cut: usize,
    },
    /// An error body, read as such.
    ProviderError,
}

/// How many ways of cutting the bytes are tried beside the whole and the single bytes.
const RANDOM_CUTS: u64 = 4;

/// Holds one reply against all that must be true of it.
///
/// # Errors
/// What is not true.
pub(super) fn check(bytes: &[u8], wire: Wire) -> Result<Found, String> {
    let whole = decode(bytes, Some(wire), 1);
    cut_anywhere(bytes, wire, &whole)?;
    let mut reply = match whole {
        Ok(reply) => reply,
        Err(DecodeError::Provider(_)) => return Ok(Found::ProviderError),
        Err(error) => return Err(error.to_string()),
    };
    if decode(bytes, None, 1).as_ref() != Ok(&reply) {
        return Err("reads otherwise when its format is not told".to_owned());
    }
    parts::compare(bytes, &reply, &write_reply(&reply))?;
    one_result_per_call(&mut reply)?;
    let cut = reply.calls().filter(|call| call.arguments == Arguments::Cut).count();
    Ok(Found::Reply { calls: reply.calls().count(), cut })
}

fn cut_anywhere(
    bytes: &[u8],
    wire: Wire,
    whole: &Result<Assistant, DecodeError>,
) -> Result<(), String> {
    if read_in_chunks(bytes, wire, || 1)? != *whole {
        return Err("reads otherwise byte by byte".to_owned());
    }
    for seed in 1..=RANDOM_CUTS {
        let mut state = seed;
        if read_in_chunks(bytes, wire, || chunk_len(&mut state))? != *whole {
            return Err(format!("reads otherwise in the chunks of seed {seed}"));
        }
    }
    Ok(())
}

/// Reads in chunks of the given lengths. A call that was handed out early must not change later.
fn read_in_chunks(
    bytes: &[u8],
    wire: Wire,
    mut next_len: impl FnMut() -> usize,
) -> Result<Result<Assistant, DecodeError>, String> {
    let mut decoder = Decoder::new(Some(wire), 1);
    let mut early: Vec<Call> = Vec::new();
    let mut rest = bytes;
    while !rest.is_empty() {
        let (chunk, after) = rest.split_at(next_len().min(rest.len()));
        rest = after;
        if let Err(error) = decoder.feed(chunk) {
            return Ok(Err(error));
        }
        while let Some(progress) = decoder.poll() {
            match progress {
                Progress::CallReady(id) => {
                    let call = decoder.call(id).ok_or_else(|| format!("{id} is not there"))?;
                    early.push(call.clone());
                }
                Progress::Restarted => early.clear(),
                Progress::Text(_) | Progress::Thinking(_) | Progress::CallOpened(_) => {}
            }
        }
    }
    let reply = decoder.finish();
    if let Ok(reply) = &reply {
        let changed = early.iter().find(|call| !reply.calls().any(|last| last == *call));
        if let Some(call) = changed {
            return Err(format!("{} was handed out and changed later", call.id));
        }
    }
    Ok(reply)
}

/// From 1 to 64 bytes, by a linear congruential generator: the same ones on every run.
fn chunk_len(state: &mut u64) -> usize {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    usize::try_from(*state >> 58).unwrap_or_default() + 1
}

fn one_result_per_call(reply: &mut Assistant) -> Result<(), String> {
    for call in reply.calls_mut() {
        let outcome = Outcome::declined(Decline::UnknownTool, "no such tool");
        call.settle(outcome).map_err(|error| error.to_string())?;
    }
    let results = write_results(reply).map_err(|error| error.to_string())?;
    let asked = parts::call_keys(reply.source.wire, &write_reply(reply))?;
    let answered = parts::result_keys(reply.source.wire, &results)?;
    if asked.len() != reply.calls().count() {
        return Err(format!("{} calls, {} of them written", reply.calls().count(), asked.len()));
    }
    if asked != answered {
        return Err(format!("the calls are {asked:?}, the results are for {answered:?}"));
    }
    let names_itself = |key: &parts::Key| key.id.is_some();
    let is_twin = |(at, key): (usize, &parts::Key)| names_itself(key) && asked[..at].contains(key);
    if asked.iter().enumerate().any(is_twin) {
        return Err(format!("two calls share an id: {asked:?}"));
    }
    Ok(())
}
