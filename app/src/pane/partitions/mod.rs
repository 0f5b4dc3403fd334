//! The partition lens: traffic as a sentence, the statement, the figure or its text, a key to look up, and the
//! seconds gone by.
//!
//! `seen` takes plain data from the session; `statement` and `picture` make words and geometry of it; the rest
//! are views.

mod billing;
mod figure;
mod history;
mod hot;
mod landing;
mod lookup;
mod measure;
mod picture;
mod pins;
mod refusal;
mod seen;
mod sentence;
mod slot;
mod statement;
mod traffic;
mod twin;
mod whole;

pub use figure::PartitionFigure;
pub use hot::{SeenKey, hottest_keys, key_text};
pub use landing::{Landing, template_keys};
pub use lookup::{Lookup, LookupView, way_text};
pub use measure::share_text;
pub use seen::{Seen, seen};
pub use sentence::{Part, Sentence, SentenceView, Tone, number_word, number_word_first};
pub use slot::{Reading, Slot, ladder, whole};
pub use statement::{Statement, Verb, statement, unit_name, units};
pub use traffic::edit as edit_traffic;
pub use twin::PartitionTable;

use crate::playground::Playground;
use leptos::prelude::*;

/// Time between two sentences to screen readers, in milliseconds.
const SPEECH_PAUSE_MS: f64 = 4_000.0;

/// The lens.
#[component]
pub fn PartitionsLens() -> impl IntoView {
    let playground = Playground::expect();
    let seen = seen(playground);
    let has_traffic = Memo::new(move |_| seen.with(|seen| seen.as_ref().is_some_and(|seen| seen.traffic.is_some())));
    let lookup = Lookup::new(if has_traffic.get_untracked() { "" } else { "VIDEO#42" });
    let landings = lookup.landings(playground);
    let as_text = RwSignal::new(false);
    traffic::provide_typing();
    view! {
        <div class="lens" data-traffic=move || has_traffic.get().to_string()>
            <Show when=move || has_traffic.get() fallback=move || view! { <LookupView lookup=lookup landings=landings /> }>
                <traffic::Traffic />
            </Show>
            <StatementView seen=seen />
            <div class="lens-figure">
                <button type="button" class="say lens-switch" aria-pressed=move || as_text.get().to_string() on:click=move |_| as_text.update(|on| *on = !*on)>
                    "as text"
                </button>
                <Show when=move || as_text.get() fallback=move || view! { <PartitionFigure seen=seen probe=landings /> }>
                    <PartitionTable seen=seen />
                </Show>
            </div>
            <Show when=move || has_traffic.get() fallback=|| view! { <traffic::NoTraffic /> }>
                <history::History seen=seen />
                <LookupView lookup=lookup landings=landings />
            </Show>
        </div>
    }
}

/// The largest text of the page, and a quiet voice for screen readers.
#[component]
pub fn StatementView(#[prop(into)] seen: Signal<Option<Seen>>) -> impl IntoView {
    let stated = Memo::new(move |_| seen.with(|seen| seen.as_ref().map(statement)));
    let what = Signal::derive(move || {
        stated.with(|stated| stated.as_ref().map_or_else(Sentence::default, |s| s.what.clone()))
    });
    let why =
        Signal::derive(move || stated.with(|stated| stated.as_ref().map_or_else(Sentence::default, |s| s.why.clone())));
    let short = Signal::derive(move || {
        stated.with(|stated| stated.as_ref().map_or_else(Sentence::default, |s| s.why_short.clone()))
    });
    view! {
        <div class="stated">
            <h2 class="state"><SentenceView sentence=what /></h2>
            <p class="why"><SentenceView sentence=why /></p>
            <p class="why why-short"><SentenceView sentence=short /></p>
            <div class="vh" role="status">{spoken(stated)}</div>
        </div>
    }
}

/// What is said aloud: a new sentence only when its verb changes, and not too soon after the last one.
fn spoken(stated: Memo<Option<Statement>>) -> impl Fn() -> String {
    let playground = Playground::expect();
    let said = Memo::new(move |before: Option<&(Option<Verb>, f64, String)>| {
        playground.telemetry.track();
        let now = window().performance().map_or(0.0, |clock| clock.now());
        let keep = |before: &(Option<Verb>, f64, String)| before.clone();
        stated.with(|stated| {
            let Some(stated) = stated else { return before.map_or((None, 0.0, String::new()), keep) };
            match before {
                Some(before) if before.0.as_ref() == Some(&stated.verb) || now - before.1 < SPEECH_PAUSE_MS => {
                    keep(before)
                }
                _ => (Some(stated.verb.clone()), now, format!("{} {}", stated.what.text(), stated.why.text())),
            }
        })
    });
    move || said.with(|said| said.2.clone())
}
