//! The page around the lenses: header, three columns, phone tabs, notice line.

use crate::chunk::{self, later, then};
use crate::lesson::LessonState;
use crate::pane;
use crate::place::{self, Place};
use crate::playground::Playground;
use crate::scene::{Lens, SCENES, Scene};
use crate::share::{self, SharedState};
use crate::text;
use crate::theme::Theme;
use crate::ui::live::{part, words};
use crate::ui::patch::{fill, live, truth};
use crate::ui::watched::Watched;
use dynascope_engine::diagnostic::Failure;
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
pub struct CurrentTab(pub &'static Watched<Tab>);

/// The full page.
#[component]
pub fn Shell() -> impl IntoView {
    let here = Place::of_window();
    let asked = here.scene.as_deref();
    let scene = asked.and_then(Scene::find).unwrap_or(SCENES[0]);
    let playground = Playground::new(scene);
    provide_context(playground);
    provide_context(pane::read::ReadView::new(playground));
    let theme = Watched::leaked(here.theme.unwrap_or_else(Theme::kept));
    theme.get_untracked().apply();
    let tab = CurrentTab(Watched::leaked(Tab::of(playground.lens.get_untracked())));
    provide_context(tab);
    provide_context(pane::items::Drafts::default());
    let lesson = LessonState::new(playground);
    provide_context(lesson);
    match here.state.clone() {
        None => playground.load_scene(scene),
        Some(payload) => then(playground, chunk::open_link(), move |open| spawn_local(open(playground, tab, payload))),
    }
    if let Some(slug) = here.lesson.clone() {
        lesson.open(slug);
        tab.0.set(Tab::Story);
    }
    if let Some(asked) = asked.filter(|asked| Scene::find(asked).is_none()) {
        playground.complain(text::no_scene(asked));
    }
    keep_address(playground);
    // An entry of the history holds a whole state; the page that opens links opens it.
    let back = window_event_listener_untyped("popstate", |_| drop(window().location().reload()));
    on_cleanup(move || back.remove());
    let folded = Watched::leaked(false);
    let figure = part(move || match playground.lens.get() {
        Lens::Read => pane::read::read_lens(playground),
        Lens::Partitions => later(playground, || Box::pin(chunk::partitions_lens())),
    });
    // On a phone the items have a tab of their own, whichever lens is open.
    let aside = part(move || {
        if playground.lens.get() == Lens::Read || tab.0.get() == Tab::Items {
            pane::items::items_pane(playground)
        } else {
            later(playground, || Box::pin(chunk::partition_details()))
        }
    });
    view! {
        <div class="page" data-tab=words(move || tab.0.get().slug().to_owned())>
            {pane::header::header(playground, theme, folded)}
            <main class="columns" data-story=words(move || if folded.get() { "folded" } else { "open" }.to_owned())>
                {pane::story::story(playground, lesson)}
                <section class="figure" aria-label=text::FIGURE>{figure}</section>
                <aside class="apparatus" aria-label=text::APPARATUS>{aside}</aside>
            </main>
            <footer class="foot">
                {pane::read::docked_cost(playground)}
                {pane::time::time_bar(playground)}
                {tabs(playground, tab, lesson)}
            </footer>
            {notice_line(playground)}
        </div>
    }
}

fn tabs(playground: Playground, tab: CurrentTab, lesson: LessonState) -> AnyView {
    let button = move |(this, slug, label): &(Tab, &str, &str)| {
        let template = "<button type=\"button\" aria-pressed=\"{}\" data-do=\"{}\">{}</button>";
        let label = if *this == Tab::Story && lesson.is_open() { text::TAB_LESSON } else { label };
        fill(template, &[truth(tab.0.get() == *this), slug, label])
    };
    let render = move || {
        let buttons: String = Tab::ALL.iter().map(button).collect();
        fill("<nav class=\"tabs\" aria-label=\"{}\">{!}</nav>", &[text::TABS, &buttons])
    };
    live(render, move |deed| {
        if deed.kind == "click"
            && let Some((to, ..)) = Tab::ALL.iter().find(|(_, slug, _)| deed.name == *slug)
        {
            go_to(playground, tab, *to);
        }
    })
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
    turn_to(playground, use_context::<CurrentTab>(), lens);
}

/// The same, for those who know the tab.
pub fn turn_to(playground: Playground, tab: Option<CurrentTab>, lens: Lens) {
    playground.lens.set(lens);
    if let Some(tab) = tab {
        tab.0.set(Tab::of(lens));
    }
}

/// What happened, for a few seconds and for screen readers.
fn notice_line(playground: Playground) -> AnyView {
    // Each notice has its own six seconds.
    Effect::new(move |earlier: Option<Option<TimeoutHandle>>| {
        if let Some(earlier) = earlier.flatten() {
            earlier.clear();
        }
        let shown = playground.notice.with(Option::is_some);
        let end = move || playground.notice.set(None);
        shown.then(|| set_timeout_with_handle(end, std::time::Duration::from_secs(6)).ok()).flatten()
    });
    let render = move || {
        let notice = playground.notice.with(|notice| {
            notice.as_ref().map_or(String::new(), |notice| {
                fill(
                    "<div class=\"notice\"><span>{}</span><button type=\"button\" class=\"say\" data-do=\"dismiss\">{}</button>\
                     </div>",
                    &[&notice.text, text::DISMISS],
                )
            })
        });
        fill("<div role=\"status\">{!}</div>", &[&notice])
    };
    live(render, move |deed| {
        if deed.is() == ("click", "dismiss") {
            playground.notice.set(None);
        }
    })
}

/// Puts a state that was kept into the playground: its runs, the moment and what is looked at.
///
/// # Errors
/// Why its recording cannot be replayed; nothing changes then.
pub fn show_state(playground: Playground, state: &SharedState) -> Result<(), Failure> {
    pane::time::ensure(playground);
    playground.load_recording(&state.recording, &state.table, state.ask.clone(), state.pages)?;
    if let Some(other) = &state.other {
        pane::time::put_beside(playground, other);
    }
    if let Some(moment) = state.at {
        pane::time::stand(playground, moment);
    }
    state.look(playground);
    Ok(())
}

/// Opens the state in a link's fragment.
pub async fn open_link(playground: Playground, tab: CurrentTab, payload: String) {
    let opened = match share::decode(&payload).await {
        Ok(state) => {
            show_state(playground, &state).map_err(|failure| text::link_refused(&failure.message)).map(|()| state)
        }
        Err(sentence) => Err(sentence),
    };
    match opened {
        Ok(state) => {
            playground.scene.set(state.scene.as_deref().and_then(Scene::find));
            playground.lens.set(state.lens);
            tab.0.set(Tab::of(state.lens));
        }
        Err(sentence) => {
            if let Some(scene) = playground.scene.get_untracked() {
                playground.load_scene(scene);
            }
            playground.complain(sentence);
        }
    }
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
        playground.index.track();
        playground.speed.track();
        if first.is_none() {
            return;
        }
        let write = move || spawn_local(keep_now(playground));
        pending.update_value(|pending| {
            if let Some(earlier) = pending.take() {
                earlier.clear();
            }
            *pending = set_timeout_with_handle(write, std::time::Duration::from_millis(800)).ok();
        });
    });
}

/// Has nothing been done to the scene yet?
pub fn is_pristine(playground: Playground) -> bool {
    let Some(scene) = playground.scene.get_untracked() else { return false };
    let untouched = playground.with(|session| session.journal().is_empty());
    untouched
        && !playground.differs.get_untracked()
        && playground.ask.with_untracked(|ask| *ask == scene.ask())
        && playground.lens.get_untracked() == scene.lens
        && playground.pages.with_untracked(Vec::is_empty)
        && playground.index.with_untracked(Option::is_none)
        && playground.speed.get_untracked() == scene.speed
        && playground.full().is_none_or(|full| (full.other)(playground).is_none() && (full.whole)(playground).is_none())
}

/// Writes the state into the address, now.
pub async fn keep_now(playground: Playground) {
    if playground.awaits.get_untracked() {
        return;
    }
    if is_pristine(playground) {
        place::replace(&scene_query(playground), "");
    } else if let Ok(keep) = chunk::keep().await {
        keep(playground).await;
    }
}

fn scene_query(playground: Playground) -> String {
    let scene = playground.scene.with_untracked(|scene| scene.as_ref().map_or("", |scene| scene.slug));
    let lesson = playground.lesson.get_untracked();
    match (scene, lesson) {
        ("", None) => String::new(),
        ("", Some(lesson)) => ["?lesson=", &lesson].concat(),
        (scene, None) => ["?scene=", scene].concat(),
        (scene, Some(lesson)) => ["?scene=", scene, "&lesson=", &lesson].concat(),
    }
}

/// Writes a state that is no scene's own into the address.
pub async fn keep(playground: Playground) {
    if let Some(payload) = share::encode(&SharedState::of(playground)).await
        && payload.len() <= share::LONGEST_LINK
    {
        place::replace(&scene_query(playground), &format!("#s={payload}"));
    }
}
