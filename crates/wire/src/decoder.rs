//! From the bytes of one reply to the reply, whole or as a stream.
//!
//! Not here: any one format. Each wire has its own file with its own reader.

use fanfold_transcript::{Assistant, Block, Call, CallId, Wire};

use crate::assembly::Assembly;
use crate::error::{DecodeError, ProviderError};
use crate::framing::{Frame, Framing};
use crate::live::{CallIds, Live, Progress};
use crate::raw::{RawObject, mend_surrogates};
use crate::{anthropic, bedrock, chat, cohere, detect, document, gemini, responses};

/// Bounds of one reply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The whole input in bytes. It is checked before anything is kept.
    pub bytes_max: usize,
    /// The calls of the reply.
    pub calls_max: usize,
}

impl Default for Limits {
    /// 64 MiB and 4,096 calls.
    fn default() -> Self {
        Self { bytes_max: 64 << 20, calls_max: 4096 }
    }
}

/// Reads one reply from bytes that may be cut anywhere.
///
/// Calls get ids from `first_call` on, in the order in which they first appear. A call of a stream
/// is handed out as soon as its own arguments are complete and does not change afterwards. Calls
/// that need the end of the reply to be judged, such as those without arguments in Chat
/// Completions or with broken ones, and all calls of a whole document, come with
/// [`finish`](Self::finish). How the bytes were cut never changes what comes out.
#[derive(Debug)]
pub struct Decoder {
    asked: Option<Wire>,
    limits: Limits,
    bytes: usize,
    ids: CallIds,
    framing: Framing,
    stage: Stage,
    /// An error came, of the provider or in the bytes. What follows is not read.
    broken: bool,
    /// The error of the provider that ended a stream which had begun to speak.
    reported: Option<ProviderError>,
    live: Live,
}

/// What the input has turned out to be.
#[derive(Debug)]
enum Stage {
    Undecided,
    /// Read at its end.
    Document,
    Stream(Box<dyn Assembly>),
}

impl Decoder {
    /// A decoder of one reply in `format`, or in the format that it looks like.
    #[must_use]
    pub fn new(format: Option<Wire>, first_call: u32) -> Self {
        Self::with_limits(format, first_call, Limits::default())
    }

    /// The same with other limits.
    #[must_use]
    pub fn with_limits(format: Option<Wire>, first_call: u32, limits: Limits) -> Self {
        let ids = CallIds::new(first_call, limits);
        Self {
            asked: format,
            limits,
            bytes: 0,
            ids,
            framing: Framing::Unknown(Vec::new()),
            stage: Stage::Undecided,
            broken: false,
            reported: None,
            live: Live::new(ids),
        }
    }

    /// Takes the next bytes, cut anywhere.
    ///
    /// # Errors
    /// As soon as the bytes cannot become a reply. What follows is not read then. A stream whose
    /// calls were handed out keeps them all the same: [`finish`](Self::finish) gives what came before.
    pub fn feed(&mut self, bytes: &[u8]) -> Result<(), DecodeError> {
        let taken = self.take_bytes(bytes);
        self.broken |= taken.is_err();
        taken
    }

    fn take_bytes(&mut self, bytes: &[u8]) -> Result<(), DecodeError> {
        if self.broken {
            return Ok(());
        }
        self.bytes = self.bytes.saturating_add(bytes.len());
        if self.bytes > self.limits.bytes_max {
            return Err(DecodeError::TooLarge { limit: self.limits.bytes_max });
        }
        self.framing.push(bytes);
        while let Some(frame) = self.framing.next()? {
            self.take(frame)?;
        }
        self.framing.compact();
        Ok(())
    }

    /// The next step of a streaming reply, if there is one.
    pub fn poll(&mut self) -> Option<Progress> {
        self.live.poll()
    }

    /// A call that was handed out by [`Progress::CallReady`].
    #[must_use]
    pub fn call(&self, id: CallId) -> Option<&Call> {
        self.live.call(id)
    }

    /// The blocks of the reply since the last ones that were taken, up to and including this call,
    /// which was handed out: what has to be on disk before the call may start.
    ///
    /// They are as [`finish`](Self::finish) will give them, with their originals and seals. Taken for
    /// each call when it is handed out, they are the beginning of the finished reply, with these
    /// exceptions, where the finished reply is what counts:
    /// - A call in front of this one that is handed out later is passed over and comes when it is
    ///   itself asked for; one that is never handed out does not come at all.
    /// - In Chat Completions and Cohere all text of a message stands in front of its calls. Text or
    ///   thinking that comes after the first call was taken is missing here.
    /// - A server that lets blocks interleave may go on with one that was taken, and one that sends
    ///   a Responses item after its arguments were followed by something else may word it anew.
    ///
    /// Nothing is given for a call that was not handed out or was taken before. All the blocks of a
    /// reply together cost one pass over it.
    pub fn take_blocks_until(&mut self, call: CallId) -> Vec<Block> {
        match &mut self.stage {
            Stage::Stream(assembly) if self.live.call(call).is_some() => {
                assembly.take_blocks(call, &self.live)
            }
            Stage::Stream(_) | Stage::Undecided | Stage::Document => Vec::new(),
        }
    }

    /// Whether a stream has brought any content: text, thinking or the beginning of a call. What the
    /// provider took back by a fresh start does not count.
    #[must_use]
    pub const fn has_spoken(&self) -> bool {
        self.live.spoke()
    }

    /// Whether nothing of the reply can follow: the stream said that it is complete, or broke. A
    /// server may keep the connection open all the same.
    #[must_use]
    pub fn is_over(&self) -> bool {
        let said_so = match &self.stage {
            Stage::Stream(assembly) => assembly.is_over(),
            Stage::Undecided | Stage::Document => false,
        };
        self.broken || said_so
    }

    /// The error that the provider reported in the middle of a reply. What came before is kept, and
    /// [`finish`](Self::finish) gives it.
    #[must_use]
    pub const fn reported(&self) -> Option<&ProviderError> {
        self.reported.as_ref()
    }

    /// The whole reply, after the last byte. A reply without calls is one too.
    ///
    /// A stream that ends early is a reply as well: its stop is
    /// [`Stop::Unfinished`](fanfold_transcript::Stop) and its incomplete calls are cut.
    ///
    /// # Errors
    /// When the bytes are not one reply.
    pub fn finish(mut self) -> Result<Assistant, DecodeError> {
        if let Some(frame) = self.framing.rest() {
            self.take(frame)?;
        }
        match self.stage {
            Stage::Stream(assembly) => {
                let mut reply = assembly.finish()?;
                for call in reply.calls_mut() {
                    if let Some(ready) = self.live.take(call.id) {
                        *call = ready;
                    }
                }
                Ok(reply)
            }
            Stage::Undecided | Stage::Document => {
                match self.framing.into_document().filter(|_| !self.broken) {
                    Some(text) => document::read(&text, self.asked, self.ids),
                    None => Err(detect::no_event(self.asked)),
                }
            }
        }
    }

    fn take(&mut self, frame: Frame) -> Result<(), DecodeError> {
        if self.broken {
            return Ok(());
        }
        let (text, torn) = match frame {
            Frame::Event { text, torn } => (text, torn),
            Frame::Done => {
                if let Stage::Stream(assembly) = &mut self.stage {
                    assembly.done();
                }
                return Ok(());
            }
        };
        let event = match RawObject::parse(&mend_surrogates(&text)) {
            Ok(event) => event,
            // The recording ends here: what came before is what there is.
            Err(_) if torn => return Ok(()),
            Err(_) if self.may_be_document() => {
                self.decide_document();
                return Ok(());
            }
            Err(error) => return Err(not_json(&text, &error)),
        };
        if matches!(self.stage, Stage::Undecided) {
            self.decide(&event)?;
        }
        self.follow(&event)
    }

    fn may_be_document(&self) -> bool {
        matches!((&self.stage, &self.framing), (Stage::Undecided, Framing::Values(_)))
    }

    fn decide_document(&mut self) {
        self.framing.is_document();
        self.stage = Stage::Document;
    }

    /// Looks at the first event that says what the input is.
    fn decide(&mut self, event: &RawObject) -> Result<(), DecodeError> {
        let Some(found) = detect::stream(event) else {
            if self.may_be_document() {
                self.decide_document();
            } else if let Some(error) = detect::provider_error(event) {
                return Err(DecodeError::Provider(error));
            }
            return Ok(());
        };
        detect::agree(self.asked, found)?;
        self.framing.is_stream();
        let ids = self.ids;
        let assembly: Box<dyn Assembly> = match found {
            Wire::Anthropic => Box::new(anthropic::Stream::new(ids)),
            Wire::OpenaiChat => Box::new(chat::Stream::new(ids)),
            Wire::OpenaiResponses => Box::new(responses::Stream::new(ids)),
            Wire::Gemini => Box::new(gemini::Stream::new(ids)),
            Wire::Bedrock => Box::new(bedrock::Stream::new(ids)),
            Wire::Cohere => Box::new(cohere::Stream::new(ids)),
            Wire::Plain => return Err(detect::no_event(self.asked)),
        };
        self.stage = Stage::Stream(assembly);
        Ok(())
    }

    fn follow(&mut self, event: &RawObject) -> Result<(), DecodeError> {
        let Stage::Stream(assembly) = &mut self.stage else { return Ok(()) };
        let Some(error) = detect::provider_error(event) else {
            return assembly.event(event, &mut self.live);
        };
        self.broken = true;
        if !self.live.spoke() {
            return Err(DecodeError::Provider(error));
        }
        self.reported = Some(error);
        Ok(())
    }
}

/// Reads a whole reply at once: a document or a recorded stream.
///
/// # Errors
/// When the bytes are not one reply.
pub fn decode(
    bytes: &[u8],
    format: Option<Wire>,
    first_call: u32,
) -> Result<Assistant, DecodeError> {
    let mut decoder = Decoder::new(format, first_call);
    decoder.feed(bytes)?;
    decoder.finish()
}

fn not_json(text: &str, error: &serde_json::Error) -> DecodeError {
    let start: String = text.chars().take(80).collect();
    let place = "an event of the stream".to_owned();
    DecodeError::NotJson { place, problem: format!("{error} in {start:?}") }
}
