//! A quiet voice for screen readers: a new sentence only when what it is about has changed, and not too soon after the
//! last one.

use leptos::prelude::window;
use std::cell::RefCell;

/// Time between two sentences, in milliseconds.
const PAUSE_MS: f64 = 4_000.0;

/// What was said aloud last, of which state, and when.
#[derive(Debug)]
pub struct Speech<S>(RefCell<Option<(S, f64, String)>>);

impl<S> Default for Speech<S> {
    fn default() -> Self {
        Self(RefCell::new(None))
    }
}

impl<S: PartialEq> Speech<S> {
    /// The sentence that stands: a new one of this state, or the last.
    pub fn say(&self, state: S, words: impl FnOnce() -> String) -> String {
        let now = window().performance().map_or(0.0, |clock| clock.now());
        let mut said = self.0.borrow_mut();
        if said.as_ref().is_none_or(|(last, at, _)| *last != state && now - at >= PAUSE_MS) {
            *said = Some((state, now, words()));
        }
        said.as_ref().map_or_else(String::new, |(.., words)| words.clone())
    }

    /// Nothing was said.
    pub fn forget(&self) {
        self.0.replace(None);
    }
}
