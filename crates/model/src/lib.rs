//! Models: providers over HTTP, and the scripted model that needs neither key nor network.
//!
//! A [`Model`] takes the body of a request and gives back what it hears, piece by piece. It asks
//! once: whether to ask again, and when, is decided in `fanfold-agent`. Not here: what a request
//! says and how a reply is read (`fanfold-wire`).

mod model;

pub use model::{Ask, Heard, Model, Reply};
