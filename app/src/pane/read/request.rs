//! The request as JSON, and the answer once there is one.

use super::{Fault, ReadView};
use crate::clipboard;
use crate::playground::Playground;
use crate::ui::live::{click, part};
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

/// Request and answer.
#[component]
pub fn RequestJson() -> impl IntoView {
    let playground = Playground::expect();
    let view = ReadView::of(playground);
    let request = move || {
        view.reading.track();
        match playground.next_request() {
            Ok((_, body)) => pretty(&body),
            Err(fault) => Fault::Field(fault).message(),
        }
    };
    let sent = move || playground.pages.with(|pages| pages.last().map(|page| (page.operation, pretty(&page.request))));
    let shown = move || sent().map_or_else(request, |(_, body)| body);
    let answer = move || {
        let page = playground.pages.with(|pages| pages.last().cloned())?;
        Some(match &page.outcome.result {
            Ok(response) => pretty(&response.to_json()),
            Err(failure) => failure.headline(),
        })
    };
    let heading = move || {
        let operation =
            sent().map_or_else(|| playground.ask.with(crate::ask::Ask::operation), |(operation, _)| operation);
        if playground.pages.with(Vec::is_empty) {
            format!("{operation}, as it would be sent")
        } else {
            format!("{operation}, as it was sent")
        }
    };
    view! {
        <div class="ask-json">
            <div class="ask-json-head">
                <h2>{heading}</h2>
                <button type="button" class="say" on:click=click(move |_| copy(playground, shown()))>"Copy request"</button>
            </div>
            <pre class="json" tabindex="0" aria-label="Request">{shown}</pre>
            {part(move || {
                answer()
                    .map(|text| {
                        let whole = text.len() <= MOST_SHOWN;
                        let cut: String = text.chars().take(MOST_SHOWN).collect();
                        view! {
                            <div class="ask-json-head">
                                <h2>"Answer"</h2>
                                <button type="button" class="say" on:click=click(move |_| copy(playground, text.clone()))>"Copy answer"</button>
                            </div>
                            <pre class="json" tabindex="0" aria-label="Answer">{cut}{(!whole).then_some("\n…")}</pre>
                        }
                    })
            })}
        </div>
    }
}
