//! The header: scene, lens, undo and redo, share, theme.

use crate::pane::share::ShareDialog;
use crate::place;
use crate::playground::Playground;
use crate::scene::{Lens, SCENES, Scene};
use crate::shell::show_lens;
use crate::text;
use crate::theme::Theme;
use leptos::prelude::*;

/// The header.
#[component]
pub fn Header(theme: RwSignal<Theme>, folded: RwSignal<bool>) -> impl IntoView {
    let playground = Playground::expect();
    let pressed = move |lens: Lens| move || (playground.lens.get() == lens).to_string();
    let choose = move |event| {
        if let Some(scene) = Scene::find(&event_target_value(&event)) {
            let lens = scene.lens;
            place::replace(&format!("?scene={}", scene.slug), "");
            playground.load_scene(scene);
            show_lens(playground, lens);
        }
    };
    view! {
        <header class="top">
            <a class="top-brand" href="./">"Dynascope"</a>
            <select
                class="pick top-scene"
                aria-label="Scene"
                prop:value=move || playground.scene.get().map_or("", |scene| scene.slug)
                on:change=choose
            >
                {move || {
                    playground
                        .scene
                        .get()
                        .is_none()
                        .then(|| view! { <option value="" disabled=true>"From a link"</option> })
                }}
                {SCENES.iter().map(|scene| view! { <option value=scene.slug>{scene.name}</option> }).collect_view()}
            </select>
            <nav class="top-lenses" aria-label="Lens">
                <button type="button" data-label=text::LENS_READ aria-pressed=pressed(Lens::Read) on:click=move |_| show_lens(playground, Lens::Read)>
                    {text::LENS_READ}
                </button>
                <button type="button" data-label=text::LENS_PARTITIONS aria-pressed=pressed(Lens::Partitions) on:click=move |_| show_lens(playground, Lens::Partitions)>
                    {text::LENS_PARTITIONS}
                </button>
            </nav>
            <div class="top-tools">
                <button type="button" class="top-icon top-wide" aria-label="Undo the last write" title="Undo the last write" disabled=move || !playground.history.get().0 on:click=move |_| playground.undo()>
                    <svg viewBox="0 0 18 18" aria-hidden="true"><path d="M7 3 3 7l4 4M3.5 7H11a4 4 0 0 1 0 8H8" /></svg>
                </button>
                <button type="button" class="top-icon top-wide" aria-label="Redo" title="Redo" disabled=move || !playground.history.get().1 on:click=move |_| playground.redo()>
                    <svg viewBox="0 0 18 18" aria-hidden="true"><path d="m11 3 4 4-4 4M14.5 7H7a4 4 0 0 0 0 8h3" /></svg>
                </button>
                <button type="button" class="top-wide" aria-pressed=move || folded.get().to_string() on:click=move |_| folded.update(|folded| *folded = !*folded)>
                    {move || if folded.get() { "Show text" } else { "Hide text" }}
                </button>
                <ShareDialog />
                <button
                    type="button"
                    class="top-icon"
                    aria-label=move || format!("Theme: {}", theme.get().slug())
                    title=move || format!("Theme: {}", theme.get().slug())
                    on:click=move |_| {
                        let next = theme.get_untracked().next();
                        next.apply();
                        next.keep();
                        theme.set(next);
                    }
                >
                    <svg viewBox="0 0 18 18" aria-hidden="true"><circle cx="9" cy="9" r="6.5" /><path d="M9 2.5a6.5 6.5 0 0 1 0 13z" fill="currentColor" /></svg>
                </button>
            </div>
        </header>
    }
}
