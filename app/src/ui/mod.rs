//! Small parts without domain words.

pub mod html;
pub mod live;
pub mod order;
pub mod patch;
mod prose;
mod stepper;

pub use prose::{Inline, inline};
pub use stepper::Stepper;
