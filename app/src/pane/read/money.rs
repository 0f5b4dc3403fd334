//! The money line: read, shown, dropped, RCU, and why the page stopped.

use super::figure::Figure;
use super::marks::signed;
use super::{Mark, ReadView, refusal, words};
use crate::editor::complaint;
use crate::playground::Playground;
use crate::scene::Lens;
use crate::text::{count, counted};
use crate::ui::html::Html;
use crate::ui::patch::{fill, prose, shown};
use dynascope_engine::diagnostic::Failure;
use dynascope_engine::partition::StopReason;
use leptos::prelude::*;

fn number(count_: usize) -> String {
    count(count_ as u64)
}

/// The line, and the sentence beside it. It is marked while it belongs to an earlier state of the question.
pub fn money(playground: Playground, view: ReadView) -> String {
    let (figure, failure, stale) = (view.figure(), refusal(playground), view.is_stale());
    let figure = figure.as_deref();
    let refused = failure.as_ref().filter(|_| !stale).map(refused).unwrap_or_default();
    let soon = figure.is_some_and(|figure| figure.run.is_empty());
    let tense = match figure {
        _ if stale => "as before",
        _ if failure.is_some() => "refused, nothing was charged",
        Some(_) if !soon => "charged",
        Some(_) => "preview, nothing is charged",
        None => "",
    };
    let facts = figure.and_then(|figure| Some((figure, figure.shown()?)));
    let statement = facts.map(|(figure, facts)| words::statement(figure, facts));
    fill(
        "<section class=\"cost-wrap\" aria-label=\"What it costs\"{!}><div class=\"live\">{!}</div>{!}<div class=\"cost-said\">\
         <p class=\"cost-tense\"{!}>{}</p><div class=\"cost-statement\">{!}</div><p class=\"vh\" role=\"status\">{}</p>{!}</div>\
         <p class=\"cost-why\">{!}</p></section>",
        &[
            if stale { " data-stale" } else { "" },
            &refused,
            &figures(figure, soon),
            if soon { "" } else { " data-charged" },
            tense,
            &statement.as_ref().map(|source| fill("<p>{!}</p>", &[&prose(source)])).unwrap_or_default(),
            &spoken(playground, failure.as_ref(), figure, statement.as_deref()).unwrap_or_default(),
            &lamps(facts.filter(|_| failure.is_none()).map(|(_, facts)| facts.stop)),
            &figure.map(why).unwrap_or_default(),
        ],
    )
}

/// Read, shown, dropped, units; dashes where there is nothing to tell.
fn four(figure: Option<&Figure>) -> [String; 4] {
    let Some(facts) = figure.and_then(Figure::shown) else { return std::array::from_fn(|_| "–".to_owned()) };
    let dropped = facts.read.saturating_sub(facts.shown);
    [number(facts.read), number(facts.shown), number(dropped), words::units_text(facts.cost)]
}

fn figures(figure: Option<&Figure>, soon: bool) -> String {
    let [read, shown, dropped, cost] = four(figure);
    let (reads, shows) = if soon { ("would read", "would show") } else { ("read", "shown") };
    let (kept, filtered) = (signed(Mark::Kept), signed(Mark::Filtered));
    fill(
        "<div class=\"cost\"><p class=\"cost-figure\"><strong>{}</strong><span>{}</span><code>ScannedCount</code></p>\
         <p class=\"cost-figure k\"><strong>{}</strong><span>{!}{}</span><code>Count</code></p>\
         <p class=\"cost-figure f\"><strong>{}</strong><span>{!}paid, dropped</span></p>\
         <p class=\"cost-figure\"><strong>{}</strong><span>RCU</span><code class=\"cost-api\">CapacityUnits</code></p></div>",
        &[&read, reads, &shown, &kept, shows, &dropped, &filtered, &cost],
    )
}

/// Why the last page was turned away.
fn refused(failure: &Failure) -> String {
    let mut html = Html::new();
    html.open("div", "cost-refused");
    complaint(&mut html, failure, false);
    html.close("div").finish()
}

/// What screen readers hear when a page has run, and not at every keystroke.
fn spoken(
    playground: Playground,
    failure: Option<&Failure>,
    figure: Option<&Figure>,
    statement: Option<&str>,
) -> Option<String> {
    if playground.pages.with(Vec::is_empty) {
        return None;
    }
    if let Some(failure) = failure {
        return Some(failure.headline());
    }
    let facts = figure?.shown()?;
    let plain = statement?.replace('*', "");
    Some(format!("Page {}: {} read, {} shown, {} RCU. {plain}", facts.number, facts.read, facts.shown, facts.cost))
}

/// Every reason a page can stop for; one is lit.
fn lamps(stop: Option<StopReason>) -> String {
    let mut lamps = String::new();
    for reason in [StopReason::Limit, StopReason::PageSize, StopReason::EndOfData] {
        let (class, said) = if stop == Some(reason) {
            (" stop-lit", "<span class=\"vh\">, this is why the page stopped</span>")
        } else {
            ("", "")
        };
        lamps.push_str(&fill("<li class=\"stop{}\">{}{!}</li>", &[class, words::stop_text(reason), said]));
    }
    fill("<ul class=\"stops\" aria-label=\"Why the page stopped\">{!}</ul>", &[&lamps])
}

/// How bytes became units, and the sum over the pages.
fn why(figure: &Figure) -> String {
    let mut html = Html::new();
    if !figure.run.is_empty() {
        html.raw("Page ").number(figure.run.len() as i64).raw(". ");
    }
    if let Some(facts) = figure.shown() {
        html.text(&words::why_units(figure, facts)).raw(" ");
    }
    if let Some(sum) = totals(figure) {
        html.element("strong", "", &sum);
    }
    html.finish()
}

fn totals(figure: &Figure) -> Option<String> {
    if figure.run.len() < 2 {
        return None;
    }
    let (read, shown, cost) = figure.sums();
    let pages = counted(figure.run.len() as u64, "page", "pages");
    Some(format!("In all, {pages}: {} read, {} shown, {} RCU.", number(read), number(shown), words::units_text(cost)))
}

/// The figures at the foot of a phone, where they never leave the read lens. The line above says the same to screen
/// readers.
pub fn docked_cost(playground: Playground) -> AnyView {
    let view = ReadView::of(playground);
    shown(move || {
        if playground.lens.get() != Lens::Read {
            return String::new();
        }
        let [read, shown, dropped, cost] = four(view.figure().as_deref());
        fill(
            "<p class=\"docked\" aria-hidden=\"true\"><span><b>{}</b> read</span><span class=\"k\"><b>{}</b> {!} shown</span>\
             <span class=\"f\"><b>{}</b> {!} dropped</span><span><b>{}</b> RCU</span></p>",
            &[&read, &shown, &signed(Mark::Kept), &dropped, &signed(Mark::Filtered), &cost],
        )
    })
}
