//! Requests as Fanfold writes them, against every rule: whole sessions that change their model.

use fanfold_model::Script;
use fanfold_testkit::StrictServer;
use fanfold_transcript::{Assistant, Body, EntryId, Outcome, Sha256, Transcript, User, View};
use fanfold_wire::{Endpoint, MediaBytes, Protocol, RequestParts, Thinking, ToolDefinition};
use serde_json::json;

use crate::client;

/// Every other reply asks for two tools; each thinks first.
fn script() -> Script {
    let call = |tool: &str| json!({"call": {"tool": tool, "arguments": {"path": "src"}}});
    let reply = |n: usize| match n % 2 {
        0 => json!({"say": [
            {"thinking": format!("Step {n}."), "chunks": 2}, {"text": "I look."}, call("Ls"), call("Grep"),
        ]}),
        _ => json!({"say": [{"thinking": format!("Step {n}.")}, {"text": "Done.", "chunks": 2}]}),
    };
    let replies: Vec<_> = (0..12).map(reply).collect();
    Script::parse(&json!({"replies": replies}).to_string()).unwrap()
}

struct NoMedia;

impl MediaBytes for NoMedia {
    fn base64(&self, _: &Sha256) -> Option<String> {
        None
    }
}

/// A conversation and a server for each endpoint.
struct Session {
    transcript: Transcript,
    leaf: Option<EntryId>,
    servers: Vec<StrictServer>,
    thinking: Thinking,
    calls: u32,
}

impl Session {
    async fn new(thinking: Thinking) -> Self {
        let mut servers = Vec::new();
        for _ in Endpoint::ALL {
            servers.push(StrictServer::start(script()).await.unwrap());
        }
        Self { transcript: Transcript::default(), leaf: None, servers, thinking, calls: 0 }
    }

    fn append(&mut self, body: Body) {
        self.leaf = Some(self.transcript.append(self.leaf, body).unwrap());
    }

    fn user(&mut self, text: &str) {
        self.append(Body::User(User::text(text)));
    }

    /// One request, and outcomes for the calls of its reply, one of them bad.
    async fn step(&mut self, endpoint: Endpoint) {
        let asked = format!("{endpoint:?}/model");
        let model = match self.thinking {
            Thinking::Budget { .. } => "claude-sonnet-4-5",
            _ => "claude-opus-4-6",
        };
        let schema = json!({"type": "object"});
        let tool = |name| ToolDefinition { name, description: "A tool.", input_schema: &schema };
        let view = View::of(&self.transcript, self.leaf.unwrap()).unwrap();
        let parts = RequestParts {
            model,
            asked: &asked,
            system: "Be brief.",
            tools: &[tool("Ls"), tool("Grep")],
            view: &view,
            max_output: None,
            thinking: self.thinking,
            protocol: Protocol::Native,
            media: &NoMedia,
            cache_key: "session",
        };
        let body = fanfold_wire::write_request(endpoint, &parts);
        let at = Endpoint::ALL.iter().position(|one| *one == endpoint).unwrap();
        let got = client::ask(&self.servers[at], endpoint.wire(), body.text(), true).await;
        let said = String::from_utf8_lossy(&got.bytes);
        assert_eq!(got.status, 200, "{said}\n{}", body.text());
        let wire = Some(endpoint.wire());
        let mut reply = fanfold_wire::decode(&got.bytes, wire, self.calls + 1).unwrap();
        reply.source.asked = Some(asked.into());
        self.settle(&mut reply);
        self.append(Body::Assistant(reply));
    }

    fn settle(&mut self, reply: &mut Assistant) {
        for (n, call) in reply.calls_mut().enumerate() {
            let outcome = Outcome::ok_text(if n == 0 { "a.rs" } else { "" });
            call.settle(outcome).unwrap();
            self.calls += 1;
        }
    }
}

/// The ways to think that are tried.
const THINKING: [Thinking; 3] =
    [Thinking::Off, Thinking::Adaptive { effort: None }, Thinking::Budget { tokens: 2048 }];

fn pairs() -> impl Iterator<Item = (Endpoint, Endpoint, Thinking)> {
    let both = |a| Endpoint::ALL.into_iter().map(move |b| (a, b));
    let all = Endpoint::ALL.into_iter().flat_map(both);
    all.flat_map(|(a, b)| THINKING.map(|thinking| (a, b, thinking)))
}

#[tokio::test]
async fn a_session_goes_on_with_another_model_and_comes_back() {
    for (one, other, thinking) in pairs() {
        let mut session = Session::new(thinking).await;
        for endpoint in [one, one, other, other, one] {
            session.user("Look around.");
            session.step(endpoint).await;
            session.step(endpoint).await;
        }
    }
}

#[tokio::test]
async fn the_model_may_change_while_calls_are_answered() {
    for (one, other, thinking) in pairs() {
        let mut session = Session::new(thinking).await;
        for _ in 0..2 {
            session.user("Look around.");
            session.step(one).await;
            session.step(other).await;
        }
        session.user("And now?");
        session.step(one).await;
        session.step(one).await;
    }
}

#[tokio::test]
async fn a_message_may_come_while_calls_are_answered() {
    for (one, other, thinking) in pairs() {
        let mut session = Session::new(thinking).await;
        session.user("Look around.");
        session.step(one).await;
        session.user("Hurry.");
        session.step(other).await;
    }
}
