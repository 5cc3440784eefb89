//! An agent at work in a session: orders in, events out, until it is told to close.
//!
//! Not here: how events are shown, and the work itself (`fanfold-engine`).

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use fanfold_agent::{Agent, Answer, Policy, TurnLimits};
use fanfold_engine::{Desk, Order as EngineOrder, Seat, Setting, Sight, drive};
use fanfold_model::{Recorder, Tap};
use fanfold_settings::Settings;
use fanfold_store::SessionLock;
use fanfold_tools::{Form, Response, Typed};
use fanfold_transcript::{CallId, Conversation, Fact, Millis, Protocol, SessionId};
use serde_json::Value;
use tokio::sync::mpsc;

use crate::chair::seat;
use crate::config::Overrides;
use crate::event::{Event, HowEnded, What};
use crate::message::Message;
use crate::opened::{Found, Opened, ROOT, sessions};
use crate::prepare::{Prepared, prepare};
use crate::prompt::prompt;
use crate::request::Freedom;
use crate::run_error::RunError;
use crate::teller::Teller;

/// What a front end asks for.
#[derive(Clone, Debug, Default)]
pub struct RunRequest {
    /// The folder the calls act in; `None` for where the session began, or for the current one.
    pub workspace: Option<PathBuf>,
    /// What the command line says over the settings.
    pub overrides: Overrides,
    /// Rules that allow.
    pub allow: Vec<String>,
    /// Rules that deny; they win.
    pub deny: Vec<String>,
    /// Allow what no rule denies.
    pub yes: bool,
    /// Whether somebody answers when a call needs an approval.
    pub asks: bool,
    /// The model, as `provider/model` or `script:FILE`; `None` for the one of the settings.
    pub model: Option<String>,
    /// Where the model's server is; `None` for the place of the settings or the provider.
    pub base_url: Option<String>,
    /// A system prompt in place of Fanfold's own.
    pub system: Option<String>,
    /// A session to go on with: its id, the beginning of one, or `last`; `None` for a new one.
    pub session: Option<String>,
    /// Replies in one turn; `None` for what the settings say.
    pub max_steps: Option<u32>,
    /// Tokens in one turn, input and output over all requests.
    pub max_tokens: Option<u64>,
    /// US dollars in one turn.
    pub max_cost_usd: Option<f64>,
    /// The JSON Schema of the answer.
    pub output_schema: Option<Value>,
    /// How the model asks for calls. A session keeps what it began with.
    pub protocol: Protocol,
    /// The file into which what the model says is recorded, to be played again.
    pub record: Option<PathBuf>,
}

/// What may be asked of a working agent.
#[derive(Debug)]
pub enum Order {
    /// The user says this. While the agent works, it is heard at the next step.
    Say(Message),
    /// Go on where the conversation stands.
    Continue,
    /// The answer to an approval.
    Answer(CallId, Answer),
    /// Stop the turn.
    Stop,
    /// Stop it at once, without grace.
    Kill,
    /// Ask this model from the next request on.
    UseModel(String),
    /// Nothing more comes: end when the turn is over.
    Close,
}

/// What is left of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Summary {
    /// The session.
    pub session: SessionId,
    /// How its newest turn ended; `None` when this run had none.
    pub last: Option<HowEnded>,
    /// Messages that were taken in and wait for the next turn.
    pub waiting_messages: usize,
}

/// Opens a session and lets an agent work in it until it is told to close and its turn is over.
///
/// # Errors
/// When the run cannot begin: nothing was run then. Or when the journal cannot be written any longer:
/// everything that ran was stopped then, and what is in the journal is whole.
pub async fn converse(
    request: RunRequest,
    orders: mpsc::Receiver<Order>,
    watch: impl FnMut(Event) + Send,
) -> Result<Summary, RunError> {
    let Ready { desk, conversation, policy, settings, lock, was_there, notices, recorder } =
        ready(&request).await?;
    let (clock, in_use) = (desk.clock, desk.seat.in_use.clone());
    let id = desk.setting.session.clone();
    let teller = Mutex::new(Teller::new(ROOT, watch));
    // A front end that panicked while it drew has still been told.
    let teller = || teller.lock().unwrap_or_else(PoisonError::into_inner);
    teller().tell(
        clock.now(),
        What::Session {
            session: id.clone(),
            workspace: desk.setting.place.directory().to_string_lossy().into_owned(),
            model: in_use.asked.to_string(),
            resumed: was_there,
        },
    );
    for notice in notices {
        teller().notice(clock.now(), notice);
    }
    let (sender, mut engine_orders) = mpsc::channel(8);
    let open = |name: &str| {
        let (seat, notice) = seat(name, request.base_url.as_deref(), &settings, None)?;
        check_price(&request, &seat)?;
        Ok((seat, notice))
    };
    let tell = |notice: String| teller().notice(clock.now(), notice);
    let forward = forward(orders, sender, open, tell);
    let make = |setting: &Setting| Agent::new(conversation, setting.door(), policy, in_use);
    let mut see = |at: Millis, sight: Sight<'_>| teller().see(at, sight);
    let work = drive(desk, make, &mut engine_orders, &mut see);
    tokio::pin!(forward, work);
    let ended = tokio::select! {
        ended = &mut work => ended,
        () = &mut forward => work.await,
    };
    drop(lock);
    let ended = ended?;
    if !was_there && ended.conversation.is_empty() {
        // Nobody said anything: such a session would only be in the way. Left behind, it harms nobody.
        sessions().and_then(|all| Ok(all.remove(&id)?)).ok();
    }
    let trouble = recorder.and_then(|recorder| recorder.trouble());
    for notice in ended.notice.into_iter().chain(trouble) {
        teller().notice(clock.now(), notice);
    }
    let last = teller().last;
    Ok(Summary { session: id, last, waiting_messages: ended.conversation.waiting().len() })
}

/// Passes on orders until there are no more.
async fn forward(
    mut orders: mpsc::Receiver<Order>,
    engine: mpsc::Sender<EngineOrder>,
    open: impl Fn(&str) -> Result<(Seat, Option<String>), RunError>,
    tell: impl Fn(String),
) {
    while let Some(order) = orders.recv().await {
        let order = match order {
            Order::Say(message) => EngineOrder::Say(message.content),
            Order::Continue => EngineOrder::Continue,
            Order::Answer(call, answer) => EngineOrder::Answer(call, answer),
            Order::Stop => EngineOrder::Stop,
            Order::Kill => EngineOrder::Kill,
            Order::Close => EngineOrder::Close,
            Order::UseModel(name) => match open(&name) {
                Ok((seat, notice)) => {
                    tell(format!("from the next request on {name} is asked"));
                    notice.into_iter().for_each(&tell);
                    EngineOrder::Use(Box::new(seat))
                }
                Err(error) => {
                    tell(error.to_string());
                    continue;
                }
            },
        };
        if engine.send(order).await.is_err() {
            return;
        }
    }
}

/// A run that can begin.
struct Ready {
    desk: Desk,
    conversation: Conversation,
    policy: Policy,
    settings: Settings,
    lock: SessionLock,
    was_there: bool,
    notices: Vec<String>,
    recorder: Option<Arc<Recorder>>,
}

/// Makes everything ready. What can be wrong with the request is found before a session is made.
async fn ready(request: &RunRequest) -> Result<Ready, RunError> {
    let found = request.session.as_deref().map(Found::take).transpose()?;
    let workspace = workspace(request, found.as_ref());
    let Prepared { mut setting, settings, mut notices } =
        prepare(&request.freedom(&workspace), |toolbox| toolbox.with(Typed::new(Response)))?;
    let Chosen { seat, recorder, notice } = choose(request, found.as_ref(), &settings)?;
    notices.extend(notice);
    check_price(request, &seat)?;
    let form = request.output_schema.as_ref().map(Form::new).transpose()?;
    let directory = setting.place.directory().to_owned();
    let new_prompt =
        || prompt(&directory, request.system.as_deref(), &setting.toolbox, request.protocol);
    let workspace = directory.to_string_lossy();
    let mut opened = match found {
        Some(found) => {
            let gone_on = found.go_on(&workspace, &setting.reads, settings.durability);
            let (mut opened, problems) = gone_on.await?;
            notices.extend(problems);
            if opened.conversation.prompt().is_none() {
                opened.note(Fact::Prompt(new_prompt().0));
            }
            opened
        }
        None => {
            let (prompt, notice) = new_prompt();
            notices.extend(notice);
            Opened::create(&setting.session, &workspace, prompt, settings.durability)?
        }
    };
    setting.session = opened.folder.id().clone();
    setting.output = setting.output.of_session(&opened.folder, settings.limits.record_bytes);
    let policy = policy(request, &settings, &opened.conversation, form.is_some());
    let conversation = std::mem::take(&mut opened.conversation);
    let Opened { folder, lock, journal, conversation: _, clock, was_there } = opened;
    let media = folder.media();
    let desk = Desk { setting, agent: ROOT, seat, journal, media, form, clock };
    Ok(Ready { desk, conversation, policy, settings, lock, was_there, notices, recorder })
}

/// A limit in dollars cannot be kept with a model whose price nobody knows.
fn check_price(request: &RunRequest, seat: &Seat) -> Result<(), RunError> {
    match seat.price {
        None if request.max_cost_usd.is_some() => {
            Err(RunError::NoPrice(seat.in_use.asked.clone().into()))
        }
        Some(_) | None => Ok(()),
    }
}

/// A session stays where it began, unless another place is asked for.
fn workspace(request: &RunRequest, found: Option<&Found>) -> PathBuf {
    let began = || found.and_then(Found::workspace);
    request.workspace.clone().or_else(began).unwrap_or_else(|| PathBuf::from("."))
}

/// The model of a run.
struct Chosen {
    seat: Seat,
    /// Writes down what it says.
    recorder: Option<Arc<Recorder>>,
    /// What the user should know.
    notice: Option<String>,
}

/// The model that was asked for, else the one that the session asked last, else that of the settings.
fn choose(
    request: &RunRequest,
    found: Option<&Found>,
    settings: &Settings,
) -> Result<Chosen, RunError> {
    let last = || found.and_then(|found| found.conversation.asked().map(str::to_owned));
    let name = request.model.clone().or_else(last).or_else(|| settings.model.clone());
    let name = name.ok_or(RunError::NoModel)?;
    let base_url = request.base_url.as_deref();
    let (chosen, notice) = seat(&name, base_url, settings, None)?;
    let Some(path) = &request.record else {
        return Ok(Chosen { seat: chosen, recorder: None, notice });
    };
    let recorder = Recorder::create(path, chosen.in_use.wire)
        .map_err(|error| RunError::Record { path: path.clone(), problem: error.to_string() })?;
    let recorder = Arc::new(recorder);
    let tap: Arc<dyn Tap> = Arc::clone(&recorder) as _;
    let (seat, notice) = seat(&name, base_url, settings, Some(tap))?;
    Ok(Chosen { seat, recorder: Some(recorder), notice })
}

fn policy(
    request: &RunRequest,
    settings: &Settings,
    conversation: &Conversation,
    checks_answer: bool,
) -> Policy {
    let tokens = [request.max_tokens, settings.limits.tree_tokens].into_iter().flatten().min();
    Policy {
        streaming: settings.streaming_start,
        attempts: settings.limits.model_attempts,
        limits: TurnLimits {
            steps: request.max_steps.unwrap_or(settings.limits.steps),
            tokens,
            cost_usd: request.max_cost_usd,
        },
        checks_answer,
        seed: conversation.session().map_or(0, |session| session.seed),
    }
}

impl RunRequest {
    fn freedom<'a>(&'a self, workspace: &'a Path) -> Freedom<'a> {
        Freedom {
            workspace,
            overrides: self.overrides,
            allow: &self.allow,
            deny: &self.deny,
            yes: self.yes,
            asks: self.asks,
        }
    }
}
