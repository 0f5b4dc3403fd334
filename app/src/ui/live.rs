//! Closures of views behind one type each.
//!
//! Leptos compiles its machinery anew for every closure it is given; behind a box it is compiled once for each
//! kind. The page becomes markedly smaller, and no slower to notice.

use leptos::prelude::*;
use web_sys::{Event, KeyboardEvent, MouseEvent};

/// Text that changes.
pub type Words = Box<dyn FnMut() -> String + Send>;
/// A part of the page that changes.
pub type Part = Box<dyn FnMut() -> AnyView + Send>;

/// Text that changes.
pub fn words(of: impl FnMut() -> String + Send + 'static) -> Words {
    Box::new(of)
}

/// A mark that is there or not.
pub fn yes(of: impl FnMut() -> bool + Send + 'static) -> Box<dyn FnMut() -> bool + Send> {
    Box::new(of)
}

/// An attribute that is there or not.
pub fn maybe(
    of: impl FnMut() -> Option<&'static str> + Send + 'static,
) -> Box<dyn FnMut() -> Option<&'static str> + Send> {
    Box::new(of)
}

/// A part of the page that changes.
pub fn part<V: IntoAny + 'static>(mut of: impl FnMut() -> V + Send + 'static) -> Part {
    Box::new(move || of().into_any())
}

/// What a click does.
pub fn click(act: impl FnMut(MouseEvent) + 'static) -> Box<dyn FnMut(MouseEvent)> {
    Box::new(act)
}

/// What a key does.
pub fn key(act: impl FnMut(KeyboardEvent) + 'static) -> Box<dyn FnMut(KeyboardEvent)> {
    Box::new(act)
}

/// What typing or choosing does.
pub fn input(act: impl FnMut(Event) + 'static) -> Box<dyn FnMut(Event)> {
    Box::new(act)
}
