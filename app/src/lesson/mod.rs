//! Lessons: Markdown with predict and task blocks, fetched when one is opened, checked by the machine.

pub mod check;
mod pane;
pub mod parse;

pub use pane::reading;

use crate::playground::Playground;
use crate::scene::Scene;
use crate::ui::watched::Watched;
use crate::{shell, storage};
use leptos::prelude::*;
use leptos::task::spawn_local;
use parse::Lesson;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;
use wasm_bindgen::JsCast;
use wasm_bindgen_futures::JsFuture;

/// What a reader has done in a lesson: kept in local storage where there is one.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Progress {
    /// The step shown.
    #[serde(default)]
    pub step: usize,
    /// Answers given, by question.
    #[serde(default)]
    pub answers: BTreeMap<String, usize>,
    /// Tasks done.
    #[serde(default)]
    pub done: Vec<String>,
}

/// The open lesson and the progress in it, in context.
#[derive(Clone, Copy)]
pub struct LessonState {
    /// Slug of the lesson, once it was asked for.
    slug: &'static Watched<Option<String>>,
    /// The lesson, once it is here.
    pub lesson: &'static Watched<Option<Arc<Lesson>>>,
    /// Why it is not.
    pub fault: &'static Watched<Option<String>>,
    /// What was done.
    pub progress: &'static Watched<Progress>,
}

impl LessonState {
    /// No lesson.
    pub fn new(playground: Playground) -> Self {
        Self {
            slug: &playground.views().lesson,
            lesson: Watched::leaked(None),
            fault: Watched::leaked(None),
            progress: Watched::leaked(Progress::default()),
        }
    }

    /// From context.
    ///
    /// # Panics
    /// Outside the shell, which would be a fault of ours.
    pub fn expect() -> Self {
        use_context::<Self>().expect("the shell provides the lesson's state")
    }

    /// Is a lesson open?
    pub fn is_open(&self) -> bool {
        self.slug.with(Option::is_some)
    }

    /// Asks for a lesson: it takes the place of the scene's text, and is fetched there.
    pub fn open(&self, slug: String) {
        self.fault.set(None);
        self.lesson.set(None);
        self.slug.set(Some(slug));
    }

    /// Fetches the lesson that was asked for, and opens the scene it plays in.
    fn load(self, playground: Playground) {
        let Some(slug) = self.slug.get_untracked() else { return };
        // A slug is a folder's name, not a path.
        if !slug.chars().all(|character| character.is_ascii_alphanumeric() || character == '-') {
            self.fault.set(Some(format!("`{slug}` is not the name of a lesson.")));
            return;
        }
        spawn_local(async move {
            let path = format!("./lessons/{slug}/en.md");
            match fetch_text(&path).await {
                None => self.fault.set(Some(format!("The lesson `{slug}` could not be fetched from {path}."))),
                Some(source) => match parse::parse(&source) {
                    Err(fault) => self.fault.set(Some(format!("{path}, line {}: {}", fault.line, fault.message))),
                    Ok(lesson) => {
                        if let Some(scene) = Scene::find(&lesson.scene) {
                            let lens = scene.lens;
                            playground.load_scene(scene);
                            shell::show_lens(playground, lens);
                        }
                        let kept = storage::get(&format!("lesson.{slug}"));
                        let kept = kept.and_then(|json| serde_json::from_str(&json).ok());
                        self.progress.set(kept.unwrap_or_default());
                        self.lesson.set(Some(Arc::new(lesson)));
                    }
                },
            }
        });
    }

    /// Closes the lesson; progress is kept.
    pub fn close(&self) {
        self.slug.set(None);
        self.lesson.set(None);
        self.fault.set(None);
    }

    /// Changes the progress and keeps it.
    pub fn advance(&self, change: impl FnOnce(&mut Progress)) {
        self.progress.update(change);
        let Some(slug) = self.slug.get_untracked() else { return };
        if let Ok(json) = self.progress.with_untracked(serde_json::to_string) {
            storage::set(&format!("lesson.{slug}"), &json);
        }
    }
}

async fn fetch_text(path: &str) -> Option<String> {
    let response = JsFuture::from(window().fetch_with_str(path)).await.ok()?;
    let response: web_sys::Response = response.dyn_into().ok()?;
    if !response.ok() {
        return None;
    }
    JsFuture::from(response.text().ok()?).await.ok()?.as_string()
}
