//! The text area and the coloured text beneath it.

use super::segments;
use crate::text::count;
use crate::ui::html::{Html, contents};
use crate::ui::live::{input, key, words, yes};
use dynascope_engine::diagnostic::Span;
use leptos::prelude::*;
use std::sync::Arc;
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

/// A field's text, its marks, and what typing in it does.
#[derive(Clone)]
pub struct Code {
    /// Name, language, limit.
    pub field: Field,
    /// The text.
    pub value: Arc<dyn Fn() -> String + Send + Sync>,
    /// Bytes with something wrong.
    pub marked: Arc<dyn Fn() -> Vec<Span> + Send + Sync>,
    /// Called with the text as it is typed.
    pub on_input: Arc<dyn Fn(String) + Send + Sync>,
    /// Called for the keystrokes that mean more.
    pub on_key: Arc<dyn Fn(Keystroke) + Send + Sync>,
}

impl Code {
    fn is_plain(&self) -> bool {
        (self.value)().len() > MOST_COLOURED
    }

    fn coloured(&self) -> String {
        let (text, marks) = ((self.value)(), (self.marked)());
        let mut html = Html::new();
        if text.len() <= MOST_COLOURED {
            for piece in segments(&text, self.field.language, &marks) {
                html.raw("<span class=\"").raw(piece.class).raw(if piece.marked { " code-wrong\">" } else { "\">" });
                html.text(&piece.text).close("span");
            }
        }
        // A last line break would have no height without something after it.
        html.raw(" ").finish()
    }

    fn typed(&self, event: &web_sys::Event, refusal: RwSignal<String>) {
        let Some(area) = event.target().and_then(|target| target.dyn_into::<HtmlTextAreaElement>().ok()) else {
            return;
        };
        let length = area.text_length();
        if length > self.field.most {
            area.set_value(&untrack(|| (self.value)()));
            refusal.set(self.field.refused(length));
        } else {
            refusal.set(String::new());
            (self.on_input)(area.value());
        }
    }

    fn pressed(&self, event: &KeyboardEvent) {
        if let Some(meaning) = meaning(event, self.field.language) {
            event.prevent_default();
            (self.on_key)(meaning);
        }
    }
}

/// A text area that shows what is wrong in its own text.
pub fn code_field(code: Code) -> AnyView {
    let refusal = RwSignal::new(String::new());
    let field = code.field;
    let pasted = move |event: web_sys::Event| {
        if let Some(length) = pasted_length(&event).filter(|length| *length > field.most) {
            event.prevent_default();
            refusal.set(field.refused(length));
        }
    };
    let alert = move || {
        let text = refusal.get();
        if text.is_empty() {
            return text;
        }
        Html::new().raw("<p class=\"field-wrong\" role=\"alert\">").text(&text).close("p").finish()
    };
    let [plain, under, wrong, typed, keyed] = std::array::from_fn(|_| code.clone());
    view! {
        <div class="code" class:code-plain=yes(move || plain.is_plain()) class:code-json=field.language == Language::Json>
            <pre class="code-under" aria-hidden="true" inner_html=words(move || under.coloured())></pre>
            <textarea
                class="code-text"
                rows="1"
                spellcheck="false"
                autocapitalize="off"
                autocomplete="off"
                aria-label=field.label
                placeholder=field.hint
                aria-invalid=words(move || (!(wrong.marked)().is_empty()).to_string())
                prop:value=words(move || (code.value)())
                on:input=input(move |event| typed.typed(&event, refusal))
                on:paste=move |event| pasted(event.into())
                on:keydown=key(move |event| keyed.pressed(&event))
            ></textarea>
        </div>
        {contents(alert)}
    }
    .into_any()
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
