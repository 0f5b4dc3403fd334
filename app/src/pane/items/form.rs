//! One item: its JSON, its size, where it would land, and what the service would say to it.

use super::import::cost_text;
use super::item_text::{MOST_BYTES, blank, item_text, landing, place_text, refusal};
use super::{Drafts, drafts};
use crate::editor::{Code, Field, Keystroke, Language, code_field, complaint};
use crate::playground::Playground;
use crate::text::counted;
use crate::ui::html::{Html, block, contents};
use crate::ui::live::{click, input, yes};
use dynascope_engine::capacity::write_cost;
use dynascope_engine::diagnostic::Span;
use dynascope_engine::session::Outcome;
use dynascope_engine::table::Schema;
use dynascope_engine::value::document::{Complaint as Fault, Document, Spelling, read_item};
use dynascope_engine::value::{Item, item_to_json};
use leptos::prelude::*;
use serde_json::json;
use std::sync::Arc;

const FIELD: Field = Field {
    label: "Item as JSON",
    hint: "{\"PK\": \"…\", \"SK\": \"…\", \"status\": \"open\"}",
    language: Language::Json,
    most: MOST_BYTES as u32,
};

/// What is told of a text while it is typed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Seen {
    /// As markup.
    pub html: String,
    /// Bytes with something wrong.
    pub marks: Vec<Span>,
    /// Can it be sent?
    pub good: bool,
}

impl Seen {
    /// Follows a text.
    pub fn of(look: impl Fn() -> Self + Send + Sync + 'static) -> Memo<Self> {
        Self::boxed(Box::new(look))
    }

    fn boxed(look: Box<dyn Fn() -> Self + Send + Sync>) -> Memo<Self> {
        Memo::new(move |_| look())
    }
}

/// One item being typed: a new one, or one that is stored.
#[derive(Clone, Copy)]
struct Typing {
    playground: Playground,
    schema: StoredValue<Option<Schema>>,
    changes: bool,
    drafts: Drafts,
    only_new: RwSignal<bool>,
    refused: RwSignal<String>,
    done: Callback<()>,
}

impl Typing {
    fn text(self) -> String {
        if self.changes {
            self.drafts.changed.with(|changed| changed.as_ref().map(|(_, text)| text.clone()).unwrap_or_default())
        } else {
            self.drafts.new.get()
        }
    }

    fn set(self, text: String) {
        self.refused.set(String::new());
        if self.changes {
            self.drafts.changed.update(|changed| {
                if let Some((_, typed)) = changed {
                    *typed = text;
                }
            });
        } else {
            self.drafts.new.set(text);
        }
    }

    fn finish(self, outcome: &Outcome, what: &str) {
        if let Err(failure) = &outcome.result {
            let mut html = Html::new();
            complaint(&mut html, failure, false);
            return self.refused.set(html.finish());
        }
        if self.changes {
            self.drafts.changed.set(None);
        } else {
            self.drafts.new.set(String::new());
        }
        self.playground.say([what, &cost_text(&outcome.trace), "."].concat());
        self.done.run(());
    }

    fn save(self) {
        let Ok(read) = read_item(&untrack(|| self.text()), Spelling::Auto, MOST_BYTES) else { return };
        let table = self.playground.table.get_untracked();
        let mut request = json!({"TableName": table, "Item": item_to_json(&read.item)});
        let key = self.schema.with_value(|schema| schema.as_ref().map(|schema| schema.key.partition.name.to_string()));
        if let (true, Some(key)) = (self.only_new.get_untracked(), key) {
            request["ConditionExpression"] = "attribute_not_exists(#key)".into();
            request["ExpressionAttributeNames"] = json!({"#key": key});
        }
        self.finish(&self.playground.send("PutItem", &request), "Stored: ");
    }

    fn delete(self, item: &Item) {
        let Some(key) = self.schema.with_value(|schema| schema.as_ref().map(|schema| schema.key_of(item))) else {
            return;
        };
        let request = json!({"TableName": self.playground.table.get_untracked(), "Key": item_to_json(&key)});
        self.finish(&self.playground.send("DeleteItem", &request), "Deleted: ");
    }

    /// Size, spelling and landing place, or what is wrong and where.
    fn look(self) -> Seen {
        let text = self.text();
        match read_item(&text, Spelling::Auto, MOST_BYTES) {
            Err(faults) => broken(&faults, &text),
            Ok(document) => Seen { html: self.told(&document), marks: Vec::new(), good: true },
        }
    }

    fn told(self, document: &Document) -> String {
        let bytes = document.item.size_bytes() as u64;
        let mut html = Html::new();
        html.open("p", "items-verdict");
        html.raw(if document.spelling == Spelling::DynamoDb { "DynamoDB JSON, " } else { "plain JSON, " });
        html.element("strong", "", &counted(bytes, "byte", "bytes")).raw(", ");
        html.element("strong", "", &(write_cost(bytes).to_string() + " WCU"));
        let schema = self.schema.get_value();
        if let Some(landing) = schema.as_ref().and_then(|schema| landing(self.playground, schema, &document.item)) {
            html.raw(", ").text(&landing);
        }
        html.close("p");
        if let Some(failure) = schema.and_then(|schema| refusal(&schema, &document.item)) {
            complaint(&mut html, &failure, false);
        }
        html.finish()
    }
}

fn broken(faults: &[Fault], text: &str) -> Seen {
    let mut html = Html::new();
    for fault in faults.iter().take(5) {
        html.open("p", "field-wrong").text(&place_text(fault.span, text)).raw(": ").text(&fault.message);
        if let Some(help) = &fault.help {
            html.raw("; ").text(help);
        }
        html.close("p");
    }
    Seen { html: html.finish(), marks: faults.iter().map(|fault| fault.span).collect(), good: false }
}

/// Fills the draft: the stored item, or the key of a new one.
fn begin(drafts: Drafts, schema: Option<&Schema>, stored: Option<&Arc<Item>>) {
    if let Some(item) = stored {
        if !drafts.changed.with_untracked(|changed| changed.as_ref().is_some_and(|(old, _)| old == item)) {
            drafts.changed.set(Some((item.clone(), item_text(schema, item))));
        }
    } else if drafts.new.with_untracked(String::is_empty) {
        drafts.new.set(schema.map(blank).unwrap_or_default());
    }
}

/// The form.
pub fn item_form(stored: Option<Arc<Item>>, done: Callback<()>) -> AnyView {
    let playground = Playground::expect();
    let (drafts, schema) = (drafts(), playground.schema());
    begin(drafts, schema.as_ref(), stored.as_ref());
    let typing = Typing {
        playground,
        schema: StoredValue::new(schema),
        changes: stored.is_some(),
        drafts,
        only_new: RwSignal::new(false),
        refused: RwSignal::new(String::new()),
        done,
    };
    let seen = Seen::of(move || typing.look());
    let code = Code {
        field: FIELD,
        value: Arc::new(move || typing.text()),
        marked: Arc::new(move || seen.with(|seen| seen.marks.clone())),
        on_input: Arc::new(move |text| typing.set(text)),
        on_key: Arc::new(move |key| {
            if key == Keystroke::Run {
                typing.save();
            }
        }),
    };
    let only_new = typing.only_new;
    let delete = stored.map(|item| {
        let act = click(move |_| typing.delete(&item));
        view! { <button type="button" class="say" on:click=act>"Delete"</button> }
    });
    view! {
        {code_field(code)}
        {block("items-verdicts", move || seen.with(|seen| seen.html.clone()))}
        {contents(move || typing.refused.get())}
        <label class="items-check">
            <input type="checkbox" prop:checked=yes(move || only_new.get()) on:change=input(move |event| only_new.set(event_target_checked(&event))) />
            "only if the key is new " <code>"attribute_not_exists"</code>
        </label>
        <div class="dialog-row">
            <button type="button" class="do" disabled=yes(move || !seen.with(|seen| seen.good)) on:click=click(move |_| typing.save())>"Save"</button>
            {delete}
            <button type="button" class="say" on:click=click(move |_| done.run(()))>"Close"</button>
            <span class="note">"Ctrl+Enter saves. What is typed is kept when you close."</span>
        </div>
    }
    .into_any()
}
