//! The header: scene, lens, undo and redo, share, theme.

use crate::chunk::{self, then};
use crate::place;
use crate::playground::Playground;
use crate::scene::{Lens, SCENES, Scene};
use crate::shell::{CurrentTab, keep_now, turn_to};
use crate::text::{LENS_PARTITIONS, LENS_READ, NOT_KEPT};
use crate::theme::Theme;
use crate::ui::live::part;
use crate::ui::patch::{Deed, disabled, fill, live, truth};
use crate::ui::watched::Watched;
use leptos::prelude::*;
use leptos::task::spawn_local;

const SHARE: &str = "<button type=\"button\" class=\"say\" data-do=\"share\">Share</button>";
const ICON_UNDO: &str = "M7 3 3 7l4 4M3.5 7H11a4 4 0 0 1 0 8H8";
const ICON_REDO: &str = "m11 3 4 4-4 4M14.5 7H7a4 4 0 0 0 0 8h3";

/// The header.
pub fn header(playground: Playground, theme: &'static Watched<Theme>, folded: &'static Watched<bool>) -> AnyView {
    let asked = Watched::leaked(0_u32);
    let shared = RwSignal::new(None::<fn(Playground, &'static Watched<u32>) -> AnyView>);
    let tab = use_context::<CurrentTab>();
    let render = move || {
        fill(
            "<header class=\"top\"><a class=\"top-brand\" href=\"./\">Dynascope</a>{!}<nav class=\"top-lenses\" \
             aria-label=\"Lens\">{!}{!}</nav>{!}</header>",
            &[
                &scenes(playground),
                &lens(playground, Lens::Read, LENS_READ),
                &lens(playground, Lens::Partitions, LENS_PARTITIONS),
                &tools(playground, theme.get(), folded.get()),
            ],
        )
    };
    let head = live(render, move |deed| match deed.is() {
        ("click", "share") => match shared.get_untracked() {
            Some(_) => asked.update(|asked| *asked += 1),
            None => then(playground, chunk::share_dialog(), move |dialog| {
                asked.update(|asked| *asked += 1);
                shared.set(Some(dialog));
            }),
        },
        ("click", "fold") => folded.update(|folded| *folded = !*folded),
        ("click", "theme") => {
            let next = theme.get_untracked().next();
            next.apply();
            if !next.keep() {
                playground.say(NOT_KEPT);
            }
            theme.set(next);
        }
        _ => act(deed, playground, tab),
    });
    let dialog = part(move || match shared.get() {
        Some(dialog) => dialog(playground, asked),
        None => ().into_any(),
    });
    vec![head, dialog.into_any()].into_any()
}

fn act(deed: &Deed, playground: Playground, tab: Option<CurrentTab>) {
    match deed.is() {
        ("change", "scene") => {
            if let Some(scene) = Scene::find(&deed.value()) {
                leave_for(playground, tab, scene);
            }
        }
        ("click", "lens-read") => turn_to(playground, tab, Lens::Read),
        ("click", "lens-partitions") => turn_to(playground, tab, Lens::Partitions),
        // What there is to undo came from a chunk, too.
        ("click", "undo") => then(playground, chunk::undo(), move |undo| undo(playground)),
        ("click", "redo") => then(playground, chunk::redo(), move |redo| redo(playground)),
        _ => {}
    }
}

/// Opens another scene. What was done to this one stays in the history: Back brings it again.
fn leave_for(playground: Playground, tab: Option<CurrentTab>, scene: Scene) {
    spawn_local(async move {
        keep_now(playground).await;
        place::push(&format!("?scene={}", scene.slug));
        let lens = scene.lens;
        playground.load_scene(scene);
        turn_to(playground, tab, lens);
    });
}

fn scenes(playground: Playground) -> String {
    let current = playground.scene.with(|scene| scene.as_ref().map_or("", |scene| scene.slug));
    let option = |scene: &Scene| fill("<option value=\"{}\">{}</option>", &[scene.slug, scene.name]);
    let options: String = SCENES.iter().map(option).collect();
    let from_link = if current.is_empty() { "<option value=\"\" disabled>From a link</option>" } else { "" };
    fill(
        "<select class=\"pick top-scene\" aria-label=\"Scene\" data-do=\"scene\" data-value=\"{}\">{!}{!}</select>",
        &[current, from_link, &options],
    )
}

fn lens(playground: Playground, lens: Lens, name: &str) -> String {
    let act = if lens == Lens::Read { "lens-read" } else { "lens-partitions" };
    fill(
        "<button type=\"button\" data-label=\"{}\" aria-pressed=\"{}\" data-do=\"{}\">{}</button>",
        &[name, truth(playground.lens.get() == lens), act, name],
    )
}

fn tools(playground: Playground, theme: Theme, folded: bool) -> String {
    let (undo, redo) = playground.history.get();
    let icon = |name: &str, act: &str, off: bool, path: &str| {
        fill(
            "<button type=\"button\" class=\"top-icon top-undo\" aria-label=\"{}\" title=\"{}\" data-do=\"{}\"{!}>\
             <svg viewBox=\"0 0 18 18\" aria-hidden=\"true\"><path d=\"{}\"/></svg></button>",
            &[name, name, act, disabled(off), path],
        )
    };
    fill(
        "<div class=\"top-tools\">{!}{!}<button type=\"button\" class=\"top-wide top-fold\" aria-pressed=\"{}\" data-do=\"fold\">{}\
         </button>{!}<button type=\"button\" class=\"top-icon\" aria-label=\"Theme: {}\" title=\"Theme: {}\" \
         data-do=\"theme\"><svg viewBox=\"0 0 18 18\" aria-hidden=\"true\"><circle cx=\"9\" cy=\"9\" r=\"6.5\"/>\
         <path d=\"M9 2.5a6.5 6.5 0 0 1 0 13z\" fill=\"currentColor\"/></svg></button></div>",
        &[
            &icon("Undo the last change", "undo", !undo, ICON_UNDO),
            &icon("Redo", "redo", !redo, ICON_REDO),
            truth(folded),
            if folded { "Show text" } else { "Hide text" },
            SHARE,
            theme.slug(),
            theme.slug(),
        ],
    )
}
