//! Many items pasted or from a file. Size is looked at before anything is read.

use super::drafts;
use super::form::place_text;
use super::import::{ImportReport, start};
use crate::editor::{CodeField, Field, Keystroke, Language, megabytes};
use crate::playground::Playground;
use crate::text::{count, counted};
use crate::ui::live::{click, input, part, yes};
use dynascope_engine::value::document::{Complaint, ItemsRead, Spelling, read_items};
use leptos::prelude::*;
use leptos::task::spawn_local;
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
fn take_file(input: &HtmlInputElement, draft: RwSignal<String>, refusal: RwSignal<Option<String>>) {
    let Some(file) = input.files().and_then(|files| files.get(0)) else { return };
    let size = file.size() as u64;
    if size > MOST_BYTES as u64 {
        let (size, most) = (megabytes(size), megabytes(MOST_BYTES as u64));
        refusal.set(Some(format!("This file has {size}; at most {most} are read here. It was not taken.")));
        return;
    }
    refusal.set(None);
    // `text()` of a Blob, which web-sys offers only with the whole Blob interface.
    let promise = js_sys::Reflect::get(&file, &"text".into())
        .and_then(JsCast::dyn_into::<js_sys::Function>)
        .and_then(|text| text.call0(&file))
        .and_then(JsCast::dyn_into::<js_sys::Promise>);
    if let Ok(promise) = promise {
        spawn_local(async move {
            match JsFuture::from(promise).await.ok().and_then(|text| text.as_string()) {
                Some(text) => draft.set(text),
                None => refusal.set(Some("This file could not be read.".into())),
            }
        });
    }
}

/// The form.
#[component]
pub fn PasteForm(done: Callback<()>) -> impl IntoView {
    let playground = Playground::expect();
    let draft = drafts().pasted;
    let refusal = RwSignal::new(None::<String>);
    let progress = RwSignal::new(None);
    let seen = Memo::new(move |_| {
        draft.with(|text| {
            (!text.trim().is_empty() && text.len() <= MOST_LIVE).then(|| {
                let read = read(text);
                (told(&read), faults(&read, text), read.complaints.iter().map(|fault| fault.span).collect::<Vec<_>>())
            })
        })
    });
    let marked =
        Memo::new(move |_| seen.with(|seen| seen.as_ref().map(|(.., marks)| marks.clone()).unwrap_or_default()));
    let running =
        move || progress.with(|now: &Option<super::import::Progress>| now.as_ref().is_some_and(|now| !now.is_over()));
    let import = move || {
        if running() {
            return;
        }
        let (items, lines) = draft.with_untracked(|text| {
            let read = read(text);
            let lines = faults(&read, text);
            (read.items.into_iter().map(|read| read.item).collect::<Vec<_>>(), lines)
        });
        refusal.set((!lines.is_empty()).then(|| lines.join("\n")));
        if !items.is_empty() {
            start(playground, items, progress);
        }
    };
    view! {
        <CodeField
            field=FIELD
            value=draft
            marked=marked
            on_input=move |text| { refusal.set(None); draft.set(text) }
            on_key=move |key| if key == Keystroke::Run { import() }
        />
        <div class="items-verdicts">
            {part(move || seen.get().map(|(told, lines, _)| view! {
                <p class="items-verdict">{told}</p>
                {lines.into_iter().map(|line| view! { <p class="field-wrong">{line}</p> }).collect_view()}
            }))}
            {part(move || refusal.get().filter(|_| seen.with(Option::is_none)).map(|text| view! { <p class="field-wrong" role="alert">{text}</p> }))}
        </div>
        <ImportReport progress=progress />
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
            <span class="note">{format!("At most {}; 25 items a BatchWriteItem.", megabytes(MOST_BYTES as u64))}</span>
        </div>
    }
}
