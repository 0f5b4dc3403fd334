//! The partition lens: traffic as a sentence, the statement, the figure or its text, a key to look up, and the
//! seconds gone by.
//!
//! `seen` takes plain data from the session; `statement` and `picture` make words and geometry of it; the rest
//! are views.

mod arms;
mod billing;
mod figure;
mod history;
mod hot;
mod landing;
mod lookup;
mod measure;
mod picture;
mod pins;
mod queue;
mod refusal;
mod seen;
mod sentence;
mod slot;
mod statement;
mod traffic;
mod twin;
mod whole;

pub use billing::provisioned;
pub use figure::figure;
pub use hot::{SeenKey, hottest_keys, key_text};
pub use landing::{Landing, landing_of, template_keys};
pub use lookup::{Lookup, look_up, way_text};
pub use measure::share_text;
pub use picture::{COLUMNS_MAX, scale, shown_places};
#[cfg(test)]
pub use seen::tests;
pub use seen::{Seen, look, look_anew, seen};
pub use sentence::{Part, Sentence, Tone, number_word, number_word_first};
pub use slot::{Reading, ladder, slid, slot, whole};
pub use statement::{Statement, Verb, statement, unit_name, units};
pub use traffic::edit as edit_traffic;
pub use twin::twin;

use crate::pane::model::door_line;
use crate::pane::{compare, time};
use crate::playground::Playground;
use crate::ui::live::{part, words};
use crate::ui::patch::{fill, live, truth};
use crate::ui::speech;
use leptos::prelude::*;

/// The lens.
pub fn partitions_lens(playground: Playground) -> AnyView {
    time::ensure(playground);
    if playground.awaits.get_untracked()
        && let Some(scene) = playground.scene.get_untracked()
    {
        // What was to start it did not come, and is here now.
        time::start_scene(playground, scene);
    }
    let has_traffic = move || traffic::first(playground).is_some();
    let lookup = Lookup::new(if untrack(has_traffic) { "" } else { "VIDEO#42" });
    let as_text = RwSignal::new(false);
    let typed: traffic::Typed = RwSignal::new(None);
    let last = StoredValue::new(billing::PROVISIONED_FIRST);
    let asked = move || {
        let form =
            if has_traffic() { traffic::traffic(playground, typed) } else { lookup::lookup_form(lookup, playground) };
        [compare::switch(playground), form].concat()
    };
    let below = move || {
        if has_traffic() { lookup::lookup_form(lookup, playground) } else { traffic::NO_TRAFFIC.to_owned() }
    };
    let speech = Speech::default();
    let stated = move || {
        let seen = seen(playground);
        let shown = seen.as_ref().map_or(String::new(), |seen| {
            if as_text.get() { twin(seen) } else { figure(seen, &probes(lookup, playground)) }
        });
        fill(
            "{!}{!}<div class=\"lens-figure\"><button type=\"button\" class=\"say lens-switch\" aria-pressed=\"{}\" \
             data-do=\"text\">as text</button>{!}</div>{!}",
            &[
                &arms::arms(playground, seen.as_ref().map_or(0, |seen| seen.second)),
                &stated(seen.as_deref(), &speech),
                truth(as_text.get()),
                &shown,
                &queue::queue(playground),
            ],
        )
    };
    let history = Memo::new(move |_| has_traffic());
    view! {
        <div class="lens" data-traffic=words(move || has_traffic().to_string())>
            {live(asked, move |deed| {
                time::choose(deed, playground);
                traffic::steer(deed, playground, typed);
                billing::bill(deed, playground, last);
                look_up(deed, lookup, playground);
            })}
            {compare::compare(playground)}
            {live(stated, move |deed| {
                arms::choose(deed, playground);
                if deed.is() == ("click", "text") {
                    as_text.update(|on| *on = !*on);
                }
            })}
            {door_line(playground)}
            {part(move || history.get().then(|| history::history(playground)))}
            {live(below, move |deed| {
                if deed.is() == ("click", "flow") {
                    traffic::start(playground);
                }
                look_up(deed, lookup, playground);
            })}
        </div>
    }
    .into_any()
}

/// Keys whose pins stand out: the looked-up ones, and the one that is marked.
fn probes(lookup: Lookup, playground: Playground) -> Vec<Landing> {
    let mut probes = lookup.landings(playground);
    probes.extend(playground.lit.get().and_then(|key| landing_of(playground, &key)));
    probes
}

/// What was said aloud of the statement.
pub type Speech = speech::Speech<Verb>;

/// The largest text of the page, and a quiet voice for screen readers: a new sentence only when its verb changes, and
/// not too soon after the last one.
pub fn stated(seen: Option<&Seen>, speech: &Speech) -> String {
    let Some(stated) = seen.map(statement) else { return String::new() };
    let said = speech.say(stated.verb.clone(), || format!("{} {}", stated.what.text(), stated.why.text()));
    fill(
        "<div class=\"stated\"><h2 class=\"state\">{!}</h2><p class=\"why\">{!}</p><p class=\"why why-short\">{!}</p>\
         <div class=\"vh\" role=\"status\">{}</div></div>",
        &[&stated.what.html(), &stated.why.html(), &stated.why_short.html(), &said],
    )
}
