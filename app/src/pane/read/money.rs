//! The money line: read, shown, dropped, RCU, and why the page stopped.

use super::facts::Facts;
use super::figure::Figure;
use super::{Mark, MarkSign, ReadView, refusal, words};
use crate::editor::Complaint;
use crate::playground::Playground;
use crate::text::{count, counted};
use crate::ui::Prose;
use crate::ui::live::{maybe, part};
use dynascope_engine::partition::StopReason;
use leptos::prelude::*;
use std::sync::Arc;

fn number(count_: usize) -> String {
    count(count_ as u64)
}

/// The line, and the sentence beside it.
#[component]
pub fn Money() -> impl IntoView {
    let playground = Playground::expect();
    let view = ReadView::of(playground);
    let of = move |what: fn(&Facts) -> String| {
        move || view.figure().and_then(|figure| figure.shown().map(what)).unwrap_or_else(|| "–".to_owned())
    };
    let tense = move || match view.figure() {
        _ if view.is_stale() => "as before",
        _ if refusal(playground).is_some() => "refused, nothing was charged",
        Some(figure) if !figure.run.is_empty() => "charged",
        Some(_) => "preview, nothing is charged",
        None => "",
    };
    let soon = move || view.figure().is_some_and(|figure| figure.run.is_empty());
    let word = move |ran: &'static str, soon_: &'static str| move || if soon() { soon_ } else { ran };
    view! {
        <section class="cost-wrap" aria-label="What it costs">
            <Refused />
            <div class="cost">
                <p class="cost-figure">
                    <strong>{of(|facts| number(facts.read))}</strong>
                    <span>{word("read", "would read")}</span>
                    <code>"ScannedCount"</code>
                </p>
                <p class="cost-figure k">
                    <strong>{of(|facts| number(facts.shown))}</strong>
                    <span><MarkSign mark=Mark::Kept />{word("shown", "would show")}</span>
                    <code>"Count"</code>
                </p>
                <p class="cost-figure f">
                    <strong>{of(|facts| number(facts.read.saturating_sub(facts.shown)))}</strong>
                    <span><MarkSign mark=Mark::Filtered />"paid, dropped"</span>
                </p>
                <p class="cost-figure">
                    <strong>{of(|facts| words::units_text(facts.cost))}</strong>
                    <span>"RCU"</span>
                    <code class="cost-api">"CapacityUnits"</code>
                </p>
            </div>
            <div class="cost-said">
                <p class="cost-tense" data-charged=maybe(move || (!soon()).then_some(""))>{tense}</p>
                <Statement />
                <Lamps />
            </div>
            <Why />
        </section>
    }
}

/// Why the last page was turned away.
#[component]
fn Refused() -> impl IntoView {
    let playground = Playground::expect();
    let view = ReadView::of(playground);
    move || {
        refusal(playground)
            .filter(|_| !view.is_stale())
            .map(|failure| view! { <div class="cost-refused"><Complaint failure=failure /></div> })
    }
}

/// The sentence. Screen readers hear it when a page has run, not at every keystroke.
#[component]
fn Statement() -> impl IntoView {
    let playground = Playground::expect();
    let view = ReadView::of(playground);
    let sentence =
        move || view.figure().and_then(|figure| figure.shown().map(|facts| words::statement(&figure, facts)));
    let spoken = move || {
        if playground.pages.with(Vec::is_empty) {
            return String::new();
        }
        if let Some(failure) = refusal(playground) {
            return failure.headline();
        }
        view.figure()
            .and_then(|figure| {
                let facts = figure.shown()?;
                let plain = words::statement(&figure, facts).replace("**", "").replace('*', "");
                Some(format!(
                    "Page {}: {} read, {} shown, {} RCU. {plain}",
                    facts.number, facts.read, facts.shown, facts.cost
                ))
            })
            .unwrap_or_default()
    };
    view! {
        <div class="cost-statement">{part(move || sentence().map(|source| view! { <p><Prose source=source /></p> }))}</div>
        <p class="vh" role="status">{spoken}</p>
    }
}

/// Every reason a page can stop for; one is lit.
#[component]
fn Lamps() -> impl IntoView {
    let playground = Playground::expect();
    let view = ReadView::of(playground);
    let stop = Memo::new(move |_| {
        let refused = refusal(playground).is_some();
        view.figure().filter(|_| !refused).and_then(|figure| figure.shown().map(|facts| facts.stop))
    });
    let lamp = move |reason: StopReason| {
        let lit = move || stop.get() == Some(reason);
        view! {
            <li class="stop" class:stop-lit=lit>
                {words::stop_text(reason)}
                {part(move || lit().then(|| view! { <span class="vh">", this is why the page stopped"</span> }))}
            </li>
        }
    };
    view! {
        <ul class="stops" aria-label="Why the page stopped">
            {[StopReason::Limit, StopReason::PageSize, StopReason::EndOfData].map(lamp).collect_view()}
        </ul>
    }
}

/// The figures at the foot of a phone, where they never leave. The line above says the same to screen readers.
#[component]
pub fn DockedCost() -> impl IntoView {
    let view = ReadView::of(Playground::expect());
    let of = move |what: fn(&Facts) -> String| {
        move || view.figure().and_then(|figure| figure.shown().map(what)).unwrap_or_else(|| "–".to_owned())
    };
    view! {
        <p class="docked" aria-hidden="true">
            <span><b>{of(|facts| number(facts.read))}</b>" read"</span>
            <span class="k"><b>{of(|facts| number(facts.shown))}</b>" "<MarkSign mark=Mark::Kept />" shown"</span>
            <span class="f"><b>{of(|facts| number(facts.read.saturating_sub(facts.shown)))}</b>" "<MarkSign mark=Mark::Filtered />" dropped"</span>
            <span><b>{of(|facts| words::units_text(facts.cost))}</b>" RCU"</span>
        </p>
    }
}

fn totals(figure: &Arc<Figure>) -> Option<String> {
    if figure.run.len() < 2 {
        return None;
    }
    let (read, shown, cost) = figure.sums();
    let pages = counted(figure.run.len() as u64, "page", "pages");
    Some(format!("In all, {pages}: {} read, {} shown, {} RCU.", number(read), number(shown), words::units_text(cost)))
}

/// How bytes became units, and the sum over the pages.
#[component]
fn Why() -> impl IntoView {
    let playground = Playground::expect();
    let view = ReadView::of(playground);
    let why = move || view.figure().and_then(|figure| figure.shown().map(|facts| words::why_units(&figure, facts)));
    let number = move || {
        view.figure().filter(|figure| !figure.run.is_empty()).map(|figure| format!("Page {}. ", figure.run.len()))
    };
    let sum = move || view.figure().and_then(|figure| totals(&figure));
    view! {
        <p class="cost-why">{number}{why} " " {part(move || sum().map(|sum| view! { <strong>{sum}</strong> }))}</p>
    }
}
