//! The dialog: the scene's card, and the constants.

use super::card::card;
use super::constants::{self, Editing, constants};
use super::door::Asked;
use crate::playground::Playground;
use crate::ui::patch::{Deed, drawn, fill, truth};
use leptos::prelude::*;
use std::cell::Cell;
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlDialogElement};

/// The dialog. It opens each time the number goes up.
pub fn dialog(playground: Playground, asked: Asked) -> AnyView {
    let editing = Editing::default();
    let is_card = RwSignal::new(true);
    let answered = Cell::new(0);
    let render = move || {
        asked.track();
        let body = if is_card.get() { card(playground) } else { constants(playground, editing) };
        fill(
            "<dialog class=\"dialog model\" aria-label=\"The model\"><div class=\"model-head\"><h2>The model</h2>\
             <div role=\"group\" aria-label=\"Show\" class=\"model-tabs\"><button type=\"button\" aria-pressed=\"{}\" \
             data-do=\"card\">What is true of it</button><button type=\"button\" aria-pressed=\"{}\" data-do=\"constants\">Every \
             constant</button></div><button type=\"button\" class=\"do\" data-do=\"close\">Close</button></div>\
             <div class=\"model-body\">{!}</div></dialog>",
            &[truth(is_card.get()), truth(!is_card.get()), &body],
        )
    };
    let act = move |deed: &Deed| match deed.is() {
        ("click", "card") => is_card.set(true),
        ("click", "constants") => is_card.set(false),
        ("click", "close") => {
            if let Some(dialog) = deed.element.closest("dialog").ok().flatten() {
                dialog.unchecked_into::<HtmlDialogElement>().close();
            }
        }
        // A browser that cannot print says so itself.
        ("click", "print") => drop(window().print()),
        _ => constants::act(deed, playground, editing),
    };
    drawn(render, act, move |element: &Element| {
        let now = asked.get_untracked();
        let dialog = element.first_element_child().and_then(|child| child.dyn_into::<HtmlDialogElement>().ok());
        if let Some(dialog) = dialog
            && answered.replace(now) != now
        {
            // Only an already open dialog refuses, and then it is open.
            let _ = dialog.show_modal();
        }
    })
}
