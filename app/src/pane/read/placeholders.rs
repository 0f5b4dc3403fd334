//! Names and values of the expressions: a row for each that is mentioned or typed.

use crate::ask::{Ask, typed_value};
use crate::playground::Playground;
use crate::ui::live::{part, words, yes};
use dynascope_engine::expression::mentioned_placeholders;
use leptos::prelude::*;

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
#[component]
pub fn Placeholders() -> impl IntoView {
    let playground = Playground::expect();
    let rows = Memo::new(move |_| playground.ask.with(rows));
    view! {
        <ul class="holders" aria-label="Names and values">
            <For each=move || rows.get() key=Clone::clone let:placeholder>
                <Holder placeholder=placeholder />
            </For>
        </ul>
    }
}

#[component]
fn Holder(placeholder: String) -> impl IntoView {
    let playground = Playground::expect();
    let is_name = placeholder.starts_with('#');
    let holder = StoredValue::new(placeholder.clone());
    let text = Memo::new(move |_| {
        playground.ask.with(|ask| {
            let map = if is_name { &ask.names } else { &ask.values };
            holder.with_value(|holder| map.get(holder).cloned())
        })
    });
    let unused = Memo::new(move |_| playground.ask.with(|ask| holder.with_value(|holder| !is_mentioned(ask, holder))));
    let typed = move || text.get().map(|text| typed_value(&text));
    let tag = move || match (text.get(), is_name) {
        (None, _) => "not defined".to_owned(),
        (Some(_), true) => String::new(),
        (Some(_), false) => {
            typed().and_then(Result::ok).map_or_else(|| "?".to_owned(), |value| value.value_type().name().to_owned())
        }
    };
    let wrong = move || if is_name { None } else { typed().and_then(Result::err) };
    let change = move |event: web_sys::Event| {
        let text = event_target_value(&event);
        playground.edit_ask(|ask| {
            let map = if is_name { &mut ask.names } else { &mut ask.values };
            map.insert(holder.get_value(), text);
        });
    };
    let remove = move |_| {
        playground.edit_ask(|ask| {
            ask.names.remove(&holder.get_value());
            ask.values.remove(&holder.get_value());
        });
    };
    let label = format!("{placeholder}, {}", if is_name { "attribute name" } else { "value" });
    view! {
        <li class="holder" class:holder-undefined=yes(move || text.get().is_none())>
            <label class="mono" for=field_id(&placeholder)>{placeholder.clone()}</label>
            <input
                id=field_id(&placeholder)
                type="text"
                class="type"
                autocomplete="off"
                autocapitalize="off"
                spellcheck="false"
                dir="auto"
                aria-label=label
                aria-invalid=words(move || (text.get().is_none() || wrong().is_some()).to_string())
                prop:value=words(move || text.get().unwrap_or_default())
                on:input=change
            />
            <span class="tag">{tag}</span>
            {part(move || {
                unused
                    .get()
                    .then(|| view! { <button type="button" class="say note" on:click=remove>"not used, remove"</button> })
            })}
            {part(move || wrong().map(|message| view! { <p class="field-wrong">{message}</p> }))}
        </li>
    }
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
