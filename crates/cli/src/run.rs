//! `fanfold run`: one turn of an agent, its text to standard output.
//!
//! Not here: what is drawn (`view.rs`), and what is typed while it works (`interactive.rs`).

use std::fs;
use std::io::{self, IsTerminal as _};
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

use fanfold_session::{
    Event, HowEnded, Message, Order, Overrides, RunError, RunRequest, Summary, What, converse,
};
use tokio::runtime::Builder;
use tokio::sync::mpsc;

use crate::approvals::{Approver, Questions};
use crate::args::{AgentArgs, LimitsArgs, Protocol, RulesArgs, RunArgs};
use crate::outlet::Outlet;
use crate::signals::{self, Press, Stops};
use crate::speech::Speech;
use crate::view::View;
use crate::voice::{Voice, say};
use crate::{DONE, FAILED, INTERRUPTED, Problem, input};

/// Orders that may wait to be taken; a stop must always find room.
pub(crate) const ORDERS_MAX: usize = 64;

/// A prompt is as large as a file that is attached may be.
const PROMPT_BYTES_MAX: usize = 32 << 20;

/// Runs the command.
pub(crate) fn run(args: RunArgs) -> Result<ExitCode, Problem> {
    let RunArgs { prompt, attach, output_schema, json, session, agent } = args;
    let mut request = request(agent, session.session)?;
    request.output_schema = output_schema.as_deref().map(schema).transpose()?;
    let order = match prompt_text(prompt, request.session.is_some() || !attach.is_empty())? {
        None if attach.is_empty() => Order::Continue,
        text => {
            let message = Message::new(&text.unwrap_or_default(), &attach);
            Order::Say(message.map_err(Problem::input)?)
        }
    };
    one_turn(request, order, json)
}

/// Lets the agent work until this order is carried out.
pub(crate) fn one_turn(request: RunRequest, order: Order, json: bool) -> Result<ExitCode, Problem> {
    let runtime = Builder::new_current_thread().enable_all().build().map_err(Problem::work)?;
    let code = runtime.block_on(work(request, order, json));
    // A blocking read or write that never returns must not keep the program alive.
    runtime.shutdown_background();
    code.map(ExitCode::from)
}

async fn work(mut request: RunRequest, order: Order, json: bool) -> Result<u8, Problem> {
    let (sender, orders) = mpsc::channel(ORDERS_MAX);
    for order in [order, Order::Close] {
        sender.try_send(order).expect("an empty queue has room for two");
    }
    let voice = if json { Voice::Silent } else { Voice::to_stderr() };
    let mut screen = Screen::open(voice.clone(), json);
    let stops = signals::forward(sender.clone(), order_of, move |text| voice.say(text));
    let stops = stops.map_err(Problem::work)?;
    screen.ask(sender);
    request.asks = screen.questions.is_some();
    let ended = tokio::select! {
        ended = converse(request, orders, |event| screen.show(event)) => Some(ended),
        () = stops.after_a_kill() => None,
    };
    let outlet = screen.finish();
    let Some(ended) = ended else { return Ok(INTERRUPTED) };
    tokio::select! {
        written = async { match outlet { Some(outlet) => outlet.finish().await, None => Ok(()) } } => written?,
        () = stops.too_late() => return Ok(INTERRUPTED),
    }
    exit_code(ended.map_err(problem)?, &stops)
}

fn exit_code(summary: Summary, stops: &Arc<Stops>) -> Result<u8, Problem> {
    let Summary { session, last, waiting_messages } = summary;
    if waiting_messages > 0 {
        say(&format!("fanfold: {waiting_messages} message(s) wait in session {session}"));
    }
    Ok(match last {
        Some(HowEnded::Stopped) => INTERRUPTED,
        Some(HowEnded::Limit | HowEnded::Failed) => FAILED,
        None if stops.any() => INTERRUPTED,
        Some(HowEnded::Answered) | None => DONE,
    })
}

/// Where events go.
#[derive(Debug)]
struct Screen {
    drawn: Drawn,
    voice: Voice,
    questions: Option<Questions>,
}

#[derive(Debug)]
enum Drawn {
    Lines(Outlet),
    View(Box<View>),
}

impl Screen {
    fn open(voice: Voice, json: bool) -> Self {
        let outlet = Outlet::open();
        let drawn = if json {
            Drawn::Lines(outlet)
        } else {
            Drawn::View(Box::new(View::new(Speech::to(outlet, voice.clone()), voice.clone())))
        };
        Self { drawn, voice, questions: None }
    }

    /// Puts questions to whoever sits at the terminal.
    fn ask(&mut self, orders: mpsc::Sender<Order>) {
        let rows = self.voice.stillness();
        let approver = Approver::at_terminal();
        self.questions = approver.map(|approver| approver.ask(rows, orders, Order::Answer));
    }

    fn show(&mut self, event: Event) {
        let question = match (&event.what, &self.drawn) {
            (What::Approval { call, why }, Drawn::View(view)) => {
                Some((*call, view.progress().question_of(*call, why)))
            }
            (What::Approval { call, why }, Drawn::Lines(_)) => {
                Some((*call, format!("{call}  {why}")))
            }
            _ => None,
        };
        match &mut self.drawn {
            Drawn::Lines(outlet) => {
                let line = serde_json::to_string(&event).expect("an event always serializes");
                outlet.put(line + "\n");
            }
            Drawn::View(view) => view.see(event.what),
        }
        if let (Some((call, question)), Some(questions)) = (question, &self.questions) {
            questions.put(call, question);
        }
    }

    fn finish(self) -> Option<Outlet> {
        match self.drawn {
            Drawn::Lines(outlet) => Some(outlet),
            Drawn::View(view) => view.finish().into_outlet(),
        }
    }
}

/// The order that a press is.
pub(crate) const fn order_of(press: Press) -> Order {
    match press {
        Press::Stop => Order::Stop,
        Press::Kill => Order::Kill,
    }
}

/// What the flags ask for.
pub(crate) fn request(agent: AgentArgs, session: Option<String>) -> Result<RunRequest, Problem> {
    let AgentArgs { model, base_url, system, workspace, protocol, record, rules, limits } = agent;
    let RulesArgs { allow, deny, yes } = rules;
    let LimitsArgs { max_parallel, max_steps, max_tokens, max_cost } = limits;
    check_recording(record.as_deref(), model.as_deref())?;
    Ok(RunRequest {
        workspace,
        overrides: Overrides { max_parallel_tools: max_parallel },
        allow,
        deny,
        yes,
        asks: false,
        model,
        base_url,
        system: system.as_deref().map(text_of).transpose()?,
        session,
        max_steps,
        max_tokens,
        max_cost_usd: max_cost,
        output_schema: None,
        protocol: match protocol {
            Protocol::Native => fanfold_session::Protocol::Native,
            Protocol::Plain => fanfold_session::Protocol::Plain,
        },
        record,
    })
}

/// A recording replaces its file: that must neither be a device or a pipe nor what is played.
fn check_recording(record: Option<&Path>, model: Option<&str>) -> Result<(), Problem> {
    let Some(place) = record.and_then(|path| fs::canonicalize(path).ok()) else { return Ok(()) };
    let cannot =
        |why: &str| Err(Problem::input(format!("cannot record to {}: {why}", place.display())));
    let script = model.and_then(|model| model.strip_prefix("script:"));
    if !place.is_file() {
        cannot("it is not a file")
    } else if script.and_then(|path| fs::canonicalize(path).ok()).as_ref() == Some(&place) {
        cannot("it is the script that is played")
    } else {
        Ok(())
    }
}

/// The problem that an error is.
pub(crate) fn problem(error: RunError) -> Problem {
    if error.is_input() { Problem::input(error) } else { Problem::work(error) }
}

/// The words of the user; `None` to go on without any.
fn prompt_text(prompt: Option<String>, may_lack: bool) -> Result<Option<String>, Problem> {
    match prompt.as_deref() {
        Some("-") => {}
        Some(_) => return Ok(prompt),
        None if may_lack => return Ok(None),
        None if io::stdin().is_terminal() => {
            return Err(Problem::input(
                "no prompt: give one as an argument or through a pipe, or --session ID to go on",
            ));
        }
        None => {}
    }
    let bytes = input::read(Path::new("-"))?;
    if bytes.len() > PROMPT_BYTES_MAX {
        return Err(Problem::input("the prompt is larger than 32 MiB"));
    }
    let text = String::from_utf8(bytes);
    text.map(Some).map_err(|_| Problem::input("standard input is not UTF-8 text"))
}

fn text_of(path: &Path) -> Result<String, Problem> {
    let cannot = |error| Problem::input(format!("cannot read {}: {error}", path.display()));
    fs::read_to_string(path).map_err(cannot)
}

fn schema(path: &Path) -> Result<serde_json::Value, Problem> {
    let no_json = |error| Problem::input(format!("{} is no JSON: {error}", path.display()));
    serde_json::from_str(&text_of(path)?).map_err(no_json)
}
