//! The request as JSON, and the answer once there is one.

use super::{Fault, ReadView};
use crate::chunk::later;
use crate::playground::Playground;
use crate::ui::patch::{fill, live};
use crate::{chunk, clipboard};
use leptos::prelude::*;
use leptos::task::spawn_local;

/// Longest answer that is shown in full.
const MOST_SHOWN: usize = 20_000;

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
fn sent(playground: Playground, view: ReadView) -> String {
    if let Some(sent) = playground.pages.with(|pages| pages.last().map(|page| format!("{:#}", page.request))) {
        return sent;
    }
    view.reading.track();
    match playground.next_request() {
        Ok((_, body)) => format!("{body:#}"),
        Err(fault) => Fault::Field(fault).message(),
    }
}

fn heading(playground: Playground) -> String {
    match playground.pages.with(|pages| pages.last().map(|page| page.operation)) {
        Some(operation) => [operation, ", as it was sent"].concat(),
        None => [playground.ask.with(crate::ask::Ask::operation), ", as it would be sent"].concat(),
    }
}

fn answer(playground: Playground) -> Option<String> {
    let page = playground.pages.with(|pages| pages.last().cloned())?;
    Some(match &page.outcome.result {
        Ok(response) => format!("{:#}", response.to_json()),
        Err(failure) => failure.headline(),
    })
}

/// Its beginning, if it is long.
fn beginning(text: String) -> String {
    match text.char_indices().nth(MOST_SHOWN) {
        Some((end, _)) => [&text[..end], "\n…"].concat(),
        None => text,
    }
}

/// Request and answer, fetched.
pub fn request_json(playground: Playground) -> AnyView {
    later(playground, || Box::pin(chunk::request()))
}

/// Request and answer.
pub fn request(playground: Playground) -> AnyView {
    let view = ReadView::of(playground);
    let render = move || {
        let answer = answer(playground).map(|answer| named("Answer", "answer", "Answer", &beginning(answer)));
        let request = named(&heading(playground), "request", "Request", &sent(playground, view));
        fill("<div class=\"ask-json\">{!}{!}</div>", &[&request, &answer.unwrap_or_default()])
    };
    live(render, move |deed| match deed.is() {
        ("click", "request") => copy(playground, untrack(|| sent(playground, view))),
        ("click", "answer") => copy(playground, untrack(|| answer(playground)).unwrap_or_default()),
        _ => {}
    })
}

/// A text under its heading, with what copies it.
fn named(heading: &str, act: &str, label: &str, text: &str) -> String {
    fill(
        "<div class=\"ask-json-head\"><h2>{}</h2><button type=\"button\" class=\"say\" data-do=\"{}\">Copy {}</button></div>\
         <pre class=\"json\" tabindex=\"0\" aria-label=\"{}\">{}</pre>",
        &[heading, act, act, label, text],
    )
}
