//! Rows of the form: table or index, order, consistency, and the key condition.

use super::ask_form::{FormFault, Place};
use super::{Fault, ReadView};
use crate::ask::{Ask, SortOperator};
use crate::playground::Playground;
use crate::ui::live::{click, input, maybe, part, words};
use dynascope_engine::table::{KeyAttribute, KeySchema, Schema};
use leptos::prelude::*;

/// The fault of one place, if it is there.
pub fn fault_at(playground: Playground, view: ReadView, place: Place) -> Memo<Option<Fault>> {
    Memo::new(move |_| {
        let fault = view.reading.with(|reading| reading.fault.clone())?;
        (playground.ask.with(|ask| Place::of(&fault, ask)) == place).then_some(fault)
    })
}

/// The definition of the table in focus, followed.
pub fn schema(playground: Playground) -> Memo<Option<Schema>> {
    Memo::new(move |_| {
        playground.version.track();
        playground.table.track();
        playground.schema()
    })
}

/// A labelled row: the plain word and the member of the API together.
#[component]
pub fn Row(plain: &'static str, api: &'static str, children: Children) -> impl IntoView {
    view! {
        <div class="ask-row">
            <p class="ask-label">
                {plain}
                <code>{api}</code>
            </p>
            <div class="ask-field">{children()}</div>
        </div>
    }
}

/// Query or Scan, and why.
#[component]
pub fn Fork() -> impl IntoView {
    let playground = Playground::expect();
    move || {
        let query = playground.ask.with(|ask| ask.operation() == "Query");
        let (what, why) = if query {
            ("Query", "because a partition key value is given")
        } else {
            ("Scan", "because no partition key value is given")
        };
        view! { <p class="ask-fork"><strong>{what}</strong>", " {why}</p> }
    }
}

/// Table or index, order, consistency.
#[component]
pub fn IndexRow(
    /// Is the row of attributes open?
    some: RwSignal<bool>,
) -> impl IntoView {
    let playground = Playground::expect();
    let schema = schema(playground);
    let options = move || {
        let schema = schema.get()?;
        let table = format!("table {}", schema.name);
        let known = playground.ask.with(|ask| ask.index.is_none() || ask.index_in(&schema).is_some());
        let unknown = (!known).then(|| playground.ask.with_untracked(|ask| ask.index.clone())).flatten();
        let chosen = playground.ask.with(|ask| ask.index.clone()).unwrap_or_default();
        let option = |name: String, text: String| {
            let selected = name == chosen;
            view! { <option value=name selected=selected>{text}</option> }
        };
        let indexes: Vec<_> =
            schema.indexes.iter().map(|index| option(index.name.clone(), format!("index {}", index.name))).collect();
        Some((option(String::new(), table), indexes, unknown.map(|name| option(name.clone(), name))))
    };
    let edit = move |change: fn(&mut Ask, String)| {
        move |event: web_sys::Event| playground.edit_ask(|ask| change(ask, event_target_value(&event)))
    };
    let scans = move || playground.ask.with(|ask| ask.operation() == "Scan");
    view! {
        <Row plain="From, order, freshness" api="IndexName …">
            <div class="ask-line">
                <select class="pick" aria-label="Table or index" on:change=edit(|ask, name| ask.index = (!name.is_empty()).then_some(name))>
                    {options}
                </select>
                <select
                    class="pick"
                    aria-label="Order"
                    disabled=scans
                    title=maybe(move || scans().then_some("A Scan reads in the order of the hash line"))
                    prop:value=maybe(move || Some(if playground.ask.with(|ask| ask.descending) { "down" } else { "up" }))
                    on:change=edit(|ask, order| ask.descending = order == "down")
                >
                    <option value="up">"ascending"</option>
                    <option value="down">"descending"</option>
                </select>
                <select
                    class="pick"
                    aria-label="Consistency"
                    prop:value=maybe(move || Some(if playground.ask.with(|ask| ask.consistent) { "strong" } else { "eventual" }))
                    on:change=edit(|ask, word| ask.consistent = word == "strong")
                >
                    <option value="eventual">"eventually consistent"</option>
                    <option value="strong">"strongly consistent"</option>
                </select>
                <button type="button" class="say" aria-expanded=words(move || some.get().to_string()) on:click=click(move |_| some.update(|some| *some = !*some))>
                    "attributes"
                </button>
            </div>
            <FormFault place=Place::Source />
            <FormFault place=Place::Consistency />
        </Row>
    }
}

fn key_of(schema: &Schema, ask: &Ask) -> KeySchema {
    ask.index_in(schema).map_or(&schema.key, |index| &index.key).clone()
}

/// The key condition: partition key value, sort key operator and values.
#[component]
pub fn KeyRows() -> impl IntoView {
    let playground = Playground::expect();
    let schema = schema(playground);
    let key = Memo::new(move |_| schema.get().map(|schema| playground.ask.with(|ask| key_of(&schema, ask))));
    view! {
        <Row plain="Key condition" api="KeyConditionExpression">
            {part(move || {
                key.get()
                    .map(|key| {
                        view! {
                            <div class="ask-line">
                                <KeyName attribute=key.partition.clone() />
                                <span class="mono">"="</span>
                                <KeyValue which=KeyField::Partition hint="none: Scan" />
                            </div>
                            <FormFault place=Place::Partition />
                            {key.sort.map(|sort| view! { <SortLine attribute=sort /> })}
                        }
                    })
            })}
        </Row>
    }
}

#[component]
fn KeyName(attribute: KeyAttribute) -> impl IntoView {
    let kind = attribute.value_type.name();
    view! {
        <span class="ask-key mono">
            {attribute.name.to_string()}
            <span class="tag" title="The key's type">{kind}</span>
        </span>
    }
}

#[component]
fn SortLine(attribute: KeyAttribute) -> impl IntoView {
    let playground = Playground::expect();
    let operator = Memo::new(move |_| playground.ask.with(|ask| ask.sort));
    let scans = move || playground.ask.with(|ask| ask.operation() == "Scan");
    let label = "Sort key operator";
    view! {
        <div class="ask-line">
            <KeyName attribute=attribute />
            <select
                class="pick"
                aria-label=label
                disabled=scans
                title=maybe(move || scans().then_some("Only a Query narrows the sort key"))
                prop:value=maybe(move || Some(operator.get().slug()))
                on:change=input(move |event| {
                    let sort = SortOperator::from_slug(&event_target_value(&event));
                    playground.edit_ask(|ask| ask.sort = sort);
                })
            >
                {SortOperator::ALL.map(|operator| view! { <option value=operator.slug()>{operator.label()}</option> }).collect_view()}
            </select>
            {part(move || (operator.get() != SortOperator::Any).then(|| view! { <KeyValue which=KeyField::From hint="" /> }))}
            {part(move || {
                (operator.get() == SortOperator::Between)
                    .then(|| view! { <span class="ask-note">"and"</span><KeyValue which=KeyField::To hint="" /> })
            })}
        </div>
        <FormFault place=Place::Sort />
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum KeyField {
    Partition,
    From,
    To,
}

#[component]
fn KeyValue(which: KeyField, hint: &'static str) -> impl IntoView {
    let playground = Playground::expect();
    let view = ReadView::of(playground);
    let (label, place) = match which {
        KeyField::Partition => ("Partition key value", Place::Partition),
        KeyField::From => ("Sort key value", Place::Sort),
        KeyField::To => ("Sort key upper value", Place::Sort),
    };
    let fault = fault_at(playground, view, place);
    let value = move || {
        playground.ask.with(|ask| match which {
            KeyField::Partition => ask.partition.clone(),
            KeyField::From => ask.sort_from.clone(),
            KeyField::To => ask.sort_to.clone(),
        })
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
            aria-invalid=words(move || fault.with(Option::is_some).to_string())
            prop:value=value
            on:input=input(move |event| {
                let text = event_target_value(&event);
                playground
                    .edit_ask(|ask| match which {
                        KeyField::Partition => ask.partition = text,
                        KeyField::From => ask.sort_from = text,
                        KeyField::To => ask.sort_to = text,
                    });
            })
        />
    }
}
