//! Dynascope's engine: a faithful, deterministic DynamoDB, with the partitions and capacity beneath it.
//!
//! # The life of a request
//!
//! 1. A request arrives at [`session::Session::send`] (DynamoDB JSON) or [`session::Session::dispatch`] (typed).
//! 2. [`operation::Request::from_json`] checks its shape; the operation's own file parses its expressions with
//!    [`expression`] and checks keys against the [`table`] definition, in the service's order.
//! 3. The partition key is hashed ([`partition::placement`]) and its partition found
//!    ([`partition::PartitionMap::find`]).
//! 4. Admission: the buckets of [`capacity`] are asked, account first, partition last. A refusal carries AWS's
//!    own reasons and charges nothing.
//! 5. Condition, then the change thought through ([`partition::WritePlan`]) with what each index pays, then index
//!    admission, then all charges, then the change. Reads take a page ([`partition::Page`]), then filter, then
//!    project.
//! 6. Each step leaves its mark in the [`trace`]; [`metrics`] count it by second, partition and key.
//! 7. [`session::Outcome`] carries response and trace to whoever asked; [`session::Session::telemetry`] tells how
//!    the table stands.
//!
//! Generated traffic ([`sim`]) enters at step 3 and leaves at step 6, as the clock is moved by
//! [`session::Session::advance`]. What happens because time passed is done there too, in order of time: splits and growth
//! of partitions, and auto scaling ([`background`]).
//!
//! # What holds
//!
//! No clock, no randomness but the scenario's seed, no floats in decisions, no unordered map: the same scenario
//! and commands give the same outcomes, natively and in wasm, however the way is sliced. A room uses only rooms
//! above it, in the order of the list below; a test reads the `use` lines.
#![forbid(unsafe_code)]
#![warn(missing_docs)]

pub mod background;
pub mod capacity;
pub mod diagnostic;
pub mod expression;
#[cfg(feature = "js")]
pub mod js;
pub mod metrics;
pub mod neighbour;
pub mod operation;
pub mod partition;
pub mod protocol;
pub mod scenario;
#[cfg(feature = "script")]
pub mod script;
pub mod session;
pub mod sim;
pub mod sorted;
pub mod table;
pub mod time;
pub mod trace;
pub mod value;
