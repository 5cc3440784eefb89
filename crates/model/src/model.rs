//! What every model has in common: one request in, what is heard out.
//!
//! Not here: any one provider.

use std::fmt;

use fanfold_transcript::{Assistant, Block, Call, Json, Wire};
use fanfold_wire::{Fault, Progress};
use tokio::sync::mpsc;
use tokio::task::JoinHandle;

/// Pieces that may wait to be taken before the model is read no further.
const PIECES_AHEAD: usize = 64;

/// Something that answers requests.
pub trait Model: fmt::Debug + Send + Sync {
    /// The format of its requests and replies.
    fn wire(&self) -> Wire;

    /// Sends one request. Nothing is sent twice; dropping the [`Reply`] drops the request.
    fn ask(&self, ask: Ask) -> Reply;
}

/// One request.
#[derive(Clone, Debug)]
pub struct Ask {
    /// The whole body, in the model's format.
    pub body: Json,
    /// The number that the first call of the reply gets.
    pub first_call: u32,
}

/// What is heard of a reply, in order. The last one is `Replied` or `Failed`.
#[derive(Debug)]
pub enum Heard {
    /// The provider's name for the request.
    RequestId(Box<str>),
    /// A piece of text or thinking, a call that began, or a fresh start. A call that is complete
    /// comes as `Call` instead.
    Progress(Progress),
    /// A call whose own arguments are complete, while the reply goes on. With it come the blocks
    /// of the reply since the last such call, this one included.
    Call {
        /// The call.
        call: Call,
        /// What must be on disk before it may start.
        blocks: Vec<Block>,
    },
    /// The whole reply.
    Replied(Box<Assistant>),
    /// There will be no whole reply.
    Failed {
        /// Why.
        fault: Fault,
        /// What came before, read as far as it goes: cut calls are cut, its stop is `Unfinished`.
        begun: Option<Box<Assistant>>,
    },
}

/// A reply that is being heard.
#[derive(Debug)]
pub struct Reply {
    pieces: mpsc::Receiver<Heard>,
    task: JoinHandle<()>,
}

impl Reply {
    /// A reply told by this task.
    pub fn told_by<F>(tell: impl FnOnce(mpsc::Sender<Heard>) -> F) -> Self
    where
        F: Future<Output = ()> + Send + 'static,
    {
        let (sender, pieces) = mpsc::channel(PIECES_AHEAD);
        Self { pieces, task: tokio::spawn(tell(sender)) }
    }

    /// The next piece; `None` after the last one.
    pub async fn next(&mut self) -> Option<Heard> {
        self.pieces.recv().await
    }
}

impl Drop for Reply {
    fn drop(&mut self) {
        self.task.abort();
    }
}
