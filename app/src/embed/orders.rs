//! The orders embed: Limit, a strip of marks, the next page.

use crate::pane::partitions::{Sentence, SentenceView, Slot, Tone, number_word, number_word_first, whole};
use crate::playground::{PageRun, Playground};
use crate::text::counted;
use dynascope_engine::operation::Request;
use dynascope_engine::value::{AttributeValue, Item};
use leptos::prelude::*;
use std::sync::Arc;

/// Items drawn.
const MARKS_MAX: usize = 60;
/// Largest Limit.
const LIMIT_MAX: u64 = 100;

/// Asks again from the start with another Limit.
pub fn set_limit(playground: Playground, limit: u64) {
    playground.edit_ask(|ask| ask.limit = Some(limit.clamp(1, LIMIT_MAX) as u32));
    playground.run_page(true);
}

/// Statement, strip, control.
#[component]
pub fn Orders(as_text: RwSignal<bool>) -> impl IntoView {
    let playground = Playground::expect();
    if playground.pages.with_untracked(Vec::is_empty) {
        playground.run_page(true);
    }
    let marks = Memo::new(move |_| playground.pages.with(|pages| marks(playground, pages)));
    let sentence = Signal::derive(move || playground.pages.with(|pages| stated(pages)));
    let more = move || playground.pages.with(|pages| pages.last().is_some_and(|page| has_more(page)));
    let limit = Memo::new(move |_| playground.ask.get().limit.map_or(0, u64::from));
    view! {
        <div class="stated">
            <h2 class="state" aria-live="polite"><SentenceView sentence=sentence /></h2>
        </div>
        <Show when=move || as_text.get() fallback=move || view! { <Strip marks=marks /> }>
            <p class="strip-text">{move || marks.with(spoken)}</p>
        </Show>
        <div class="spread" role="group" aria-label="Question">
            <span class="spread-ask">"Limit "</span>
            <Slot label="Limit" value=limit reading=whole((1, LIMIT_MAX)) on_change=move |limit| set_limit(playground, limit) />
            <span class="embed-gap"></span>
            <button type="button" class="do" on:click=move |_| drop(playground.run_page(!more()))>
                {move || if more() { "Next page" } else { "From the start" }}
            </button>
        </div>
    }
}

fn has_more(page: &PageRun) -> bool {
    page.outcome.result.as_ref().is_ok_and(|response| response.last_evaluated_key.is_some())
}

/// What became of an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fate {
    Shown,
    Dropped,
    Unread,
}

/// The strip: a fate for each item in index order, and after how many the cursor stands.
#[derive(Clone, Debug, Default, PartialEq)]
struct Marks {
    fates: Vec<Fate>,
    cursor: Option<usize>,
}

fn marks(playground: Playground, pages: &[Arc<PageRun>]) -> Marks {
    let mut fates: Vec<Fate> = pages
        .iter()
        .filter_map(|page| page.outcome.trace.read.as_ref())
        .flat_map(|read| &read.evaluated)
        .map(|item| if item.kept { Fate::Shown } else { Fate::Dropped })
        .collect();
    let read = fates.len();
    let cursor = pages.last().filter(|page| has_more(page)).map(|_| read);
    let all = pages.first().and_then(|page| {
        let request = Request::from_json(page.operation, &page.request).ok()?;
        playground.with(|session| session.window(&request, MARKS_MAX)).ok()
    });
    fates.resize(all.map_or(read, |(items, _)| items.len()).max(read), Fate::Unread);
    Marks { fates, cursor }
}

fn spoken(marks: &Marks) -> String {
    let number = |fate| counted(marks.fates.iter().filter(|other| **other == fate).count() as u64, "item", "items");
    let cursor = marks.cursor.map_or_else(
        || "there is no cursor: nothing is left".to_owned(),
        |after| format!("the cursor stands after item {after}"),
    );
    format!(
        "In index order: {} shown, {} read and dropped, {} not reached; {cursor}.",
        number(Fate::Shown),
        number(Fate::Dropped),
        number(Fate::Unread)
    )
}

/// What stands under the stretch that was read, and under the rest.
fn words(marks: &Marks) -> [(usize, String); 2] {
    let number = |fate| marks.fates.iter().filter(|other| **other == fate).count();
    let (shown, dropped, unread) = (number(Fate::Shown), number(Fate::Dropped), number(Fate::Unread));
    let rest = if unread == 0 { String::new() } else { format!("{unread} not reached") };
    [(shown + dropped, format!("● {shown} shown, ⊘ {dropped} paid for and dropped")), (unread, rest)]
}

#[component]
fn Strip(marks: Memo<Marks>) -> impl IntoView {
    view! {
        <figure class="strip">
            <figcaption class="vh">{move || marks.with(spoken)}</figcaption>
            <div class="strip-marks" aria-hidden="true">
                {move || {
                    let Marks { fates, cursor } = marks.get();
                    fates
                        .into_iter()
                        .enumerate()
                        .map(|(at, fate)| {
                            let name = match fate {
                                Fate::Shown => "shown",
                                Fate::Dropped => "dropped",
                                Fate::Unread => "unread",
                            };
                            view! { <i data-fate=name data-cursor=(cursor == Some(at + 1)).to_string()></i> }
                        })
                        .collect_view()
                }}
            </div>
            <p class="strip-words" aria-hidden="true">
                {move || marks.with(words).map(|(share, words)| view! { <span style=("flex-grow", share.to_string())>{words}</span> })}
            </p>
        </figure>
    }
}

/// What the last page says.
fn stated(pages: &[Arc<PageRun>]) -> Sentence {
    let Some(page) = pages.last() else { return Sentence::default() };
    let response = match &page.outcome.result {
        Ok(response) => response,
        Err(failure) => return Sentence::fill("{why}", &[("why", Tone::Refused, failure.headline())]),
    };
    let (shown, read) = response.counts.unwrap_or_default();
    let (all_read, all_shown) = pages
        .iter()
        .filter_map(|page| page.outcome.result.as_ref().ok()?.counts)
        .fold((0, 0), |(all_read, all_shown), (shown, read)| (all_read + read, all_shown + shown));
    let words = |number: usize| number_word(number as u64);
    let slots = [
        ("Read", Tone::Filtered, number_word_first(read as u64)),
        ("shown", Tone::Kept, words(shown)),
        ("dropped", Tone::Filtered, words(read - shown.min(read))),
        ("cursor", Tone::Cursor, response.last_evaluated_key.as_ref().map_or_else(String::new, short)),
        ("page", Tone::Plain, words(pages.len())),
        ("all_read", Tone::Filtered, all_read.to_string()),
        ("all_shown", Tone::Kept, words(all_shown)),
    ];
    let template = match (response.last_evaluated_key.is_some(), shown) {
        (true, 0) => {
            "Nothing to show, and still more to come. {Read} were read and paid for; the cursor stands after {cursor}."
        }
        (true, _) if shown == read => {
            "{Read} read and {shown} shown. The cursor stands after {cursor}; more may follow."
        }
        (true, _) => {
            "{Read} read, {shown} shown. The filter dropped {dropped} that were paid for; the cursor stands after {cursor}."
        }
        (false, _) => {
            "The end, on page {page}: {all_read} read and {all_shown} shown in all. Only now is there no cursor."
        }
    };
    Sentence::fill(template, &slots)
}

/// The last part of the cursor's table key: `#910`.
fn short(cursor: &Item) -> String {
    let Some(AttributeValue::S(key)) = cursor.get("PK") else { return "the last item read".to_owned() };
    key.rfind('#').map_or_else(|| key.clone(), |at| key[at..].to_owned())
}
