//! Models from outside: names in, requests over a loopback line, replies and faults out; and the
//! scripted model.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod faults;
mod loopback;
mod opening;
mod replies;
mod requests;
mod script;
mod script_encode;
mod script_faults;
mod script_format;
mod script_record;
mod streams;
mod support;
