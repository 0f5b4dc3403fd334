//! The text area and the coloured text beneath it.

use super::segments;
use crate::text::count;
use crate::ui::live::{key, part, words};
use dynascope_engine::diagnostic::Span;
use leptos::prelude::*;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{HtmlTextAreaElement, KeyboardEvent};

/// Longer texts are not coloured: the page would have to lay them out twice.
const MOST_COLOURED: usize = 20_000;

/// What is typed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// One of DynamoDB's expressions: Enter runs, Shift+Enter breaks the line.
    Expression,
    /// Items: Enter breaks the line.
    Json,
}

/// A keystroke that means more than a character.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keystroke {
    /// Ctrl+Enter; in an expression Enter too.
    Run,
    /// Ctrl and the full stop.
    Fix,
}

/// What does not change about a field.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    /// For screen readers.
    pub label: &'static str,
    /// In the empty field.
    pub hint: &'static str,
    /// What is typed.
    pub language: Language,
    /// Most UTF-16 units that are looked at.
    pub most: u32,
}

impl Field {
    fn refused(self, length: u32) -> String {
        let [length, most] = [length, self.most].map(|units| megabytes(u64::from(units)));
        format!(
            "This text has {length}; at most {most} are read here. It was not taken, and what stood here is still here."
        )
    }
}

/// `50.0 MB`, `812 KB`.
pub fn megabytes(bytes: u64) -> String {
    if bytes < 100_000 {
        return format!("{} bytes", count(bytes));
    }
    let tenths = bytes / 100_000;
    format!("{}.{} MB", tenths / 10, tenths % 10)
}

/// A text area that shows what is wrong in its own text.
#[component]
pub fn CodeField(
    /// Name, language, limit.
    field: Field,
    /// The text.
    #[prop(into)]
    value: Signal<String>,
    /// Bytes with something wrong.
    #[prop(into)]
    marked: Signal<Vec<Span>>,
    /// Called with the text as it is typed.
    #[prop(into)]
    on_input: Callback<String>,
    /// Called for the keystrokes that mean more.
    #[prop(into)]
    on_key: Callback<Keystroke>,
) -> impl IntoView {
    let refusal = RwSignal::new(None::<String>);
    let plain = move || value.with(|text| text.len() > MOST_COLOURED);
    let typed = move |event: web_sys::Event| {
        let Some(area) = event.target().and_then(|target| target.dyn_into::<HtmlTextAreaElement>().ok()) else {
            return;
        };
        let length = area.text_length();
        if length > field.most {
            area.set_value(&value.get_untracked());
            refusal.set(Some(field.refused(length)));
        } else {
            refusal.set(None);
            on_input.run(area.value());
        }
    };
    let pasted = move |event: web_sys::Event| {
        if let Some(length) = pasted_length(&event).filter(|length| *length > field.most) {
            event.prevent_default();
            refusal.set(Some(field.refused(length)));
        }
    };
    let coloured = move || {
        let marks = marked.get();
        value.with(|text| {
            let pieces = if text.len() > MOST_COLOURED { Vec::new() } else { segments(text, field.language, &marks) };
            pieces
                .into_iter()
                .map(|piece| view! { <span class=piece.class class:code-wrong=piece.marked>{piece.text}</span> })
                .collect_view()
        })
    };
    view! {
        <div class="code" class:code-plain=plain class:code-json=field.language == Language::Json>
            <pre class="code-under" aria-hidden="true">{coloured}" "</pre>
            <textarea
                class="code-text"
                rows="1"
                spellcheck="false"
                autocapitalize="off"
                autocomplete="off"
                aria-label=field.label
                placeholder=field.hint
                aria-invalid=words(move || marked.with(|marks| (!marks.is_empty()).to_string()))
                prop:value=words(move || value.get())
                on:input=typed
                on:paste=move |event| pasted(event.into())
                on:keydown=key(move |event| {
                    if let Some(meaning) = meaning(&event, field.language) {
                        event.prevent_default();
                        on_key.run(meaning);
                    }
                }
            )></textarea>
        </div>
        {part(move || refusal.get().map(|text| view! { <p class="field-wrong" role="alert">{text}</p> }))}
    }
}

fn meaning(event: &KeyboardEvent, language: Language) -> Option<Keystroke> {
    // While an input method composes, Enter chooses a candidate.
    if event.is_composing() || event.key_code() == 229 {
        return None;
    }
    let control = event.ctrl_key() || event.meta_key();
    match event.key().as_str() {
        "Enter" if control => Some(Keystroke::Run),
        "Enter" if language == Language::Expression && !event.shift_key() => Some(Keystroke::Run),
        "." if control => Some(Keystroke::Fix),
        _ => None,
    }
}

/// How long a pasted text is, without copying it.
fn pasted_length(event: &web_sys::Event) -> Option<u32> {
    let clipboard = js_sys::Reflect::get(event.as_ref(), &"clipboardData".into()).ok()?;
    let get: js_sys::Function = js_sys::Reflect::get(&clipboard, &"getData".into()).ok()?.dyn_into().ok()?;
    let text: JsValue = get.call1(&clipboard, &"text/plain".into()).ok()?;
    text.dyn_into::<js_sys::JsString>().ok().map(|text| text.length())
}
