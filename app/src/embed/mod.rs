//! The embed: one statement, one figure, one control, one time line. No storage, no history, no editor.
//!
//! It lives in other people's pages: it starts when it is seen, stands still when it is not, tells its host how
//! high it is ([`host`]), and leaves the wheel alone.

mod control;
mod host;
mod link;
mod orders;
mod parts;
mod sight;

use self::parts::{Parts, View};
use crate::pane::partitions::{Lookup, Speech};
use crate::pane::time::restart;
use crate::place::{self, Place};
use crate::playground::Playground;
use crate::scene::{Lens, SCENES, Scene};
use crate::theme::Theme;
use crate::ui::live::part;
use crate::ui::patch::{fill, live, truth};
use crate::ui::watched::Watched;
use leptos::prelude::*;
use leptos::task::spawn_local;

/// An embed, and how far it has come.
#[derive(Clone, Copy)]
struct Here {
    playground: Playground,
    lookup: Lookup,
    /// Traffic and partitions, once they are fetched.
    parts: &'static Watched<Option<&'static Parts>>,
    /// Is the scene chosen, or a link opened?
    begun: RwSignal<bool>,
    /// Is there something to show? Until then the still picture stands.
    shows: RwSignal<bool>,
    /// Did what was asked for not come?
    failed: RwSignal<bool>,
    /// A link's state, until it is opened.
    link: StoredValue<Option<String>>,
}

/// The whole embed.
#[component]
pub fn Embed() -> impl IntoView {
    let place = Place::of_window();
    let scene = place.scene.as_deref().and_then(Scene::find).or_else(|| Scene::find("hot-key"));
    let scene = scene.unwrap_or(SCENES[0]);
    let playground = Playground::new(scene);
    provide_context(playground);
    place.theme.unwrap_or(Theme::Auto).apply();
    if place.transparent {
        host::make_transparent();
    }
    playground.starts_alone.set(!matches!(place.run.as_deref(), Some("click" | "never")));
    let here = Here {
        playground,
        lookup: Lookup::new("VIDEO#42"),
        parts: Watched::leaked(None),
        begun: RwSignal::new(false),
        shows: RwSignal::new(false),
        failed: RwSignal::new(false),
        link: StoredValue::new(place.state),
    };
    sight::hold_out_of_sight(playground);
    host::connect(here, place.reference);
    if scene.lens == Lens::Read && here.link.with_value(Option::is_none) {
        begin(here);
    } else {
        here.fetch();
    }
    Effect::new(move || {
        if here.begun.get() && !playground.awaits.get() && !here.shows.get_untracked() {
            here.shows.set(true);
        }
    });
    let body = move || if here.shows.get() { body(here) } else { ().into_any() };
    let failed = move || if here.failed.get() { FAILED.to_owned() } else { String::new() };
    view! {
        {part(body)}
        {live(failed, move |deed| {
            if deed.is() == ("click", "again") {
                here.fetch();
            }
        })}
    }
}

const FAILED: &str = "<p class=\"embed-failed\" role=\"status\">A part of this embed could not be fetched. \
    <button type=\"button\" class=\"say\" data-do=\"again\">Try again</button></p>";

impl Here {
    /// Fetches what moves traffic, and begins with it what has not begun.
    fn fetch(self) {
        self.failed.set(false);
        spawn_local(async move {
            let Ok(parts) = parts::parts().await else { return self.failed.set(true) };
            (parts.start)(self.playground);
            let mut opened = false;
            if let Some(payload) = self.link.get_value() {
                let Ok(open) = parts::open().await else { return self.failed.set(true) };
                opened = open(self.playground, payload).await;
                self.link.set_value(None);
            }
            self.parts.set(Some(parts));
            if opened {
                self.begun.set(true);
            } else if !self.begun.get_untracked() {
                begin(self);
            }
        });
    }
}

/// Starts the scene; a question is asked at once. What has traffic shows as soon as its session stands.
fn begin(here: Here) {
    let playground = here.playground;
    let Some(scene) = playground.scene.get_untracked() else { return };
    playground.load_scene(scene);
    if scene.lens == Lens::Read {
        playground.run_page(true);
    }
    here.begun.set(true);
}

fn body(here: Here) -> AnyView {
    let playground = here.playground;
    let (as_text, packed, speech) = (RwSignal::new(false), RwSignal::new(None::<String>), Speech::default());
    let render = move || {
        let scene = playground.scene.get();
        let slug = scene.as_ref().map_or("hot-key", |scene| scene.slug);
        let parts = here.parts.get();
        let middle = match (slug, parts) {
            ("orders", _) | (_, None) => orders::orders(playground, as_text.get()),
            (slug, Some(parts)) => {
                let view = View { is_buckets: slug == "buckets", as_text: as_text.get(), speech: &speech };
                (parts.middle)(playground, here.lookup, view)
            }
        };
        let top = top(scene.as_ref(), packed.get());
        fill(
            "<main class=\"embed\" data-scene=\"{}\">{!}{!}{!}</main>",
            &[slug, &top, &middle, &foot(playground, parts, as_text.get())],
        )
    };
    // The still picture has stood in until now.
    Effect::new(|| {
        if let Some(poster) = document().get_element_by_id("poster") {
            poster.remove();
        }
    });
    live(render, move |deed| match deed.is() {
        ("click", "text") => as_text.update(|on| *on = !*on),
        ("click", "reset") => restart(playground),
        // The link carries the state; it is packed when somebody is about to follow it. Where that cannot be fetched,
        // it leads to the scene.
        ("pointerover" | "focusin", "open") => spawn_local(async move {
            if let Ok(pack) = parts::pack().await {
                packed.set(pack(playground).await);
            }
        }),
        _ => {
            orders::act(deed, playground);
            if let Some(parts) = here.parts.get_untracked() {
                (parts.act)(deed, playground, here.lookup);
            }
        }
    })
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
fn foot(playground: Playground, parts: Option<&'static Parts>, as_text: bool) -> String {
    let time = match parts {
        Some(parts) if !playground.traffic.with(Vec::is_empty) => (parts.time)(playground),
        _ => "<span class=\"embed-gap\"></span>".to_owned(),
    };
    fill(
        "<div class=\"embed-foot\" role=\"group\" aria-label=\"Time and view\">{!}<button type=\"button\" class=\"say\" \
         aria-pressed=\"{}\" data-do=\"text\">Text view</button>\
         <button type=\"button\" class=\"say\" data-do=\"reset\">Reset</button></div>",
        &[&time, truth(as_text)],
    )
}

/// Is there a page around this one?
fn is_framed() -> bool {
    place::is_framed()
}
