//! A quiet voice for screen readers: a new sentence only when what it is about has changed, and not too soon after the
//! last one.

use leptos::prelude::*;
use std::cell::RefCell;
use std::time::Duration;

/// Time between two sentences, in milliseconds.
const PAUSE_MS: f64 = 4_000.0;

/// What was said aloud last, of which state, and when.
#[derive(Debug)]
pub struct Speech<S> {
    said: RefCell<Option<(S, f64, String)>>,
    /// Counts up when the pause is over and there was something new to say in it.
    again: RwSignal<u32>,
    waits: StoredValue<bool>,
}

impl<S> Default for Speech<S> {
    fn default() -> Self {
        Self { said: RefCell::new(None), again: RwSignal::new(0), waits: StoredValue::new(false) }
    }
}

impl<S: PartialEq> Speech<S> {
    /// The sentence that stands: a new one of this state, or the last. Tracked, so that a state that came too soon is told
    /// once the pause is over.
    pub fn say(&self, state: S, words: impl FnOnce() -> String) -> String {
        self.again.track();
        let now = window().performance().map_or(0.0, |clock| clock.now());
        let mut said = self.said.borrow_mut();
        let rest = said.as_ref().map_or(0.0, |(last, at, _)| if *last == state { -1.0 } else { at + PAUSE_MS - now });
        if rest > 0.0 {
            self.wait(rest);
        } else if said.as_ref().is_none_or(|(last, ..)| *last != state) {
            *said = Some((state, now, words()));
        }
        said.as_ref().map_or_else(String::new, |(.., words)| words.clone())
    }

    /// Looks again when the pause is over.
    fn wait(&self, rest: f64) {
        if self.waits.get_value() {
            return;
        }
        let (again, waits) = (self.again, self.waits);
        waits.set_value(true);
        let look = move || {
            // Where the page is gone there is nobody to tell.
            let _ = waits.try_update_value(|waits| *waits = false);
            let _ = again.try_update(|count| *count += 1);
        };
        set_timeout(look, Duration::from_millis(rest as u64 + 1));
    }

    /// Nothing was said.
    pub fn forget(&self) {
        self.said.replace(None);
    }
}
