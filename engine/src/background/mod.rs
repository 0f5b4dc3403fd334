//! What happens to tables because time passed, beside what partitions do by themselves: auto scaling.
//!
//! Knows nothing of requests, metrics and sessions: it is handed what it looks at.

mod auto_scaling;
mod decreases;
mod scaler;

pub use auto_scaling::{AutoScaling, DEFAULT_TARGET_PERCENT, Tracking};
pub use scaler::{Scaler, ScalingCause, ScalingNote, ScalingOutcome};
