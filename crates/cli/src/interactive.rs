//! `fanfold` alone: an agent to talk to, on a terminal. What is typed while it works is heard at its
//! next step.
//!
//! Not here: how lines are typed (`interactive/editor.rs`) and what events look like (`view.rs`).

mod above;
mod editor;
mod questions;
mod typed;
mod wrap;

use std::io::{self, IsTerminal as _};
use std::path::PathBuf;
use std::process::ExitCode;

use fanfold_session::{
    Answer, CallChange, CallId, Event, Message, Order, RunError, RunRequest, Summary, What,
    converse,
};
use tokio::runtime::Builder;
use tokio::sync::mpsc::{self, UnboundedReceiver, unbounded_channel};

pub(crate) use self::above::Above;
use self::editor::{Keyed, Terminal};
use self::questions::Questions;
use self::typed::{COMMANDS, Typed};
pub(crate) use self::wrap::Wrap;
use crate::args::AgentArgs;
use crate::run::{ORDERS_MAX, order_of, problem, request};
use crate::signals::{self, Press};
use crate::speech::Speech;
use crate::view::View;
use crate::voice::{Voice, clean, say};
use crate::{DONE, INTERRUPTED, Problem, tools};

/// Characters of a message that are shown of it while it waits.
const QUEUED_CHARS_MAX: usize = 60;

/// Runs the command.
pub(crate) fn run(agent: AgentArgs, session: Option<String>) -> Result<ExitCode, Problem> {
    if !is_at_terminal() {
        return Err(Problem::input(
            "the interactive mode needs a terminal; fanfold run PROMPT needs none, and --help tells the rest",
        ));
    }
    let request = RunRequest { asks: true, ..request(agent, session)? };
    let runtime = Builder::new_current_thread().enable_all().build().map_err(Problem::work)?;
    let code = runtime.block_on(talk(request));
    runtime.shutdown_background();
    code.map(ExitCode::from)
}

/// Whether somebody can type and see what is typed.
pub(crate) fn is_at_terminal() -> bool {
    io::stdin().is_terminal() && io::stdout().is_terminal()
}

/// Why it ends early.
#[derive(Debug)]
enum Early {
    /// Whoever sits there would not wait for what is being killed.
    Left,
    /// The run cannot begin or go on.
    Failed(RunError),
}

async fn talk(request: RunRequest) -> Result<u8, Problem> {
    let terminal = Terminal::take();
    let (sender, mut presses) = mpsc::channel(4);
    // Before the editor, which takes the interrupt for its own as long as it reads.
    let stops = signals::forward(sender, |press| press, |_| {}).map_err(Problem::work)?;
    let lines = editor::read_lines(&terminal, history(), Typed::is_last);
    let (above, mut keyed) = lines.map_err(Problem::work)?;
    let (orders, orders_taken) = mpsc::channel(ORDERS_MAX);
    let (sender, mut events) = unbounded_channel();
    let mut desk = Desk::new(above, orders);
    let watch = move |event| drop(sender.send(event));
    let ended = tokio::select! {
        ended = async { tokio::try_join!(
            async { converse(request, orders_taken, watch).await.map_err(Early::Failed) },
            desk.attend(&mut keyed, &mut events, &mut presses),
        ) } => ended,
        () = stops.after_a_kill() => Err(Early::Left),
    };
    while let Ok(event) = events.try_recv() {
        desk.see(event);
    }
    drop(terminal);
    let Summary { session, last, .. } = match ended {
        Ok((summary, ())) => summary,
        Err(Early::Left) => return Ok(INTERRUPTED),
        Err(Early::Failed(error)) => return Err(problem(error)),
    };
    if last.is_some() {
        say(&format!("to go on with it: fanfold sessions resume {session}"));
    }
    Ok(if stops.any() { INTERRUPTED } else { DONE })
}

/// Where lines are remembered, if there is a place: Fanfold's own folder.
fn history() -> Option<PathBuf> {
    let home = fanfold_session::home().ok()?;
    std::fs::create_dir_all(&home).ok()?;
    Some(home.join("history"))
}

/// The one who carries words between the terminal and the agent.
#[derive(Debug)]
struct Desk {
    view: View,
    orders: mpsc::Sender<Order>,
    questions: Questions,
    model: String,
    /// Whether a turn is under way, as far as is known here.
    is_working: bool,
    /// Whether the end was asked for.
    is_closing: bool,
    /// Interrupts in a row, in this turn or at this prompt.
    interrupts: u32,
}

impl Desk {
    fn new(above: Above, orders: mpsc::Sender<Order>) -> Self {
        Self {
            view: View::new(Speech::above(above.clone()), Voice::Above(above)),
            orders,
            questions: Questions::default(),
            model: String::new(),
            is_working: false,
            is_closing: false,
            interrupts: 0,
        }
    }

    /// Attends to all sides until there are no more events.
    async fn attend(
        &mut self,
        keyed: &mut UnboundedReceiver<Keyed>,
        events: &mut UnboundedReceiver<Event>,
        presses: &mut mpsc::Receiver<Press>,
    ) -> Result<(), Early> {
        let mut is_typing = true;
        loop {
            tokio::select! {
                biased;
                event = events.recv() => match event {
                    Some(event) => self.see(event),
                    None => return Ok(()),
                },
                Some(press) = presses.recv() => {
                    self.order(order_of(press));
                    self.quit();
                }
                done = keyed.recv(), if is_typing => match done {
                    Some(Keyed::Line(line)) => self.line(&line),
                    Some(Keyed::Interrupt) => self.interrupt()?,
                    Some(Keyed::End) | None => {
                        is_typing = false;
                        self.quit();
                    }
                },
            }
        }
    }

    fn see(&mut self, event: Event) {
        let asked = self.questions.first();
        let mut question = None;
        match &event.what {
            What::Approval { call, why } => question = Some((*call, why.clone())),
            What::Session { model, .. } | What::Usage { model, .. } => self.model.clone_from(model),
            What::Call { call, change: CallChange::Ended { .. } } => self.questions.remove(*call),
            What::Text { .. } | What::Thinking { .. } | What::Call { .. } => self.is_working = true,
            What::Final { .. } => (self.is_working, self.interrupts) = (false, 0),
            What::Notice { .. } | What::Error { .. } => {}
        }
        self.view.see(event.what);
        if let Some((call, why)) = question {
            let question = self.view.progress().question_of(call, &why);
            self.questions.put(call, format!("? {question}\nallow {call}? y or n"));
        }
        self.ask(asked);
    }

    /// Asks the question whose turn it is, unless it was asked already. One at a time: an answer
    /// without a name is never for another call than the one that was asked about last.
    fn ask(&mut self, asked: Option<CallId>) {
        if self.questions.first() != asked
            && let Some(text) = self.questions.text()
        {
            self.view.say(text);
        }
    }

    fn line(&mut self, line: &str) {
        if !self.is_working {
            // What is said while the turn is being stopped does not make the next one a first one.
            self.interrupts = 0;
        }
        match Typed::read(line) {
            Typed::Nothing => {}
            Typed::Message(text) => self.message(&text),
            Typed::Answer { answer, call, line } => self.answer(answer, call.as_deref(), &line),
            Typed::Help => {
                let lines = COMMANDS.map(|(command, what)| format!("{command:15} {what}"));
                self.view.say(&lines.join("\n"));
                self.view.say("anything else is for the agent, also while it works; y or n answers a question,\ny c7 the one about c7");
            }
            Typed::Model(None) => self.view.say(&self.model.clone()),
            Typed::Model(Some(name)) => self.order(Order::UseModel(name)),
            Typed::Tools => self.view.say(&tools::lines()),
            Typed::Stop if self.is_working => self.stop(),
            Typed::Stop => self.view.say("there is nothing to stop"),
            Typed::Quit => self.quit(),
            Typed::Unknown { word, near } => {
                let hint = near.map_or_else(
                    || "; /help lists what there is".to_owned(),
                    |near| format!("; did you mean {near}?"),
                );
                self.view.say(&format!("there is no {word}{hint}"));
            }
        }
    }

    fn message(&mut self, text: &str) {
        match Message::new(text, &[]) {
            Ok(message) => {
                if self.is_working {
                    let shown = clean(text, QUEUED_CHARS_MAX);
                    self.view.say(&format!("queued for the next step: {shown}"));
                }
                self.is_working = true;
                self.order(Order::Say(message));
            }
            Err(error) => self.view.say(&format!("fanfold: {error}")),
        }
        if let Some(call) = self.questions.first() {
            self.view.say(&format!("{call} still waits: allow it? y or n"));
        }
    }

    fn answer(&mut self, answer: Answer, named: Option<&str>, line: &str) {
        if named.is_none() && self.questions.first().is_none() {
            // Nobody asked, so it is said to the agent.
            return self.message(line);
        }
        let asked = self.questions.first();
        match self.questions.take(named) {
            Some(call) => self.order(Order::Answer(call, answer)),
            None => self.view.say("no such call waits for an answer"),
        }
        self.ask(asked);
    }

    fn interrupt(&mut self) -> Result<(), Early> {
        self.interrupts += 1;
        match (self.is_working || self.is_closing, self.interrupts) {
            (true, 1) => {
                self.view.say("stopping; once more to kill");
                self.stop();
            }
            (true, 2) => {
                self.view.say("killing");
                self.order(Order::Kill);
            }
            (true, _) => return Err(Early::Left),
            (false, 1) => self.view.say("once more to quit"),
            (false, _) => self.quit(),
        }
        Ok(())
    }

    fn quit(&mut self) {
        if self.is_closing {
            return;
        }
        self.is_closing = true;
        if self.is_working {
            self.stop();
        }
        self.order(Order::Close);
    }

    /// Stops the turn; nothing that it asked is to be answered then.
    fn stop(&mut self) {
        self.questions.clear();
        self.order(Order::Stop);
    }

    fn order(&mut self, order: Order) {
        if self.orders.try_send(order).is_err() && !self.orders.is_closed() {
            self.view.say("fanfold: too much waits to be done; say it again later");
        }
    }
}

#[cfg(test)]
mod tests;
