//! The model that an agent asks: what is sent to it, and what is made of its replies.
//!
//! Not here: the model itself (`fanfold-model`), the form of a request (`fanfold-wire`).

use std::collections::BTreeSet;
use std::sync::Arc;

use fanfold_agent::ModelInUse;
use fanfold_model::{Ask, Heard, Model, Price, Reply};
use fanfold_store::MediaStore;
use fanfold_transcript::{Assistant, CallId, Conversation, Prompt, Protocol, Spent, StepId};
use fanfold_wire::{Endpoint, RequestParts, RequestWriter, Thinking, ToolDefinition, read_plain};
use serde_json::Value;

use crate::keep::Stored;

/// A model, and how it is asked.
#[derive(Clone, Debug)]
pub struct Seat {
    /// The model.
    pub model: Arc<dyn Model>,
    /// What the agent knows of it.
    pub in_use: ModelInUse,
    /// How requests to it are written.
    pub endpoint: Endpoint,
    /// Its name at the provider.
    pub name: Box<str>,
    /// Output tokens at most; `None` leaves it to the provider.
    pub max_output: Option<u64>,
    /// How much it is to think.
    pub thinking: Thinking,
    /// What it costs, where that is known.
    pub price: Option<Price>,
}

/// A reply that is being heard.
#[derive(Debug)]
pub(crate) struct Hearing {
    reply: Reply,
    step: StepId,
    /// The model that was asked, and what it costs. The next one may be another.
    asked: Box<str>,
    price: Option<Price>,
    protocol: Protocol,
    first_call: u32,
    /// The provider's name for the request.
    pub(crate) request_id: Option<Box<str>>,
    /// Calls that the agent knows already.
    pub(crate) ready: BTreeSet<CallId>,
}

impl Seat {
    /// Sends the next request of a conversation, all of whose calls have outcomes.
    pub(crate) fn ask(
        &self,
        requests: &mut RequestWriter,
        conversation: &Conversation,
        media: &MediaStore,
        first_call: u32,
    ) -> Hearing {
        let view = conversation.view().expect("an agent asks when every call has its outcome");
        let prompt = conversation.prompt();
        let tools = offered(prompt);
        let tools: Vec<ToolDefinition<'_>> = tools
            .iter()
            .map(|(name, description, input_schema)| ToolDefinition {
                name,
                description,
                input_schema,
            })
            .collect();
        let protocol = prompt.map_or(Protocol::Native, |prompt| prompt.protocol);
        let session = conversation.session().map(|session| session.session.as_str());
        let body = requests.write(
            self.endpoint,
            &RequestParts {
                model: &self.name,
                asked: &self.in_use.asked,
                system: prompt.map_or("", |prompt| &prompt.system),
                tools: &tools,
                view: &view,
                max_output: self.max_output,
                thinking: self.thinking,
                protocol,
                media: &Stored(media),
                cache_key: session.unwrap_or_default(),
            },
        );
        Hearing {
            reply: self.model.ask(Ask { body, first_call }),
            step: conversation.last_step(),
            asked: self.in_use.asked.clone(),
            price: self.price.clone(),
            protocol,
            first_call,
            request_id: None,
            ready: BTreeSet::new(),
        }
    }
}

/// The tools of a prompt, their schemas read.
fn offered(prompt: Option<&Prompt>) -> Vec<(&str, &str, Value)> {
    let tools = prompt.into_iter().flat_map(|prompt| &prompt.tools);
    // A schema that is nested too deep to read is offered as one that takes anything.
    let schema = |json: &fanfold_transcript::Json| json.value().unwrap_or(Value::Bool(true));
    tools.map(|tool| (&*tool.name, &*tool.description, schema(&tool.input_schema))).collect()
}

impl Hearing {
    /// What is heard next.
    pub(crate) async fn next(&mut self) -> Option<Heard> {
        self.reply.next().await
    }

    /// The reply with the calls that its protocol puts in it.
    pub(crate) fn understood(&self, reply: Assistant) -> Assistant {
        match self.protocol {
            Protocol::Native => reply,
            Protocol::Plain => read_plain(reply, self.first_call),
        }
    }

    /// What the request cost.
    pub(crate) fn spent(&self, reply: &Assistant) -> Spent {
        Spent {
            step: self.step,
            model: self.asked.clone(),
            request_id: self.request_id.clone(),
            usage: reply.usage,
            cost_usd: self.price.as_ref().map(|price| price.cost_usd(&reply.usage)),
        }
    }
}
