//! The question: a sentence, the form behind it, and the request it makes.

use super::actions::Actions;
use super::ask_parts::{Fork, IndexRow, KeyRows, Row, fault_at};
use super::limit::LimitField;
use super::placeholders::Placeholders;
use super::request::RequestJson;
use super::{Fault, ReadView, words};
use crate::ask::Ask;
use crate::editor::{self, CodeField, Complaint, Field, Keystroke, Language};
use crate::playground::Playground;
use crate::ui::Prose;
use crate::ui::live::part;
use dynascope_engine::diagnostic::{Failure, Span};
use dynascope_engine::expression::{ExpressionKind, MAX_EXPRESSION_BYTES};
use leptos::prelude::*;

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
            _ if text.contains("specified index") => Self::Source,
            _ if text.contains("ProjectionExpression") => Self::Projection,
            _ if failure.fix.is_some() && ask.filter.trim().is_empty() => Self::Projection,
            _ if failure.fix.is_some() || text.contains("Filter") => Self::Filter,
            _ if text.contains("KeyConditionExpression") || text.contains("key") => Self::Partition,
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
#[component]
pub fn AskPanel() -> impl IntoView {
    let playground = Playground::expect();
    let narrow = window().inner_width().ok().and_then(|width| width.as_f64()).is_some_and(|width| width < 700.0);
    let shown = RwSignal::new(if narrow { Shown::Nothing } else { Shown::Form });
    let sentence = move || {
        playground.version.track();
        playground.table.track();
        let ask = playground.ask.get();
        playground.schema().map(|schema| view! { <Prose source=words::summary(&ask, &schema) /> })
    };
    let toggle =
        move |to: Shown| move |_| shown.update(|shown| *shown = if *shown == to { Shown::Nothing } else { to });
    let open = move |which: Shown| move || (shown.get() == which).to_string();
    view! {
        <section class="ask" aria-label="Ask">
            <p class="ask-sentence">{sentence}</p>
            <div class="ask-head">
                <div class="ask-tabs">
                    <button type="button" aria-expanded=open(Shown::Form) on:click=toggle(Shown::Form)>"Form"</button>
                    <button type="button" aria-expanded=open(Shown::Json) on:click=toggle(Shown::Json)>"JSON"</button>
                </div>
                <Fork />
            </div>
            {part(move || match shown.get() {
                Shown::Form => view! { <AskForm /> }.into_any(),
                Shown::Json => view! { <RequestJson /> }.into_any(),
                Shown::Nothing => ().into_any(),
            })}
            <div class="ask-last">
                <LimitField />
                <Actions />
            </div>
            <FormFault place=Place::Form />
        </section>
    }
}

#[component]
fn AskForm() -> impl IntoView {
    let playground = Playground::expect();
    let more = RwSignal::new(playground.ask.with_untracked(|ask| !ask.projection.is_empty()));
    let any = Memo::new(move |_| more.get() || playground.ask.with(|ask| !ask.projection.is_empty()));
    view! {
        <form
            class="ask-form"
            on:submit=move |event| {
                event.prevent_default();
                playground.run_page(true);
            }
        >
            <IndexRow some=more />
            <KeyRows />
            <Row plain="Filter, after reading" api="FilterExpression">
                <Expression kind=ExpressionKind::Filter />
                <FormFault place=Place::Filter />
                <Placeholders />
            </Row>
            <Show when=move || any.get()>
                <Row plain="Attributes" api="ProjectionExpression">
                    <Expression kind=ExpressionKind::Projection />
                    <FormFault place=Place::Projection />
                </Row>
            </Show>
            // Enter in any field submits.
            <button type="submit" class="vh" tabindex="-1" aria-hidden="true">"Run"</button>
        </form>
    }
}

/// FilterExpression or ProjectionExpression.
#[component]
fn Expression(kind: ExpressionKind) -> impl IntoView {
    let playground = Playground::expect();
    let view = ReadView::of(playground);
    let is_filter = kind == ExpressionKind::Filter;
    let value = Memo::new(move |_| {
        playground.ask.with(|ask| if is_filter { ask.filter.clone() } else { ask.projection.clone() })
    });
    let marked = Memo::new(move |_| {
        view.reading.with(|reading| match &reading.fault {
            Some(Fault::Service(failure)) => spans(failure, kind),
            _ => Vec::new(),
        })
    });
    let on_input = move |text: String| {
        playground.edit_ask(|ask| if is_filter { ask.filter = text } else { ask.projection = text });
    };
    let on_key = move |key: Keystroke| {
        let fixable = view.reading.with_untracked(|reading| match &reading.fault {
            Some(Fault::Service(failure)) if failure.fix.is_some() => Some(failure.clone()),
            _ => None,
        });
        match (key, fixable) {
            (Keystroke::Fix, Some(failure)) => take_fix(playground, &failure),
            (Keystroke::Fix, None) => {}
            (Keystroke::Run, _) => drop(playground.run_page(true)),
        }
    };
    let field = Field {
        label: kind.member(),
        hint: if is_filter { "none: everything read is shown" } else { "all of them" },
        language: Language::Expression,
        most: 4 * MAX_EXPRESSION_BYTES as u32,
    };
    view! { <CodeField field=field value=value marked=marked on_input=on_input on_key=on_key /> }
}

fn spans(failure: &Failure, kind: ExpressionKind) -> Vec<Span> {
    failure.labels.iter().filter(|label| label.source == kind.member()).map(|label| label.span).collect()
}

/// Takes a repair and puts the cursor where the next thing is to be typed.
fn take_fix(playground: Playground, failure: &Failure) {
    let mut next = None;
    playground.edit_ask(|ask| next = editor::apply(ask, failure));
    if let Some(placeholder) = next {
        let id = super::placeholders::field_id(&placeholder);
        request_animation_frame(move || {
            if let Some(field) = document().get_element_by_id(&id) {
                // A field that has just gone has no focus to take.
                let _ = wasm_bindgen::JsCast::unchecked_into::<web_sys::HtmlElement>(field).focus();
            }
        });
    }
}

/// What is wrong, at the field it speaks of.
#[component]
pub fn FormFault(place: Place) -> impl IntoView {
    let playground = Playground::expect();
    let view = ReadView::of(playground);
    let on_fix = Callback::new(move |failure: Failure| take_fix(playground, &failure));
    let fault = fault_at(playground, view, place);
    move || {
        fault.get().map(|fault| match fault {
            Fault::Field(fault) => view! { <p class="field-wrong">{fault.message}</p> }.into_any(),
            Fault::Service(failure) => view! { <Complaint failure=failure on_fix=on_fix /> }.into_any(),
        })
    }
}
