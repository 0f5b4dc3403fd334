//! One item: its JSON, its size, where it would land, and what the service would say to it.

use super::Drafts;
use super::dialog::Frame;
use super::import::cost_text;
use super::item_text::{MOST_BYTES, blank, item_text, landing, place_text, refusal};
use crate::editor::{Code, Field, Keystroke, Language, code_field, complaint};
use crate::playground::Playground;
use crate::text::counted;
use crate::ui::html::Html;
use crate::ui::patch::{Deed, disabled, fill, live};
use dynascope_engine::capacity::write_cost;
use dynascope_engine::diagnostic::{Failure, Span};
use dynascope_engine::session::Outcome;
use dynascope_engine::table::Schema;
use dynascope_engine::value::document::{Complaint as Fault, Document, Spelling, read_item};
use dynascope_engine::value::{Item, item_to_json};
use leptos::prelude::*;
use serde_json::json;
use std::sync::Arc;
use wasm_bindgen::JsCast;
use web_sys::HtmlInputElement;

const FIELD: Field = Field {
    label: "Item as JSON",
    hint: "{\"PK\": \"…\", \"SK\": \"…\", \"status\": \"open\"}",
    language: Language::Json,
    most: MOST_BYTES as u32,
};

const FORM: &str = "<div class=\"items-verdicts\">{!}{!}</div><label class=\"items-check\">\
    <input type=\"checkbox\" data-do=\"only-new\">only if the key is new <code>attribute_not_exists</code></label>\
    <div class=\"dialog-row\"><button type=\"button\" class=\"do\" data-do=\"save\"{!}>Save</button>{!}\
    <button type=\"button\" class=\"say\" data-do=\"close\">Close</button>\
    <span class=\"note\">Ctrl+Enter saves. What is typed is kept when you close.</span></div>";
const DELETE: &str = "<button type=\"button\" class=\"say\" data-do=\"delete\">Delete</button>";

/// What is told of a text while it is typed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Seen {
    /// As markup.
    pub html: String,
    /// What the service would refuse it with, as markup.
    pub refusal: String,
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
    /// What the service did refuse it with, as markup.
    refused: RwSignal<String>,
    frame: Frame,
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
            return self.refused.set(complaint_html(failure));
        }
        if self.changes {
            self.drafts.changed.set(None);
        } else {
            self.drafts.new.set(String::new());
        }
        self.playground.say([what, &cost_text(&outcome.trace), "."].concat());
        self.frame.close();
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

    fn delete(self) {
        let stored = self.drafts.changed.with_untracked(|changed| Some(changed.as_ref()?.0.clone()));
        let key = self.schema.with_value(|schema| Some(schema.as_ref()?.key_of(stored.as_ref()?)));
        let Some(key) = key else { return };
        let request = json!({"TableName": self.playground.table.get_untracked(), "Key": item_to_json(&key)});
        self.finish(&self.playground.send("DeleteItem", &request), "Deleted: ");
    }

    /// Size, spelling and landing place, or what is wrong and where.
    fn look(self) -> Seen {
        let text = self.text();
        match read_item(&text, Spelling::Auto, MOST_BYTES) {
            Err(faults) => broken(&faults, &text),
            Ok(document) => {
                let schema = self.schema.get_value();
                let refusal = schema.as_ref().and_then(|schema| refusal(schema, &document.item));
                Seen {
                    html: self.told(schema.as_ref(), &document),
                    refusal: refusal.as_ref().map(complaint_html).unwrap_or_default(),
                    marks: Vec::new(),
                    good: true,
                }
            }
        }
    }

    fn told(self, schema: Option<&Schema>, document: &Document) -> String {
        let bytes = document.item.size_bytes() as u64;
        let mut html = Html::new();
        html.open("p", "items-verdict");
        html.raw(if document.spelling == Spelling::DynamoDb { "DynamoDB JSON, " } else { "plain JSON, " });
        html.element("strong", "", &counted(bytes, "byte", "bytes")).raw(", ");
        html.element("strong", "", &(write_cost(bytes).to_string() + " WCU"));
        if let Some(landing) = schema.and_then(|schema| landing(self.playground, schema, &document.item)) {
            html.raw(", ").text(&landing);
        }
        html.close("p").finish()
    }

    /// What is below the field. What the service did say takes the place of what it would say: mostly they are one.
    fn html(self, seen: Memo<Seen>) -> String {
        let refused = self.refused.get();
        let delete = if self.changes { DELETE } else { "" };
        seen.with(|seen| {
            let refusal = if refused.is_empty() { &seen.refusal } else { &refused };
            fill(FORM, &[&seen.html, refusal, disabled(!seen.good), delete])
        })
    }

    fn act(self, deed: &Deed) {
        match deed.is() {
            ("click", "save") => self.save(),
            ("click", "delete") => self.delete(),
            ("click", "close") => self.frame.close(),
            ("change", "only-new") => {
                let field = deed.element.dyn_ref::<HtmlInputElement>();
                self.only_new.set(field.is_some_and(HtmlInputElement::checked));
            }
            _ => {}
        }
    }
}

fn complaint_html(failure: &Failure) -> String {
    let mut html = Html::new();
    complaint(&mut html, failure, false);
    html.finish()
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
    let marks = faults.iter().map(|fault| fault.span).collect();
    Seen { html: html.finish(), marks, ..Seen::default() }
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
pub fn item_form(playground: Playground, drafts: Drafts, stored: Option<&Arc<Item>>, frame: Frame) -> AnyView {
    let schema = playground.schema();
    begin(drafts, schema.as_ref(), stored);
    let typing = Typing {
        playground,
        schema: StoredValue::new(schema),
        changes: stored.is_some(),
        drafts,
        only_new: RwSignal::new(false),
        refused: RwSignal::new(String::new()),
        frame,
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
    vec![code_field(code), live(move || typing.html(seen), move |deed| typing.act(deed))].into_any()
}

#[cfg(test)]
mod tests {
    use super::super::dialog::Open;
    use super::*;

    #[test]
    fn a_refusal_is_told_once_before_and_after_it_is_sent() {
        let owner = Owner::new();
        owner.set();
        let playground = crate::pane::items::orders();
        let drafts = Drafts {
            open: RwSignal::new(Open::New),
            new: RwSignal::new("{\"PK\": \"<b>\"}".to_owned()),
            changed: RwSignal::new(None),
            pasted: RwSignal::new(String::new()),
        };
        let typing = Typing {
            playground,
            schema: StoredValue::new(playground.schema()),
            changes: false,
            drafts,
            only_new: RwSignal::new(false),
            refused: RwSignal::new(String::new()),
            frame: Frame::default(),
        };
        let seen = Seen::of(move || typing.look());
        let before = untrack(|| typing.html(seen));
        assert_eq!(before.matches("Missing the key SK in the item").count(), 1, "{before}");
        assert!(before.contains("data-do=\"save\">Save</button><button"), "{before}");
        typing.save();
        assert!(!typing.refused.get_untracked().is_empty());
        assert_eq!(untrack(|| typing.html(seen)), before);
    }
}
