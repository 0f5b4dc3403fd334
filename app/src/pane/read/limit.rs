//! Limit, typed or stepped; the twin of the grip in the strip.

use crate::playground::Playground;
use crate::ui::live::{click, input, key, words, yes};
use leptos::prelude::*;

/// What − and + do without a Limit.
const FIRST: u32 = 10;

/// Sets Limit.
pub fn set_limit(playground: Playground, limit: Option<u32>) {
    playground.edit_ask(|ask| ask.limit = limit.map(|limit| limit.max(1)));
}

fn stepped(limit: Option<u32>, up: bool) -> u32 {
    match (limit, up) {
        (None, _) => FIRST,
        (Some(limit), true) => limit.saturating_add(1),
        (Some(limit), false) => limit.saturating_sub(1).max(1),
    }
}

/// Read at most … at a time.
#[component]
pub fn LimitField() -> impl IntoView {
    let playground = Playground::expect();
    let limit = Memo::new(move |_| playground.ask.with(|ask| ask.limit));
    let step = move |up: bool| set_limit(playground, Some(stepped(limit.get_untracked(), up)));
    view! {
        <div class="ask-limit">
            <span class="ask-label">"Read at most"<code>"Limit"</code></span>
            <span class="stepper">
                <button type="button" aria-label="Limit: less" on:click=click(move |_| step(false))>"−"</button>
                <input
                    type="text"
                    inputmode="numeric"
                    class="type"
                    aria-label="Limit"
                    placeholder="1 MB"
                    prop:value=words(move || limit.get().map(|limit| limit.to_string()).unwrap_or_default())
                    on:input=input(move |event| {
                        let text: String = event_target_value(&event).chars().filter(char::is_ascii_digit).collect();
                        let typed = if text.is_empty() { None } else { Some(text.parse().unwrap_or(u32::MAX)) };
                        set_limit(playground, typed);
                    })
                    on:keydown=key(move |event| {
                        match event.key().as_str() {
                            "ArrowUp" => step(true),
                            "ArrowDown" => step(false),
                            "Enter" if !event.is_composing() => {
                                let text = event_target_value(&event);
                                set_limit(playground, text.trim().parse().ok());
                                playground.run_page(true);
                            }
                            _ => return,
                        }
                        event.prevent_default();
                    })
                />
                <button type="button" aria-label="Limit: more" on:click=click(move |_| step(true))>"+"</button>
            </span>
            <button type="button" class="say" disabled=yes(move || limit.get().is_none()) on:click=click(move |_| set_limit(playground, None))>
                "no Limit"
            </button>
        </div>
    }
}
