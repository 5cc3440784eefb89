//! Drives one agent: waits for one event, hands it to the agent, carries out what it wants.
//!
//! What the agent notes goes to the journal at once; everything else it wants waits until the notes
//! before it are safe there. So nothing happens that a crash could make unknown. Not here: any
//! decision, and asking the model (`seat.rs`).

mod effects;
mod happened;

use std::collections::{BTreeSet, VecDeque};
use std::sync::Arc;

use fanfold_agent::{
    Agent, AgentEffect as Effect, AgentEvent as Event, Answer, News, Question, Record,
};
use fanfold_store::{Journal, MediaStore, Progress as Written};
use fanfold_tools::{Children, Form, WatchProcesses, become_subreaper};
use fanfold_transcript::{
    AgentId, Call, CallId, Content, Conversation, Fact, Millis, Outcome, Process, Stream,
};
use fanfold_wire::RequestWriter;
use tokio::sync::{mpsc, watch};
use tokio::task::JoinSet;

use crate::calls::Calls;
use crate::clock::Clock;
use crate::seat::{Hearing, Seat};
use crate::setting::Setting;

/// Where an agent works.
#[derive(Debug)]
pub struct Desk {
    /// What its calls are run with.
    pub setting: Setting,
    /// Which agent of the session it is.
    pub agent: AgentId,
    /// The model it asks.
    pub seat: Seat,
    /// Where its facts are kept.
    pub journal: Journal,
    /// Where pictures and documents are kept.
    pub media: MediaStore,
    /// The form its answers must have.
    pub form: Option<Form>,
    /// The time of the session: facts are stamped with it.
    pub clock: Clock,
}

/// What may be asked of a working agent.
#[derive(Debug)]
pub enum Order {
    /// The user says this.
    Say(Vec<Content>),
    /// Go on where the conversation stands.
    Continue,
    /// Somebody answered [`Sight::Asking`].
    Answer(CallId, Answer),
    /// Stop the turn: what runs is told, what waits is skipped.
    Stop,
    /// Stop at once, without grace.
    Kill,
    /// Ask this model from the next request on.
    Use(Box<Seat>),
    /// Nothing more comes: end when the turn is over.
    Close,
}

/// What those who watch are told, in order.
#[derive(Debug)]
pub enum Sight<'a> {
    /// This is safe in the journal.
    Fact(&'a Fact),
    /// This is news.
    News(&'a News),
    /// A piece of the answer.
    Text(&'a str),
    /// A piece of the model's thinking.
    Thinking(&'a str),
    /// The model asks for this call; the reply may still stream.
    Call(&'a Call),
    /// The call needs an approval; others run meanwhile.
    Asking(CallId, &'a Question),
    /// The call runs.
    Started(CallId),
    /// The running call wrote these lines.
    Output(CallId, Stream, &'a str),
    /// The call has its outcome, as the model will read it.
    Ended(CallId, &'a Outcome, &'a Record),
}

/// The journal can no longer be written. What is in it is whole; the agent was stopped.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the session cannot be kept any longer: {0}")]
pub struct JournalLost(pub String);

/// What is left when an agent has ended.
#[derive(Debug)]
pub struct Ended {
    /// The conversation, as the journal holds it.
    pub conversation: Conversation,
    /// What the user should know.
    pub notice: Option<String>,
}

/// Drives an agent until it is told to close and its turn is over.
///
/// # Errors
/// When the journal can no longer be written. Everything that runs was stopped then.
pub async fn drive(
    desk: Desk,
    agent: impl FnOnce(&Setting) -> Agent + Send,
    orders: &mut mpsc::Receiver<Order>,
    watch: &mut (dyn FnMut(Millis, Sight<'_>) + Send),
) -> Result<Ended, JournalLost> {
    // Without it, what a call leaves behind is found by its mark alone: nothing to give up for.
    become_subreaper().ok();
    let (told, processes) = mpsc::unbounded_channel();
    let Desk { mut setting, agent: id, seat, journal, media, form, clock } = desk;
    let withheld = Arc::clone(&setting.children.withheld);
    setting.children = Children { withheld, watch: Some(Arc::new(Told(told))) };
    let desk = Workplace { id, journal: &journal, media: &media, form: form.as_ref(), clock };
    let mut driver = Driver {
        desk,
        setting: &setting,
        agent: agent(&setting),
        seat,
        requests: RequestWriter::default(),
        calls: Calls::new(&setting),
        hearing: None,
        wanted: VecDeque::new(),
        noted: 0,
        written: journal.durable(),
        lost: None,
        processes,
        chores: JoinSet::new(),
        closing: false,
        alone: false,
        asking: BTreeSet::new(),
        peek_at: Millis(0),
        watch,
    };
    driver.work();
    while !driver.is_over() {
        let happened = driver.wait(orders).await;
        driver.take(happened);
        driver.work();
    }
    driver.ended()
}

/// How often the lines that running calls write are told, in milliseconds.
const PEEK_MS: u64 = 100;

/// What a driver borrows of its desk.
#[derive(Clone, Copy)]
struct Workplace<'a> {
    id: AgentId,
    journal: &'a Journal,
    media: &'a MediaStore,
    form: Option<&'a Form>,
    clock: Clock,
}

struct Driver<'a> {
    desk: Workplace<'a>,
    setting: &'a Setting,
    agent: Agent,
    seat: Seat,
    requests: RequestWriter,
    calls: Calls<'a>,
    /// The reply that is being heard.
    hearing: Option<Hearing>,
    /// What is wanted, in order, each with the last note before it.
    wanted: VecDeque<(u64, Wanted)>,
    noted: u64,
    written: watch::Receiver<Written>,
    lost: Option<JournalLost>,
    processes: mpsc::UnboundedReceiver<Process>,
    chores: JoinSet<Event>,
    /// To end when the turn is over.
    closing: bool,
    /// Nobody is left to say anything.
    alone: bool,
    /// Calls that wait for an answer.
    asking: BTreeSet<CallId>,
    /// When to look again at what running calls write.
    peek_at: Millis,
    watch: &'a mut (dyn FnMut(Millis, Sight<'_>) + Send + 'a),
}

/// What is to be done once the notes before it are safe.
enum Wanted {
    /// Tell those who watch that this is safe.
    Tell(Fact),
    /// Carry this out.
    Do(Effect),
    /// Ask this model from here on.
    Sit(Box<Seat>),
}

/// Tells the driver of processes.
#[derive(Debug)]
struct Told(mpsc::UnboundedSender<Process>);

impl WatchProcesses for Told {
    fn started(&self, process: Process) {
        // When nobody listens any more, the process dies with its call.
        self.0.send(process).ok();
    }
}
