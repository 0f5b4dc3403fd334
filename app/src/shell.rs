//! The page around the lenses: header, three columns, phone tabs, notice line.

use crate::frame;
use crate::lesson::LessonState;
use crate::pane;
use crate::pane::share::{current_state, is_pristine};
use crate::place::{self, Place};
use crate::playground::Playground;
use crate::scene::{Lens, SCENES, Scene};
use crate::share;
use crate::text;
use crate::theme::Theme;
use leptos::prelude::*;
use leptos::task::spawn_local;

/// Which panel a phone shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tab {
    /// Table and items.
    Items,
    /// The question and what is read.
    Ask,
    /// Partitions and traffic.
    Partitions,
    /// The scene's text, or the lesson.
    Story,
}

impl Tab {
    const ALL: [(Self, &'static str, &'static str); 4] = [
        (Self::Items, "items", text::TAB_ITEMS),
        (Self::Ask, "ask", text::TAB_ASK),
        (Self::Partitions, "partitions", text::TAB_PARTITIONS),
        (Self::Story, "story", text::TAB_STORY),
    ];

    fn slug(self) -> &'static str {
        Self::ALL.iter().find(|(tab, ..)| *tab == self).map_or("ask", |(_, slug, _)| slug)
    }

    const fn of(lens: Lens) -> Self {
        match lens {
            Lens::Read => Self::Ask,
            Lens::Partitions => Self::Partitions,
        }
    }
}

/// The phone's tab, in context.
#[derive(Clone, Copy)]
pub struct CurrentTab(pub RwSignal<Tab>);

/// The full page.
#[component]
pub fn Shell() -> impl IntoView {
    let here = Place::of_window();
    let scene = here.scene.as_deref().and_then(Scene::find).unwrap_or_else(|| SCENES[0].clone());
    let playground = Playground::new(scene);
    provide_context(playground);
    provide_context(pane::read::ReadView::new(playground));
    let theme = RwSignal::new(here.theme.unwrap_or_else(Theme::kept));
    theme.get_untracked().apply();
    let tab = CurrentTab(RwSignal::new(Tab::of(playground.lens.get_untracked())));
    provide_context(tab);
    let lesson = LessonState::new();
    provide_context(lesson);
    frame::start(playground);
    open_link(playground, tab, here.state.clone());
    if let Some(slug) = here.lesson.clone() {
        lesson.open(playground, slug);
    }
    keep_address(playground);
    let folded = RwSignal::new(false);
    view! {
        <div class="page" data-tab=move || tab.0.get().slug()>
            <pane::header::Header theme=theme folded=folded />
            <main class="columns" data-story=move || if folded.get() { "folded" } else { "open" }>
                <pane::story::Story />
                <section class="figure" aria-label=text::FIGURE>
                    {move || match playground.lens.get() {
                        Lens::Read => view! { <pane::read::ReadLens /> }.into_any(),
                        Lens::Partitions => view! { <pane::partitions::PartitionsLens /> }.into_any(),
                    }}
                </section>
                <aside class="apparatus" aria-label=text::APPARATUS>
                    {move || {
                        // On a phone the items have a tab of their own, whichever lens is open.
                        if playground.lens.get() == Lens::Read || tab.0.get() == Tab::Items {
                            view! { <pane::items::ItemsPane /> }.into_any()
                        } else {
                            view! { <pane::details::PartitionDetails /> }.into_any()
                        }
                    }}
                </aside>
            </main>
            <footer class="foot">
                {move || (playground.lens.get() == Lens::Read).then(|| view! { <pane::read::DockedCost /> })}
                <pane::time::TimeBar />
                <nav class="tabs" aria-label=text::TABS>
                    {Tab::ALL
                        .map(|(this, _, label)| {
                            let pressed = move || (tab.0.get() == this).to_string();
                            view! {
                                <button type="button" aria-pressed=pressed on:click=move |_| go_to(playground, tab, this)>
                                    {label}
                                </button>
                            }
                        })
                        .collect_view()}
                </nav>
            </footer>
            <NoticeLine />
        </div>
    }
}

fn go_to(playground: Playground, tab: CurrentTab, to: Tab) {
    tab.0.set(to);
    match to {
        Tab::Ask => playground.lens.set(Lens::Read),
        Tab::Partitions => playground.lens.set(Lens::Partitions),
        Tab::Items | Tab::Story => {}
    }
}

/// Shows a lens, on a phone too.
pub fn show_lens(playground: Playground, lens: Lens) {
    playground.lens.set(lens);
    if let Some(tab) = use_context::<CurrentTab>() {
        tab.0.set(Tab::of(lens));
    }
}

/// What happened, for a few seconds and for screen readers.
#[component]
fn NoticeLine() -> impl IntoView {
    let playground = Playground::expect();
    let shown = move || playground.notice.get();
    Effect::new(move |_| {
        if playground.notice.with(Option::is_some) {
            set_timeout(
                move || {
                    playground.notice.set(None);
                },
                std::time::Duration::from_secs(6),
            );
        }
    });
    view! {
        <div role="status">
            {move || {
                shown()
                    .map(|notice| {
                        view! {
                            <div class="notice">
                                <span>{notice.text}</span>
                                <button type="button" class="say" on:click=move |_| playground.notice.set(None)>
                                    {text::DISMISS}
                                </button>
                            </div>
                        }
                    })
            }}
        </div>
    }
}

/// Opens the state in the fragment, if there is one.
fn open_link(playground: Playground, tab: CurrentTab, payload: Option<String>) {
    let Some(payload) = payload else { return };
    spawn_local(async move {
        let opened = match share::decode(&payload).await {
            Ok(state) => playground
                .load_recording(&state.recording, &state.table, state.ask, state.pages)
                .map(|()| (state.scene, state.lens))
                .map_err(|failure| text::link_refused(&failure.message)),
            Err(sentence) => Err(sentence),
        };
        match opened {
            Ok((scene, lens)) => {
                playground.scene.set(scene.as_deref().and_then(Scene::find));
                playground.lens.set(lens);
                tab.0.set(Tab::of(lens));
            }
            Err(sentence) => playground.complain(sentence),
        }
    });
}

/// Keeps the state in the address, a moment after a real change, so that a reload brings it back. Typing never
/// adds a history entry.
fn keep_address(playground: Playground) {
    let pending = StoredValue::new_local(None::<TimeoutHandle>);
    Effect::new(move |first: Option<()>| {
        playground.version.track();
        playground.ask.track();
        playground.lens.track();
        playground.pages.track();
        playground.playing.track();
        if first.is_none() {
            return;
        }
        let write = move || {
            spawn_local(async move {
                let query = playground.scene.with_untracked(|scene| {
                    scene.as_ref().map_or(String::new(), |scene| format!("?scene={}", scene.slug))
                });
                if is_pristine(playground) {
                    place::replace(&query, "");
                } else if let Some(payload) = share::encode(&current_state(playground)).await
                    && payload.len() <= share::LONGEST_LINK
                {
                    place::replace(&query, &format!("#s={payload}"));
                }
            });
        };
        pending.update_value(|pending| {
            if let Some(earlier) = pending.take() {
                earlier.clear();
            }
            *pending = set_timeout_with_handle(write, std::time::Duration::from_millis(800)).ok();
        });
    });
}
