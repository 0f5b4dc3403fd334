//! LastEvaluatedKey, decoded: where to go on, and which item of the table; and what happens if it is forged.

use super::request::copy;
use super::{Figure, ReadView, value_text};
use crate::chunk::{self, later};
use crate::playground::Playground;
use crate::ui::html::Html;
use crate::ui::live::part;
use crate::ui::patch::{around, disabled, fill, live, truth};
use dynascope_engine::table::KeySchema;
use dynascope_engine::value::{Item, item_text};
use leptos::prelude::*;

/// LastEvaluatedKey of the page that is shown.
pub fn cursor_of(figure: &Figure) -> Option<Item> {
    figure.shown().and_then(|facts| facts.cursor.clone())
}

/// As DynamoDB JSON.
pub fn json_text(cursor: &Item) -> String {
    item_text(cursor)
}

/// The cursor beside the result.
pub fn cursor_panel(playground: Playground, view: ReadView) -> AnyView {
    let tampering = RwSignal::new(false);
    let render = move || {
        let figure = view.figure();
        let told = figure.as_deref().map(told).unwrap_or_default();
        let stands = figure.as_deref().filter(|figure| cursor_of(figure).is_some());
        let actions = stands.map(|figure| actions(figure.run.is_empty(), tampering.get()));
        fill("{!}<div class=\"live\">{!}</div>{!}", &[HEADING, &told, &actions.unwrap_or_default()])
    };
    let panel = live(render, move |deed| match deed.is() {
        ("click", "next") => drop(playground.run_page(false)),
        ("click", "copy") => {
            let cursor = view.reading.with_untracked(|reading| reading.figure.as_deref().and_then(cursor_of));
            copy(playground, cursor.as_ref().map(json_text).unwrap_or_default());
        }
        ("click", "tamper") => tampering.update(|on| *on = !*on),
        _ => {}
    });
    let form = part(move || {
        if !tampering.get() {
            return ().into_any();
        }
        later(playground, || Box::pin(chunk::tamper()))
    });
    around("cursor", "region", "Cursor", vec![panel, form.into_any()])
}

const HEADING: &str = "<h2 class=\"cursor-head c\"><svg class=\"sign\" viewBox=\"0 0 16 16\" width=\"14\" height=\"14\" \
    aria-hidden=\"true\"><path d=\"M8 2l6.5 12h-13z\" fill=\"currentColor\"></path></svg>LastEvaluatedKey</h2>";

fn actions(foreseen: bool, tampering: bool) -> String {
    fill(
        "<div class=\"cursor-actions\"><button type=\"button\" class=\"do\" data-do=\"next\"{!}>Next page</button>\
         <button type=\"button\" class=\"say\" data-do=\"copy\">Copy</button><button type=\"button\" class=\"say\" \
         aria-expanded=\"{}\" data-do=\"tamper\">Tamper</button></div><p class=\"note\">Only an absent LastEvaluatedKey means \
         the end. A short page, or an empty one, does not.</p>",
        &[disabled(foreseen), truth(tampering)],
    )
}

/// Its two keys, or that there is none.
fn told(figure: &Figure) -> String {
    let mut html = Html::new();
    let Some(cursor) = cursor_of(figure) else {
        let text = if figure.run.is_empty() {
            "No LastEvaluatedKey would come back: this page reaches the end."
        } else {
            "No LastEvaluatedKey came back. Its absence, and nothing else, means the end."
        };
        return html.element("p", "cursor-said", text).finish();
    };
    let mut heading = "which item of the table to go on after";
    if let Some(index) = &figure.index {
        group(&mut html, "where to go on in the index", &index.key, &cursor);
        heading = "and which item of the table";
    }
    group(&mut html, heading, &figure.schema.key, &cursor);
    html.finish()
}

fn group(html: &mut Html, heading: &str, key: &KeySchema, cursor: &Item) {
    html.open("div", "cursor-group").element("h3", "", heading).raw("<dl>");
    for attribute in key.attributes() {
        let value = cursor.get(&attribute.name).map(value_text).unwrap_or_default();
        html.raw("<div>").element("dt", "", &attribute.name).raw("<dd class=\"mono\" dir=\"auto\">").text(&value);
        html.raw("</dd></div>");
    }
    html.raw("</dl></div>");
}
