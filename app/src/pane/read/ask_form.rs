//! The question: a sentence, the form behind it, and the request it makes.

use super::ask_parts::{Now, edit, index_row, key_row, put, row};
use super::request::request_json;
use super::{Fault, ReadView, actions, limit, placeholders, words};
use crate::ask::Ask;
use crate::editor::{self, Entry, Field, Heard, Keystroke, Language};
use crate::playground::Playground;
use crate::text::holds;
use crate::ui::live::part;
use crate::ui::patch::{Deed, around, drawn, fill, live, prose, set_field, truth};
use dynascope_engine::expression::{ExpressionKind, MAX_EXPRESSION_BYTES};
use leptos::prelude::*;
use web_sys::Element;

const FILTER: Field = expression(ExpressionKind::Filter, "none: everything read is shown");
const PROJECTION: Field = expression(ExpressionKind::Projection, "all of them");

const fn expression(kind: ExpressionKind, hint: &'static str) -> Field {
    let most = 4 * MAX_EXPRESSION_BYTES as u32;
    Field { label: kind.member(), hint, language: Language::Expression, most }
}

/// Where a complaint belongs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// Table or index.
    Source,
    /// Strongly or eventually.
    Consistency,
    /// Partition key value.
    Partition,
    /// Sort key value.
    Sort,
    /// FilterExpression and its placeholders.
    Filter,
    /// ProjectionExpression.
    Projection,
    /// Nowhere in particular.
    Form,
}

impl Place {
    /// The field a fault speaks of.
    pub fn of(fault: &Fault, ask: &Ask) -> Self {
        let failure = match fault {
            Fault::Field(fault) => {
                return match fault.field.as_str() {
                    "partition" => Self::Partition,
                    "sort" => Self::Sort,
                    "table" => Self::Source,
                    _ => Self::Filter,
                };
            }
            Fault::Service(failure) => failure,
        };
        let source = failure.labels.first().map(|label| label.source.as_str());
        let text = &failure.message;
        match source {
            Some("ProjectionExpression") => Self::Projection,
            Some("FilterExpression") => Self::Filter,
            Some("KeyConditionExpression") => Self::Sort,
            _ if text.starts_with("Consistent reads") => Self::Consistency,
            _ if holds(text, "specified index") => Self::Source,
            _ if holds(text, "ProjectionExpression") => Self::Projection,
            _ if failure.fix.is_some() && ask.filter.trim().is_empty() => Self::Projection,
            _ if failure.fix.is_some() || holds(text, "Filter") => Self::Filter,
            _ if holds(text, "KeyConditionExpression") || holds(text, "key") => Self::Partition,
            _ => Self::Form,
        }
    }
}

/// What the panel shows below the sentence.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shown {
    Form,
    Json,
    Nothing,
}

/// The question.
pub fn ask_panel(view: ReadView) -> AnyView {
    let panel = Panel::new(view);
    let blocks = vec![
        drawn(move || panel.top(), move |deed| panel.act(deed), move |block| panel.show(block)),
        part(move || if panel.shown.get() == Shown::Json { request_json(panel.playground) } else { ().into_any() })
            .into_any(),
        live(move || panel.bottom(), move |deed| panel.act_below(deed)),
    ];
    around("ask", "region", "Ask", blocks)
}

/// What the panel holds besides the question itself.
#[derive(Clone, Copy)]
struct Panel {
    playground: Playground,
    view: ReadView,
    shown: RwSignal<Shown>,
    /// Does the row of attributes stand open, even with nothing in it?
    more: RwSignal<bool>,
    filter: Entry,
    projection: Entry,
    /// What is wrong with the typed Limit.
    wrong: RwSignal<&'static str>,
}

impl Panel {
    fn new(view: ReadView) -> Self {
        let playground = Playground::expect();
        let narrow = window().inner_width().ok().and_then(|width| width.as_f64()).is_some_and(|width| width < 700.0);
        Self {
            playground,
            view,
            shown: RwSignal::new(if narrow { Shown::Nothing } else { Shown::Form }),
            more: RwSignal::new(has_projection(playground)),
            filter: Entry::new(FILTER),
            projection: Entry::new(PROJECTION),
            wrong: RwSignal::new(""),
        }
    }

    /// Sentence, tabs and form.
    fn top(self) -> String {
        let now = Now::of(self.playground, self.view);
        let sentence = now.schema.as_ref().map(|schema| prose(&words::summary(&now.ask, schema)));
        let shown = self.shown.get();
        let tab = "<button type=\"button\" aria-expanded=\"{}\" data-do=\"{}\">{}</button>";
        let why = match now.ask.operation() {
            "Query" => "<strong>Query</strong>, because a partition key value is given",
            _ => "<strong>Scan</strong>, because no partition key value is given",
        };
        fill(
            "<p class=\"ask-sentence\">{!}</p><div class=\"ask-head\"><div class=\"ask-tabs\">{!}{!}</div>\
             <p class=\"ask-fork\">{!}</p></div>{!}",
            &[
                &sentence.unwrap_or_default(),
                &fill(tab, &[truth(shown == Shown::Form), "tab-form", "Form"]),
                &fill(tab, &[truth(shown == Shown::Json), "tab-json", "JSON"]),
                why,
                &if shown == Shown::Form { self.form(&now) } else { String::new() },
            ],
        )
    }

    fn form(self, now: &Now) -> String {
        let filter = [
            self.filter.html(&now.ask.filter, &now.spans(FILTER.label)),
            now.complaint(Place::Filter),
            placeholders::placeholders(&now.ask),
        ];
        let more = self.more.get();
        let attributes = if more || !now.ask.projection.is_empty() {
            let field = self.projection.html(&now.ask.projection, &now.spans(PROJECTION.label));
            row("Attributes", PROJECTION.label, &[field, now.complaint(Place::Projection)].concat())
        } else {
            String::new()
        };
        fill(
            // Enter in any field submits.
            "<form class=\"ask-form\" data-do=\"ask\">{!}{!}{!}{!}\
             <button type=\"submit\" class=\"vh\" tabindex=\"-1\" aria-hidden=\"true\">Run</button></form>",
            &[
                &index_row(now, more),
                &key_row(now),
                &row("Filter, after reading", FILTER.label, &filter.concat()),
                &attributes,
            ],
        )
    }

    /// Limit and the buttons.
    fn bottom(self) -> String {
        let now = Now::of(self.playground, self.view);
        fill(
            "<div class=\"ask-last\">{!}{!}</div>{!}",
            &[
                &limit::limit_field(now.ask.limit, self.wrong.get()),
                &actions::actions(self.playground, self.view),
                &now.complaint(Place::Form),
            ],
        )
    }

    /// The texts, and the source: its value may stay while the list around it becomes another table's.
    fn show(self, block: &Element) {
        self.playground.ask.with(|ask| {
            self.filter.show(block, &ask.filter);
            self.projection.show(block, &ask.projection);
            set_field(block, "source", ask.index.as_deref().unwrap_or_default());
        });
    }

    fn act(self, deed: &Deed) {
        match deed.is() {
            ("click", "tab-form") => self.turn(Shown::Form),
            ("click", "tab-json") => self.turn(Shown::Json),
            ("click", "attributes") => self.more.update(|more| *more = !*more),
            ("click", "fix") => take_fix(self.playground, self.view),
            ("click", "remove") => placeholders::remove(self.playground, deed),
            ("submit", "ask") => {
                deed.event.prevent_default();
                self.playground.run_page(true);
            }
            (_, "FilterExpression") => self.write(deed, self.filter),
            (_, "ProjectionExpression") => self.write(deed, self.projection),
            ("input", name) => self.put(name, &deed.value()),
            _ => {}
        }
    }

    fn act_below(self, deed: &Deed) {
        limit::act(self.playground, self.wrong, deed);
        actions::act(self.playground, self.view, deed);
        if deed.is() == ("click", "fix") {
            take_fix(self.playground, self.view);
        }
    }

    /// Opens one, or closes it. A form begins with as many rows as it needs.
    fn turn(self, to: Shown) {
        self.more.set(has_projection(self.playground));
        self.shown.update(|shown| *shown = if *shown == to { Shown::Nothing } else { to });
    }

    fn put(self, name: &str, text: &str) {
        edit(self.playground, &mut |ask| put(ask, name, text));
    }

    fn write(self, deed: &Deed, entry: Entry) {
        let name = entry.field.label;
        let kept =
            || self.playground.ask.with(|ask| if name == FILTER.label { &ask.filter } else { &ask.projection }.clone());
        match entry.hear(deed, &kept) {
            Some(Heard::Typed(text)) => self.put(name, &text),
            Some(Heard::Key(Keystroke::Fix)) => take_fix(self.playground, self.view),
            Some(Heard::Key(Keystroke::Run)) => drop(self.playground.run_page(true)),
            None => {}
        }
    }
}

fn has_projection(playground: Playground) -> bool {
    playground.ask.with_untracked(|ask| !ask.projection.is_empty())
}

/// Takes the repair, if one is offered, and puts the cursor where the next thing is to be typed.
fn take_fix(playground: Playground, view: ReadView) {
    let Some(Fault::Service(failure)) = view.reading.with_untracked(|reading| reading.fault.clone()) else { return };
    let mut next = None;
    edit(playground, &mut |ask| next = editor::apply(ask, &failure));
    if let Some(placeholder) = next {
        let id = placeholders::field_id(&placeholder);
        request_animation_frame(move || {
            if let Some(field) = document().get_element_by_id(&id) {
                // A field that has just gone has no focus to take.
                let _ = wasm_bindgen::JsCast::unchecked_into::<web_sys::HtmlElement>(field).focus();
            }
        });
    }
}
