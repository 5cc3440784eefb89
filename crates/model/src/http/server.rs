//! One exchange with a server: the request out, the reply in, and what may go wrong on the way.
//!
//! Not here: how the client is made (`client.rs`).

use std::error::Error;
use std::fmt;
use std::sync::OnceLock;
use std::time::{Duration, SystemTime};

use fanfold_settings::Limits;
use fanfold_transcript::Json;
use fanfold_wire::{Fault, FaultKind};
use reqwest::header::{HeaderMap, LOCATION};
use reqwest::{Client, Response, Url};
use tokio::time::{Instant, timeout, timeout_at};

use super::client::make_client;
use super::retry_after::retry_after_ms;
use crate::hearing::Hearing;
use crate::key::ApiKey;

/// The most bytes of a refusal that are read: 64 KiB.
const REFUSAL_BYTES_MAX: usize = 64 << 10;

/// How long a server may take to end its answer when the reply is over. A connection that was read to
/// the end serves the next request too.
const PARTING: Duration = Duration::from_secs(1);

/// Headers in which providers name a request; the first that is there counts.
const REQUEST_IDS: [&str; 2] = ["request-id", "x-request-id"];

/// A server, and what every request to it looks like.
pub(crate) struct Server {
    url: Url,
    headers: HeaderMap,
    /// The key in the headers, so that nothing which the server says can show it.
    key: Option<ApiKey>,
    patience: Patience,
    client: OnceLock<Client>,
}

/// How long is waited for what.
#[derive(Clone, Copy, Debug)]
pub(super) struct Patience {
    pub(super) connect: Duration,
    pub(super) first_byte: Duration,
    pub(super) silence: Duration,
}

impl Server {
    /// The server at `url`, where `headers` hold `key`.
    pub(crate) fn new(url: Url, headers: HeaderMap, key: Option<ApiKey>, limits: &Limits) -> Self {
        let patience = Patience {
            connect: Duration::from_millis(limits.model_connect_ms),
            first_byte: Duration::from_millis(limits.model_first_byte_ms),
            silence: Duration::from_millis(limits.model_silence_ms),
        };
        Self { url, headers, key, patience, client: OnceLock::new() }
    }

    /// Sends one request and has its reply heard.
    pub(super) async fn tell(&self, body: Json, hearing: Hearing) {
        let deadline = Instant::now() + self.patience.first_byte;
        let response = match self.send(body, deadline).await {
            Ok(response) => response,
            Err(fault) => return hearing.broken(fault).await,
        };
        let id = REQUEST_IDS.iter().find_map(|name| response.headers().get(*name)?.to_str().ok());
        if let Some(id) = id {
            hearing.request_id(id).await;
        }
        let status = response.status();
        if status.is_success() {
            self.hear(response, hearing, deadline).await;
        } else if status.is_redirection() {
            hearing.broken(self.redirected(&response)).await;
        } else {
            self.hear_refusal(response, hearing).await;
        }
    }

    /// Sends the request and waits for the head of the answer.
    async fn send(&self, body: Json, deadline: Instant) -> Result<Response, Fault> {
        let client = self.client()?;
        let request = client.post(self.url.clone()).headers(self.headers.clone());
        let sending = request.body(String::from(body)).send();
        match timeout_at(deadline, sending).await {
            Ok(Ok(response)) => Ok(response),
            Ok(Err(error)) if error.is_connect() => Err(self.unreachable(&error)),
            Ok(Err(error)) => Err(self.torn(FaultKind::Network, &error)),
            Err(_) => Err(self.late(self.patience.first_byte)),
        }
    }

    /// The client, made when it is first needed: reading the certificates of the system takes time.
    fn client(&self) -> Result<&Client, Fault> {
        if let Some(client) = self.client.get() {
            return Ok(client);
        }
        let client = make_client(&self.url, self.patience.connect)
            .map_err(|error| fault(FaultKind::Network, format!("no TLS: {}", cause(&error))))?;
        Ok(self.client.get_or_init(|| client))
    }

    /// Reads the reply to its end, which may come before that of the bytes.
    async fn hear(&self, mut response: Response, mut hearing: Hearing, mut deadline: Instant) {
        let (mut kind, mut patience) = (FaultKind::Network, self.patience.first_byte);
        loop {
            match timeout_at(deadline, response.chunk()).await {
                Ok(Ok(Some(bytes))) => {
                    if hearing.bytes(&bytes).await.is_break() {
                        // Apart from the reply, which nobody holds once it is whole.
                        tokio::spawn(timeout(PARTING, part(response)));
                        return hearing.ended().await;
                    }
                }
                Ok(Ok(None)) => return hearing.ended().await,
                Ok(Err(error)) => return hearing.broken(self.torn(kind, &error)).await,
                Err(_) => return hearing.broken(self.late(patience)).await,
            }
            (kind, patience) = (FaultKind::Broken, self.patience.silence);
            deadline = Instant::now() + patience;
        }
    }

    /// Reads as much of a refusal as there is, up to its bound.
    async fn hear_refusal(&self, mut response: Response, hearing: Hearing) {
        let status = response.status().as_u16();
        let retry_after_ms = retry_after_ms(response.headers(), SystemTime::now());
        let deadline = Instant::now() + self.patience.silence;
        let mut body = Vec::new();
        while let Ok(Ok(Some(bytes))) = timeout_at(deadline, response.chunk()).await {
            let room = REFUSAL_BYTES_MAX - body.len();
            body.extend_from_slice(bytes.get(..room).unwrap_or(&bytes));
            if body.len() == REFUSAL_BYTES_MAX {
                break;
            }
        }
        let body = self.without_key(&String::from_utf8_lossy(&body));
        hearing.refused(status, body.as_bytes(), retry_after_ms).await;
    }

    fn without_key(&self, text: &str) -> String {
        self.key.as_ref().map_or_else(|| text.to_owned(), |key| key.hidden_in(text))
    }

    fn unreachable(&self, error: &reqwest::Error) -> Fault {
        let kind = if error.is_timeout() { FaultKind::Timeout } else { FaultKind::Network };
        fault(kind, format!("no connection to {}: {}", self.host(), cause(error)))
    }

    fn torn(&self, kind: FaultKind, error: &reqwest::Error) -> Fault {
        fault(kind, format!("the connection to {} broke: {}", self.host(), cause(error)))
    }

    fn late(&self, waited: Duration) -> Fault {
        let ms = waited.as_millis();
        fault(FaultKind::Timeout, format!("{} said nothing for {ms} ms", self.host()))
    }

    /// A request that carries a key is sent nowhere else than where it was meant to go.
    fn redirected(&self, response: &Response) -> Fault {
        let status = response.status().as_u16();
        let target = response.headers().get(LOCATION).and_then(|value| value.to_str().ok());
        let target = target
            .map(|target| one_line(&self.without_key(target)))
            .unwrap_or_else(|| "nowhere".to_owned());
        let said = format!(
            "{} redirects to {target} (HTTP {status}), which is not followed; set the base URL to \
             where the server is",
            self.host()
        );
        fault(FaultKind::Refused, said)
    }

    /// The server as a person knows it.
    fn host(&self) -> &str {
        self.url.authority()
    }
}

impl fmt::Debug for Server {
    /// Without the headers: they may hold a key.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("Server");
        shown.field("url", &self.url.as_str()).field("patience", &self.patience);
        shown.finish_non_exhaustive()
    }
}

/// Reads what nobody wants to the end.
async fn part(mut response: Response) {
    while let Ok(Some(_)) = response.chunk().await {}
}

fn fault(kind: FaultKind, said: String) -> Fault {
    Fault { kind, said: said.into(), retry_after_ms: None }
}

/// What is at the bottom of an error; the layers above it say only where it passed.
fn cause(error: &(dyn Error + 'static)) -> String {
    let mut deepest = error;
    while let Some(source) = deepest.source() {
        deepest = source;
    }
    one_line(&deepest.to_string())
}

fn one_line(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).take(300).collect()
}
