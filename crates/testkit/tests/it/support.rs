//! Good requests, changed in one place.

use fanfold_testkit::strict::{Accepted, Memory, Refusal, check};
use fanfold_transcript::Wire;
use serde_json::Value;

/// One change to a good request.
pub(crate) type Change = fn(&mut Value);

/// Checks a request by itself.
pub(crate) fn ask(wire: Wire, request: &Value) -> Result<Accepted, Refusal> {
    ask_of(&mut Memory::default(), wire, request)
}

/// Checks a request with a memory.
pub(crate) fn ask_of(
    memory: &mut Memory,
    wire: Wire,
    request: &Value,
) -> Result<Accepted, Refusal> {
    check(wire, request.to_string().as_bytes(), memory)
}

/// Each change leaves the request acceptable.
pub(crate) fn accepted(wire: Wire, good: &Value, changes: &[Change]) {
    for (n, change) in changes.iter().enumerate() {
        let mut request = good.clone();
        change(&mut request);
        if let Err(refusal) = ask(wire, &request) {
            panic!("change {n} is refused: {refusal}\n{request:#}");
        }
    }
}

/// Each change is refused, at this place and with these words.
pub(crate) fn refused(wire: Wire, good: &Value, changes: &[(&str, &str, Change)]) {
    ask(wire, good).expect("the unchanged request is good");
    for (at, said, change) in changes {
        let mut request = good.clone();
        change(&mut request);
        assert_ne!(&request, good, "{at} {said} changes nothing");
        let refusal = ask(wire, &request).expect_err(&format!("{at}: {said}"));
        assert_eq!(refusal.at, *at, "{refusal}");
        assert!(refusal.said.contains(said), "{said:?} is not in {refusal}");
    }
}

/// Takes an item off a list.
pub(crate) fn drop_item(list: &mut Value, index: usize) {
    list.as_array_mut().unwrap().remove(index);
}

/// Puts an item into a list.
pub(crate) fn put_item(list: &mut Value, index: usize, item: Value) {
    list.as_array_mut().unwrap().insert(index, item);
}
