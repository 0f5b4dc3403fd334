//! Many items pasted or from a file. Size is looked at before anything is read.

use super::drafts;
use super::form::Seen;
use super::import::{Progress, import_report, start};
use super::item_text::place_text;
use crate::editor::{Code, Field, Keystroke, Language, code_field, megabytes};
use crate::playground::Playground;
use crate::text::{count, counted};
use crate::ui::html::{Html, block};
use crate::ui::live::{click, input, yes};
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

/// Reads a chosen file into the draft, if it is small enough.
fn take_file(input: &HtmlInputElement, draft: RwSignal<String>, refusal: RwSignal<String>) {
    let Some(file) = input.files().and_then(|files| files.get(0)) else { return };
    let size = file.size() as u64;
    if size > MOST_BYTES as u64 {
        let (size, most) = (megabytes(size), megabytes(MOST_BYTES as u64));
        refusal.set(format!("This file has {size}; at most {most} are read here. It was not taken."));
        return;
    }
    refusal.set(String::new());
    // `text()` of a Blob, which web-sys offers only with the whole Blob interface.
    let promise = js_sys::Reflect::get(&file, &"text".into())
        .and_then(JsCast::dyn_into::<js_sys::Function>)
        .and_then(|text| text.call0(&file))
        .and_then(JsCast::dyn_into::<js_sys::Promise>);
    if let Ok(promise) = promise {
        spawn_local(async move {
            match JsFuture::from(promise).await.ok().and_then(|text| text.as_string()) {
                Some(text) => draft.set(text),
                None => refusal.set("This file could not be read.".into()),
            }
        });
    }
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
    Seen { html: html.finish(), marks: read.complaints.iter().map(|fault| fault.span).collect(), good: true }
}

/// The form.
pub fn paste_form(done: Callback<()>) -> AnyView {
    let playground = Playground::expect();
    let draft = drafts().pasted;
    let refusal = RwSignal::new(String::new());
    let progress = RwSignal::new(None);
    let seen = Seen::of(move || draft.with(|text| seen(text)));
    let running = move || progress.with(|now: &Option<Progress>| now.as_ref().is_some_and(|now| !now.is_over()));
    let import = move || {
        if untrack(running) {
            return;
        }
        let (items, lines) = draft.with_untracked(|text| {
            let read = read(text);
            let lines = faults(&read, text);
            (read.items.into_iter().map(|read| read.item).collect::<Vec<_>>(), lines)
        });
        refusal.set(lines.join("\n"));
        if !items.is_empty() {
            start(playground, items, progress);
        }
    };
    let alert = move || {
        let (text, seen) = (refusal.get(), seen.with(|seen| seen.html.clone()));
        if text.is_empty() || !seen.is_empty() {
            return seen;
        }
        Html::new().raw("<p class=\"field-wrong\" role=\"alert\">").text(&text).close("p").finish()
    };
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
                import();
            }
        }),
    };
    view! {
        {code_field(code)}
        {block("items-verdicts", alert)}
        {import_report(progress)}
        <div class="dialog-row">
            <button type="button" class="do" disabled=yes(move || running() || draft.with(|text| text.trim().is_empty())) on:click=click(move |_| import())>"Import"</button>
            <label class="say items-file">
                "From a file"
                <input
                    type="file"
                    class="vh"
                    accept=".json,.jsonl,.ndjson,.txt"
                    on:change=input(move |event| take_file(&event_target::<HtmlInputElement>(&event), draft, refusal))
                />
            </label>
            <button type="button" class="say" on:click=click(move |_| done.run(()))>"Close"</button>
            <span class="note">"At most 8.0 MB; 25 items a BatchWriteItem."</span>
        </div>
    }
    .into_any()
}
