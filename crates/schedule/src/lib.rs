//! Which call may start now, and why another must wait.
//!
//! A [`Schedule`] is a plain value over call ids and footprints: calls are submitted, the next ready
//! one is taken, ended ones are finished, and [`Schedule::why_waiting`] tells the reason for every
//! wait. Deliberately not here: tasks, time, tools, and how a footprint is computed.
//!
//! ```
//! use fanfold_schedule::{Claim, Footprint, Groups, Lane, Limits, Resource, Role, Schedule};
//! use fanfold_transcript::CallId;
//!
//! let (edit, read, other) = (CallId::new(1), CallId::new(2), CallId::new(3));
//! let path = |p: &str| Resource::Path(p.into());
//! let mut schedule = Schedule::new(Limits::default());
//! let batch = schedule.open_batch();
//! let mut submit = |call, groups, claim| {
//!     let footprint = Footprint { groups, claims: vec![claim] };
//!     schedule.submit(call, Lane::Batch(batch), Role::Leaf, footprint);
//! };
//! submit(edit, Groups::named("fs"), Claim::write(path("/w/a")));
//! submit(read, Groups::independent(), Claim::read(path("/w/a")));
//! submit(other, Groups::independent(), Claim::read(path("/w/b")));
//!
//! // The read of another file runs beside the edit; the read of the edited file waits for it.
//! assert_eq!([schedule.next_ready(), schedule.next_ready()], [Some(edit), Some(other)]);
//! assert_eq!(schedule.next_ready(), None);
//! assert_eq!(schedule.why_waiting(read).unwrap().to_string(), "c1 (claim path:/w/a)");
//! schedule.finish(edit);
//! assert_eq!(schedule.next_ready(), Some(read));
//! ```
#![warn(clippy::wildcard_enum_match_arm)]

mod batch;
mod call;
mod claim_index;
mod footprint;
mod schedule;
mod wait;

pub use call::{BatchId, Hold, Lane, Role};
pub use footprint::{Access, Claim, Footprint, Groups, Resource};
pub use schedule::{Limits, Schedule};
pub use wait::{Conflict, Wait};
