//! Models: providers over HTTP, and the scripted model that needs neither key nor network.
//!
//! A [`Model`] takes the body of a request and gives back what it hears, piece by piece. It asks
//! once: whether to ask again, and when, is decided in `fanfold-agent`. [`ModelName`] reads the name
//! that a person gives, [`facts`] says what is known of the model, and [`open`] makes it.
//! Not here: what a request says and how a reply is read (`fanfold-wire`).

mod api;
mod catalog;
mod facts;
mod hearing;
mod http;
mod key;
mod model;
mod name;
mod open;
mod price;
pub mod script;

pub use facts::{ModelFacts, ThinkingStyle, facts};
pub use hearing::{Tap, Witness};
pub use model::{Ask, Heard, Model, Reply};
pub use name::{ModelName, NameError, known_models};
pub use open::{OpenError, Opening, key_variables, open};
pub use price::{Longer, Price, Rates};
pub use script::{Recorder, Script, ScriptError, ScriptModel};
