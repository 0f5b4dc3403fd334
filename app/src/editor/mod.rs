//! Editing with the engine's own lexer behind the text: a plain text area, and the same text coloured beneath it.
//!
//! Tab leaves the field. Nothing typed is ever taken away: a complaint stands beside the text, not in its place.

mod complaint;
mod field;
mod fix;
mod segments;

pub use complaint::complaint;
pub use field::{Code, Entry, Field, Heard, Keystroke, Language, code_field, megabytes};
pub use fix::{apply, fix_label};
pub use segments::{Segment, segments};
