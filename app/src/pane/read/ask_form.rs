//! The question: a sentence, the form behind it, and the request it makes.

use super::actions::actions;
use super::ask_parts::{fault_at, fork, index_row, key_rows, row, schema};
use super::limit::limit_field;
use super::placeholders::placeholders;
use super::request::request_json;
use super::{Fault, ReadView, words};
use crate::ask::Ask;
use crate::editor::{self, Code, Field, Keystroke, Language, code_field, complaint};
use crate::playground::Playground;
use crate::ui::html::{Html, clickable, contents, data_of, when};
use crate::ui::live::{self, click};
use dynascope_engine::diagnostic::{Failure, Span};
use dynascope_engine::expression::{ExpressionKind, MAX_EXPRESSION_BYTES};
use leptos::prelude::*;
use std::sync::Arc;

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
pub fn ask_panel(view: ReadView) -> AnyView {
    let playground = Playground::expect();
    let narrow = window().inner_width().ok().and_then(|width| width.as_f64()).is_some_and(|width| width < 700.0);
    let shown = RwSignal::new(if narrow { Shown::Nothing } else { Shown::Form });
    let sentence = move || {
        let schema = schema(playground);
        let told = |schema: &_| Html::new().prose(&words::summary(&playground.ask.get(), schema)).finish();
        schema.as_ref().map(told).unwrap_or_default()
    };
    let tab = move |which: Shown, text: &'static str| {
        let act = click(move |_| shown.update(|shown| *shown = if *shown == which { Shown::Nothing } else { which }));
        let open = live::words(move || (shown.get() == which).to_string());
        view! { <button type="button" aria-expanded=open on:click=act>{text}</button> }.into_any()
    };
    view! {
        <section class="ask" aria-label="Ask">
            <p class="ask-sentence" inner_html=live::words(sentence)></p>
            <div class="ask-head">
                <div class="ask-tabs">{tab(Shown::Form, "Form")} {tab(Shown::Json, "JSON")}</div>
                {contents(move || fork(playground))}
            </div>
            {when(move || shown.get() == Shown::Form, move || ask_form(view))}
            {when(move || shown.get() == Shown::Json, move || request_json(view))}
            <div class="ask-last">
                {limit_field(playground)}
                {actions(playground, view)}
            </div>
            {form_fault(view, Place::Form)}
        </section>
    }
    .into_any()
}

fn ask_form(view: ReadView) -> AnyView {
    let playground = Playground::expect();
    let more = RwSignal::new(playground.ask.with_untracked(|ask| !ask.projection.is_empty()));
    let any = move || more.get() || playground.ask.with(|ask| !ask.projection.is_empty());
    let projection = move || {
        let (field, fault) = (expression(view, ExpressionKind::Projection), form_fault(view, Place::Projection));
        row("Attributes", "ProjectionExpression", vec![field, fault])
    };
    let filter =
        vec![expression(view, ExpressionKind::Filter), form_fault(view, Place::Filter), placeholders(playground)];
    view! {
        <form
            class="ask-form"
            on:submit=move |event| {
                event.prevent_default();
                playground.run_page(true);
            }
        >
            {index_row(view, more)}
            {key_rows(view)}
            {row("Filter, after reading", "FilterExpression", filter)}
            {when(any, projection)}
            // Enter in any field submits.
            <button type="submit" class="vh" tabindex="-1" aria-hidden="true">"Run"</button>
        </form>
    }
    .into_any()
}

/// FilterExpression or ProjectionExpression.
fn expression(view: ReadView, kind: ExpressionKind) -> AnyView {
    let playground = Playground::expect();
    let is_filter = kind == ExpressionKind::Filter;
    let value = move || playground.ask.with(|ask| if is_filter { ask.filter.clone() } else { ask.projection.clone() });
    let marked = move || {
        view.reading.with(|reading| match &reading.fault {
            Some(Fault::Service(failure)) => spans(failure, kind),
            _ => Vec::new(),
        })
    };
    let on_input = move |text: String| {
        playground.edit_ask(|ask| *(if is_filter { &mut ask.filter } else { &mut ask.projection }) = text);
    };
    let on_key = move |key: Keystroke| match key {
        Keystroke::Fix => take_fix(playground, view),
        Keystroke::Run => drop(playground.run_page(true)),
    };
    let field = Field {
        label: kind.member(),
        hint: if is_filter { "none: everything read is shown" } else { "all of them" },
        language: Language::Expression,
        most: 4 * MAX_EXPRESSION_BYTES as u32,
    };
    code_field(Code {
        field,
        value: Arc::new(value),
        marked: Arc::new(marked),
        on_input: Arc::new(on_input),
        on_key: Arc::new(on_key),
    })
}

fn spans(failure: &Failure, kind: ExpressionKind) -> Vec<Span> {
    failure.labels.iter().filter(|label| label.source == kind.member()).map(|label| label.span).collect()
}

/// Takes the repair, if one is offered, and puts the cursor where the next thing is to be typed.
fn take_fix(playground: Playground, view: ReadView) {
    let Some(Fault::Service(failure)) = view.reading.with_untracked(|reading| reading.fault.clone()) else { return };
    let mut next = None;
    playground.edit_ask(|ask| next = editor::apply(ask, &failure));
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
pub fn form_fault(view: ReadView, place: Place) -> AnyView {
    let playground = Playground::expect();
    let fault = move || {
        let mut html = Html::new();
        match fault_at(playground, view, place) {
            Some(Fault::Field(fault)) => drop(html.element("p", "field-wrong", &fault.message)),
            Some(Fault::Service(failure)) => complaint(&mut html, &failure, true),
            None => {}
        }
        html.finish()
    };
    clickable(fault, move |event| {
        if data_of(&event, "fix").is_some() {
            take_fix(playground, view);
        }
    })
}
