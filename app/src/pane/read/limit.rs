//! Limit, typed or stepped; the twin of the grip in the strip.

use super::ask_parts::edit;
use crate::playground::Playground;
use crate::ui::patch::{Deed, disabled, fill, truth};
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::KeyboardEvent;

/// What − and + do without a Limit.
const FIRST: u32 = 10;

/// Sets Limit.
pub fn set_limit(playground: Playground, limit: Option<u32>) {
    edit(playground, &mut |ask| ask.limit = limit.map(|limit| limit.max(1)));
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
pub fn limit_field(limit: Option<u32>, wrong: &str) -> String {
    fill(
        "<div class=\"ask-limit\"><span class=\"ask-label\">Read at most<code>Limit</code></span><span class=\"stepper\">\
         <button type=\"button\" aria-label=\"Limit: less\" data-do=\"limit-less\">−</button>\
         <input type=\"text\" inputmode=\"numeric\" class=\"type\" aria-label=\"Limit\" placeholder=\"1 MB\" \
         aria-invalid=\"{}\" aria-describedby=\"limit-complaint\" data-do=\"limit\" data-value=\"{}\">\
         <button type=\"button\" aria-label=\"Limit: more\" data-do=\"limit-more\">+</button></span>\
         <button type=\"button\" class=\"say\" data-do=\"limit-none\"{!}>no Limit</button>\
         <p id=\"limit-complaint\" class=\"ask-limit-complaint\" role=\"status\">{}</p></div>",
        &[
            truth(!wrong.is_empty()),
            &limit.map(|limit| limit.to_string()).unwrap_or_default(),
            disabled(limit.is_none()),
            wrong,
        ],
    )
}

/// What its controls do. `wrong` is the complaint about a typed Limit.
pub fn act(playground: Playground, wrong: RwSignal<&'static str>, deed: &Deed) {
    let now = playground.ask.with_untracked(|ask| ask.limit);
    let mut runs = false;
    let limit = match deed.is() {
        ("click", "limit-less") => Ok(Some(stepped(now, false))),
        ("click", "limit-more") => Ok(Some(stepped(now, true))),
        ("click", "limit-none") => Ok(None),
        ("input", "limit") => read_limit(&deed.value()),
        ("keydown", "limit") => {
            let Some(event) = deed.event.dyn_ref::<KeyboardEvent>() else { return };
            let limit = match event.key().as_str() {
                "ArrowUp" => Ok(Some(stepped(now, true))),
                "ArrowDown" => Ok(Some(stepped(now, false))),
                "Enter" if !event.is_composing() => {
                    runs = true;
                    read_limit(&deed.value())
                }
                _ => return,
            };
            event.prevent_default();
            limit
        }
        _ => return,
    };
    wrong.set(limit.err().unwrap_or_default());
    if let Ok(limit) = limit {
        set_limit(playground, limit);
        if runs {
            playground.run_page(true);
        }
    }
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
