//! From the bytes of a reply to what is heard of it: the one loop of every model.
//!
//! Not here: where the bytes come from, and the clock.

use std::fmt;
use std::ops::ControlFlow;

use fanfold_transcript::{Assistant, BlockBody, Content, Stop, Wire};
use fanfold_wire::{Decoder, Fault, FaultKind, Progress, read_refusal};
use tokio::sync::mpsc::Sender;

use crate::model::{Ask, Heard};

/// Wants to know what came of each request, byte for byte. It is given to a model when that is made.
pub trait Tap: fmt::Debug + Send + Sync {
    /// A request is sent now. What comes of it is told to the witness.
    fn asked(&self, ask: &Ask) -> Box<dyn Witness>;
}

/// Told what comes of one request. Dropped before the end when nobody wants the reply any longer.
pub trait Witness: fmt::Debug + Send + Sync {
    /// The next bytes of the reply.
    fn bytes(&mut self, bytes: &[u8]);

    /// The provider refused with this HTTP status and body.
    fn refused(&mut self, status: u16, body: &[u8], fault: &Fault);

    /// The bytes ended: of themselves, or by this fault.
    fn ended(&mut self, fault: Option<&Fault>);
}

/// One reply while it is heard. It ends with exactly one of [`ended`](Self::ended),
/// [`broken`](Self::broken) and [`refused`](Self::refused).
///
/// That nobody listens any longer is no matter here: dropping a `Reply` ends the task that tells it.
#[derive(Debug)]
pub(crate) struct Hearing {
    wire: Wire,
    decoder: Decoder,
    listener: Sender<Heard>,
    witness: Option<Box<dyn Witness>>,
    /// Why no more is read.
    trouble: Option<Fault>,
}

impl Hearing {
    /// Begins when the request is sent.
    pub(crate) fn new(
        wire: Wire,
        ask: &Ask,
        listener: Sender<Heard>,
        tap: Option<&dyn Tap>,
    ) -> Self {
        let decoder = Decoder::new(Some(wire), ask.first_call);
        let witness = tap.map(|tap| tap.asked(ask));
        Self { wire, decoder, listener, witness, trouble: None }
    }

    /// The provider's name for the request.
    pub(crate) async fn request_id(&self, id: &str) {
        self.tell(Heard::RequestId(id.into())).await;
    }

    /// The next bytes, cut anywhere. `Break` when nothing of the reply can follow: then `ended` gives
    /// it, or says why there is none.
    pub(crate) async fn bytes(&mut self, bytes: &[u8]) -> ControlFlow<()> {
        if let Some(witness) = &mut self.witness {
            witness.bytes(bytes);
        }
        let fed = self.decoder.feed(bytes);
        while let Some(progress) = self.decoder.poll() {
            let heard = match progress {
                Progress::CallReady(id) => {
                    let blocks = self.decoder.take_blocks_until(id);
                    let Some(call) = self.decoder.call(id).cloned() else { continue };
                    Heard::Call { call, blocks }
                }
                Progress::Text(_)
                | Progress::Thinking(_)
                | Progress::CallOpened(_)
                | Progress::Restarted => Heard::Progress(progress),
            };
            self.tell(heard).await;
        }
        if let Err(error) = fed {
            self.trouble = Some(Fault::from(&error));
        }
        if self.decoder.is_over() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    /// The bytes ended of themselves, or are not wanted any longer.
    pub(crate) async fn ended(mut self) {
        let reported = || self.decoder.reported().map(Fault::of_provider_error);
        let fault = self.trouble.take().or_else(reported);
        self.conclude(fault).await;
    }

    /// The connection could not be made, broke, or was given up. A reply whose end had come is
    /// whole all the same.
    pub(crate) async fn broken(self, fault: Fault) {
        self.conclude(Some(fault)).await;
    }

    /// The provider answered with an HTTP status other than success.
    pub(crate) async fn refused(mut self, status: u16, body: &[u8], retry_after_ms: Option<u64>) {
        let fault = read_refusal(self.wire, status, body, retry_after_ms);
        if let Some(witness) = &mut self.witness {
            witness.refused(status, body, &fault);
        }
        self.tell(Heard::Failed { fault, begun: None }).await;
    }

    async fn conclude(self, fault: Option<Fault>) {
        if let Some(mut witness) = self.witness {
            witness.ended(fault.as_ref());
        }
        let last = match (self.decoder.finish(), fault) {
            (Ok(reply), fault) if reply.stop == Stop::Unfinished => {
                let fault = fault.unwrap_or_else(ended_early);
                let begun = (!reply.blocks.is_empty()).then(|| Box::new(reply));
                Heard::Failed { fault, begun }
            }
            (Ok(reply), None) if is_empty(&reply) => Heard::Failed { fault: empty(), begun: None },
            (Ok(reply), _) => Heard::Replied(Box::new(reply)),
            (Err(_), Some(fault)) => Heard::Failed { fault, begun: None },
            (Err(error), None) => Heard::Failed { fault: Fault::from(&error), begun: None },
        };
        // Nobody may be listening any longer.
        self.listener.send(last).await.ok();
    }

    async fn tell(&self, heard: Heard) {
        self.listener.send(heard).await.ok();
    }
}

/// Whether a reply that ended of itself says nothing at all. Gemini ends so, with a reason of its own,
/// when the model wrote a call that cannot be read.
fn is_empty(reply: &Assistant) -> bool {
    matches!(reply.stop, Stop::Finished | Stop::Other(_))
        && reply.blocks.iter().all(|block| match &block.body {
            BlockBody::Content(Content::Text(text)) => text.trim().is_empty(),
            BlockBody::Content(_) | BlockBody::Call(_) => false,
            BlockBody::Thinking(text) => text.is_empty() && block.signature.is_none(),
        })
}

fn ended_early() -> Fault {
    let said = "the stream ended before the reply did".into();
    Fault { kind: FaultKind::Broken, said, retry_after_ms: None }
}

fn empty() -> Fault {
    let said = "the model sent an empty reply".into();
    Fault { kind: FaultKind::Empty, said, retry_after_ms: None }
}
