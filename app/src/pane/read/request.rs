//! The request as JSON, and the answer once there is one.

use super::{Fault, ReadView};
use crate::clipboard;
use crate::playground::Playground;
use crate::ui::html::when;
use crate::ui::live::{click, words};
use leptos::prelude::*;
use leptos::task::spawn_local;

/// Longest answer that is shown in full.
const MOST_SHOWN: usize = 20_000;

fn pretty(json: &serde_json::Value) -> String {
    serde_json::to_string_pretty(json).unwrap_or_default()
}

/// Copies and says so.
pub fn copy(playground: Playground, text: String) {
    spawn_local(async move {
        if clipboard::copy(&text).await {
            playground.say("Copied.");
        } else {
            playground.complain("The browser does not let this page copy. Select the text and copy it by hand.");
        }
    });
}

/// The request as it was sent, or as it would be.
fn request(playground: Playground, view: ReadView) -> String {
    if let Some(sent) = playground.pages.with(|pages| pages.last().map(|page| pretty(&page.request))) {
        return sent;
    }
    view.reading.track();
    match playground.next_request() {
        Ok((_, body)) => pretty(&body),
        Err(fault) => Fault::Field(fault).message(),
    }
}

fn heading(playground: Playground) -> String {
    match playground.pages.with(|pages| pages.last().map(|page| page.operation)) {
        Some(operation) => [operation, ", as it was sent"].concat(),
        None => [playground.ask.with(crate::ask::Ask::operation), ", as it would be sent"].concat(),
    }
}

fn answer(playground: Playground) -> String {
    let page = playground.pages.with(|pages| pages.last().cloned());
    page.map(|page| match &page.outcome.result {
        Ok(response) => pretty(&response.to_json()),
        Err(failure) => failure.headline(),
    })
    .unwrap_or_default()
}

/// Its beginning, if it is long.
fn beginning(text: String) -> String {
    match text.char_indices().nth(MOST_SHOWN) {
        Some((end, _)) => [&text[..end], "\n…"].concat(),
        None => text,
    }
}

/// Request and answer.
pub fn request_json(view: ReadView) -> AnyView {
    let playground = Playground::expect();
    let answered = move || playground.pages.with(|pages| !pages.is_empty());
    view! {
        <div class="ask-json">
            <div class="ask-json-head">
                <h2>{words(move || heading(playground))}</h2>
                <button type="button" class="say" on:click=click(move |_| copy(playground, untrack(|| request(playground, view))))>"Copy request"</button>
            </div>
            <pre class="json" tabindex="0" aria-label="Request">{words(move || request(playground, view))}</pre>
            {when(answered, move || answer_json(playground))}
        </div>
    }
    .into_any()
}

fn answer_json(playground: Playground) -> AnyView {
    view! {
        <div class="ask-json-head">
            <h2>"Answer"</h2>
            <button type="button" class="say" on:click=click(move |_| copy(playground, untrack(|| answer(playground))))>"Copy answer"</button>
        </div>
        <pre class="json" tabindex="0" aria-label="Answer">{words(move || beginning(answer(playground)))}</pre>
    }
    .into_any()
}
