//! Small parts without domain words.

pub mod html;
pub mod live;
pub mod order;
pub mod patch;
mod prose;
pub mod sheet;
pub mod speech;
pub mod watched;

pub use prose::{Inline, inline};
