//! One item: its JSON, its size, where it would land, and what the service would say to it.

use super::drafts;
use super::import::cost_text;
use crate::editor::{CodeField, Complaint, Field, Keystroke, Language};
use crate::playground::Playground;
use crate::text::counted;
use crate::ui::live::{click, input, part, yes};
use dynascope_engine::capacity::write_cost;
use dynascope_engine::diagnostic::{Failure, Span};
use dynascope_engine::partition::placement::ring_hash;
use dynascope_engine::session::Outcome;
use dynascope_engine::table::Schema;
use dynascope_engine::value::document::{Complaint as Fault, Document, Spelling, read_item};
use dynascope_engine::value::{Item, MAX_ITEM_BYTES, item_to_json, item_to_plain};
use leptos::prelude::*;
use serde_json::{Value as Json, json};
use std::sync::Arc;

/// Longest text of one item: its 400 KB with an escape for every byte.
const MOST_BYTES: usize = 6 * MAX_ITEM_BYTES;

const FIELD: Field = Field {
    label: "Item as JSON",
    hint: "{\"PK\": \"…\", \"SK\": \"…\", \"status\": \"open\"}",
    language: Language::Json,
    most: MOST_BYTES as u32,
};

/// An item as a person would write it: plain JSON if nothing is lost by it, DynamoDB JSON otherwise. Keys first.
pub fn item_text(schema: Option<&Schema>, item: &Item) -> String {
    let plain = ordered(schema, &item_to_plain(item));
    match read_item(&plain, Spelling::Auto, MOST_BYTES) {
        Ok(read) if read.item == *item => plain,
        _ => ordered(schema, &item_to_json(item)),
    }
}

/// An object's text with the table's key attributes in front of the others.
fn ordered(schema: Option<&Schema>, object: &Json) -> String {
    let Some(members) = object.as_object() else { return object.to_string() };
    let keys: Vec<&str> =
        schema.iter().flat_map(|schema| schema.key.attributes()).map(|attribute| &*attribute.name).collect();
    let is_key = |name: &String| keys.contains(&name.as_str());
    let line = |(name, value): (&str, &Json)| {
        let value = serde_json::to_string_pretty(value).unwrap_or_default().replace('\n', "\n  ");
        format!("  {}: {value}", Json::from(name))
    };
    let first = keys.iter().filter_map(|key| Some((*key, members.get(*key)?)));
    let others = members.iter().filter(|(name, _)| !is_key(name)).map(|(name, value)| (name.as_str(), value));
    let lines: Vec<String> = first.chain(others).map(line).collect();
    format!("{{\n{}\n}}", lines.join(",\n"))
}

/// A key of the table, so that the empty field shows what is wanted.
fn blank(schema: &Schema) -> String {
    let members: Vec<String> = schema
        .key
        .attributes()
        .map(|attribute| {
            format!("  \"{}\": {}", attribute.name, if attribute.value_type.name() == "N" { "1" } else { "\"\"" })
        })
        .collect();
    format!("{{\n{}\n}}", members.join(",\n"))
}

/// `line 3, column 8`
pub fn place_text(span: Span, text: &str) -> String {
    let (line, column) = span.line_column(text);
    format!("line {line}, column {column}")
}

/// What the service would refuse before anything else.
fn refusal(schema: &Schema, item: &Item) -> Option<Failure> {
    schema.check_item_key(item).and_then(|()| schema.check_index_keys(item)).err().or_else(|| {
        (item.size_bytes() > MAX_ITEM_BYTES)
            .then(|| Failure::validation("Item size has exceeded the maximum allowed size"))
    })
}

/// `P3, hash 7a3c57…`
fn landing(playground: Playground, schema: &Schema, item: &Item) -> Option<String> {
    let value = item.get(&schema.key.partition.name)?;
    let hash = ring_hash(value);
    let partition = playground.with(|session| {
        let partitions = &session.database().get(&schema.name)?.base().partitions;
        Some(partitions.get(partitions.find(&hash.to_be_bytes())).id)
    })?;
    let hex = format!("{hash:016x}");
    Some(format!("lands in {partition}, hash {}…", &hex[..6]))
}

/// The form.
#[component]
pub fn ItemForm(stored: Option<Arc<Item>>, done: Callback<()>) -> impl IntoView {
    let playground = Playground::expect();
    let drafts = drafts();
    let schema = StoredValue::new(playground.schema());
    if let Some(item) = &stored {
        let kept = drafts.changed.with_untracked(|changed| changed.as_ref().is_some_and(|(old, _)| old == item));
        if !kept {
            let text = schema.with_value(|schema| item_text(schema.as_ref(), item));
            drafts.changed.set(Some((item.clone(), text)));
        }
    } else if drafts.new.with_untracked(String::is_empty) {
        drafts.new.set(schema.with_value(|schema| schema.as_ref().map(blank).unwrap_or_default()));
    }
    let changes = stored.is_some();
    let text = Memo::new(move |_| {
        if changes {
            drafts.changed.with(|changed| changed.as_ref().map(|(_, text)| text.clone()).unwrap_or_default())
        } else {
            drafts.new.get()
        }
    });
    let set = move |text: String| {
        if changes {
            drafts.changed.update(|changed| {
                if let Some((_, typed)) = changed {
                    *typed = text;
                }
            });
        } else {
            drafts.new.set(text);
        }
    };
    let read = Memo::new(move |_| text.with(|text| read_item(text, Spelling::Auto, MOST_BYTES)));
    let marked = Memo::new(move |_| {
        read.with(|read| {
            read.as_ref().err().map(|faults| faults.iter().map(|fault| fault.span).collect()).unwrap_or_default()
        })
    });
    let only_new = RwSignal::new(false);
    let refused = RwSignal::new(None::<Failure>);
    let finish = move |outcome: Outcome, what: &str| match outcome.result {
        Ok(_) => {
            if changes {
                drafts.changed.set(None);
            } else {
                drafts.new.set(String::new());
            }
            playground.say(format!("{what} {}.", cost_text(&outcome.trace)));
            done.run(());
        }
        Err(failure) => refused.set(Some(failure)),
    };
    let save = move || {
        let Some(item) = read.with_untracked(|read| read.as_ref().ok().map(|read| read.item.clone())) else { return };
        let table = playground.table.get_untracked();
        let mut request = json!({"TableName": table, "Item": item_to_json(&item)});
        if let (true, Some(key)) = (
            only_new.get_untracked(),
            schema.with_value(|schema| schema.as_ref().map(|schema| schema.key.partition.name.to_string())),
        ) {
            request["ConditionExpression"] = "attribute_not_exists(#key)".into();
            request["ExpressionAttributeNames"] = json!({"#key": key});
        }
        finish(playground.send("PutItem", &request), "Stored:");
    };
    let delete = stored.clone().map(|item| {
        move |_| {
            let Some(key) = schema.with_value(|schema| schema.as_ref().map(|schema| schema.key_of(&item))) else {
                return;
            };
            let request = json!({"TableName": playground.table.get_untracked(), "Key": item_to_json(&key)});
            finish(playground.send("DeleteItem", &request), "Deleted:");
        }
    });
    view! {
        <CodeField
            field=FIELD
            value=text
            marked=marked
            on_input=move |typed| { refused.set(None); set(typed) }
            on_key=move |key| if key == Keystroke::Run { save() }
        />
        <Verdict text=text read=read schema=schema />
        {part(move || refused.get().map(|failure| view! { <Complaint failure=failure /> }))}
        <label class="items-check">
            <input type="checkbox" prop:checked=yes(move || only_new.get()) on:change=input(move |event| only_new.set(event_target_checked(&event))) />
            "only if the key is new " <code>"attribute_not_exists"</code>
        </label>
        <div class="dialog-row">
            <button type="button" class="do" disabled=yes(move || read.with(Result::is_err)) on:click=click(move |_| save())>"Save"</button>
            {delete.map(|delete| view! { <button type="button" class="say" on:click=delete>"Delete"</button> })}
            <button type="button" class="say" on:click=click(move |_| done.run(()))>"Close"</button>
            <span class="note">"Ctrl+Enter saves. What is typed is kept when you close."</span>
        </div>
    }
}

/// Size, spelling and landing place, or what is wrong and where.
#[component]
fn Verdict(
    text: Memo<String>,
    read: Memo<Result<Document, Vec<Fault>>>,
    schema: StoredValue<Option<Schema>>,
) -> impl IntoView {
    let playground = Playground::expect();
    let told = move || {
        match read.get() {
        Err(faults) => faults
            .into_iter()
            .take(5)
            .map(|fault| {
                let place = text.with(|text| place_text(fault.span, text));
                view! { <p class="field-wrong">{place}": "{fault.message}{fault.help.map(|help| format!("; {help}"))}</p> }
            })
            .collect_view()
            .into_any(),
        Ok(document) => {
            let size = document.item.size_bytes();
            let spelling = if document.spelling == Spelling::DynamoDb { "DynamoDB JSON" } else { "plain JSON" };
            let (size, cost) = (counted(size as u64, "byte", "bytes"), write_cost(size as u64));
            let schema = schema.get_value();
            let landing = schema.as_ref().and_then(|schema| landing(playground, schema, &document.item));
            let failure = schema.and_then(|schema| refusal(&schema, &document.item));
            view! {
                <p class="items-verdict">{spelling}", "<strong>{size}</strong>", "<strong>{cost.to_string()}" WCU"</strong>{landing.map(|landing| format!(", {landing}"))}</p>
                {failure.map(|failure| view! { <Complaint failure=failure /> })}
            }
            .into_any()
        }
    }
    };
    view! { <div class="items-verdicts">{told}</div> }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_where_nothing_is_lost() {
        let plain = read_item("{\"a\": 1, \"b\": [true]}", Spelling::Plain, 100).unwrap().item;
        assert!(item_text(None, &plain).contains("\"a\": 1"));
        let typed = read_item("{\"a\": {\"SS\": [\"x\"]}}", Spelling::DynamoDb, 100).unwrap().item;
        assert!(item_text(None, &typed).contains("\"SS\""));
        assert_eq!(place_text(Span::new(4, 5), "ab\nc d"), "line 2, column 2");
    }
}
