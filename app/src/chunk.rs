//! Parts of the page that are fetched when they are first wanted, so that the first look costs little.
//!
//! Each entrance below is a way into a chunk: a file of its own, which holds whatever nothing else needs.
//! `cargo xtask build` cuts them (feature `split`; the embed's are in [`crate::embed`], feature `split-embed`); without
//! the feature the entrances are plain functions. An entrance hands out functions, which run where their caller stands
//! in the tree of views.

use crate::lesson;
use crate::pane::items;
use crate::pane::read::{self, Twin};
use crate::pane::share as sharing;
use crate::pane::time::{self, Wanted};
use crate::pane::{details, model, partitions, story};
use crate::playground::Playground;
use crate::scene::{RemedyAction, Scene};
use crate::shell::{self, CurrentTab};
use crate::text;
use crate::ui::live::part;
use crate::ui::patch::live;
use crate::ui::sheet;
use crate::ui::watched::Watched;
use leptos::prelude::*;
use leptos::task::spawn_local;
use std::future::Future;
use std::pin::Pin;

/// A part of the page as a function of the playground.
pub type Pane = fn(Playground) -> AnyView;
/// Work that goes on in the background.
pub type Work = Pin<Box<dyn Future<Output = ()>>>;

/// A chunk that could not be fetched: the network is gone, or the site has changed under an open page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotFetched;

#[cfg(any(feature = "split", feature = "split-embed"))]
impl From<wasm_split_helpers::SplitLoaderError> for NotFetched {
    fn from(_: wasm_split_helpers::SplitLoaderError) -> Self {
        Self
    }
}

/// Declares entrances. Where the condition holds each is fetched first; elsewhere each answers at once.
macro_rules! entrances {
    (if $cut:tt; $($chunk:ident: $(#[$about:meta])* fn $name:ident() -> $what:ty { $body:expr })*) => {$(
        #[cfg $cut]
        $(#[$about])*
        #[wasm_split_helpers::wasm_split($chunk, fallible)]
        pub fn $name() -> Result<$what, $crate::chunk::NotFetched> {
            Ok($body)
        }

        #[cfg(not $cut)]
        $(#[$about])*
        #[allow(clippy::unused_async, reason = "as the fetched one")]
        pub async fn $name() -> Result<$what, $crate::chunk::NotFetched> {
            Ok($body)
        }
    )*};
}
pub(crate) use entrances;

// Both pages have this one.
entrances! {
    if (any(feature = "split", feature = "split-embed"));

    machine:
    /// Starts a scene with traffic.
    fn start_scene() -> fn(Playground, Scene) { dressed(time::start_scene) }
}

entrances! {
    if (feature = "split");

    machine:
    /// The partition lens.
    fn partitions_lens() -> Pane { dressed(partitions::partitions_lens) }

    machine:
    /// The column beside it.
    fn partition_details() -> Pane { dressed(details::details) }

    machine:
    /// What a scene's remedies do.
    fn remedy() -> fn(Playground, RemedyAction) { story::apply }

    machine:
    /// What the scene says; only the first scene's words are in the page from the beginning.
    fn scene_text() -> Pane { story::scene_text }

    machine:
    /// Moves time.
    fn steer() -> fn(Playground, Wanted) { dressed(time::steer) }

    editing:
    /// Undoes the latest write.
    fn undo() -> fn(Playground) { Playground::undo }

    editing:
    /// Takes the latest undo back.
    fn redo() -> fn(Playground) { Playground::redo }

    editing:
    /// Items typed, pasted and generated.
    fn item_dialog() -> Pane { items::dialog }

    editing:
    /// A cursor of one's own.
    fn tamper() -> Pane { read::tamper }

    reading:
    /// Request and answer as JSON.
    fn request() -> Pane { read::request }

    reading:
    /// The strip as text.
    fn twin() -> Twin { read::text_twin }

    lesson:
    /// A lesson, in the place of the scene's text.
    fn lesson() -> Pane { lesson::reading }

    model:
    /// The scene's fidelity card and every constant. It opens as often as the number goes up.
    fn model_dialog() -> fn(Playground, model::Asked) -> AnyView { model::dialog }

    share:
    /// The share dialog. It opens as often as the number goes up.
    fn share_dialog() -> fn(Playground, &'static Watched<u32>) -> AnyView { sharing::dialog }

    share:
    /// Writes the state into the address.
    fn keep() -> fn(Playground) -> Work { |playground| Box::pin(shell::keep(playground)) }

    share:
    /// Opens the state of a link.
    fn open_link() -> fn(Playground, CurrentTab, String) -> Work {
        |playground, tab, payload| Box::pin(shell::open_link(playground, tab, payload))
    }
}

/// Something of the machine, with its stylesheet in the page.
fn dressed<T>(what: T) -> T {
    // The embed has it from the beginning.
    if !cfg!(feature = "split-embed") {
        sheet::wear("machine", include_str!("../style/partitions.css"));
    }
    what
}

/// A part of the page on its way.
pub type Coming = Pin<Box<dyn Future<Output = Result<Pane, NotFetched>>>>;

const COMING: &str = "<p class=\"coming\" role=\"status\" aria-busy=\"true\">On its way…</p>";
const FAILED: &str = "<p class=\"coming coming-not\">This part could not be fetched. \
    <button type=\"button\" class=\"say\" data-do=\"again\">Try again</button></p>";

/// A part of the page that stands as soon as its chunk is here; until then its place says that it is coming, and if it
/// does not come, offers to try again.
pub fn later(playground: Playground, entrance: fn() -> Coming) -> AnyView {
    let fetched = RwSignal::new(None::<Pane>);
    let failed = RwSignal::new(0_u32);
    let ask = move || {
        spawn_local(async move {
            // The place may be gone by now.
            if let Ok(pane) = entrance().await {
                let _ = fetched.try_set(Some(pane));
            } else {
                playground.complain(text::NOT_FETCHED);
                let _ = failed.try_set(1);
            }
        });
    };
    ask();
    part(move || match fetched.get() {
        Some(pane) => pane(playground),
        None => live(
            move || if failed.get() == 0 { COMING } else { FAILED }.to_owned(),
            move |deed| {
                if deed.is() == ("click", "again") {
                    failed.set(0);
                    ask();
                }
            },
        ),
    })
    .into_any()
}

/// Does something with an entrance as soon as its chunk is here.
pub fn then<T: 'static>(
    playground: Playground,
    entrance: impl Future<Output = Result<T, NotFetched>> + 'static,
    act: impl FnOnce(T) + 'static,
) {
    work(playground, Box::pin(async move { entrance.await.map(act) }));
}

fn work(playground: Playground, work: Pin<Box<dyn Future<Output = Result<(), NotFetched>>>>) {
    spawn_local(async move {
        if work.await.is_err() {
            playground.complain(text::NOT_FETCHED);
        }
    });
}
