//! response: gives the final answer of a turn, and with it ends the turn.
//!
//! Not here: ending the turn (`fanfold-agent`), which alone offers this tool; there the answer is read
//! from the call's own arguments.

use fanfold_schedule::Footprint;
use fanfold_transcript::Outcome;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use crate::place::Place;
use crate::tool::{Effect, Run, TypedTool};

/// Ends a turn with an answer.
#[derive(Clone, Copy, Debug, Default)]
pub struct Response;

/// What response is given.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[expect(unnameable_types, reason = "its name is `<Response as TypedTool>::Arguments`")]
#[expect(dead_code, reason = "whoever ends the turn reads the call; here they are only checked")]
pub struct ResponseArguments {
    /// The answer, for the user.
    text: String,
    /// Any JSON that a program is to read beside the text.
    data: Option<Value>,
}

impl TypedTool for Response {
    type Arguments = ResponseArguments;
    const NAME: &'static str = "response";
    const DESCRIPTION: &'static str = "Gives the final answer and ends the turn. Call it alone, after \
        all other work is done and its results were read.";
    const EFFECT: Effect = Effect::ReadsOnly;

    fn footprint(&self, _: &ResponseArguments, _: &Place) -> Footprint {
        Footprint::exclusive()
    }

    fn run(&self, _: ResponseArguments, _: Run) -> impl Future<Output = Outcome> + Send + 'static {
        std::future::ready(Outcome::ok_text("delivered"))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::place::scene::Scene;
    use crate::tool::{Tool as _, Typed};
    use crate::toolbox::Toolbox;

    #[tokio::test]
    async fn an_answer_is_delivered_with_any_json_beside_it() {
        let scene = Scene::new();
        for data in [json!(null), json!(7), json!("[1]"), json!([{}]), json!({"a": {"b": null}})] {
            let arguments = json!({"text": "done", "data": data});
            let call = scene.prepared(Response, &arguments);
            assert_eq!(call.footprint(&scene.place), Footprint::exclusive());
            assert_eq!(scene.ok(Response, arguments).await, "delivered");
        }
        assert_eq!(scene.ok(Response, json!({"text": ""})).await, "delivered");
    }

    #[test]
    fn an_answer_is_a_text() {
        let response = Typed::new(Response);
        for (arguments, problem) in [
            (json!({}), "text"),
            (json!({"text": null}), "text"),
            (json!({"text": {"a": 1}}), "text"),
            (json!({"text": "a", "date": 1}), "date"),
        ] {
            let error = response.prepare(arguments.as_object().unwrap()).map(drop).unwrap_err();
            assert!(error.0.contains(problem), "{arguments}: {error}");
        }
    }

    #[test]
    fn only_who_has_turns_offers_it() {
        let builtin = Toolbox::builtin();
        assert!(builtin.get(Response::NAME).is_none());
        let agent = builtin.with(Typed::new(Response));
        let definition = agent.get("response").unwrap().definition();
        assert_eq!(definition.effect, Effect::ReadsOnly);
    }
}
