//! A script as a model: its bytes are heard in their own time.
//!
//! Not here: what is answered (`play.rs`).

use std::sync::Arc;
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use fanfold_transcript::Wire;
use fanfold_wire::{Fault, FaultKind};
use tokio::sync::mpsc::Sender;
use tokio::time::{Instant, sleep_until};

use super::encode::{Answer, Chunk, End};
use super::format::Script;
use super::play::Player;
use crate::hearing::{Hearing, Tap};
use crate::model::{Ask, Heard, Model, Reply};

/// A model that answers from a script.
#[derive(Debug)]
pub struct ScriptModel {
    player: Player,
    tap: Option<Arc<dyn Tap>>,
}

impl ScriptModel {
    /// Plays the script from its start.
    #[must_use]
    pub fn new(script: Script) -> Self {
        Self { player: Player::new(script), tap: None }
    }

    /// The same, with the bytes told to `tap` too.
    #[must_use]
    pub fn with_tap(script: Script, tap: Arc<dyn Tap>) -> Self {
        Self { player: Player::new(script), tap: Some(tap) }
    }
}

impl Model for ScriptModel {
    fn wire(&self) -> Wire {
        self.player.script().wire
    }

    fn ask(&self, ask: Ask) -> Reply {
        let wire = self.wire();
        let answer = self.player.answer(wire, &ask.body, &seal);
        reply_with(answer, wire, ask, self.tap.clone())
    }
}

/// The reply of a model that answers just this, in its time from now on.
#[must_use]
pub fn reply_with(answer: Answer, wire: Wire, ask: Ask, tap: Option<Arc<dyn Tap>>) -> Reply {
    let asked = Instant::now();
    Reply::told_by(move |listener: Sender<Heard>| {
        let hearing = Hearing::new(wire, &ask, listener, tap.as_deref());
        tell(answer, asked, hearing)
    })
}

async fn tell(answer: Answer, asked: Instant, mut hearing: Hearing) {
    match answer {
        Answer::Refusal { status, retry_after_s, body } => {
            let retry_after_ms = retry_after_s.map(|s| s.saturating_mul(1000));
            hearing.refused(status, body.as_bytes(), retry_after_ms).await;
        }
        Answer::Silent { ms } => {
            sleep_until(asked + Duration::from_millis(ms)).await;
            hearing.broken(fault(FaultKind::Timeout, &format!("nothing came for {ms} ms"))).await;
        }
        Answer::Stream { chunks, end } => {
            let silent = chunks.is_empty();
            for Chunk { at_ms, bytes } in chunks {
                sleep_until(asked + Duration::from_millis(at_ms)).await;
                if hearing.bytes(&bytes).await.is_break() {
                    return hearing.ended().await;
                }
            }
            match end {
                End::Whole => hearing.ended().await,
                End::Broken if silent => {
                    hearing.broken(fault(FaultKind::Network, "the connection broke at once")).await;
                }
                End::Broken => {
                    let said = "the connection broke in the middle of the reply";
                    hearing.broken(fault(FaultKind::Broken, said)).await;
                }
            }
        }
    }
}

fn fault(kind: FaultKind, said: &str) -> Fault {
    Fault { kind, said: said.into(), retry_after_ms: None }
}

/// A seal that depends on the text alone (FNV-1a), so that every run gives the same bytes.
fn seal(text: &str) -> String {
    let mix = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    let hash = text.bytes().fold(0xcbf2_9ce4_8422_2325, mix);
    STANDARD.encode(format!("script seal {hash:016x}"))
}
