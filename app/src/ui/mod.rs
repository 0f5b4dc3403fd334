//! Small parts without domain words.

mod prose;
mod stepper;

pub use prose::{Inline, Prose, inline};
pub use stepper::Stepper;
