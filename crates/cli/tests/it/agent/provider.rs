//! The strict provider on a thread of its own, for tests that wait for processes.
//!
//! Not here: what it refuses (`fanfold-testkit`).

use std::sync::mpsc::channel;
use std::thread;
use std::time::{Duration, Instant};

use fanfold_model::Script;
use fanfold_testkit::{Received, StrictServer};
use serde_json::Value;
use tokio::runtime::Builder;
use tokio::sync::oneshot;

/// A running provider. It ends when it is dropped.
pub(crate) struct Provider {
    server: StrictServer,
    _ends_the_thread: oneshot::Sender<()>,
}

impl Provider {
    /// Serves this script on a free port.
    pub(crate) fn start(script: &Value) -> Self {
        let script = Script::parse(&script.to_string()).unwrap();
        let (started, server) = channel();
        let (end, ended) = oneshot::channel::<()>();
        thread::spawn(move || {
            let runtime = Builder::new_current_thread().enable_all().build().unwrap();
            runtime.block_on(async {
                started.send(StrictServer::start(script).await.unwrap()).unwrap();
                // An error says that the provider was dropped, which is what is waited for.
                ended.await.ok();
            });
        });
        Self { server: server.recv().unwrap(), _ends_the_thread: end }
    }

    /// What the variables of the base URLs hold.
    pub(crate) fn addresses(&self) -> [(&'static str, String); 3] {
        let url = self.server.url();
        [
            ("ANTHROPIC_BASE_URL", url.clone()),
            ("OPENAI_BASE_URL", format!("{url}/v1")),
            ("GEMINI_BASE_URL", url),
        ]
    }

    /// All requests so far.
    pub(crate) fn requests(&self) -> Vec<Received> {
        self.server.requests()
    }

    /// Waits until so many requests have come.
    pub(crate) fn until_requests(&self, count: usize) {
        let begun = Instant::now();
        while self.requests().len() < count {
            assert!(begun.elapsed() < Duration::from_secs(30), "request {count} never came");
            thread::yield_now();
        }
    }

    /// Nothing was refused so far.
    pub(crate) fn refused_nothing(&self) {
        for (n, request) in self.requests().iter().enumerate() {
            let Some(refusal) = &request.refusal else { continue };
            panic!("request {n} ({}): {refusal}\n{}", request.wire, request.body);
        }
    }
}
