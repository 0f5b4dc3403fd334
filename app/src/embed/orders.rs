//! The orders embed: Limit, a strip of marks, the next page.

use crate::pane::partitions::{Reading, Sentence, Tone, number_word, number_word_first, slid, slot, whole};
use crate::playground::{PageRun, Playground};
use crate::text::counted;
use crate::ui::patch::{Deed, fill, truth};
use dynascope_engine::operation::read_request;
use dynascope_engine::value::{AttributeValue, Item};
use leptos::prelude::*;
use std::sync::Arc;

/// Items drawn.
const MARKS_MAX: usize = 60;
/// Largest Limit.
const LIMIT_MAX: u64 = 100;
const LIMIT: Reading = whole((1, LIMIT_MAX));

/// Asks again from the start with another Limit.
pub fn set_limit(playground: Playground, limit: u64) {
    playground.edit_ask(|ask| ask.limit = Some(limit.clamp(1, LIMIT_MAX) as u32));
    playground.run_page(true);
}

/// Statement, strip, control.
pub fn orders(playground: Playground, as_text: bool) -> String {
    let (marks, sentence, more) = playground.pages.with(|pages| {
        let more = pages.last().is_some_and(|page| has_more(page));
        (marks(playground, pages), stated(pages).html(), more)
    });
    let shown = if as_text { fill("<p class=\"strip-text\">{}</p>", &[&spoken(&marks)]) } else { strip(&marks) };
    fill(
        "<div class=\"stated\"><h2 class=\"state\" aria-live=\"polite\">{!}</h2></div>{!}<div class=\"spread\" role=\"group\" \
         aria-label=\"Question\"><span class=\"spread-ask\">Limit </span>{!}<span class=\"embed-gap\"></span>\
         <button type=\"button\" class=\"do\" data-do=\"page\">{}</button></div>",
        &[
            &sentence,
            &shown,
            &slot("limit", "Limit", limit(playground), LIMIT),
            if more { "Next page" } else { "From the start" },
        ],
    )
}

fn limit(playground: Playground) -> u64 {
    playground.ask.with(|ask| ask.limit.map_or(0, u64::from))
}

/// What its controls do.
pub fn act(deed: &Deed, playground: Playground) {
    if deed.is() == ("click", "page") {
        let more = playground.pages.with_untracked(|pages| pages.last().is_some_and(|page| has_more(page)));
        drop(playground.run_page(!more));
    } else if deed.name == "limit"
        && let Some(limit) = slid(deed, playground, untrack(|| limit(playground)), LIMIT)
    {
        set_limit(playground, limit);
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
        let request = read_request(page.operation, &page.request).ok()?;
        playground.with(|session| session.window(&*request, MARKS_MAX)).ok()
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

fn strip(marks: &Marks) -> String {
    let mut signs = String::new();
    for (at, fate) in marks.fates.iter().enumerate() {
        let name = match fate {
            Fate::Shown => "shown",
            Fate::Dropped => "dropped",
            Fate::Unread => "unread",
        };
        let cursor = truth(marks.cursor == Some(at + 1));
        signs.push_str(&fill("<i data-fate=\"{}\" data-cursor=\"{}\"></i>", &[name, cursor]));
    }
    let [(read, words), (rest, rest_words)] = words(marks);
    fill(
        "<figure class=\"strip\"><figcaption class=\"vh\">{}</figcaption><div class=\"strip-marks\" aria-hidden=\"true\">{!}\
         </div><p class=\"strip-words\" aria-hidden=\"true\"><span style=\"flex-grow:{}\">{}</span>\
         <span style=\"flex-grow:{}\">{}</span></p></figure>",
        &[&spoken(marks), &signs, &read.to_string(), &words, &rest.to_string(), &rest_words],
    )
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
