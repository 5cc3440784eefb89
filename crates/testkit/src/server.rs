//! The strict provider as a server on loopback: all four wires, fed by a script.
//!
//! It checks each request as the provider would, answers what the script says, and keeps a log.
//! Not here: the rules (`strict.rs`), the routes (`server/routes.rs`), how a reply is sent
//! (`server/reply.rs`).

mod reply;
mod routes;
mod whole;

use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use axum::serve::ListenerExt as _;
use fanfold_model::Script;
use fanfold_model::script::{Answer, Player};
use fanfold_transcript::{Json, Wire};
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

use crate::strict::{Accepted, Memory, Refusal, check};

/// A provider that refuses what the real ones refuse. It ends when it is dropped.
#[derive(Debug)]
pub struct StrictServer {
    address: SocketAddr,
    state: Arc<State>,
    task: JoinHandle<()>,
}

/// A request that came.
#[derive(Clone, Debug)]
pub struct Received {
    /// The format of its route.
    pub wire: Wire,
    /// The model that it asks for.
    pub model: Option<String>,
    /// The body as it came.
    pub body: String,
    /// The rule that it breaks, if it breaks one.
    pub refusal: Option<Refusal>,
    /// When it came, in milliseconds since the server began.
    pub at_ms: u64,
}

impl StrictServer {
    /// Serves the script on a free port.
    ///
    /// # Errors
    /// When there is no port.
    pub async fn start(script: Script) -> io::Result<Self> {
        Self::bind(script, Memory::default(), 0).await
    }

    /// Serves the script on this port (0: a free one), with a memory that may check less.
    ///
    /// # Errors
    /// When the port is taken.
    pub async fn bind(script: Script, memory: Memory, port: u16) -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await?;
        let address = listener.local_addr()?;
        // Chunks go out as they are made, as from a provider; else the system holds them back.
        let listener = listener.tap_io(|connection| drop(connection.set_nodelay(true)));
        let state = Arc::new(State {
            player: Player::new(script),
            memory: Mutex::new(memory),
            log: Mutex::default(),
            begun: Instant::now(),
        });
        let router = routes::router(Arc::clone(&state));
        let serve = async {
            // Never ends by itself.
            drop(axum::serve(listener, router).await);
        };
        Ok(Self { address, state, task: tokio::spawn(serve) })
    }

    /// Where it is: what `ANTHROPIC_BASE_URL` and `GEMINI_BASE_URL` would hold. `OPENAI_BASE_URL`
    /// ends in `/v1`.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// All requests so far, in the order they came.
    #[must_use]
    pub fn requests(&self) -> Vec<Received> {
        lock(&self.state.log).clone()
    }

    /// The rules that were broken so far.
    #[must_use]
    pub fn refusals(&self) -> Vec<Refusal> {
        lock(&self.state.log).iter().filter_map(|request| request.refusal.clone()).collect()
    }
}

impl Drop for StrictServer {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// What the routes share.
#[derive(Debug)]
struct State {
    player: Player,
    memory: Mutex<Memory>,
    log: Mutex<Vec<Received>>,
    begun: Instant,
}

/// What is answered to a request, and whether as a stream.
#[derive(Debug)]
struct Answered {
    answer: Answer,
    streams: bool,
}

impl State {
    /// Checks a request, writes it down, and asks the script.
    fn answer(&self, request: Request) -> Result<Answered, Refusal> {
        let Request { wire, body, model, refusal, streams } = request;
        let checked =
            refusal.map_or_else(|| check(wire, body.as_bytes(), &mut lock(&self.memory)), Err);
        let asked = checked.as_ref().ok().and_then(|accepted| accepted.model.clone());
        let at_ms = u64::try_from(self.begun.elapsed().as_millis()).unwrap_or(u64::MAX);
        let json = Json::parse(&body);
        lock(&self.log).push(Received {
            wire,
            model: model.or(asked),
            body,
            refusal: checked.as_ref().err().cloned(),
            at_ms,
        });
        let accepted: Accepted = checked?;
        let json = json.map_err(|error| Refusal::of("body", error.to_string()))?;
        let answer = self.player.answer(wire, &json, &|text| accepted.seal(text));
        Ok(Answered { answer, streams: streams || accepted.streams })
    }
}

/// A request as its route reads it.
#[derive(Debug)]
struct Request {
    wire: Wire,
    body: String,
    /// The model in the address.
    model: Option<String>,
    /// A rule that the address or the headers break.
    refusal: Option<Refusal>,
    /// Whether the address asks for a stream.
    streams: bool,
}

/// A poisoned lock still holds what was written: the writer does nothing else under it.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
