//! The embed: one statement, one figure, one control, one time line. No storage, no history, no editor.
//!
//! It lives in other people's pages: it starts when it is seen, stands still when it is not, tells its host how
//! high it is ([`host`]), and leaves the wheel alone.

mod control;
mod host;
mod orders;
mod sight;

use crate::frame;
use crate::pane::partitions::{Lookup, PartitionFigure, PartitionTable, StatementView, seen};
use crate::pane::time::{Clock, PlayButton, Ruler, restart};
use crate::place::{self, Place};
use crate::playground::Playground;
use crate::scene::{SCENES, Scene};
use crate::share::{self, SharedState};
use crate::theme::Theme;
use leptos::prelude::*;
use leptos::task::spawn_local;

/// May time start by itself, in this embed?
#[derive(Clone, Copy)]
struct StartsAlone(bool);

/// The whole embed.
#[component]
pub fn Embed() -> impl IntoView {
    let here = Place::of_window();
    let scene = here.scene.as_deref().and_then(Scene::find).or_else(|| Scene::find("hot-key"));
    let playground = Playground::new(scene.unwrap_or_else(|| SCENES[0].clone()));
    provide_context(playground);
    here.theme.unwrap_or(Theme::Auto).apply();
    if here.transparent {
        host::make_transparent();
    }
    let starts = StartsAlone(!matches!(here.run.as_deref(), Some("click" | "never")));
    provide_context(starts);
    let lookup = Lookup::new("VIDEO#42");
    frame::start(playground);
    sight::hold_out_of_sight(playground);
    host::connect(playground, lookup, here.reference.clone());
    open_link(playground, here.state);
    if starts.0 {
        playground.play_if_moving();
    }
    let as_text = RwSignal::new(false);
    let kind = move || playground.scene.get().map_or("hot-key", |scene| scene.slug);
    view! {
        <main class="embed" data-scene=kind>
            <Top />
            {move || match kind() {
                "orders" => view! { <orders::Orders as_text=as_text /> }.into_any(),
                kind => view! { <Partitions lookup=lookup is_buckets={kind == "buckets"} as_text=as_text /> }.into_any(),
            }}
            <Foot as_text=as_text />
        </main>
    }
}

#[component]
fn Partitions(lookup: Lookup, is_buckets: bool, as_text: RwSignal<bool>) -> impl IntoView {
    let playground = Playground::expect();
    let seen = seen(playground);
    let landings = lookup.landings(playground);
    let probe = Signal::derive(move || if is_buckets { landings.get() } else { Vec::new() });
    view! {
        <StatementView seen=seen />
        <Show when=move || as_text.get() fallback=move || view! { <PartitionFigure seen=seen probe=probe /> }>
            <PartitionTable seen=seen />
        </Show>
        {if is_buckets {
            view! { <control::Write lookup=lookup landings=landings /> }.into_any()
        } else {
            view! { <control::Suffixes /> }.into_any()
        }}
    }
}

/// What it is, and the way to the full page.
#[component]
fn Top() -> impl IntoView {
    let playground = Playground::expect();
    let slug = move || playground.scene.get().map(|scene| scene.slug);
    let name = move || match slug() {
        Some("orders") => "Limit and filter",
        Some("buckets") => "Eight buckets",
        _ => "Hot key",
    };
    let state = RwSignal::new(None::<String>);
    let plain = move || slug().map_or_else(|| "./".to_owned(), |slug| format!("./?scene={slug}"));
    let address = move || match state.get() {
        Some(payload) => format!("./#s={payload}"),
        None => plain(),
    };
    // The link carries the state; it is packed when somebody is about to follow it.
    let pack = move || {
        spawn_local(async move {
            state.set(share::encode(&shared(playground)).await.filter(|payload| payload.len() < share::LONGEST_LINK));
        });
    };
    view! {
        <header class="embed-top">
            <h1>{name}</h1>
            <span>", seen in Dynascope"</span>
            <a
                href=address
                target="_blank"
                rel="noopener"
                on:pointerenter=move |_| pack()
                on:focus=move |_| pack()
            >
                "Open the scene"
            </a>
        </header>
    }
}

fn shared(playground: Playground) -> SharedState {
    SharedState {
        scene: playground.scene.with_untracked(|scene| scene.as_ref().map(|scene| scene.slug.to_owned())),
        recording: playground.recording(),
        table: playground.table.get_untracked(),
        lens: playground.lens.get_untracked(),
        ask: playground.ask.get_untracked(),
        pages: playground.pages.with_untracked(Vec::len),
    }
}

/// The time line, the text view, reset.
#[component]
fn Foot(as_text: RwSignal<bool>) -> impl IntoView {
    let playground = Playground::expect();
    let moves = move || playground.traffic.with(|streams| !streams.is_empty());
    view! {
        <div class="embed-foot" role="group" aria-label="Time and view">
            <Show when=moves fallback=|| view! { <span class="embed-gap"></span> }>
                <PlayButton />
                <Ruler />
                <Clock />
            </Show>
            <button type="button" class="say" aria-pressed=move || as_text.get().to_string() on:click=move |_| as_text.update(|on| *on = !*on)>
                "Text view"
            </button>
            <button type="button" class="say" on:click=move |_| reset(playground)>"Reset"</button>
        </div>
    }
}

/// Starts over; time runs again only where it may start by itself.
fn reset(playground: Playground) {
    restart(playground);
    if use_context::<StartsAlone>().is_some_and(|starts| !starts.0) {
        playground.playing.set(false);
    }
}

/// Opens the state in the fragment, if there is one.
fn open_link(playground: Playground, payload: Option<String>) {
    let Some(payload) = payload else { return };
    spawn_local(async move {
        let Ok(state) = share::decode(&payload).await else { return };
        if playground.load_recording(&state.recording, &state.table, state.ask, state.pages).is_ok() {
            playground.scene.set(state.scene.as_deref().and_then(Scene::find));
        }
    });
}

/// Is there a page around this one?
fn is_framed() -> bool {
    place::is_framed()
}
