//! The embed: one statement, one figure, one control, one time line. No storage, no history, no editor.
//!
//! It lives in other people's pages: it starts when it is seen, stands still when it is not, tells its host how
//! high it is ([`host`]), and leaves the wheel alone.

mod control;
mod host;
mod orders;
mod sight;

use crate::frame;
use crate::pane::partitions::{Lookup, Speech, figure, look_up, seen, stated, twin};
use crate::pane::time::{clock, play, play_button, restart, ruler};
use crate::place::{self, Place};
use crate::playground::Playground;
use crate::scene::{Lens, SCENES, Scene};
use crate::share::{self, SharedState};
use crate::theme::Theme;
use crate::ui::patch::{fill, live, truth};
use leptos::prelude::*;
use leptos::task::spawn_local;

/// The whole embed.
#[component]
pub fn Embed() -> impl IntoView {
    let here = Place::of_window();
    let scene = here.scene.as_deref().and_then(Scene::find).or_else(|| Scene::find("hot-key"));
    let playground = Playground::new(scene.unwrap_or_else(|| SCENES[0]));
    provide_context(playground);
    here.theme.unwrap_or(Theme::Auto).apply();
    if here.transparent {
        host::make_transparent();
    }
    let starts = !matches!(here.run.as_deref(), Some("click" | "never"));
    let lookup = Lookup::new("VIDEO#42");
    playground.starts_alone.set(starts);
    frame::ensure(playground);
    sight::hold_out_of_sight(playground);
    host::connect(playground, lookup, here.reference.clone());
    match here.state {
        Some(payload) => open_link(playground, payload),
        None => begin(playground),
    }
    let (as_text, packed, speech) = (RwSignal::new(false), RwSignal::new(None::<String>), Speech::default());
    let render = move || {
        let scene = playground.scene.get();
        let slug = scene.as_ref().map_or("hot-key", |scene| scene.slug);
        let middle = match slug {
            "orders" => orders::orders(playground, as_text.get()),
            slug => partitions(playground, lookup, slug == "buckets", as_text.get(), &speech),
        };
        let top = top(scene.as_ref(), packed.get());
        fill(
            "<main class=\"embed\" data-scene=\"{}\">{!}{!}{!}</main>",
            &[slug, &top, &middle, &foot(playground, as_text.get())],
        )
    };
    live(render, move |deed| match deed.is() {
        ("click", "text") => as_text.update(|on| *on = !*on),
        ("click", "reset") => restart(playground),
        // The link carries the state; it is packed when somebody is about to follow it.
        ("pointerover" | "focusin", "open") => spawn_local(async move {
            packed.set(
                share::encode(&SharedState::of(playground)).await.filter(|payload| payload.len() < share::LONGEST_LINK),
            );
        }),
        _ => {
            control::act(deed, playground);
            orders::act(deed, playground);
            look_up(deed, lookup, playground);
            if deed.is() == ("click", "play") {
                play(playground);
            }
        }
    })
}

fn partitions(playground: Playground, lookup: Lookup, is_buckets: bool, as_text: bool, speech: &Speech) -> String {
    let landings = if is_buckets { lookup.landings(playground) } else { Vec::new() };
    let seen = seen(playground);
    let shown = seen.as_ref().map_or(String::new(), |seen| if as_text { twin(seen) } else { figure(seen, &landings) });
    let control =
        if is_buckets { control::write_html(playground, lookup, &landings) } else { control::spread_html(playground) };
    fill("{!}{!}{!}", &[&stated(seen.as_deref(), speech), &shown, &control])
}

/// What it is, and the way to the full page.
fn top(scene: Option<&Scene>, packed: Option<String>) -> String {
    let slug = scene.map(|scene| scene.slug);
    let name = match slug {
        Some("orders") => "Limit and filter",
        Some("buckets") => "Eight buckets",
        _ => "Hot key",
    };
    let address = match (packed, slug) {
        (Some(payload), _) => format!("./#s={payload}"),
        (None, Some(slug)) => format!("./?scene={slug}"),
        (None, None) => "./".to_owned(),
    };
    fill(
        "<header class=\"embed-top\"><h1>{}</h1><span>, seen in Dynascope</span>\
         <a href=\"{}\" target=\"_blank\" rel=\"noopener\" data-do=\"open\">Open the scene</a></header>",
        &[name, &address],
    )
}

/// The time line, the text view, reset.
fn foot(playground: Playground, as_text: bool) -> String {
    let time = if playground.traffic.with(Vec::is_empty) {
        "<span class=\"embed-gap\"></span>".to_owned()
    } else {
        [play_button(playground), ruler(playground), clock(playground)].concat()
    };
    fill(
        "<div class=\"embed-foot\" role=\"group\" aria-label=\"Time and view\">{!}<button type=\"button\" class=\"say\" \
         aria-pressed=\"{}\" data-do=\"text\">Text view</button>\
         <button type=\"button\" class=\"say\" data-do=\"reset\">Reset</button></div>",
        &[&time, truth(as_text)],
    )
}

/// Starts the scene; a question is asked at once.
fn begin(playground: Playground) {
    let Some(scene) = playground.scene.get_untracked() else { return };
    let asks = scene.lens == Lens::Read;
    playground.load_scene(scene);
    if asks {
        playground.run_page(true);
    }
}

/// Opens the state in the fragment; a damaged one leaves the scene as it begins.
fn open_link(playground: Playground, payload: String) {
    spawn_local(async move {
        let opened = match share::decode(&payload).await {
            Ok(state) => {
                playground.load_recording(&state.recording, &state.table, state.ask, state.pages).is_ok_and(|()| {
                    playground.scene.set(state.scene.as_deref().and_then(Scene::find));
                    true
                })
            }
            Err(_) => false,
        };
        if !opened {
            begin(playground);
        }
    });
}

/// Is there a page around this one?
fn is_framed() -> bool {
    place::is_framed()
}
