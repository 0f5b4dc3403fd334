//! The model: what of a scene is documented, simplified or not public, and every constant, to be changed.
//!
//! [`Door`] is what the lens and the column beside it show of it; the dialog behind it is a part of the page of its own.

mod begin;
mod card;
mod constants;
mod dialog;
mod door;
mod figures;

pub use dialog::dialog;
pub use door::{Asked, Door, door_line};
