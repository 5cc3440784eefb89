//! A model that says anything, in any of the wires, and fails in any way. The strict provider reads
//! every request first.

use fanfold_model::script::{
    Answer, Break, Piece, Said, Saying, ScriptedCall, ScriptedStop, Spoken, encode, reply_with,
};
use fanfold_model::{Ask, Model, Reply};
use fanfold_testkit::strict;
use fanfold_transcript::{Usage, Wire};
use serde_json::json;

use super::dice::Dice;
use super::tools::TOOLS;
use super::world::{State, World};

/// Longer than any run.
const FOR_EVER_MS: u64 = 1_000_000_000;

/// The model.
#[derive(Debug)]
pub(super) struct Babbler {
    pub(super) world: World,
    pub(super) wire: Wire,
}

impl Model for Babbler {
    fn wire(&self) -> Wire {
        self.wire
    }

    fn ask(&self, ask: Ask) -> Reply {
        let mut answer = answer(&mut self.world.state(), self.wire, &ask);
        if let Answer::Stream { chunks, .. } = &mut answer {
            for chunk in chunks {
                chunk.at_ms = self.world.pace().ms(chunk.at_ms);
            }
        }
        reply_with(answer, self.wire, ask, None)
    }
}

fn answer(state: &mut State, wire: Wire, ask: &Ask) -> Answer {
    if state.dead {
        return Answer::Silent { ms: FOR_EVER_MS };
    }
    state.requests += 1;
    let accepted = match strict::check(wire, ask.body.text().as_bytes(), &mut state.memory) {
        Ok(accepted) => accepted,
        Err(refusal) => {
            state.refusals.push(format!("{wire}: {refusal:?}\n{}", ask.body.text()));
            return Answer::Refusal { status: 400, retry_after_s: None, body: "{}".into() };
        }
    };
    let number = state.requests;
    let dice = &mut state.dice;
    if dice.chance(12) {
        state.faults += 1;
        return refusal(&mut state.dice);
    }
    let spoken = spoken(dice);
    let break_at = dice
        .chance(15)
        .then(|| Break { after: dice.index(spoken.pieces.len() + 1), mid_piece: dice.chance(50) });
    // Providers use ids again: so does this one.
    let tag = if dice.chance(15) { "again".to_owned() } else { format!("n{number}") };
    state.faults += u64::from(break_at.is_some());
    let usage = Usage { input: Some(100), output: Some(10), ..Usage::default() };
    let seal = |text: &str| accepted.seal(text);
    let saying = Saying { model: "babbler", tag: &tag, usage, seal: &seal };
    encode(wire, &spoken, break_at, &saying).expect("a wire that scripts speak")
}

fn refusal(dice: &mut Dice) -> Answer {
    match dice.below(8) {
        0 => Answer::Silent { ms: 2_000 },
        1 => Answer::Stream { chunks: Vec::new(), end: fanfold_model::script::End::Broken },
        2 => refused(401, None),
        3 => refused(500, None),
        4 => refused(529, None),
        _ => refused(429, dice.chance(50).then_some(2)),
    }
}

fn refused(status: u16, retry_after_s: Option<u64>) -> Answer {
    Answer::Refusal { status, retry_after_s, body: r#"{"error": {"message": "no"}}"#.into() }
}

fn spoken(dice: &mut Dice) -> Spoken {
    let mut pieces = Vec::new();
    let mut at_ms = 0;
    let mut say = |said: Said, dice: &mut Dice| {
        at_ms += dice.below(300);
        pieces.push(Piece { said, at_ms: Some(at_ms), chunks: 1 + dice.index(3) });
    };
    if dice.chance(40) {
        say(Said::Thinking(format!("let me see {}", dice.below(1_000)).into()), dice);
    }
    if dice.chance(60) {
        say(Said::Text(format!("I will look at {}.", dice.below(1_000)).into()), dice);
    }
    let calls = if dice.chance(30) { 0 } else { 1 + dice.below(4) };
    for _ in 0..calls {
        say(Said::Call(call(dice)), dice);
    }
    if calls == 0 && pieces.is_empty() && dice.chance(90) {
        pieces.push(Piece { said: Said::Text("Done.".into()), at_ms: None, chunks: 1 });
    }
    let stop = match dice.below(20) {
        0 => ScriptedStop::OutputLimit,
        1 => ScriptedStop::Refused,
        _ => ScriptedStop::Finished,
    };
    Spoken { pieces, stop, usage: Usage::default(), ends_at_ms: None }
}

fn call(dice: &mut Dice) -> ScriptedCall {
    let (tool, arguments) = match dice.below(12) {
        0 => ("nothing", json!({})),
        1 => ("look", json!("{\"broken")),
        _ => (TOOLS[dice.index(TOOLS.len())].0, json!({ "n": dice.below(100) })),
    };
    ScriptedCall { tool: tool.into(), arguments, id: None }
}
