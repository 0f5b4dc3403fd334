//! Names and values of the expressions: a row for each that is mentioned or typed.

use crate::ask::{Ask, typed_value};
use crate::playground::Playground;
use crate::ui::html::{Html, clickable, data_of};
use crate::ui::live::{input, part, words, yes};
use dynascope_engine::expression::mentioned_placeholders;
use leptos::prelude::*;
use std::sync::Arc;

/// The id of a placeholder's field.
pub fn field_id(placeholder: &str) -> String {
    ["holder-", placeholder.get(1..).unwrap_or_default(), if placeholder.starts_with('#') { "-name" } else { "-value" }]
        .concat()
}

/// Mentioned ones in the order of the text, then typed ones that nothing mentions.
fn rows(ask: &Ask) -> Vec<String> {
    let (mut names, mut values) = mentioned_placeholders(&ask.filter);
    for name in mentioned_placeholders(&ask.projection).0 {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names.extend(ask.names.keys().filter(|name| !names.contains(name)).cloned().collect::<Vec<_>>());
    values.extend(ask.values.keys().filter(|value| !values.contains(value)).cloned().collect::<Vec<_>>());
    names.append(&mut values);
    names
}

fn is_mentioned(ask: &Ask, placeholder: &str) -> bool {
    [&ask.filter, &ask.projection].into_iter().any(|text| {
        let (names, values) = mentioned_placeholders(text);
        names.iter().chain(&values).any(|mentioned| mentioned == placeholder)
    })
}

/// The rows.
pub fn placeholders(playground: Playground) -> AnyView {
    // A name holds no line break.
    let mentioned = Memo::new(move |_| playground.ask.with(rows).join("\n"));
    let list = part(move || {
        mentioned.get().lines().map(|placeholder| holder(playground, placeholder.to_owned())).collect::<Vec<_>>()
    });
    view! { <ul class="holders" aria-label="Names and values">{list}</ul> }.into_any()
}

/// What is typed for a placeholder, if it has a field.
fn text_of(ask: &Ask, placeholder: &str) -> Option<String> {
    let map = if placeholder.starts_with('#') { &ask.names } else { &ask.values };
    map.get(placeholder).cloned()
}

/// Its type, or that it has none; for a value also what is wrong with it.
fn verdict(ask: &Ask, placeholder: &str) -> (&'static str, Option<String>) {
    match text_of(ask, placeholder) {
        None => ("not defined", None),
        Some(_) if placeholder.starts_with('#') => ("", None),
        Some(text) => match typed_value(&text) {
            Ok(value) => (value.value_type().name(), None),
            Err(fault) => ("?", Some(fault)),
        },
    }
}

/// What stands behind the field.
fn told(ask: &Ask, placeholder: &str) -> String {
    let (tag, fault) = verdict(ask, placeholder);
    let mut html = Html::new();
    html.element("span", "tag", tag);
    if !is_mentioned(ask, placeholder) {
        html.raw("<button type=\"button\" class=\"say note\" data-remove>not used, remove</button>");
    }
    if let Some(fault) = fault {
        html.element("p", "field-wrong", &fault);
    }
    html.finish()
}

fn change(playground: Playground, placeholder: &str, text: String) {
    playground.edit_ask(|ask| {
        let map = if placeholder.starts_with('#') { &mut ask.names } else { &mut ask.values };
        map.insert(placeholder.to_owned(), text);
    });
}

fn remove(playground: Playground, placeholder: &str) {
    playground.edit_ask(|ask| {
        ask.names.remove(placeholder);
        ask.values.remove(placeholder);
    });
}

fn holder(playground: Playground, placeholder: String) -> AnyView {
    let holder: Arc<str> = placeholder.as_str().into();
    let id = field_id(&placeholder);
    let label = [&*placeholder, if holder.starts_with('#') { ", attribute name" } else { ", value" }].concat();
    let [undefined, wrong, value, typed, behind, removed] = std::array::from_fn(|_| holder.clone());
    let undefined = yes(move || playground.ask.with(|ask| text_of(ask, &undefined)).is_none());
    let wrong = words(move || {
        let (tag, fault) = playground.ask.with(|ask| verdict(ask, &wrong));
        (tag == "not defined" || fault.is_some()).to_string()
    });
    let removed = move |event: web_sys::Event| {
        if data_of(&event, "remove").is_some() {
            remove(playground, &removed);
        }
    };
    view! {
        <li class="holder" class:holder-undefined=undefined>
            <label class="mono" for=id.clone()>{placeholder}</label>
            <input
                id=id
                type="text"
                class="type"
                autocomplete="off"
                autocapitalize="off"
                spellcheck="false"
                dir="auto"
                aria-label=label
                aria-invalid=wrong
                prop:value=words(move || playground.ask.with(|ask| text_of(ask, &value)).unwrap_or_default())
                on:input=input(move |event| change(playground, &typed, event_target_value(&event)))
            />
            {clickable(move || playground.ask.with(|ask| told(ask, &behind)), removed)}
        </li>
    }
    .into_any()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_for_each_that_is_mentioned_or_typed() {
        let mut ask = Ask { filter: "#a = :b AND #a < :c".into(), projection: "#d".into(), ..Ask::default() };
        ask.values.insert(":left".into(), "over".into());
        assert_eq!(rows(&ask), ["#a", "#d", ":b", ":c", ":left"]);
        assert!(!is_mentioned(&ask, ":left") && is_mentioned(&ask, "#d"));
    }
}
