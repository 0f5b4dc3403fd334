//! The text area and the coloured text beneath it.

use super::segments;
use crate::text::count;
use crate::ui::html::Html;
use crate::ui::patch::{Deed, drawn, fill, set_field, truth};
use dynascope_engine::diagnostic::Span;
use leptos::prelude::*;
use std::sync::Arc;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Element, Event, HtmlTextAreaElement, KeyboardEvent};

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
    /// For screen readers, and the control's name in its block.
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
        [
            "This text has ",
            &length,
            "; at most ",
            &most,
            " are read here. It was not taken, and what stood here is still here.",
        ]
        .concat()
    }
}

/// `50.0 MB`, `99,812 bytes`.
pub fn megabytes(bytes: u64) -> String {
    if bytes < 100_000 {
        return count(bytes) + " bytes";
    }
    let tenths = bytes / 100_000;
    format!("{}.{} MB", tenths / 10, tenths % 10)
}

/// What was done in a field.
pub enum Heard {
    /// The text that stands in it now.
    Typed(String),
    /// A keystroke that means more.
    Key(Keystroke),
}

/// A field as a part of a block: its markup, and what its events mean.
#[derive(Clone, Copy)]
pub struct Entry {
    /// What does not change.
    pub field: Field,
    /// Why a text was not taken; empty if it was.
    refusal: RwSignal<String>,
}

impl Entry {
    /// Nothing refused yet.
    pub fn new(field: Field) -> Self {
        Self { field, refusal: RwSignal::new(String::new()) }
    }

    /// The field without its text, which [`Entry::show`] puts in: it may be megabytes.
    pub fn html(self, text: &str, marks: &[Span]) -> String {
        let field = self.field;
        let is_plain = text.len() > MOST_COLOURED;
        let coloured = if is_plain { String::new() } else { coloured(text, field.language, marks) };
        let refusal = self.refusal.get();
        let alert = if refusal.is_empty() { "" } else { "<p class=\"field-wrong\" role=\"alert\">{}</p>" };
        fill(
            // A last line break would have no height without something after it.
            "<div class=\"code{}{}\"><pre class=\"code-under\" aria-hidden=\"true\">{!} </pre>\
             <textarea class=\"code-text\" rows=\"1\" spellcheck=\"false\" autocapitalize=\"off\" autocomplete=\"off\" \
             aria-label=\"{}\" placeholder=\"{}\" aria-invalid=\"{}\" data-do=\"{}\"></textarea></div>\
             <div class=\"live\">{!}</div>",
            &[
                if is_plain { " code-plain" } else { "" },
                if field.language == Language::Json { " code-json" } else { "" },
                &coloured,
                field.label,
                field.hint,
                truth(!marks.is_empty()),
                field.label,
                &fill(alert, &[&refusal]),
            ],
        )
    }

    /// Puts the text into the field, unless it is there.
    pub fn show(self, block: &Element, text: &str) {
        set_field(block, self.field.label, text);
    }

    /// What a deed in this field means. A text that is too long is not taken: `kept` stays.
    pub fn hear(self, deed: &Deed, kept: &dyn Fn() -> String) -> Option<Heard> {
        let most = self.field.most;
        let area = deed.element.dyn_ref::<HtmlTextAreaElement>().filter(|_| deed.name == self.field.label)?;
        match deed.kind.as_str() {
            "input" => {
                let length = area.text_length();
                if length <= most {
                    self.refusal.set(String::new());
                    return Some(Heard::Typed(area.value()));
                }
                area.set_value(&untrack(kept));
                self.refusal.set(self.field.refused(length));
            }
            "paste" => {
                let length = pasted_length(&deed.event).filter(|length| *length > most)?;
                deed.event.prevent_default();
                self.refusal.set(self.field.refused(length));
            }
            "keydown" => {
                let meaning = meaning(deed.event.dyn_ref::<KeyboardEvent>()?, self.field.language)?;
                deed.event.prevent_default();
                return Some(Heard::Key(meaning));
            }
            _ => {}
        }
        None
    }
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

/// A text area that shows what is wrong in its own text, as a block of its own.
pub fn code_field(code: Code) -> AnyView {
    let entry = Entry::new(code.field);
    let Code { value, marked, on_input, on_key, .. } = code;
    let (text, kept) = (value.clone(), value.clone());
    drawn(
        move || entry.html(&text(), &marked()),
        move |deed| match entry.hear(deed, &*kept) {
            Some(Heard::Typed(text)) => on_input(text),
            Some(Heard::Key(key)) => on_key(key),
            None => {}
        },
        move |block| entry.show(block, &value()),
    )
}

fn coloured(text: &str, language: Language, marks: &[Span]) -> String {
    let mut html = Html::new();
    for piece in segments(text, language, marks) {
        html.raw("<span class=\"").raw(piece.class).raw(if piece.marked { " code-wrong\">" } else { "\">" });
        html.text(piece.text).close("span");
    }
    html.finish()
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
fn pasted_length(event: &Event) -> Option<u32> {
    let clipboard = js_sys::Reflect::get(event.as_ref(), &"clipboardData".into()).ok()?;
    let get: js_sys::Function = js_sys::Reflect::get(&clipboard, &"getData".into()).ok()?.dyn_into().ok()?;
    let text: JsValue = get.call1(&clipboard, &"text/plain".into()).ok()?;
    text.dyn_into::<js_sys::JsString>().ok().map(|text| text.length())
}
