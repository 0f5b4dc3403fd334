//! Closures of views behind one type each.
//!
//! Leptos compiles its machinery anew for every closure it is given; behind a box it is compiled once for each
//! kind. The page becomes markedly smaller, and no slower to notice.

use leptos::prelude::*;

/// Text that changes.
pub type Words = Box<dyn FnMut() -> String + Send>;
/// A part of the page that changes.
pub type Part = Box<dyn FnMut() -> AnyView + Send>;

/// Text that changes.
pub fn words(of: impl FnMut() -> String + Send + 'static) -> Words {
    Box::new(of)
}

/// A part of the page that changes.
pub fn part<V: IntoAny + 'static>(mut of: impl FnMut() -> V + Send + 'static) -> Part {
    Box::new(move || of().into_any())
}
