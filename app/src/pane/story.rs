//! The left column: the lesson if one is open, else the scene's own text and its remedies.

use crate::lesson::{LessonPane, LessonState};
use crate::playground::Playground;
use crate::scene::{Remedy, RemedyAction, SCENES, Scene};
use crate::ui::Prose;
use leptos::prelude::*;

/// Scene text or lesson.
#[component]
pub fn Story() -> impl IntoView {
    let playground = Playground::expect();
    let lesson = LessonState::expect();
    view! {
        <article class="story" aria-label="Text">
            {move || {
                if lesson.is_open() {
                    view! { <LessonPane /> }.into_any()
                } else {
                    view! { <SceneText scene=playground.scene.get() /> }.into_any()
                }
            }}
        </article>
    }
}

#[component]
fn SceneText(scene: Option<Scene>) -> impl IntoView {
    let lesson = LessonState::expect();
    let playground = Playground::expect();
    let Some(scene) = scene else {
        return view! {
            <p class="story-kicker">"From a link"</p>
            <h1>"A state of its own"</h1>
            <p>"This page was opened from a link or changed beyond its scene. Everything in it can be edited and shared again."</p>
        }
        .into_any();
    };
    let remedies = scene.remedies;
    let offers_lesson = scene.slug == "orders";
    view! {
        <p class="story-kicker">"Scene"</p>
        <h1>{scene.heading}</h1>
        {scene.prose.iter().map(|paragraph| view! { <p><Prose source=*paragraph /></p> }).collect_view()}
        {offers_lesson
            .then(|| {
                view! {
                    <p>
                        <button
                            type="button"
                            class="do"
                            on:click=move |_| lesson.open(playground, "limit-filter-cursor".to_owned())
                        >
                            "Take the lesson"
                        </button>
                    </p>
                }
            })}
        {(!remedies.is_empty())
            .then(|| {
                view! {
                    <h2>"Try a remedy"</h2>
                    <ul class="story-remedies">
                        {remedies.iter().map(|remedy| view! { <RemedyLink remedy=*remedy /> }).collect_view()}
                    </ul>
                }
            })}
        <p class="note">
            "A teaching model: even ranges of the hash line, the xxh3 hash. AWS publishes neither its hash nor your partitions."
        </p>
    }
    .into_any()
}

#[component]
fn RemedyLink(remedy: Remedy) -> impl IntoView {
    let playground = Playground::expect();
    view! {
        <li>
            <button type="button" class="say" on:click=move |_| apply(playground, remedy.action)>
                {remedy.name}
            </button>
            <p>{remedy.note}</p>
        </li>
    }
}

/// Does what a remedy says, and says what came of it if it could not.
pub fn apply(playground: Playground, action: RemedyAction) {
    match action {
        RemedyAction::Key(template) => {
            let mut streams = playground.traffic.get_untracked();
            for stream in &mut streams {
                template.clone_into(&mut stream.key);
            }
            if let Err(failure) = playground.set_traffic(streams) {
                playground.complain(failure.message.clone());
            }
        }
        RemedyAction::Double => {
            let provisioned = playground.telemetry.with_untracked(|t| t.as_ref().and_then(|t| t.provisioned));
            match provisioned {
                Some((read, write)) => {
                    let outcome = playground.set_provisioned(read, write.saturating_mul(2));
                    if let Err(failure) = outcome.result {
                        playground.complain(failure.headline());
                    }
                }
                None => playground.complain("An on-demand table pays for each request; there is nothing to double."),
            }
        }
        RemedyAction::OnDemand => {
            if let Err(failure) = playground.set_on_demand().result {
                playground.complain(failure.headline());
            }
        }
        RemedyAction::Reset => {
            let slug = playground.scene.with_untracked(|scene| scene.as_ref().map(|scene| scene.slug));
            let scene = slug.and_then(Scene::find).unwrap_or_else(|| SCENES[0].clone());
            playground.load_scene(scene);
        }
    }
}
