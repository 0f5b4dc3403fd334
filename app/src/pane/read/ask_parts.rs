//! Rows of the form: table or index, order, consistency, and the key condition.

use super::ask_form::{Place, form_fault};
use super::{Fault, ReadView};
use crate::ask::{Ask, SortOperator};
use crate::playground::Playground;
use crate::ui::html::{Html, inline_contents, when};
use crate::ui::live::{click, input, maybe, words, yes};
use dynascope_engine::table::{KeyAttribute, Schema};
use leptos::prelude::*;

/// The fault of one place, if it is there.
pub fn fault_at(playground: Playground, view: ReadView, place: Place) -> Option<Fault> {
    let fault = view.reading.with(|reading| reading.fault.clone())?;
    (playground.ask.with(|ask| Place::of(&fault, ask)) == place).then_some(fault)
}

/// The definition of the table in focus, followed.
pub fn schema(playground: Playground) -> Option<Schema> {
    playground.version.track();
    playground.table.track();
    playground.schema()
}

/// A labelled row: the plain word and the member of the API together.
pub fn row(plain: &'static str, api: &'static str, parts: Vec<AnyView>) -> AnyView {
    view! {
        <div class="ask-row">
            <p class="ask-label">
                {plain}
                <code>{api}</code>
            </p>
            <div class="ask-field">{parts}</div>
        </div>
    }
    .into_any()
}

/// Query or Scan, and why.
pub fn fork(playground: Playground) -> String {
    let why = match playground.ask.with(Ask::operation) {
        "Query" => "<strong>Query</strong>, because a partition key value is given",
        _ => "<strong>Scan</strong>, because no partition key value is given",
    };
    Html::new().open("p", "ask-fork").raw(why).close("p").finish()
}

fn scans(playground: Playground) -> bool {
    playground.ask.with(|ask| ask.partition.is_empty())
}

/// A picker of the question: what it offers, and what choosing does.
fn pick(
    label: &'static str,
    options: impl Fn(&mut Html, &Ask) + Send + 'static,
    choose: fn(&mut Ask, String),
    // Why it has no say in a Scan.
    idle: Option<&'static str>,
) -> AnyView {
    let playground = Playground::expect();
    let options = words(move || {
        let mut html = Html::new();
        options(&mut html, &playground.ask.get());
        html.finish()
    });
    let choose = input(move |event| playground.edit_ask(|ask| choose(ask, event_target_value(&event))));
    let disabled = yes(move || idle.is_some() && scans(playground));
    let title = maybe(move || idle.filter(|_| scans(playground)));
    view! { <select class="pick" aria-label=label disabled=disabled title=title inner_html=options on:change=choose></select> }
        .into_any()
}

/// Tables have one option, each index has another; so has one that the question names and the table lacks.
fn sources(html: &mut Html, ask: &Ask, schema: Option<Schema>) {
    let Some(schema) = schema else { return };
    html.option("", &["table ", &schema.name].concat(), ask.index.is_none());
    for index in &schema.indexes {
        html.option(&index.name, &["index ", &index.name].concat(), ask.index.as_ref() == Some(&index.name));
    }
    if let (Some(unknown), None) = (&ask.index, ask.index_in(&schema)) {
        html.option(unknown, unknown, true);
    }
}

/// Table or index, order, consistency.
pub fn index_row(
    view: ReadView,
    // Is the row of attributes open?
    some: RwSignal<bool>,
) -> AnyView {
    let playground = Playground::expect();
    let source = pick(
        "Table or index",
        move |html, ask| sources(html, ask, schema(playground)),
        |ask, name| ask.index = (!name.is_empty()).then_some(name),
        None,
    );
    let order = pick(
        "Order",
        |html, ask| {
            html.option("up", "ascending", !ask.descending).option("down", "descending", ask.descending);
        },
        |ask, order| ask.descending = order == "down",
        Some("A Scan reads in the order of the hash line"),
    );
    let consistency = pick(
        "Consistency",
        |html, ask| {
            html.option("eventual", "eventually consistent", !ask.consistent);
            html.option("strong", "strongly consistent", ask.consistent);
        },
        |ask, word| ask.consistent = word == "strong",
        None,
    );
    let line = view! {
        <div class="ask-line">
            {source} {order} {consistency}
            <button type="button" class="say" aria-expanded=words(move || some.get().to_string()) on:click=click(move |_| some.update(|some| *some = !*some))>
                "attributes"
            </button>
        </div>
    };
    let parts = vec![line.into_any(), form_fault(view, Place::Source), form_fault(view, Place::Consistency)];
    row("From, order, freshness", "IndexName …", parts)
}

/// The partition key that is asked for, or the sort key.
fn key_attribute(playground: Playground, sort: bool) -> Option<KeyAttribute> {
    let schema = schema(playground)?;
    let key = playground.ask.with(|ask| ask.index_in(&schema).map_or(&schema.key, |index| &index.key).clone());
    if sort { key.sort } else { Some(key.partition) }
}

/// The key condition: partition key value, sort key operator and values.
pub fn key_rows(view: ReadView) -> AnyView {
    let playground = Playground::expect();
    let partition = move || {
        let line = view! {
            <div class="ask-line">
                {key_name(playground, false)}
                <span class="mono">"="</span>
                {key_value(view, KeyField::Partition, "none: Scan")}
            </div>
        };
        vec![line.into_any(), form_fault(view, Place::Partition)].into_any()
    };
    let parts = vec![
        when(move || key_attribute(playground, false).is_some(), partition),
        when(move || key_attribute(playground, true).is_some(), move || sort_line(view)),
    ];
    row("Key condition", "KeyConditionExpression", parts)
}

fn key_name(playground: Playground, sort: bool) -> AnyView {
    inline_contents(move || {
        let Some(attribute) = key_attribute(playground, sort) else { return String::new() };
        let mut html = Html::new();
        html.open("span", "ask-key mono").text(&attribute.name);
        html.raw("<span class=\"tag\" title=\"The key's type\">").raw(attribute.value_type.name());
        html.raw("</span></span>").finish()
    })
}

fn sort_line(view: ReadView) -> AnyView {
    let playground = Playground::expect();
    let operator = move || playground.ask.with(|ask| ask.sort);
    let pick = pick(
        "Sort key operator",
        |html, ask| {
            for operator in SortOperator::ALL {
                html.option(operator.slug(), operator.label(), operator == ask.sort);
            }
        },
        |ask, slug| ask.sort = SortOperator::from_slug(&slug),
        Some("Only a Query narrows the sort key"),
    );
    let upper = move || {
        let and = view! { <span class="ask-note">"and"</span> };
        vec![and.into_any(), key_value(view, KeyField::To, "")].into_any()
    };
    view! {
        <div class="ask-line">
            {key_name(playground, true)}
            {pick}
            {when(move || operator() != SortOperator::Any, move || key_value(view, KeyField::From, ""))}
            {when(move || operator() == SortOperator::Between, upper)}
        </div>
        {form_fault(view, Place::Sort)}
    }
    .into_any()
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum KeyField {
    Partition,
    From,
    To,
}

impl KeyField {
    fn text(self, ask: &mut Ask) -> &mut String {
        match self {
            Self::Partition => &mut ask.partition,
            Self::From => &mut ask.sort_from,
            Self::To => &mut ask.sort_to,
        }
    }
}

fn key_value(view: ReadView, which: KeyField, hint: &'static str) -> AnyView {
    let playground = Playground::expect();
    let (label, place) = match which {
        KeyField::Partition => ("Partition key value", Place::Partition),
        KeyField::From => ("Sort key value", Place::Sort),
        KeyField::To => ("Sort key upper value", Place::Sort),
    };
    view! {
        <input
            type="text"
            class="type ask-value"
            autocomplete="off"
            autocapitalize="off"
            spellcheck="false"
            aria-label=label
            placeholder=hint
            dir="auto"
            aria-invalid=words(move || fault_at(playground, view, place).is_some().to_string())
            prop:value=words(move || std::mem::take(which.text(&mut playground.ask.get())))
            on:input=input(move |event| {
                playground.edit_ask(|ask| *which.text(ask) = event_target_value(&event));
            })
        />
    }
    .into_any()
}
