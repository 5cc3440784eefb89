//! One reply read in pieces of given lengths: all that came out, on the way and at the end.
//!
//! Not here: what of it must be the same for all lengths (`decode.rs`).

use fanfold_transcript::{Assistant, Call, Wire};
use fanfold_wire::{DecodeError, Decoder, Progress};

/// What came out.
#[derive(Debug)]
pub(super) struct Reading {
    /// The steps as text, pieces of one text joined.
    steps: String,
    /// The first error on the way.
    refused: Option<DecodeError>,
    pub(super) reply: Result<Assistant, DecodeError>,
}

impl Reading {
    /// Reads the bytes in pieces of the given lengths.
    ///
    /// # Errors
    /// When a call that was handed out is not there, or is another one in the end.
    pub(super) fn of(
        bytes: &[u8],
        format: Option<Wire>,
        next_length: impl Fn() -> usize,
    ) -> Result<Self, String> {
        let mut decoder = Decoder::new(format, 1);
        let (mut steps, mut refused) = (Steps::default(), None);
        let mut rest = bytes;
        while !rest.is_empty() {
            let (piece, after) = rest.split_at(next_length().min(rest.len()));
            rest = after;
            let taken = decoder.feed(piece);
            steps.take(&mut decoder)?;
            refused = refused.or(taken.err());
        }
        let reply = decoder.finish();
        steps.all_stayed(&reply)?;
        Ok(Self { steps: steps.text, refused, reply })
    }

    /// Holds this reading against one in other pieces.
    ///
    /// # Errors
    /// What differs.
    pub(super) fn compare(&self, other: &Self) -> Result<(), String> {
        if self.refused != other.refused {
            return Err(format!("{:?} is {:?}", self.refused, other.refused));
        }
        if self.steps != other.steps {
            return Err(format!("the steps {} are {}", self.steps, other.steps));
        }
        if self.reply != other.reply {
            return Err(format!("{:?} is {:?}", self.reply, other.reply));
        }
        Ok(())
    }
}

/// The steps on the way.
#[derive(Debug, Default)]
struct Steps {
    text: String,
    /// What the last step was, so that a text in pieces is one.
    speaker: char,
    handed_out: Vec<Call>,
}

impl Steps {
    fn take(&mut self, decoder: &mut Decoder) -> Result<(), String> {
        while let Some(step) = decoder.poll() {
            match step {
                Progress::Text(text) => self.add('"', &text),
                Progress::Thinking(text) => self.add('(', &text),
                Progress::CallOpened(id) => self.add('?', &id.to_string()),
                Progress::CallReady(id) => {
                    self.add('!', &id.to_string());
                    let call = decoder.call(id);
                    self.handed_out.push(call.ok_or(format!("{id} is not there"))?.clone());
                }
                Progress::Restarted => self.add('<', ""),
            }
        }
        Ok(())
    }

    fn add(&mut self, speaker: char, text: &str) {
        let goes_on = self.speaker == speaker && matches!(speaker, '"' | '(');
        if !goes_on {
            self.text.extend([' ', speaker]);
        }
        self.text.push_str(text);
        self.speaker = speaker;
    }

    /// A call may run as soon as it was handed out, so it must be in the reply as it was.
    fn all_stayed(&self, reply: &Result<Assistant, DecodeError>) -> Result<(), String> {
        for call in &self.handed_out {
            let stayed = reply.as_ref().is_ok_and(|reply| reply.calls().any(|last| last == call));
            if !stayed {
                return Err(format!("{call:?} was handed out, but the reply is {reply:?}"));
            }
        }
        Ok(())
    }
}
