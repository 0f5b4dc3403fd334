//! LastEvaluatedKey, decoded: where to go on, and which item of the table; and what happens if it is forged.

use super::request::copy;
use super::{Figure, ReadView, value_text};
use crate::editor::{Code, Field, Keystroke, Language, code_field, complaint};
use crate::playground::{PageRun, Playground};
use crate::ui::html::{Html, contents, when};
use crate::ui::live::{click, words, yes};
use dynascope_engine::table::KeySchema;
use dynascope_engine::value::{Item, item_to_json};
use leptos::prelude::*;
use serde_json::Value as Json;
use std::sync::Arc;

fn cursor_of(figure: &Figure) -> Option<Item> {
    figure.shown().and_then(|facts| facts.cursor.clone())
}

fn json_text(cursor: &Item) -> String {
    serde_json::to_string_pretty(&item_to_json(cursor)).unwrap_or_default()
}

/// The cursor beside the result.
pub fn cursor_panel(view: ReadView) -> AnyView {
    let tampering = RwSignal::new(false);
    let stands = move || view.figure().is_some_and(|figure| cursor_of(&figure).is_some());
    view! {
        <section class="cursor" aria-label="Cursor">
            <h2 class="cursor-head c">
                <svg class="sign" viewBox="0 0 16 16" width="14" height="14" aria-hidden="true"><path d="M8 2l6.5 12h-13z" fill="currentColor" /></svg>
                "LastEvaluatedKey"
            </h2>
            {contents(move || view.figure().map(|figure| told(&figure)).unwrap_or_default())}
            {when(stands, move || actions(view, tampering))}
            {when(move || tampering.get(), move || tamper(view))}
        </section>
    }
    .into_any()
}

fn actions(view: ReadView, tampering: RwSignal<bool>) -> AnyView {
    let playground = Playground::expect();
    let foreseen = move || view.figure().is_none_or(|figure| figure.run.is_empty());
    let text = move || view.figure().and_then(|figure| cursor_of(&figure)).as_ref().map(json_text).unwrap_or_default();
    view! {
        <div class="cursor-actions">
            <button type="button" class="do" disabled=yes(foreseen) on:click=click(move |_| drop(playground.run_page(false)))>"Next page"</button>
            <button type="button" class="say" on:click=click(move |_| copy(playground, untrack(text)))>"Copy"</button>
            <button type="button" class="say" aria-expanded=words(move || tampering.get().to_string()) on:click=click(move |_| tampering.update(|on| *on = !*on))>
                "Tamper"
            </button>
        </div>
        <p class="note">"Only an absent LastEvaluatedKey means the end. A short page, or an empty one, does not."</p>
    }
    .into_any()
}

/// Its two keys, or that there is none.
fn told(figure: &Figure) -> String {
    let mut html = Html::new();
    let Some(cursor) = cursor_of(figure) else {
        let text = if figure.run.is_empty() {
            "No LastEvaluatedKey would come back: this page reaches the end."
        } else {
            "No LastEvaluatedKey came back. Its absence, and nothing else, means the end."
        };
        return html.element("p", "cursor-said", text).finish();
    };
    let mut heading = "which item of the table to go on after";
    if let Some(index) = &figure.index {
        group(&mut html, "where to go on in the index", &index.key, &cursor);
        heading = "and which item of the table";
    }
    group(&mut html, heading, &figure.schema.key, &cursor);
    html.finish()
}

fn group(html: &mut Html, heading: &str, key: &KeySchema, cursor: &Item) {
    html.open("div", "cursor-group").element("h3", "", heading).raw("<dl>");
    for attribute in key.attributes() {
        let value = cursor.get(&attribute.name).map(value_text).unwrap_or_default();
        html.raw("<div>").element("dt", "", &attribute.name).raw("<dd class=\"mono\" dir=\"auto\">").text(&value);
        html.raw("</dd></div>");
    }
    html.raw("</dl></div>");
}

const FIELD: Field =
    Field { label: "Cursor as JSON", hint: "{\"PK\": {\"S\": \"…\"}}", language: Language::Json, most: 100_000 };

/// A cursor of one's own, sent to see what the service says.
fn tamper(view: ReadView) -> AnyView {
    let playground = Playground::expect();
    let cursor = view.reading.with_untracked(|reading| reading.figure.as_deref().and_then(cursor_of));
    let draft = RwSignal::new(cursor.as_ref().map(json_text).unwrap_or_default());
    let answer = RwSignal::new(String::new());
    let parsed = move || draft.with(|text| serde_json::from_str::<Json>(text));
    let broken = move || match parsed() {
        Ok(_) => String::new(),
        Err(fault) => Html::new().element("p", "field-wrong", &fault.to_string()).finish(),
    };
    let send = move || {
        if let Ok(cursor) = untrack(parsed) {
            answer.set(send(playground, &cursor).unwrap_or_default());
        }
    };
    let code = Code {
        field: FIELD,
        value: Arc::new(move || draft.get()),
        marked: Arc::new(Vec::new),
        on_input: Arc::new(move |text| draft.set(text)),
        on_key: Arc::new(move |key| {
            if key == Keystroke::Run {
                send();
            }
        }),
    };
    view! {
        <div class="cursor-tamper">
            {code_field(code)}
            {contents(broken)}
            <button type="button" class="say" disabled=yes(move || parsed().is_err()) on:click=click(move |_| send())>
                "Send it as ExclusiveStartKey"
            </button>
            <div role="status" inner_html=words(move || answer.get())></div>
        </div>
    }
    .into_any()
}

/// Sends it, and says what came of it.
fn send(playground: Playground, cursor: &Json) -> Option<String> {
    let ask = playground.ask.get_untracked();
    let request = ask.request(&playground.schema()?, Some(cursor)).ok()?;
    let operation = ask.operation();
    let outcome = playground.send_read(operation, &request);
    let mut html = Html::new();
    match &outcome.result {
        Ok(response) => {
            let (shown, read) = response.counts.unwrap_or_default();
            let text = format!(
                "Taken as it is: {read} read, {shown} shown. DynamoDB signs nothing; a cursor handed to strangers should be."
            );
            html.element("p", "cursor-said", &text);
            playground.pages.update(|pages| pages.push(Arc::new(PageRun { request, operation, outcome })));
        }
        Err(failure) => complaint(&mut html, failure, false),
    }
    Some(html.finish())
}
