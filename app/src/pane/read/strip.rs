//! The read window: the range as one strip, drawn from its plan, with the grip that sets Limit.

use super::figure::Figure;
use super::grip::{Grip, grip_html};
use super::marks::{shape, sign};
use super::money::money;
use super::plan::{BRACKET_Y, Plan, plan, trail_y};
use super::twin::Twin;
use super::words::strip_text;
use super::{Mark, ReadView};
use crate::chunk::{self, then};
use crate::playground::Playground;
use crate::text::count;
use crate::ui::html::Html;
use crate::ui::patch::{Deed, drawn, fill, truth};
use leptos::prelude::*;
use std::cell::OnceCell;
use wasm_bindgen::prelude::*;
use web_sys::{Element, ResizeObserver};

/// Keeps `width` at the width of what a block stands in, from when the block is first drawn.
fn measure(width: RwSignal<u32>) -> impl Fn(&Element) {
    let watch = OnceCell::new();
    move |block: &Element| {
        if let Some(around) = block.parent_element() {
            watch.get_or_init(|| Watch::over(around, width));
        }
    }
}

/// Looks at the width of an element as long as it lives.
struct Watch {
    observer: Option<ResizeObserver>,
    _callback: Closure<dyn FnMut()>,
}

impl Watch {
    fn over(element: Element, width: RwSignal<u32>) -> Self {
        let (target, mut last) = (element.clone(), 0);
        let callback = Closure::<dyn FnMut()>::new(move || {
            let now = target.client_width().unsigned_abs();
            // What is not shown has no width.
            if now > 0 && now != last {
                last = now;
                width.set(now);
            }
        });
        let observer = ResizeObserver::new(callback.as_ref().unchecked_ref()).ok();
        if let Some(observer) = &observer {
            observer.observe(&element);
        }
        Self { observer, _callback: callback }
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        if let Some(observer) = &self.observer {
            observer.disconnect();
        }
    }
}

/// What the strip is drawn from.
#[derive(Clone, Copy)]
struct Strip {
    playground: Playground,
    view: ReadView,
    width: RwSignal<u32>,
    as_text: RwSignal<bool>,
    /// What writes the strip as text, once it has been asked for and is here.
    twin: RwSignal<Option<Twin>>,
}

/// The money line, and the strip with its heading, or its twin in words.
pub fn read_window(playground: Playground, view: ReadView, width: RwSignal<u32>) -> AnyView {
    let (as_text, twin) = (RwSignal::new(false), RwSignal::new(None));
    let strip = Strip { playground, view, width, as_text, twin };
    let grip = Grip::new(playground, view, width);
    let act = move |deed: &Deed| match deed.is() {
        ("click", "scan") => playground.edit_ask(|ask| ask.partition.clear()),
        ("click", "as-text") => strip.turn(),
        (_, "grip") => untrack(|| grip.act(deed)),
        _ => {}
    };
    drawn(move || [money(playground, view), strip.html()].concat(), act, measure(width))
}

impl Strip {
    /// From drawing to text, or back.
    fn turn(self) {
        let as_text = !self.as_text.get_untracked();
        self.as_text.set(as_text);
        if as_text && self.twin.get_untracked().is_none() {
            then(self.playground, chunk::twin(), move |twin| self.twin.set(Some(twin)));
        }
    }

    fn html(self) -> String {
        let (figure, as_text) = (self.view.figure(), self.as_text.get());
        let figure = figure.as_deref();
        let instead = match (figure, self.twin.get()) {
            (Some(figure), Some(twin)) if as_text => twin(figure),
            (Some(_), None) if as_text => COMING.to_owned(),
            (Some(figure), _) if figure.total == 0 => EMPTY[usize::from(figure.operation == "Scan")].to_owned(),
            _ => String::new(),
        };
        let drawing = figure.filter(|figure| !as_text && figure.total > 0).map(|figure| self.drawing(figure));
        fill(
            "<section class=\"window\" aria-label=\"Read window\"><div class=\"window-head\"><div class=\"live\">{!}</div>\
             <button type=\"button\" class=\"say\" aria-pressed=\"{}\" data-do=\"as-text\">As text</button></div>\
             <div class=\"live\">{!}</div>{!}</section>",
            &[&heading(figure), truth(as_text), &instead, &drawing.unwrap_or_default()],
        )
    }

    fn drawing(self, figure: &Figure) -> String {
        let plan = plan(figure, f64::from(self.width.get()));
        let more = figure.total.saturating_sub(figure.items.len()) as u64;
        let note = fill("<p class=\"note\">and {} more that are not drawn</p>", &[&count(more)]);
        fill(
            "<div class=\"window-strip\" style=\"height:{}\"><svg width=\"100%\" height=\"100%\" role=\"img\" aria-label=\"{}\">\
             {!}</svg>{!}</div>{!}",
            &[
                &pixels(plan.height),
                &strip_text(figure),
                &shapes(&plan),
                &grip_html(figure, &plan, self.playground.ask.with(|ask| ask.limit)),
                if more > 0 { &note } else { "" },
            ],
        )
    }
}

/// What stands where the text will.
const COMING: &str = "<div class=\"coming\" aria-busy=\"true\"></div>";

/// What stands where there is nothing to draw: for a Query, for a Scan.
const EMPTY: [&str; 2] = [
    "<p class=\"window-empty\">No item has this partition key. <button type=\"button\" class=\"say\" data-do=\"scan\">Scan everything</button> to see which keys there are.</p>",
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

/// `12.5px`
pub fn pixels(length: f64) -> String {
    Html::new().tenths(length).raw("px").finish()
}

fn shapes(plan: &Plan) -> String {
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
