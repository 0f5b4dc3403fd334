//! Lessons: Markdown with predict and task blocks, checked by the machine.

use crate::playground::Playground;
use leptos::prelude::*;

/// The open lesson, in context.
#[derive(Clone, Copy)]
pub struct LessonState {
    open: RwSignal<Option<String>>,
}

impl LessonState {
    /// No lesson.
    pub fn new() -> Self {
        Self { open: RwSignal::new(None) }
    }
    /// From context.
    pub fn expect() -> Self {
        use_context::<Self>().expect("the shell provides it")
    }
    /// Opens one.
    pub fn open(&self, _playground: Playground, slug: String) {
        self.open.set(Some(slug));
    }
    /// Is one open?
    pub fn is_open(&self) -> bool {
        self.open.with(Option::is_some)
    }
}

/// The lesson.
#[component]
pub fn LessonPane() -> impl IntoView {
    view! { <p>"lesson"</p> }
}
