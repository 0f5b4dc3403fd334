//! Parts of the page that are fetched when they are first wanted, so that the first look costs little.
//!
//! Each entrance below is a way into a chunk: a file of its own, which holds whatever nothing else needs.
//! `cargo xtask build` cuts them (feature `split`); without the feature the entrances are plain functions. An
//! entrance hands out functions, which run where their caller stands in the tree of views.

use crate::lesson::{self, LessonState};
use crate::pane::items::{self, Open};
use crate::pane::read::{self, ReadView, Twin};
use crate::pane::share as sharing;
use crate::pane::time::{self, Wanted};
use crate::pane::{details, partitions, story};
use crate::playground::Playground;
use crate::scene::{self, RemedyAction, Scene, Words};
use crate::shell::{self, CurrentTab};
use crate::text;
use crate::ui::live::part;
use crate::ui::patch::around;
use crate::ui::watched::Watched;
use leptos::prelude::*;
use leptos::task::spawn_local;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

/// A part of the page as a function of the playground.
pub type Pane = fn(Playground) -> AnyView;
/// Work that goes on in the background.
pub type Work = Pin<Box<dyn Future<Output = ()>>>;

/// A chunk that could not be fetched: the network is gone, or the site has changed under an open page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotFetched;

#[cfg(feature = "split")]
impl From<wasm_split_helpers::SplitLoaderError> for NotFetched {
    fn from(_: wasm_split_helpers::SplitLoaderError) -> Self {
        Self
    }
}

/// Declares entrances. With the feature each is fetched first; without it each answers at once.
macro_rules! entrances {
    ($($chunk:ident: $(#[$about:meta])* fn $name:ident() -> $what:ty { $body:expr })*) => {$(
        #[cfg(feature = "split")]
        $(#[$about])*
        #[wasm_split_helpers::wasm_split($chunk, fallible)]
        pub fn $name() -> Result<$what, NotFetched> {
            Ok($body)
        }

        #[cfg(not(feature = "split"))]
        $(#[$about])*
        #[allow(clippy::unused_async, reason = "as the fetched one")]
        pub async fn $name() -> Result<$what, NotFetched> {
            Ok($body)
        }
    )*};
}

entrances! {
    machine:
    /// The partition lens.
    fn partitions_lens() -> Pane { partitions::partitions_lens }

    machine:
    /// The column beside it.
    fn partition_details() -> Pane { details::details }

    machine:
    /// What a scene's remedies do.
    fn remedy() -> fn(Playground, RemedyAction) { story::apply }

    machine:
    /// What the scenes say, all but the first.
    fn words() -> fn(&str) -> &'static Words { scene::words }

    machine:
    /// Starts a scene with traffic.
    fn start_scene() -> fn(Playground, Scene) { time::start_scene }

    machine:
    /// Moves time.
    fn steer() -> fn(Playground, Wanted) { time::steer }

    editing:
    /// Undoes the latest write.
    fn undo() -> fn(Playground) { Playground::undo }

    editing:
    /// Takes the latest undo back.
    fn redo() -> fn(Playground) { Playground::redo }

    editing:
    /// Items typed, pasted and generated.
    fn item_dialog() -> fn(Open, Playground) -> AnyView { items::dialog }

    editing:
    /// A cursor of one's own.
    fn tamper() -> fn(ReadView) -> AnyView { read::tamper }

    reading:
    /// Request and answer as JSON.
    fn request() -> fn(ReadView) -> AnyView { read::request }

    reading:
    /// The strip as text.
    fn twin() -> Twin { read::text_twin }

    lesson:
    /// A lesson, in the place of the scene's text.
    fn lesson() -> fn(Playground, LessonState) -> AnyView { lesson::reading }

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

/// A part of the page that stands as soon as its chunk is here; until then its place says that it is coming.
pub fn later<T: Copy + Send + Sync + 'static>(
    playground: Playground,
    entrance: impl Future<Output = Result<T, NotFetched>> + 'static,
    view: impl Fn(T) -> AnyView + Send + Sync + 'static,
) -> AnyView {
    place(playground, Box::pin(async move { entrance.await.map(|entrance| Arc::new(move || view(entrance)) as View) }))
}

type View = Arc<dyn Fn() -> AnyView + Send + Sync>;
type Coming = Pin<Box<dyn Future<Output = Result<View, NotFetched>>>>;

fn place(playground: Playground, coming: Coming) -> AnyView {
    let fetched = RwSignal::new(None::<View>);
    spawn_local(async move {
        match coming.await {
            // The place may be gone by now.
            Ok(view) => drop(fetched.try_set(Some(view))),
            Err(NotFetched) => playground.complain(text::NOT_FETCHED),
        }
    });
    part(move || match fetched.get() {
        Some(view) => view(),
        None => around("coming", "", "", Vec::new()),
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
