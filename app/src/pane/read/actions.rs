//! Run, next page, run to the end, start over.

use super::ReadView;
use crate::playground::Playground;
use crate::text::count;
use crate::ui::live::{click, key, yes};
use leptos::prelude::*;
use wasm_bindgen::JsCast;

/// Pages that are run in one go.
const MOST_PAGES: usize = 200;

/// Runs page after page until no cursor is left, a page is refused, or there have been enough.
fn run_to_the_end(playground: Playground, view: ReadView) {
    let resumes =
        view.reading.with_untracked(|reading| reading.figure.as_ref().is_some_and(|figure| figure.has_next()));
    let mut run = 0;
    let mut first = !resumes;
    loop {
        let Some(page) = playground.run_page(first) else { return };
        first = false;
        run += 1;
        match &page.outcome.result {
            Err(failure) => return playground.complain(failure.headline()),
            Ok(response) if response.last_evaluated_key.is_none() => return,
            Ok(_) if run == MOST_PAGES => {
                let text = format!(
                    "{} pages were run, and a cursor is still left. Run on to go on from there.",
                    count(run as u64)
                );
                return playground.say(text);
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

/// The buttons.
pub fn actions(playground: Playground, view: ReadView) -> AnyView {
    let has_next = move || view.reading.with(|reading| reading.figure.as_ref().is_some_and(|figure| figure.has_next()));
    let any = move || playground.pages.with(|pages| !pages.is_empty());
    let keys = key(move |event| {
        if event.key() == "ArrowDown" {
            event.prevent_default();
            to_result();
        }
    });
    view! {
        <div class="ask-actions" on:keydown=keys>
            <button type="button" class="do" title="Arrow down goes to what was read" on:click=click(move |_| drop(playground.run_page(true)))>
                "Run"
            </button>
            <button type="button" class="say" disabled=yes(move || !has_next()) on:click=click(move |_| drop(playground.run_page(false)))>
                "Next page"
            </button>
            <button
                type="button"
                class="say"
                title="At most 200 pages"
                on:click=click(move |_| run_to_the_end(playground, view))
            >
                "Run to the end"
            </button>
            <button type="button" class="say" disabled=yes(move || !any()) on:click=click(move |_| playground.forget_pages())>
                "Start over"
            </button>
        </div>
    }    .into_any()
}
