//! Many items pasted or from a file. Size is looked at before anything is read.

use super::dialog::Frame;
use super::form::Seen;
use super::import::{Progress, import_report, runs, start};
use super::item_text::place_text;
use crate::editor::{Code, Field, Keystroke, Language, code_field, megabytes};
use crate::playground::Playground;
use crate::text::{count, counted};
use crate::ui::html::Html;
use crate::ui::patch::{Deed, disabled, fill, live};
use dynascope_engine::value::document::{Complaint, ItemsRead, Spelling, read_items};
use leptos::prelude::*;
use leptos::task::spawn_local;
use std::sync::Arc;
use wasm_bindgen::JsCast;
use wasm_bindgen_futures::JsFuture;
use web_sys::HtmlInputElement;

/// Most bytes that are read.
const MOST_BYTES: usize = 8_000_000;
/// Up to so many bytes the text is read while it is typed.
const MOST_LIVE: usize = 200_000;

const FIELD: Field = Field {
    label: "Items as JSON",
    hint: "[{…}, {…}], one item a line, a Scan's answer, or a BatchWriteItem request",
    language: Language::Json,
    most: MOST_BYTES as u32,
};

const FORM: &str = "<div class=\"items-verdicts\">{!}</div>{!}<div class=\"dialog-row\">\
    <button type=\"button\" class=\"do\" data-do=\"import\"{!}>Import</button>\
    <label class=\"say items-file\">From a file<input type=\"file\" class=\"vh\" aria-label=\"From a file\" \
    accept=\".json,.jsonl,.ndjson,.txt\" data-do=\"file\"></label>\
    <button type=\"button\" class=\"say\" data-do=\"close\">Close</button>\
    <span class=\"note\">At most 8.0 MB; 25 items a BatchWriteItem.</span></div>";

fn read(text: &str) -> ItemsRead {
    read_items(text, Spelling::Auto, MOST_BYTES)
}

fn told(read: &ItemsRead) -> String {
    let spelling = if read.spelling == Spelling::DynamoDb { "DynamoDB JSON" } else { "plain JSON" };
    format!("{} understood, {spelling}", counted(read.items.len() as u64, "item", "items"))
}

fn faults(read: &ItemsRead, text: &str) -> Vec<String> {
    let line = |fault: &Complaint| format!("{}: {}", place_text(fault.span, text), fault.message);
    let mut lines: Vec<String> = read.complaints.iter().take(5).map(line).collect();
    let more = read.complaints.len().saturating_sub(5) + read.complaints_left_out;
    if more > 0 {
        lines.push(format!("and {} more", count(more as u64)));
    }
    lines
}

/// What is told while the text is typed.
fn seen(text: &str) -> Seen {
    if text.trim().is_empty() || text.len() > MOST_LIVE {
        return Seen::default();
    }
    let read = read(text);
    let mut html = Html::new();
    html.element("p", "items-verdict", &told(&read));
    for line in faults(&read, text) {
        html.element("p", "field-wrong", &line);
    }
    let marks = read.complaints.iter().map(|fault| fault.span).collect();
    Seen { html: html.finish(), marks, ..Seen::default() }
}

/// Items on their way from a text into the table.
#[derive(Clone, Copy)]
struct Pasting {
    playground: Playground,
    draft: RwSignal<String>,
    /// Why a text was not taken, or not wholly.
    refusal: RwSignal<String>,
    progress: RwSignal<Option<Progress>>,
    frame: Frame,
}

impl Pasting {
    fn import(self) {
        if untrack(|| runs(self.progress)) {
            return;
        }
        let (items, lines) = self.draft.with_untracked(|text| {
            let read = read(text);
            let lines = faults(&read, text);
            (read.items.into_iter().map(|read| read.item).collect::<Vec<_>>(), lines)
        });
        self.refusal.set(lines.join("\n"));
        if !items.is_empty() {
            start(self.playground, items, self.progress);
        }
    }

    /// Reads a chosen file into the draft, if it is small enough.
    fn take(self, input: &HtmlInputElement) {
        let Some(file) = input.files().and_then(|files| files.get(0)) else { return };
        let size = file.size() as u64;
        if size > MOST_BYTES as u64 {
            let (size, most) = (megabytes(size), megabytes(MOST_BYTES as u64));
            self.refusal.set(format!("This file has {size}; at most {most} are read here. It was not taken."));
            return;
        }
        self.refusal.set(String::new());
        spawn_local(async move {
            match JsFuture::from(file.text()).await.ok().and_then(|text| text.as_string()) {
                Some(text) => self.draft.set(text),
                None => self.refusal.set("This file could not be read.".into()),
            }
        });
    }

    /// What is below the field.
    fn html(self, seen: Memo<Seen>) -> String {
        let refusal = self.refusal.get();
        let off = runs(self.progress) || self.draft.with(|text| text.trim().is_empty());
        let report = import_report(self.progress);
        seen.with(|seen| {
            let alert = if refusal.is_empty() || !seen.html.is_empty() {
                seen.html.clone()
            } else {
                fill("<p class=\"field-wrong\" role=\"alert\">{}</p>", &[&refusal])
            };
            fill(FORM, &[&alert, &report, disabled(off)])
        })
    }

    fn act(self, deed: &Deed) {
        match deed.is() {
            ("click", "import") => self.import(),
            ("click", "stop") => self.progress.set(None),
            ("click", "close") => self.frame.close(),
            ("change", "file") => {
                if let Some(input) = deed.element.dyn_ref() {
                    self.take(input);
                }
            }
            _ => {}
        }
    }
}

/// The form.
pub fn paste_form(playground: Playground, draft: RwSignal<String>, frame: Frame) -> AnyView {
    let (refusal, progress) = (RwSignal::new(String::new()), RwSignal::new(None));
    let pasting = Pasting { playground, draft, refusal, progress, frame };
    let seen = Seen::of(move || draft.with(|text| seen(text)));
    let code = Code {
        field: FIELD,
        value: Arc::new(move || draft.get()),
        marked: Arc::new(move || seen.with(|seen| seen.marks.clone())),
        on_input: Arc::new(move |text| {
            refusal.set(String::new());
            draft.set(text);
        }),
        on_key: Arc::new(move |key| {
            if key == Keystroke::Run {
                pasting.import();
            }
        }),
    };
    vec![code_field(code), live(move || pasting.html(seen), move |deed| pasting.act(deed))].into_any()
}
