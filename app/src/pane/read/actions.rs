//! Run, next page, run to the end, start over.

use super::ReadView;
use crate::playground::Playground;
use crate::text::count;
use crate::ui::patch::{Deed, disabled, fill};
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::KeyboardEvent;

/// Pages that are run in one go.
const MOST_PAGES: usize = 200;

/// Runs page after page until no cursor is left, a page is refused, or there have been enough.
fn run_to_the_end(playground: Playground, view: ReadView) {
    let mut run = 0;
    let mut first = !untrack(|| has_next(view));
    loop {
        let Some(page) = playground.run_page(first) else { return };
        first = false;
        run += 1;
        match &page.outcome.result {
            Err(failure) => return playground.complain(failure.headline()),
            Ok(response) if response.last_evaluated_key.is_none() => return,
            Ok(_) if run == MOST_PAGES => {
                let text = " pages were run, and a cursor is still left. Run on to go on from there.";
                return playground.say(count(run as u64) + text);
            }
            Ok(_) => {}
        }
    }
}

/// Moves the focus to what was read.
fn to_result() {
    if let Some(result) = document().get_element_by_id("read-result") {
        // Without the region there is nothing to move to.
        let _ = result.unchecked_into::<web_sys::HtmlElement>().focus();
    }
}

/// Is there a page to go on to?
fn has_next(view: ReadView) -> bool {
    view.reading.with(|reading| reading.figure.as_ref().is_some_and(|figure| figure.has_next()))
}

/// The buttons.
pub fn actions(playground: Playground, view: ReadView) -> String {
    fill(
        "<div class=\"ask-actions\"><button type=\"button\" class=\"do\" title=\"Arrow down goes to what was read\" \
         data-do=\"run\">Run</button><button type=\"button\" class=\"say\" data-do=\"next-page\"{!}>Next page</button>\
         <button type=\"button\" class=\"say\" title=\"At most 200 pages\" data-do=\"run-all\">Run to the end</button>\
         <button type=\"button\" class=\"say\" data-do=\"start-over\"{!}>Start over</button></div>",
        &[disabled(!has_next(view)), disabled(playground.pages.with(Vec::is_empty))],
    )
}

/// What they do.
pub fn act(playground: Playground, view: ReadView, deed: &Deed) {
    match deed.is() {
        ("click", "run") => drop(playground.run_page(true)),
        ("click", "next-page") => drop(playground.run_page(false)),
        ("click", "run-all") => run_to_the_end(playground, view),
        ("click", "start-over") => playground.forget_pages(),
        ("keydown", "run" | "next-page" | "run-all" | "start-over") if is_down(deed) => {
            deed.event.prevent_default();
            to_result();
        }
        _ => {}
    }
}

fn is_down(deed: &Deed) -> bool {
    deed.event.dyn_ref::<KeyboardEvent>().is_some_and(|event| event.key() == "ArrowDown")
}
