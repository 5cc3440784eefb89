//! One simulated session: processes that take it up one after the other until one comes to its end.

use std::ops::AddAssign;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use fanfold_agent::{Agent, Answer, ModelInUse, News, Policy, TurnLimits};
use fanfold_engine::{Clock, Desk, Ended, Order, Seat, Sight, drive};
use fanfold_schedule::Limits;
use fanfold_settings::{Durability, StreamingStart};
use fanfold_store::{Home, Journal, Journaled, MediaStore, fold};
use fanfold_transcript::{
    AgentId, CallId, Content, Conversation, Fact, Media, MediaSource, Millis, Prompt, Protocol,
    Session, SessionId, TurnEnd, Wire,
};
use fanfold_wire::{Endpoint, Thinking};
use tokio::sync::mpsc;

use super::checks;
use super::dice::Dice;
use super::disk::{Death, Disk, DyingFile, How};
use super::model::Babbler;
use super::tools::{gate, toolbox};
use super::world::{Pace, World};

/// How many processes may die before one may live to its end.
const DEATHS_MAX: u64 = 4;

/// No session lasts so long, in virtual time or in real.
const HUNG: Duration = Duration::from_secs(3_600);

/// What happened in some runs.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Tally {
    pub(super) runs: u64,
    pub(super) crashes: u64,
    pub(super) requests: u64,
    pub(super) faults: u64,
    pub(super) stops: u64,
    pub(super) approvals: u64,
    pub(super) calls: u64,
    /// Calls that started while their reply was still streaming.
    pub(super) early: u64,
    pub(super) turns: u64,
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Self) {
        self.runs += other.runs;
        self.crashes += other.crashes;
        self.requests += other.requests;
        self.faults += other.faults;
        self.stops += other.stops;
        self.approvals += other.approvals;
        self.calls += other.calls;
        self.early += other.early;
        self.turns += other.turns;
    }
}

/// One session, while its processes come and go.
struct Story {
    seed: u64,
    dice: Dice,
    world: World,
    disk: Arc<Mutex<Disk>>,
    media: MediaStore,
    durability: Durability,
    session: SessionId,
    /// What was told as safe, of all processes.
    told: Arc<Mutex<Vec<Fact>>>,
    tally: Tally,
}

/// Runs one seed.
pub(super) fn run(seed: u64, pace: Pace) -> Tally {
    let _seed = Seed(seed);
    let mut runtime = tokio::runtime::Builder::new_current_thread();
    let runtime = runtime.enable_all().start_paused(pace == Pace::Virtual);
    runtime.build().expect("a runtime").block_on(async {
        let told = tokio::time::timeout(HUNG, live(seed, pace)).await;
        told.unwrap_or_else(|_| panic!("seed {seed}: the session hangs"))
    })
}

/// Says its number when the run panics.
struct Seed(u64);

impl Drop for Seed {
    fn drop(&mut self) {
        if std::thread::panicking() {
            println!("seed {}", self.0);
        }
    }
}

async fn live(seed: u64, pace: Pace) -> Tally {
    let folder = tempfile::tempdir().expect("a folder");
    let session = SessionId::at(seed, seed);
    let media = Home::at(folder.path()).create(&session).expect("a session").media();
    let mut dice = Dice::new(seed);
    let world = World::new(dice.split(), pace);
    let durability = if dice.chance(20) { Durability::Relaxed } else { Durability::Full };
    let mut story = Story {
        seed,
        dice,
        world,
        disk: Arc::default(),
        media,
        durability,
        session,
        told: Arc::default(),
        tally: Tally { runs: 1, ..Tally::default() },
    };
    let deaths = story.dice.below(DEATHS_MAX + 1);
    let mut wire = story.wire();
    let mut n = 0;
    let ended = loop {
        let death = (n < deaths).then(|| story.death());
        if let Some(ended) = story.process(wire, death).await {
            break ended;
        }
        story.tally.crashes += 1;
        let mut disk = story.disk.lock().unwrap_or_else(PoisonError::into_inner);
        let left = disk.survive(&mut story.dice, story.durability);
        drop(disk);
        checks::after_a_crash(seed, &left, &story.told());
        if story.dice.chance(25) {
            wire = story.wire();
        }
        n += 1;
    };
    story.tally +=
        checks::at_the_end(seed, &ended, &story.disk_bytes(), &story.told(), &story.world);
    story.tally
}

impl Story {
    fn wire(&mut self) -> Wire {
        Endpoint::ALL[self.dice.index(Endpoint::ALL.len())].wire()
    }

    fn death(&mut self) -> Death {
        let how = match self.dice.below(5) {
            0 => How::Full,
            1 | 2 => How::Before,
            _ => How::After,
        };
        Death { at: 1 + self.dice.below(60), how }
    }

    fn told(&self) -> Vec<Fact> {
        self.told.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn disk_bytes(&self) -> Vec<u8> {
        self.disk.lock().unwrap_or_else(PoisonError::into_inner).all()
    }

    /// One process: `None` when it died.
    async fn process(&mut self, wire: Wire, death: Option<Death>) -> Option<Ended> {
        self.world.revive();
        let journaled = Journaled::parse(&self.disk_bytes()).expect("a journal of this version");
        let (mut conversation, problems) = fold(journaled.lines.iter().cloned(), AgentId(0));
        assert!(problems.is_empty(), "seed {}: {problems:?}", self.seed);
        let mut file = DyingFile::new(&self.disk, &self.world, death);
        fanfold_store::JournalFile::cut(&mut file, journaled.end().bytes).ok();
        let journal = match self.world.pace() {
            Pace::Virtual => Journal::inline(Box::new(file), journaled.end(), self.durability),
            Pace::Real => Journal::threaded(Box::new(file), journaled.end(), self.durability)
                .expect("a thread"),
        };
        self.begin(&journal, &mut conversation);
        let desk = self.desk(wire, journal);
        let (sender, mut orders) = mpsc::channel(4);
        let script = play(sender.clone(), self.dice.split(), self.world.clone());
        let policy = self.policy();
        let in_use = desk.seat.in_use.clone();
        let agent = |setting: &fanfold_engine::Setting| {
            Agent::new(conversation, setting.door(), policy, in_use)
        };
        let (told, world) = (Arc::clone(&self.told), self.world.clone());
        let mut answers = self.dice.split();
        let mut tally = Tally::default();
        let mut watch = |at: Millis, sight: Sight<'_>| {
            if std::env::var_os("FANFOLD_SIM_TRACE").is_some() {
                println!("{at:?} {sight:?}");
            }
            if world.is_dead() {
                return;
            }
            match sight {
                Sight::Fact(fact) => {
                    told.lock().unwrap_or_else(PoisonError::into_inner).push(fact.clone());
                    tally.stops += u64::from(matches!(fact, Fact::Turn(TurnEnd::Stopped)));
                }
                Sight::Asking(call, _) => {
                    tally.approvals += 1;
                    let order = reply_to(call, &mut answers);
                    let (sender, ms) = (sender.clone(), world.pace().ms(answers.below(500)));
                    tokio::spawn(async move {
                        tokio::time::sleep(Duration::from_millis(ms)).await;
                        sender.send(order).await.ok();
                    });
                }
                Sight::News(News::Waiting(..) | News::Retrying { .. } | News::CutShort(_))
                | Sight::News(News::Restarted | News::NothingToDo)
                | Sight::Text(_)
                | Sight::Thinking(_)
                | Sight::Call(_)
                | Sight::Started(_)
                | Sight::Output(..)
                | Sight::Ended(..) => {}
            }
        };
        let script = tokio::spawn(script);
        let ended = tokio::select! {
            biased;
            () = self.world.death() => None,
            ended = drive(desk, agent, &mut orders, &mut watch) => {
                // A journal that died took its process with it.
                ended.ok().filter(|_| !self.world.is_dead())
            }
        };
        script.abort();
        self.tally += tally;
        ended
    }

    /// Writes down how the session begins, in its first process.
    fn begin(&self, journal: &Journal, conversation: &mut Conversation) {
        let mut note = |fact: Fact| {
            journal.append(Millis(0), AgentId(0), &fact);
            conversation.apply(fact).expect("the first facts");
        };
        note(Fact::Session(Session {
            session: self.session.clone(),
            workspace: "/".into(),
            version: "0".into(),
            began_unix_ms: 0,
            seed: self.seed,
            boot: "boot".into(),
        }));
        note(Fact::Prompt(Prompt {
            system: "You are a test.".into(),
            tools: Vec::new(),
            protocol: Protocol::Native,
        }));
    }

    fn desk(&mut self, wire: Wire, journal: Journal) -> Desk {
        let toolbox = toolbox(&self.world);
        let mut setting = fanfold_testkit::setting(Path::new("/"), toolbox, 1, &[]);
        setting.gate = gate(&setting.toolbox);
        setting.asks = true;
        setting.limits = Limits { slots: 1 + self.dice.index(4), claims: true };
        setting.session = self.session.clone();
        let seat = seat(&self.world, wire);
        let (media, clock) = (self.media.clone(), Clock::started_ago(0));
        Desk { setting, agent: AgentId(0), seat, journal, media, form: None, clock }
    }

    fn policy(&mut self) -> Policy {
        let streaming = match self.dice.below(4) {
            0 => StreamingStart::Off,
            1 => StreamingStart::ReadOnly,
            _ => StreamingStart::All,
        };
        Policy {
            streaming,
            attempts: 3,
            limits: TurnLimits { steps: 6, tokens: None, cost_usd: None },
            checks_answer: false,
            seed: self.seed,
        }
    }
}

/// A seat at the model, which speaks this wire there.
fn seat(world: &World, wire: Wire) -> Seat {
    Seat {
        model: Arc::new(Babbler { world: world.clone(), wire }),
        in_use: ModelInUse { asked: format!("babbler/{wire}").into(), wire },
        endpoint: Endpoint::of(wire).expect("an endpoint"),
        name: "babbler".into(),
        max_output: None,
        thinking: Thinking::Off,
        price: None,
    }
}

/// What the user does: says something, stops, says something while the agent works or is being
/// stopped, takes another model, and in the end nothing more.
async fn play(orders: mpsc::Sender<Order>, mut dice: Dice, world: World) {
    orders.send(Order::Continue).await.ok();
    for _ in 0..1 + dice.below(7) {
        // Some come right after one another.
        if dice.chance(70) {
            tokio::time::sleep(Duration::from_millis(world.pace().ms(dice.below(1_500)))).await;
        }
        let order = match dice.below(10) {
            0 => Order::Kill,
            1 | 2 => Order::Stop,
            3 => {
                let wire = Endpoint::ALL[dice.index(Endpoint::ALL.len())].wire();
                Order::Use(Box::new(seat(&world, wire)))
            }
            4 => Order::Say(vec![Content::text("see"), picture(&mut dice)]),
            _ => Order::Say(vec![Content::text(format!("do {}", dice.below(1_000)))]),
        };
        orders.send(order).await.ok();
    }
    orders.send(Order::Close).await.ok();
}

/// What the user does when a call needs an approval; not always is it an answer.
fn reply_to(call: CallId, dice: &mut Dice) -> Order {
    match dice.below(8) {
        0 => Order::Stop,
        1 => Order::Kill,
        2..5 => Order::Answer(call, Answer::Deny),
        _ => Order::Answer(call, Answer::Allow),
    }
}

/// A picture, of no more than its first bytes.
fn picture(dice: &mut Dice) -> Content {
    let base64 = ["iVBORw0KGgo=", "iVBORw0KGgoA"][dice.index(2)].into();
    Content::Image(Media { media_type: "image/png".into(), source: MediaSource::Inline { base64 } })
}
