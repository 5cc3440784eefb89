//! A model asked over HTTP: one request, and its reply as it comes.
//!
//! Not here: where it is and with which key (`open.rs`), what the bytes mean (`hearing.rs`), and
//! asking again (`fanfold-agent`).

mod client;
mod retry_after;
mod server;

use std::sync::Arc;

use fanfold_transcript::Wire;

use crate::hearing::{Hearing, Tap};
use crate::model::{Ask, Model, Reply};

pub(crate) use client::is_loopback;
pub(crate) use server::Server;

/// A model behind a server.
#[derive(Debug)]
pub(crate) struct HttpModel {
    wire: Wire,
    server: Arc<Server>,
    tap: Option<Arc<dyn Tap>>,
}

impl HttpModel {
    /// The model behind this server. Nothing is connected before the first request.
    pub(crate) fn new(wire: Wire, server: Server, tap: Option<Arc<dyn Tap>>) -> Self {
        Self { wire, server: Arc::new(server), tap }
    }
}

impl Model for HttpModel {
    fn wire(&self) -> Wire {
        self.wire
    }

    fn ask(&self, ask: Ask) -> Reply {
        let (wire, server, tap) = (self.wire, Arc::clone(&self.server), self.tap.clone());
        Reply::told_by(async move |listener| {
            let hearing = Hearing::new(wire, &ask, listener, tap.as_deref());
            server.tell(ask.body, hearing).await;
        })
    }
}
