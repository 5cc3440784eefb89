//! One session with a model that answers at once and calls that do nothing.
//!
//! Not here: what is measured of it (`main.rs`, `growth.rs`).

use std::fmt;
use std::io;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use fanfold_agent::{Agent, ModelInUse, Policy, TurnLimits};
use fanfold_engine::{Clock, Desk, Order, Seat, Setting, drive};
use fanfold_model::{Ask, Heard, Model, Reply};
use fanfold_settings::{Durability, StreamingStart};
use fanfold_store::{Home, Journal, JournalFile, Position};
use fanfold_testkit::MadeTool;
use fanfold_tools::Toolbox;
use fanfold_transcript::{
    AgentId, Arguments, Assistant, Block, Call, CallId, Content, Conversation, Fact, Json, Millis,
    Outcome, Prompt, Protocol, Source, Wire,
};
use fanfold_wire::{Endpoint, Thinking};
use serde_json::json;
use tokio::sync::mpsc;

/// Bytes of the system prompt.
const PROMPT_BYTES: usize = 4_000;
/// Bytes of a record: far more than an outcome has here.
const RECORD_BYTES: u64 = 1 << 20;

/// How a session is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kept {
    /// The journal is a buffer.
    InMemory,
    /// The journal is a file that is not synced.
    Relaxed,
    /// The journal is a file, and synced before anything follows from it.
    Full,
    /// So is this one, and every call is recorded, as in the program.
    Recorded,
}

/// How long a session is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Length {
    /// Replies with calls; one without them follows.
    pub(crate) steps: u32,
    /// Calls of each.
    pub(crate) calls: u32,
}

/// A session, ready to run.
pub(crate) struct Session {
    desk: Desk,
    conversation: Conversation,
    model: Arc<Instantly>,
}

/// A request, as the model saw it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Asked {
    pub(crate) at: Instant,
    pub(crate) bytes: usize,
}

/// A model that answers at once.
pub(crate) struct Instantly {
    replies: Mutex<Box<dyn Iterator<Item = Assistant> + Send>>,
    asked: Mutex<Vec<Asked>>,
}

/// A journal's bytes in memory.
struct Buffer(Vec<u8>);

impl Kept {
    pub(crate) const ALL: [Self; 4] = [Self::InMemory, Self::Relaxed, Self::Full, Self::Recorded];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::InMemory => "in memory",
            Self::Relaxed => "relaxed",
            Self::Full => "full",
            Self::Recorded => "full, calls recorded",
        }
    }

    fn journal(self, path: &Path) -> Journal {
        let on_disk = |durability| Journal::create(path, durability).expect("a journal");
        match self {
            Self::InMemory => {
                let buffer = Box::new(Buffer(Vec::new()));
                Journal::inline(buffer, Position::default(), Durability::Relaxed)
            }
            Self::Relaxed => on_disk(Durability::Relaxed),
            Self::Full | Self::Recorded => on_disk(Durability::Full),
        }
    }
}

impl Session {
    /// Its replies are made before it runs.
    pub(crate) fn begin(folder: &Path, kept: Kept, length: Length) -> Self {
        let replies: Vec<Assistant> = replies(length).collect();
        Self::with(folder, kept, Box::new(replies.into_iter()), "")
    }

    /// Its replies are made when they are asked for, so that those to come take no memory.
    pub(crate) fn begin_long(folder: &Path, length: Length, result: &str) -> Self {
        Self::with(folder, Kept::Relaxed, Box::new(replies(length)), result)
    }

    fn with(
        folder: &Path,
        kept: Kept,
        replies: Box<dyn Iterator<Item = Assistant> + Send>,
        result: &str,
    ) -> Self {
        let result: Arc<str> = result.into();
        let noop = MadeTool::new("noop", move |_, _| {
            let result = Arc::clone(&result);
            async move { Outcome::ok_text(&*result) }
        });
        let toolbox = Toolbox::default().with(noop);
        let mut setting = fanfold_testkit::setting(Path::new("/"), toolbox, 10, &[]);
        let session = Home::at(folder).create(&setting.session).expect("a session");
        if kept == Kept::Recorded {
            setting.output = setting.output.of_session(&session, RECORD_BYTES);
        }
        let model =
            Arc::new(Instantly { replies: Mutex::new(replies), asked: Mutex::new(Vec::new()) });
        let seat = Seat {
            model: Arc::clone(&model) as _,
            in_use: ModelInUse { asked: "instantly/noop".into(), wire: Wire::Anthropic },
            endpoint: Endpoint::Anthropic,
            name: "noop".into(),
            max_output: None,
            thinking: Thinking::Off,
            price: None,
        };
        let (journal, media) = (kept.journal(&session.journal_path()), session.media());
        let clock = Clock::start();
        let desk = Desk { setting, agent: AgentId(0), seat, journal, media, form: None, clock };
        let mut conversation = Conversation::default();
        let prompt = Fact::Prompt(Prompt {
            system: "x".repeat(PROMPT_BYTES).into(),
            tools: Vec::new(),
            protocol: Protocol::Native,
        });
        conversation.apply(prompt).expect("it follows from nothing");
        Self { desk, conversation, model }
    }

    /// The model, to be looked at afterwards.
    pub(crate) fn model(&self) -> Arc<Instantly> {
        Arc::clone(&self.model)
    }

    /// Runs it from the user's message to the end of the turn.
    pub(crate) async fn run(self) -> Duration {
        let Self { desk, conversation, model: _ } = self;
        let limits = TurnLimits { steps: u32::MAX, tokens: None, cost_usd: None };
        let policy = Policy {
            streaming: StreamingStart::All,
            attempts: 1,
            limits,
            checks_answer: false,
            seed: 0,
        };
        let in_use = desk.seat.in_use.clone();
        let agent = |setting: &Setting| Agent::new(conversation, setting.door(), policy, in_use);
        let (sender, mut orders) = mpsc::channel(2);
        let said = Order::Say(vec![Content::text("go")]);
        sender.try_send(said).expect("there is room");
        sender.try_send(Order::Close).expect("there is room");
        let begun = Instant::now();
        let ended = drive(desk, agent, &mut orders, &mut |_: Millis, _| {}).await;
        let time = begun.elapsed();
        assert!(ended.expect("the journal holds").conversation.turn().is_none(), "it is over");
        time
    }
}

impl Instantly {
    /// Every request so far.
    pub(crate) fn asked(&self) -> Vec<Asked> {
        self.asked.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl fmt::Debug for Instantly {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Instantly").finish_non_exhaustive()
    }
}

impl Model for Instantly {
    fn wire(&self) -> Wire {
        Wire::Anthropic
    }

    fn ask(&self, ask: Ask) -> Reply {
        let asked = Asked { at: Instant::now(), bytes: ask.body.text().len() };
        self.asked.lock().unwrap_or_else(PoisonError::into_inner).push(asked);
        let mut replies = self.replies.lock().unwrap_or_else(PoisonError::into_inner);
        let reply = replies.next().expect("a reply without calls ends the turn");
        Reply::told_by(|listener| async move {
            listener.send(Heard::Replied(Box::new(reply))).await.ok();
        })
    }
}

impl JournalFile for Buffer {
    fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.0.extend_from_slice(bytes);
        Ok(())
    }

    fn sync(&mut self) -> io::Result<()> {
        Ok(())
    }

    fn cut(&mut self, bytes: u64) -> io::Result<()> {
        self.0.truncate(usize::try_from(bytes).unwrap_or(usize::MAX));
        Ok(())
    }
}

fn replies(Length { steps, calls }: Length) -> impl Iterator<Item = Assistant> + Send {
    let reply = |blocks| Assistant::new(Source::new(Wire::Anthropic), blocks);
    let step = move |n: u32| reply((1..=calls).map(|call| block(n * calls + call)).collect());
    (0..steps).map(step).chain([reply(vec![Block::text("done")])])
}

/// A call as Anthropic writes it.
fn block(number: u32) -> Block {
    let id = format!("toolu_{number:024}");
    let original = json!({"type": "tool_use", "id": id, "name": "noop", "input": {}});
    let mut call = Call::new(CallId::new(number), "noop", Arguments::none());
    call.wire_id = Some(id.into());
    Block { original: Some(Json::of(&original)), ..Block::call(call) }
}
