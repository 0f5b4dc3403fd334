//! LastEvaluatedKey, decoded: where to go on, and which item of the table; and what happens if it is forged.

use super::request::copy;
use super::{Figure, ReadView, value_text};
use crate::editor::{CodeField, Complaint, Field, Keystroke, Language};
use crate::playground::{PageRun, Playground};
use crate::ui::live::{click, part, words, yes};
use dynascope_engine::diagnostic::Failure;
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
#[component]
pub fn CursorPanel() -> impl IntoView {
    let playground = Playground::expect();
    let view = ReadView::of(playground);
    let tampering = RwSignal::new(false);
    let body = move || {
        let figure = view.figure()?;
        let ran = !figure.run.is_empty();
        let Some(cursor) = cursor_of(&figure) else {
            let text = if ran {
                "No LastEvaluatedKey came back. Its absence, and nothing else, means the end."
            } else {
                "No LastEvaluatedKey would come back: this page reaches the end."
            };
            return Some(view! { <p class="cursor-said">{text}</p> }.into_any());
        };
        let text = json_text(&cursor);
        Some(view! {
            <Groups figure=figure.clone() cursor=cursor />
            <div class="cursor-actions">
                <button type="button" class="do" disabled=!ran on:click=click(move |_| drop(playground.run_page(false)))>"Next page"</button>
                <button type="button" class="say" on:click=click(move |_| copy(playground, text.clone()))>"Copy"</button>
                <button type="button" class="say" aria-expanded=words(move || tampering.get().to_string()) on:click=click(move |_| tampering.update(|on| *on = !*on))>
                    "Tamper"
                </button>
            </div>
            <p class="note">"Only an absent LastEvaluatedKey means the end. A short page, or an empty one, does not."</p>
        }
        .into_any())
    };
    view! {
        <section class="cursor" aria-label="Cursor">
            <h2 class="cursor-head c">
                <svg class="sign" viewBox="0 0 16 16" width="14" height="14" aria-hidden="true"><path d="M8 2l6.5 12h-13z" fill="currentColor" /></svg>
                "LastEvaluatedKey"
            </h2>
            {body}
            <Show when=move || tampering.get()>
                <Tamper />
            </Show>
        </section>
    }
}

#[component]
fn Groups(figure: Arc<Figure>, cursor: Item) -> impl IntoView {
    let list = |key: &KeySchema| {
        key.attributes()
            .map(|attribute| {
                let value = cursor.get(&attribute.name).map(value_text).unwrap_or_default();
                view! { <div><dt>{attribute.name.to_string()}</dt><dd class="mono" dir="auto">{value}</dd></div> }
            })
            .collect_view()
    };
    let index = figure.index.as_ref().map(|index| {
        view! {
            <div class="cursor-group">
                <h3>"where to go on in the index"</h3>
                <dl>{list(&index.key)}</dl>
            </div>
        }
    });
    let heading =
        if figure.index.is_some() { "and which item of the table" } else { "which item of the table to go on after" };
    view! {
        {index}
        <div class="cursor-group">
            <h3>{heading}</h3>
            <dl>{list(&figure.schema.key)}</dl>
        </div>
    }
}

const FIELD: Field =
    Field { label: "Cursor as JSON", hint: "{\"PK\": {\"S\": \"…\"}}", language: Language::Json, most: 100_000 };

/// A cursor of one's own, sent to see what the service says.
#[component]
fn Tamper() -> impl IntoView {
    let playground = Playground::expect();
    let view = ReadView::of(playground);
    let draft = RwSignal::new(
        view.reading
            .with_untracked(|reading| reading.figure.as_ref().and_then(|figure| cursor_of(figure)))
            .as_ref()
            .map(json_text)
            .unwrap_or_default(),
    );
    let answer = RwSignal::new(None::<Result<String, Failure>>);
    let broken =
        Memo::new(move |_| draft.with(|text| serde_json::from_str::<Json>(text).err().map(|fault| fault.to_string())));
    let send = move || {
        let Ok(cursor) = draft.with_untracked(|text| serde_json::from_str::<Json>(text)) else { return };
        let ask = playground.ask.get_untracked();
        let Some(Ok(request)) = playground.schema().map(|schema| ask.request(&schema, Some(&cursor))) else { return };
        let operation = ask.operation();
        let outcome = playground.send(operation, &request);
        answer.set(Some(match &outcome.result {
            Ok(response) => {
                let (shown, read) = response.counts.unwrap_or_default();
                Ok(format!("Taken as it is: {read} read, {shown} shown. DynamoDB signs nothing; a cursor handed to strangers should be."))
            }
            Err(failure) => Err(failure.clone()),
        }));
        if outcome.result.is_ok() {
            playground.pages.update(|pages| pages.push(Arc::new(PageRun { request, operation, outcome })));
        }
    };
    view! {
        <div class="cursor-tamper">
            <CodeField
                field=FIELD
                value=draft
                marked=Signal::derive(Vec::new)
                on_input=move |text| draft.set(text)
                on_key=move |key| if key == Keystroke::Run { send() }
            />
            {part(move || broken.get().map(|fault| view! { <p class="field-wrong">{fault}</p> }))}
            <button type="button" class="say" disabled=yes(move || broken.with(Option::is_some)) on:click=click(move |_| send())>
                "Send it as ExclusiveStartKey"
            </button>
            <div role="status">
                {part(move || {
                    answer
                        .get()
                        .map(|answer| match answer {
                            Ok(text) => view! { <p class="cursor-said">{text}</p> }.into_any(),
                            Err(failure) => view! { <Complaint failure=failure /> }.into_any(),
                        })
                })}
            </div>
        </div>
    }
}
