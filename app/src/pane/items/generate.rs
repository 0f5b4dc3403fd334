//! Items by template: a count, a template for each key attribute, and attributes that all of them have.

use super::import::{import_report, start};
use crate::playground::Playground;
use crate::text::counted;
use crate::ui::Stepper;
use crate::ui::html::{Html, contents};
use crate::ui::live::{click, input, words, yes};
use dynascope_engine::sim::Template;
use dynascope_engine::table::{KeyAttribute, Schema};
use dynascope_engine::value::document::{Spelling, read_item};
use dynascope_engine::value::{AttributeValue, Item, ValueType};
use leptos::prelude::*;

/// Most items in one go.
const MOST: u64 = 20_000;
/// Longest text of the other attributes.
const MOST_BYTES: usize = 100_000;

fn key_value(attribute: &KeyAttribute, text: String) -> Result<AttributeValue, String> {
    match attribute.value_type {
        ValueType::N => text.parse().map(AttributeValue::N).map_err(|fault: dynascope_engine::value::NumberFault| {
            format!("{}: {}", attribute.name, fault.message(&text))
        }),
        ValueType::B => Ok(AttributeValue::B(text.into_bytes())),
        _ => Ok(AttributeValue::S(text)),
    }
}

/// The item of a number, or why there is none.
struct Recipe {
    keys: Vec<(KeyAttribute, Template)>,
    others: Item,
}

impl Recipe {
    fn new(schema: &Schema, templates: [&str; 2], others: &str) -> Result<Self, String> {
        let mut keys = Vec::new();
        for (attribute, source) in schema.key.attributes().zip(templates) {
            let template = Template::parse(source).map_err(|fault| format!("{}: {}", attribute.name, fault.message))?;
            keys.push((attribute.clone(), template));
        }
        let others = if others.trim().is_empty() { "{}" } else { others };
        let others = read_item(others, Spelling::Auto, MOST_BYTES).map_err(|faults| {
            faults.into_iter().next().map(|fault| format!("attributes: {}", fault.message)).unwrap_or_default()
        })?;
        Ok(Self { keys, others: others.item })
    }

    fn item(&self, number: u64) -> Result<Item, String> {
        let mut item = self.others.clone();
        for (stream, (attribute, template)) in self.keys.iter().enumerate() {
            item.set(attribute.name.clone(), key_value(attribute, template.expand(7, stream as u64, number))?);
        }
        Ok(item)
    }
}

/// The form.
pub fn generate_form(done: Callback<()>) -> AnyView {
    let playground = Playground::expect();
    let schema = StoredValue::new(playground.schema());
    let number = RwSignal::new(100u64);
    let partition = RwSignal::new("USER#{0..9}".to_owned());
    let sort = RwSignal::new("ORDER#{seq}".to_owned());
    let others = RwSignal::new("{\"status\": \"open\"}".to_owned());
    let progress = RwSignal::new(None);
    let recipe = move || {
        let texts = (partition.get(), sort.get(), others.get());
        schema.with_value(|schema| {
            schema
                .as_ref()
                .ok_or_else(|| "there is no table".to_owned())
                .and_then(|schema| Recipe::new(schema, [&texts.0, &texts.1], &texts.2))
        })
    };
    let sample = move || {
        let recipe = recipe()?;
        let keys: Result<Vec<String>, String> = [0, 1, 2]
            .into_iter()
            .map(|at| {
                recipe.item(at).map(|item| {
                    recipe
                        .keys
                        .iter()
                        .filter_map(|(key, _)| item.get(&key.name))
                        .map(crate::pane::read::value_text)
                        .collect::<Vec<_>>()
                        .join(" · ")
                })
            })
            .collect();
        keys.map(|keys| keys.join(",  ") + ", …")
    };
    let told = move || match sample() {
        Ok(text) => Html::new().element("p", "items-verdict mono", &text).finish(),
        Err(fault) => Html::new().element("p", "field-wrong", &fault).finish(),
    };
    let run = click(move |_| {
        let Ok(recipe) = recipe() else { return };
        let items: Result<Vec<Item>, String> = (0..number.get_untracked()).map(|at| recipe.item(at)).collect();
        match items {
            Ok(items) => start(playground, items, progress),
            Err(fault) => playground.complain(fault),
        }
    });
    let names: Vec<String> = schema.with_value(|schema| {
        schema
            .as_ref()
            .map(|schema| schema.key.attributes().map(|attribute| attribute.name.to_string()).collect())
            .unwrap_or_default()
    });
    let fields = names
        .into_iter()
        .zip([partition, sort])
        .map(|(name, text)| template_field(name + " template", text))
        .collect::<Vec<_>>();
    view! {
        <div class="generate">
            <p class="ask-limit">"How many" <Stepper label="How many items" value=number on_change=move |to| number.set(to) bounds=(1, MOST) step=|(now, up): (u64, bool)| if up { now * 2 } else { now / 2 } /></p>
            {fields}
            {template_field("Other attributes, as JSON".to_owned(), others)}
            <p class="note">"{0..9} goes round, {random 0..99} draws, {seq} counts up. Templates make strings; a number key takes digits only."</p>
            {contents(told)}
        </div>
        {import_report(progress)}
        <div class="dialog-row">
            <button type="button" class="do" disabled=yes(move || recipe().is_err()) on:click=run>
                {words(move || "Write ".to_owned() + &counted(number.get(), "item", "items"))}
            </button>
            <button type="button" class="say" on:click=click(move |_| done.run(()))>"Close"</button>
        </div>
    }    .into_any()
}

fn template_field(label: String, text: RwSignal<String>) -> AnyView {
    view! {
        <label class="generate-field">
            {label}
            <input
                type="text"
                class="type"
                autocomplete="off"
                spellcheck="false"
                prop:value=words(move || text.get())
                on:input=input(move |event| text.set(event_target_value(&event)))
            />
        </label>
    }
    .into_any()
}
