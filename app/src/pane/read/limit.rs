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

/// What is wrong with a typed Limit, or the Limit.
fn read_limit(text: &str) -> Result<Option<u32>, &'static str> {
    match text.trim() {
        "" => Ok(None),
        "0" => Err(
            "ValidationException: 1 validation error detected: Value at 'Limit' failed to satisfy constraint: Member must \
             have value greater than or equal to 1",
        ),
        typed => typed
            .parse()
            .map(Some)
            .map_err(|_| "Limit is a whole number, 1 or more; empty means as much as 1 MB holds."),
    }
}

/// Read at most … at a time.
pub fn limit_field(playground: Playground) -> AnyView {
    let limit = move || playground.ask.with(|ask| ask.limit);
    let wrong = RwSignal::new("");
    let set = move |limit: Option<u32>| {
        wrong.set("");
        set_limit(playground, limit);
    };
    let step = move |up: bool| set(Some(stepped(untrack(limit), up)));
    let typed = move |text: &str| match read_limit(text) {
        Ok(limit) => set(limit),
        Err(complaint) => wrong.set(complaint),
    };
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
                    aria-invalid=words(move || (!wrong.get().is_empty()).to_string())
                    aria-describedby="limit-complaint"
                    prop:value=words(move || limit().map(|limit| limit.to_string()).unwrap_or_default())
                    on:input=input(move |event| {
                        typed(&event_target_value(&event));
                    })
                    on:keydown=key(move |event| {
                        match event.key().as_str() {
                            "ArrowUp" => step(true),
                            "ArrowDown" => step(false),
                            "Enter" if !event.is_composing() => {
                                typed(&event_target_value(&event));
                                if wrong.get_untracked().is_empty() {
                                    playground.run_page(true);
                                }
                            }
                            _ => return,
                        }
                        event.prevent_default();
                    })
                />
                <button type="button" aria-label="Limit: more" on:click=click(move |_| step(true))>"+"</button>
            </span>
            <button type="button" class="say" disabled=yes(move || limit().is_none()) on:click=click(move |_| set(None))>
                "no Limit"
            </button>
            <p id="limit-complaint" class="ask-limit-complaint" role="status">{words(move || wrong.get().to_owned())}</p>
        </div>
    }    .into_any()
}

#[cfg(test)]
mod tests {
    use super::read_limit;

    #[test]
    fn only_whole_numbers_from_one() {
        assert_eq!(read_limit(" 12 "), Ok(Some(12)));
        assert_eq!(read_limit(""), Ok(None));
        for wrong in ["0", "-1", "5.5", "5.", "abc", "99999999999"] {
            assert!(read_limit(wrong).is_err(), "{wrong}");
        }
    }
}
