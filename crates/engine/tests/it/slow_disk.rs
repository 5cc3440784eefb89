//! An agent whose journal takes its time: what is wanted waits for the disk, what ends something does not.

use std::collections::VecDeque;
use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;

use fanfold_agent::{Agent, Answer, ModelInUse, Policy, TurnLimits};
use fanfold_engine::{Clock, Desk, JournalLost, Order, Seat, Sight, drive};
use fanfold_model::{Ask, Heard, Model, Reply};
use fanfold_settings::{Durability, StreamingStart};
use fanfold_store::{Home, Journal, JournalFile};
use fanfold_testkit::MadeTool;
use fanfold_tools::Toolbox;
use fanfold_transcript::{
    AgentId, Arguments, Assistant, Block, Call, CallId, Content, Conversation, Fact, Outcome,
    SessionId, Source, TurnEnd, Wire,
};
use fanfold_wire::{Endpoint, Progress, Thinking};
use tokio::sync::{Notify, mpsc};

/// No test takes so long.
const HUNG: Duration = Duration::from_secs(10);

/// A disk that does as it is told.
#[derive(Clone, Default)]
struct Disk(Arc<(Mutex<State>, Condvar)>);

#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum State {
    #[default]
    Works,
    StandsStill,
    /// It takes its writer down.
    Broken,
}

impl Disk {
    fn is(&self, state: State) {
        *self.0.0.lock().expect("no poison") = state;
        self.0.1.notify_all();
    }
}

impl JournalFile for Disk {
    fn append(&mut self, _: &[u8]) -> io::Result<()> {
        Ok(())
    }

    fn sync(&mut self) -> io::Result<()> {
        let stands_still = |state: &mut State| *state == State::StandsStill;
        let state = *self
            .0
            .1
            .wait_while(self.0.0.lock().expect("no poison"), stands_still)
            .expect("no poison");
        if state == State::Broken {
            // Without the noise of a panic that nobody meant.
            std::panic::resume_unwind(Box::new("on purpose"));
        }
        Ok(())
    }

    fn cut(&mut self, _: u64) -> io::Result<()> {
        Ok(())
    }
}

/// A model with its lines. A reply that is held says a word and waits for `cue` before it goes on.
#[derive(Debug, Default)]
struct Parrot {
    lines: Mutex<VecDeque<(Held, Vec<Block>)>>,
    cue: Arc<Notify>,
    asked: AtomicU32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Held {
    No,
    Yes,
}

impl Parrot {
    fn with(lines: impl IntoIterator<Item = (Held, Vec<Block>)>) -> Arc<Self> {
        Arc::new(Self { lines: Mutex::new(lines.into_iter().collect()), ..Self::default() })
    }
}

impl Model for Parrot {
    fn wire(&self) -> Wire {
        Wire::Anthropic
    }

    fn ask(&self, _: Ask) -> Reply {
        self.asked.fetch_add(1, Ordering::SeqCst);
        let (held, blocks) =
            self.lines.lock().expect("no poison").pop_front().expect("a line for each request");
        let cue = Arc::clone(&self.cue);
        Reply::told_by(async move |tell| {
            if held == Held::Yes {
                tell.send(Heard::Progress(Progress::Text("well".into()))).await.ok();
                cue.notified().await;
            }
            let reply = Assistant::new(Source::new(Wire::Anthropic), blocks);
            tell.send(Heard::Replied(Box::new(reply))).await.ok();
        })
    }
}

fn seat(name: &str, model: &Arc<Parrot>) -> Seat {
    Seat {
        model: Arc::clone(model) as _,
        in_use: ModelInUse { asked: name.into(), wire: Wire::Anthropic },
        endpoint: Endpoint::Anthropic,
        name: name.into(),
        max_output: None,
        thinking: Thinking::Off,
        price: None,
    }
}

fn text(text: &str) -> (Held, Vec<Block>) {
    (Held::No, vec![Block::text(text)])
}

fn one_call(tool: &str) -> (Held, Vec<Block>) {
    (Held::No, vec![Block::call(Call::new(CallId::new(1), tool, Arguments::none()))])
}

fn say(text: &str) -> Order {
    Order::Say(vec![Content::text(text)])
}

/// Lets an agent work until it is told to close. `act` gives the next orders for what is seen.
async fn work(
    seat: Seat,
    toolbox: Toolbox,
    disk: &Disk,
    first: Vec<Order>,
    act: impl FnMut(&Sight<'_>) -> Vec<Order> + Send,
) -> Vec<Fact> {
    try_work(seat, toolbox, disk, first, act).await.expect("the journal is there")
}

async fn try_work(
    seat: Seat,
    toolbox: Toolbox,
    disk: &Disk,
    first: Vec<Order>,
    mut act: impl FnMut(&Sight<'_>) -> Vec<Order> + Send,
) -> Result<Vec<Fact>, JournalLost> {
    let folder = tempfile::tempdir().expect("a folder");
    let media = Home::at(folder.path()).create(&SessionId::at(1, 1)).expect("a session").media();
    let mut setting = fanfold_testkit::setting(Path::new("/"), toolbox, 4, &[]);
    setting.gate = super::sessions::gate(&setting.toolbox);
    setting.asks = true;
    let journal = Journal::threaded(Box::new(disk.clone()), Default::default(), Durability::Full)
        .expect("a thread");
    let in_use = seat.in_use.clone();
    let clock = Clock::start();
    let desk = Desk { setting, agent: AgentId(0), seat, journal, media, form: None, clock };
    let (sender, mut orders) = mpsc::channel(16);
    first.into_iter().for_each(|order| sender.try_send(order).expect("room"));
    let mut sender = Some(sender);
    let mut facts = Vec::new();
    let mut watch = |_, sight: Sight<'_>| {
        for order in act(&sight) {
            // To close is to leave: nobody can say anything any more.
            let is_last = matches!(order, Order::Close);
            sender.as_ref().expect("somebody").try_send(order).expect("room");
            if is_last {
                sender = None;
            }
        }
        if let Sight::Fact(fact) = sight {
            facts.push(fact.clone());
        }
    };
    let agent = |setting: &fanfold_engine::Setting| {
        Agent::new(Conversation::default(), setting.door(), policy(), in_use)
    };
    {
        // Not dropped before the disk works again: its journal could not be closed.
        let mut work = std::pin::pin!(drive(desk, agent, &mut orders, &mut watch));
        tokio::select! {
            ended = &mut work => ended.map(drop)?,
            () = tokio::time::sleep(HUNG) => {
                disk.is(State::Works);
                panic!("it does not end");
            }
        }
    }
    Ok(facts)
}

/// Once the disk stands still, lets everything happen that can happen without it.
async fn after_standstill(disk: &Disk) {
    while *disk.0.0.lock().expect("no poison") != State::StandsStill {
        tokio::task::yield_now().await;
    }
    for _ in 0..100 {
        tokio::task::yield_now().await;
    }
}

fn policy() -> Policy {
    Policy {
        streaming: StreamingStart::All,
        attempts: 1,
        limits: TurnLimits { steps: 9, tokens: None, cost_usd: None },
        checks_answer: false,
        seed: 0,
    }
}

/// How the turns ended, in a word each.
fn ends(facts: &[Fact]) -> Vec<String> {
    let end = |fact: &Fact| match fact {
        Fact::Turn(TurnEnd::Final { text, .. }) => Some(text.to_string()),
        Fact::Turn(TurnEnd::Stopped) => Some("(stopped)".to_owned()),
        Fact::Turn(end) => panic!("{end:?}"),
        _ => None,
    };
    facts.iter().filter_map(end).collect()
}

fn outcomes(facts: &[Fact]) -> Vec<(&'static str, Option<&'static str>)> {
    let outcome = |fact: &Fact| match fact {
        Fact::Settled { outcome, .. } => Some((outcome.status().as_str(), outcome.ending.reason())),
        _ => None,
    };
    facts.iter().filter_map(outcome).collect()
}

#[tokio::test]
async fn a_running_call_is_told_to_stop() {
    let disk = Disk::default();
    let tool = {
        let disk = disk.clone();
        MadeTool::new("wait", move |_, run| {
            let disk = disk.clone();
            async move {
                run.stop.stopped().await;
                disk.is(State::Works);
                Outcome::ok_text("stopped in time")
            }
        })
    };
    let model = Parrot::with([one_call("wait")]);
    let (toolbox, still) = (Toolbox::default().with(tool), disk.clone());
    let facts = work(seat("a", &model), toolbox, &disk, vec![say("go")], |sight| match sight {
        Sight::Started(_) => {
            still.is(State::StandsStill);
            vec![say("and that"), Order::Stop, Order::Close]
        }
        _ => Vec::new(),
    });
    let facts = facts.await;
    assert_eq!(outcomes(&facts), [("ok", None)]);
    assert_eq!(ends(&facts), ["(stopped)"]);
}

#[tokio::test]
async fn a_call_that_waits_for_the_disk_does_not_start_after_a_stop() {
    let disk = Disk::default();
    let tool = MadeTool::new("never", |_, _| async { panic!("it was stopped before it started") });
    let model = Parrot::with([one_call("never")]);
    let (toolbox, still) = (Toolbox::default().with(tool), disk.clone());
    let facts = work(seat("a", &model), toolbox, &disk, vec![say("go")], |sight| match sight {
        Sight::Call(_) => {
            still.is(State::StandsStill);
            vec![Order::Stop, Order::Close]
        }
        _ => Vec::new(),
    });
    let (facts, ()) = tokio::join!(facts, async {
        after_standstill(&disk).await;
        disk.is(State::Works);
    });
    assert_eq!(outcomes(&facts), [("skipped", Some("stopped"))]);
    assert_eq!(ends(&facts), ["(stopped)"]);
}

#[tokio::test]
async fn a_reply_that_was_given_up_is_not_taken_for_the_next_one() {
    let disk = Disk::default();
    let model = Parrot::with([(Held::Yes, vec![Block::text("old")]), text("new")]);
    let (still, cue) = (disk.clone(), Arc::clone(&model.cue));
    let facts = work(seat("a", &model), Toolbox::default(), &disk, vec![say("go")], |sight| {
        if !matches!(sight, Sight::Text(_)) {
            return Vec::new();
        }
        still.is(State::StandsStill);
        cue.notify_one();
        vec![say("and that"), Order::Stop, say("and this"), Order::Close]
    });
    let (facts, ()) = tokio::join!(facts, async {
        after_standstill(&disk).await;
        disk.is(State::Works);
    });
    assert_eq!(ends(&facts), ["(stopped)", "new"]);
}

#[tokio::test]
async fn a_request_that_waits_for_the_disk_is_not_sent_after_a_stop() {
    let disk = Disk::default();
    disk.is(State::StandsStill);
    let model = Parrot::with([]);
    let orders = vec![say("go"), Order::Stop, Order::Close];
    let facts = work(seat("a", &model), Toolbox::default(), &disk, orders, |_| Vec::new());
    let (facts, ()) = tokio::join!(facts, async { disk.is(State::Works) });
    assert_eq!(ends(&facts), ["(stopped)"]);
    assert_eq!(model.asked.load(Ordering::SeqCst), 0);
}

#[tokio::test]
async fn another_model_is_asked_from_the_next_request_on() {
    let disk = Disk::default();
    disk.is(State::StandsStill);
    let (first, second) = (Parrot::with([text("of a")]), Parrot::with([text("of b")]));
    let orders = vec![say("go"), Order::Use(Box::new(seat("b", &second)))];
    let mut turns = 0;
    let facts = work(seat("a", &first), Toolbox::default(), &disk, orders, |sight| {
        turns += u32::from(matches!(sight, Sight::Fact(Fact::Turn(_))));
        match (sight, turns) {
            (Sight::Fact(Fact::Turn(_)), 1) => vec![say("on")],
            (Sight::Fact(Fact::Turn(_)), _) => vec![Order::Close],
            _ => Vec::new(),
        }
    });
    let (facts, ()) = tokio::join!(facts, async { disk.is(State::Works) });
    let models = facts.iter().filter_map(|fact| match fact {
        Fact::Request { model, .. } => Some(format!("request {model}")),
        Fact::Reply { reply, .. } => Some(format!("reply {}", reply.source.asked.as_ref()?)),
        Fact::Usage(spent) => Some(format!("usage {}", spent.model)),
        _ => None,
    });
    let models: Vec<String> = models.collect();
    let expected = ["request a", "usage a", "reply a", "request b", "usage b", "reply b"];
    assert_eq!(models, expected);
    assert_eq!(ends(&facts), ["of a", "of b"]);
}

#[tokio::test]
async fn who_leaves_did_not_say_no() {
    let tool = MadeTool::new("guarded", |_, _| async { panic!("nobody allowed it") }).changing();
    let model = Parrot::with([one_call("guarded"), text("well then")]);
    let toolbox = Toolbox::default().with(tool);
    let disk = Disk::default();
    let facts = work(seat("a", &model), toolbox, &disk, vec![say("go")], |sight| match sight {
        Sight::Asking(..) => vec![Order::Close],
        _ => Vec::new(),
    });
    let facts = facts.await;
    assert_eq!(outcomes(&facts), [("declined", Some("nobody_to_ask"))]);
    assert!(!facts.iter().any(|fact| matches!(fact, Fact::Answered { .. })));
    assert_eq!(ends(&facts), ["well then"]);
}

#[tokio::test]
async fn an_approval_is_written_down() {
    let tool = MadeTool::new("guarded", |_, _| async { Outcome::ok_text("x") }).changing();
    let model = Parrot::with([one_call("guarded"), text("done")]);
    let (toolbox, disk) = (Toolbox::default().with(tool), Disk::default());
    let facts = work(seat("a", &model), toolbox, &disk, vec![say("go")], |sight| match sight {
        Sight::Asking(call, _) => vec![Order::Answer(*call, Answer::Allow), Order::Close],
        _ => Vec::new(),
    });
    let facts = facts.await;
    assert_eq!(outcomes(&facts), [("ok", None)]);
    assert!(facts.iter().any(|fact| matches!(fact, Fact::Answered { allowed: true, .. })));
}

#[tokio::test]
async fn a_writer_that_is_gone_without_a_word_ends_everything() {
    let model = Parrot::with([]);
    let disk = Disk::default();
    disk.is(State::Broken);
    let ended =
        try_work(seat("a", &model), Toolbox::default(), &disk, vec![say("go")], |_| Vec::new());
    let lost = ended.await.unwrap_err();
    assert_eq!(lost.0, "its writer is gone");
    assert_eq!(model.asked.load(Ordering::SeqCst), 0);
}
