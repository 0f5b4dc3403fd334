//! State that lives as long as the page, and that panes watch.
//!
//! A Leptos signal compiles its machinery anew for every type it holds; here only the news that something has changed
//! is Leptos's. The methods are named and behave as those of a signal.

use leptos::prelude::{ArcTrigger, Notify, Track};
use std::sync::{PoisonError, RwLock};

/// A value and those who watch it.
pub struct Watched<T> {
    value: RwLock<T>,
    changed: ArcTrigger,
}

impl<T: 'static> Watched<T> {
    /// Watched by nobody yet.
    pub fn new(value: T) -> Self {
        Self { value: RwLock::new(value), changed: ArcTrigger::new() }
    }

    /// One that lives as long as the page.
    pub fn leaked(value: T) -> &'static Self {
        Box::leak(Box::new(Self::new(value)))
    }

    /// Calls whoever looks on again when it changes.
    pub fn track(&self) {
        self.changed.track();
    }

    /// Looks at it, and again when it changes.
    pub fn with<R>(&self, look: impl FnOnce(&T) -> R) -> R {
        self.track();
        self.with_untracked(look)
    }

    /// Looks at it once.
    pub fn with_untracked<R>(&self, look: impl FnOnce(&T) -> R) -> R {
        look(&self.value.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Replaces it.
    pub fn set(&self, value: T) {
        let old = std::mem::replace(&mut *self.value.write().unwrap_or_else(PoisonError::into_inner), value);
        drop(old);
        self.changed.notify();
    }

    /// Changes it.
    pub fn update(&self, change: impl FnOnce(&mut T)) {
        change(&mut self.value.write().unwrap_or_else(PoisonError::into_inner));
        self.changed.notify();
    }
}

impl<T: Clone + 'static> Watched<T> {
    /// A copy, and another when it changes.
    pub fn get(&self) -> T {
        self.with(T::clone)
    }

    /// A copy.
    pub fn get_untracked(&self) -> T {
        self.with_untracked(T::clone)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_holds_what_was_put_in_last() {
        let watched = Watched::new(1);
        watched.set(2);
        watched.update(|value| *value += 1);
        assert_eq!((watched.get_untracked(), watched.with_untracked(|value| *value)), (3, 3));
    }
}
