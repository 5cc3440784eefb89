//! Which blocks of a streaming reply were given away before its end.
//!
//! Not here: what a block is. Each stream reads its own.

use std::collections::BTreeMap;

use fanfold_transcript::{Block, BlockBody, CallId};

use crate::live::Live;

/// How far a stream's blocks have been given away. All that is ever asked costs one pass over them.
#[derive(Debug, Default)]
pub(crate) struct Cursor {
    next: usize,
    /// Calls that were passed over because they were still open, with their places.
    passed: BTreeMap<CallId, usize>,
}

impl Cursor {
    /// Those of `count` places that have not been given yet, up to that of `call`, which was handed
    /// out. `call_at` says which call stands at a place; one that came out later or is still open
    /// is passed over, however far the stream has been read meanwhile.
    pub(crate) fn until(
        &mut self,
        call: CallId,
        count: usize,
        call_at: impl Fn(usize) -> Option<CallId>,
        live: &Live,
    ) -> Vec<usize> {
        if let Some(place) = self.passed.remove(&call) {
            return vec![place];
        }
        let (mut places, mut open) = (Vec::new(), Vec::new());
        for place in self.next..count {
            let at = call_at(place);
            match at.filter(|id| !live.is_out_with(*id, call)) {
                Some(id) => open.push((id, place)),
                None => places.push(place),
            }
            if at == Some(call) {
                self.next = place + 1;
                self.passed.extend(open);
                return places;
            }
        }
        Vec::new()
    }
}

/// Puts the calls as they were handed out into blocks that were read from the stream so far.
pub(crate) fn as_handed_out(
    mut blocks: Vec<Block>,
    calls: impl Iterator<Item = CallId>,
    live: &Live,
) -> Vec<Block> {
    let read = blocks.iter_mut().filter_map(|block| match &mut block.body {
        BlockBody::Call(call) => Some(call),
        BlockBody::Content(_) | BlockBody::Thinking(_) => None,
    });
    for (read, id) in read.zip(calls) {
        if let Some(call) = live.call(id) {
            *read = call.clone();
        }
    }
    blocks
}
