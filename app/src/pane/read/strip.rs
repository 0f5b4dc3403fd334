//! The read window: the range as one strip, drawn from its plan, with the grip that sets Limit.

use super::figure::Figure;
use super::grip::grip;
use super::marks::{shape, sign};
use super::plan::{BRACKET_Y, Plan, plan, trail_y};
use super::twin::text_twin;
use super::words::strip_text;
use super::{Mark, ReadView};
use crate::playground::Playground;
use crate::text::count;
use crate::ui::html::{Html, clickable, contents, data_of, when};
use crate::ui::live::{click, words};
use leptos::prelude::*;
use wasm_bindgen::prelude::*;
use web_sys::{Event, ResizeObserver};

/// Keeps `width` at the width of a node.
pub fn measure(node: NodeRef<leptos::html::Div>, width: RwSignal<f64>) {
    node.on_load(move |element| {
        let target = element.clone();
        let callback = Closure::<dyn FnMut()>::new(move || {
            let now = f64::from(target.client_width());
            if now > 0.0 && (now - width.get_untracked()).abs() > 0.5 {
                width.set(now);
            }
        });
        if let Ok(observer) = ResizeObserver::new(callback.as_ref().unchecked_ref()) {
            observer.observe(&element);
            let owned = StoredValue::new_local((observer, callback));
            on_cleanup(move || owned.with_value(|(observer, _)| observer.disconnect()));
        } else {
            callback.forget();
        }
    });
}

/// The strip with its heading, or its twin in words.
pub fn read_window(view: ReadView, width: RwSignal<f64>) -> AnyView {
    let playground = Playground::expect();
    let as_text = RwSignal::new(false);
    let drawn = move || !as_text.get() && view.figure().is_some_and(|figure| figure.total > 0);
    let instead = move || match view.figure() {
        Some(figure) if as_text.get() => text_twin(&figure),
        Some(figure) if figure.total == 0 => EMPTY[usize::from(figure.operation == "Scan")].to_owned(),
        _ => String::new(),
    };
    let clear = move |event: Event| {
        if data_of(&event, "clear").is_some() {
            playground.edit_ask(|ask| ask.partition.clear());
        }
    };
    view! {
        <section class="window" aria-label="Read window">
            <div class="window-head">
                {contents(move || heading(view.figure().as_deref()))}
                <button type="button" class="say" aria-pressed=words(move || as_text.get().to_string()) on:click=click(move |_| as_text.update(|on| *on = !*on))>
                    "As text"
                </button>
            </div>
            {clickable(instead, clear)}
            {when(drawn, move || drawing(view, width))}
        </section>
    }
    .into_any()
}

/// What stands where there is nothing to draw: for a Query, for a Scan.
const EMPTY: [&str; 2] = [
    "<p class=\"window-empty\">No item has this partition key. <button type=\"button\" class=\"say\" data-clear>Scan everything</button> to see which keys there are.</p>",
    "<p class=\"window-empty\">Nothing is stored here. Add an item, paste some, or generate them: under Items.</p>",
];

fn heading(figure: Option<&Figure>) -> String {
    let mut html = Html::new();
    html.element("h2", "vh", "Read window");
    let Some(figure) = figure else { return html.finish() };
    let soon = figure.run.is_empty();
    let sums = (!soon).then(|| (figure.sums().0, figure.sums().1));
    if let Some((read, shown)) = sums.or_else(|| figure.next.as_ref().map(|facts| (facts.read, facts.shown))) {
        let dropped = count(read.saturating_sub(shown) as u64);
        html.open("p", "window-count").open("strong", "").text(&count(read as u64));
        html.raw(if soon { " would be read: " } else { " evaluated: " }).close("strong");
        html.open("strong", "k").text(&count(shown as u64)).raw(" kept</strong>, ");
        html.open("strong", "f").text(&dropped).raw(" filtered out</strong></p>");
    }
    html.open("p", "window-rest").text(&count(figure.not_reached() as u64)).raw(" not reached");
    sign(&mut html, Mark::Unread);
    html.close("p").finish()
}

fn drawing(view: ReadView, width: RwSignal<f64>) -> AnyView {
    let planned = move || view.figure().map(|figure| plan(&figure, width.get())).unwrap_or_default();
    let label = move || view.figure().map(|figure| strip_text(&figure)).unwrap_or_default();
    let more = move || {
        let more = view.figure().and_then(|figure| figure.total.checked_sub(figure.items.len())).unwrap_or(0);
        let text = ["and ", &count(more as u64), " more that are not drawn"].concat();
        if more > 0 { Html::new().element("p", "note", &text).finish() } else { String::new() }
    };
    view! {
        <div class="window-strip" style:height=words(move || pixels(planned().height))>
            <svg width="100%" height="100%" role="img" aria-label=words(label) inner_html=words(move || drawn(&planned()))></svg>
            {when(move || planned().bracket.is_some(), move || grip(view, width))}
        </div>
        {contents(more)}
    }
    .into_any()
}

/// `12.5px`
pub fn pixels(length: f64) -> String {
    Html::new().tenths(length).raw("px").finish()
}

fn drawn(plan: &Plan) -> String {
    let mut html = Html::new();
    for (class, path) in &plan.bars {
        html.raw("<path").attr("class", class).attr("d", path).raw("></path>");
    }
    for dot in &plan.dots {
        shape(&mut html, dot.mark, dot.x, dot.y, dot.r);
    }
    for trail in &plan.trail {
        html.raw(if trail.run { "<line class=\"trail trail-run\"" } else { "<line class=\"trail\"" });
        html.at("x1", trail.x1).at("x2", trail.x2).at("y1", trail_y()).at("y2", trail_y()).raw("></line>");
    }
    if let Some(caret) = &plan.caret {
        html.open("g", if caret.run { "caret" } else { "caret caret-soon" });
        html.raw("<line").at("x1", caret.x).at("x2", caret.x).at("y1", caret.top).at("y2", caret.y).raw("></line>");
        html.raw("<path d=\"M").tenths(caret.x).raw(" ").tenths(caret.y - 6.0).raw("l6.5 12h-13z\"></path></g>");
    }
    if let Some(end) = plan.bracket {
        html.raw("<path class=\"bracket\" d=\"M0.5 ").tenths(BRACKET_Y + 9.0).raw("V").tenths(BRACKET_Y);
        html.raw("H").tenths(end).raw("V").tenths(BRACKET_Y + 9.0).raw("\"></path>");
    }
    for word in &plan.words {
        html.raw("<text").attr("class", word.class).at("x", word.x).at("y", word.y);
        html.attr("text-anchor", word.anchor).raw(">").text(&word.text).close("text");
    }
    html.finish()
}
