//! The money line: read, shown, dropped, RCU, and why the page stopped.

use super::figure::Figure;
use super::marks::sign;
use super::{Mark, ReadView, refusal, words};
use crate::editor::complaint;
use crate::playground::Playground;
use crate::text::{count, counted};
use crate::ui::html::{Html, block, contents};
use crate::ui::live;
use dynascope_engine::partition::StopReason;
use leptos::prelude::*;

fn number(count_: usize) -> String {
    count(count_ as u64)
}

/// The line, and the sentence beside it.
pub fn money(view: ReadView) -> AnyView {
    let playground = Playground::expect();
    let said = block("cost-statement", move || {
        let sentence = view.figure().and_then(|figure| figure.shown().map(|facts| words::statement(&figure, facts)));
        sentence.map(|source| Html::new().open("p", "").prose(&source).close("p").finish()).unwrap_or_default()
    });
    view! {
        <section class="cost-wrap" aria-label="What it costs">
            {contents(move || refused(playground, view))}
            {block("cost", move || figures(view.figure().as_deref()))}
            <div class="cost-said">
                {contents(move || tense(playground, view))}
                {said}
                <p class="vh" role="status">{live::words(move || spoken(playground, view).unwrap_or_default())}</p>
                {contents(move || lamps(playground, view))}
            </div>
            {contents(move || why(view))}
        </section>
    }
    .into_any()
}

/// Read, shown, dropped, units; dashes where there is nothing to tell.
fn four(figure: Option<&Figure>) -> [String; 4] {
    let Some(facts) = figure.and_then(Figure::shown) else { return std::array::from_fn(|_| "–".to_owned()) };
    let dropped = facts.read.saturating_sub(facts.shown);
    [number(facts.read), number(facts.shown), number(dropped), words::units_text(facts.cost)]
}

fn figures(figure: Option<&Figure>) -> String {
    let soon = figure.is_some_and(|figure| figure.run.is_empty());
    let [read, shown, dropped, cost] = four(figure);
    let mut html = Html::new();
    html.open("p", "cost-figure").element("strong", "", &read);
    html.element("span", "", if soon { "would read" } else { "read" }).raw("<code>ScannedCount</code></p>");
    html.open("p", "cost-figure k").element("strong", "", &shown).raw("<span>");
    sign(&mut html, Mark::Kept);
    html.raw(if soon { "would show" } else { "shown" }).raw("</span><code>Count</code></p>");
    html.open("p", "cost-figure f").element("strong", "", &dropped).raw("<span>");
    sign(&mut html, Mark::Filtered);
    html.raw("paid, dropped</span></p>").open("p", "cost-figure").element("strong", "", &cost);
    html.raw("<span>RCU</span><code class=\"cost-api\">CapacityUnits</code></p>").finish()
}

fn tense(playground: Playground, view: ReadView) -> String {
    let figure = view.figure();
    let soon = figure.as_ref().is_some_and(|figure| figure.run.is_empty());
    let text = match figure {
        _ if view.is_stale() => "as before",
        _ if refusal(playground).is_some() => "refused, nothing was charged",
        Some(_) if !soon => "charged",
        Some(_) => "preview, nothing is charged",
        None => "",
    };
    let mut html = Html::new();
    html.raw("<p class=\"cost-tense\"").raw(if soon { ">" } else { " data-charged>" }).raw(text).close("p").finish()
}

/// Why the last page was turned away.
fn refused(playground: Playground, view: ReadView) -> String {
    let Some(failure) = refusal(playground).filter(|_| !view.is_stale()) else { return String::new() };
    let mut html = Html::new();
    html.open("div", "cost-refused");
    complaint(&mut html, &failure, false);
    html.close("div").finish()
}

/// What screen readers hear when a page has run, and not at every keystroke.
fn spoken(playground: Playground, view: ReadView) -> Option<String> {
    if playground.pages.with(Vec::is_empty) {
        return None;
    }
    if let Some(failure) = refusal(playground) {
        return Some(failure.headline());
    }
    let figure = view.figure()?;
    let facts = figure.shown()?;
    let plain: String = words::statement(&figure, facts).chars().filter(|letter| *letter != '*').collect();
    Some(format!("Page {}: {} read, {} shown, {} RCU. {plain}", facts.number, facts.read, facts.shown, facts.cost))
}

/// Every reason a page can stop for; one is lit.
fn lamps(playground: Playground, view: ReadView) -> String {
    let refused = refusal(playground).is_some();
    let stop = view.figure().filter(|_| !refused).and_then(|figure| figure.shown().map(|facts| facts.stop));
    let mut html = Html::new();
    html.raw("<ul class=\"stops\" aria-label=\"Why the page stopped\">");
    for reason in [StopReason::Limit, StopReason::PageSize, StopReason::EndOfData] {
        let lit = stop == Some(reason);
        html.open("li", if lit { "stop stop-lit" } else { "stop" }).raw(words::stop_text(reason));
        html.raw(if lit { "<span class=\"vh\">, this is why the page stopped</span></li>" } else { "</li>" });
    }
    html.close("ul").finish()
}

/// How bytes became units, and the sum over the pages.
fn why(view: ReadView) -> String {
    let mut html = Html::new();
    html.open("p", "cost-why");
    if let Some(figure) = view.figure() {
        if !figure.run.is_empty() {
            html.raw("Page ").number(figure.run.len() as i64).raw(". ");
        }
        if let Some(facts) = figure.shown() {
            html.text(&words::why_units(&figure, facts)).raw(" ");
        }
        if let Some(sum) = totals(&figure) {
            html.element("strong", "", &sum);
        }
    }
    html.close("p").finish()
}

fn totals(figure: &Figure) -> Option<String> {
    if figure.run.len() < 2 {
        return None;
    }
    let (read, shown, cost) = figure.sums();
    let pages = counted(figure.run.len() as u64, "page", "pages");
    Some(format!("In all, {pages}: {} read, {} shown, {} RCU.", number(read), number(shown), words::units_text(cost)))
}

/// The figures at the foot of a phone, where they never leave. The line above says the same to screen readers.
#[component]
pub fn DockedCost() -> impl IntoView {
    let view = ReadView::of(Playground::expect());
    view! { <p class="docked" aria-hidden="true" inner_html=live::words(move || docked(view.figure().as_deref()))></p> }
}

fn docked(figure: Option<&Figure>) -> String {
    let [read, shown, dropped, cost] = four(figure);
    let mut html = Html::new();
    html.raw("<span>").element("b", "", &read).raw(" read</span><span class=\"k\">");
    html.element("b", "", &shown).raw(" ");
    sign(&mut html, Mark::Kept);
    html.raw(" shown</span><span class=\"f\">").element("b", "", &dropped).raw(" ");
    sign(&mut html, Mark::Filtered);
    html.raw(" dropped</span><span>").element("b", "", &cost).raw(" RCU</span>").finish()
}
