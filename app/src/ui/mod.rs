//! Small parts without domain words.

pub mod live;
mod prose;
mod stepper;

pub use prose::{Inline, Prose, inline};
pub use stepper::Stepper;
