//! Items by item collection, with their partition and what the shown page did to them.

use super::dialog::Open;
use super::drafts;
use super::listing::{Line, Listed, listed, tint};
use crate::pane::read::{Mark, ReadView, sign};
use crate::playground::Playground;
use crate::text::{count, counted};
use crate::ui::html::{Html, clickable, data_of, when};
use crate::ui::live::{click, words};
use dynascope_engine::partition::placement::ring_hash;
use dynascope_engine::table::KeySchema;
use dynascope_engine::value::Item;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{Event, HtmlElement};

/// Rows shown before asking for more.
const FIRST_ROWS: usize = 80;

/// A key in sixteen bytes, quick to compare.
fn fingerprint(key: &KeySchema, item: &Item) -> [u64; 2] {
    let hash = |name: &str| item.get(name).map_or(0, ring_hash);
    [hash(&key.partition.name), key.sort.as_ref().map_or(0, |sort| hash(&sort.name))]
}

/// What the shown pages did, by the table's key; items that no page reached are left out.
fn marks(view: ReadView) -> Vec<([u64; 2], Mark)> {
    let Some(figure) = view.figure() else { return Vec::new() };
    figure.items.iter().zip(figure.marks()).map(|(item, mark)| (fingerprint(&figure.schema.key, item), mark)).collect()
}

fn told(listed: &Listed, key: &KeySchema, marks: &[([u64; 2], Mark)]) -> String {
    let mut html = Html::new();
    if listed.lines.is_empty() {
        html.raw("<p class=\"items-empty\">No items yet: <button type=\"button\" class=\"say\" data-open=\"new\">add one</button>, ");
        html.raw("<button type=\"button\" class=\"say\" data-open=\"paste\">paste some</button> or ");
        html.raw("<button type=\"button\" class=\"say\" data-open=\"generate\">generate them</button>.</p>");
        return html.finish();
    }
    html.raw("<h2 class=\"items-head\">Items <span class=\"quiet\">");
    match listed.collections {
        Some(number) => html.text(&counted(number as u64, "collection", "collections")),
        None => html.raw("in the order of the hash line"),
    };
    html.raw(" <span class=\"mono\">");
    if !listed.prefix.is_empty() {
        html.raw("under ").text(&listed.prefix);
    }
    html.raw("</span></span></h2><ul class=\"items-list\" aria-label=\"Items by key\">");
    for (number, line) in listed.lines.iter().enumerate() {
        let print = line.item.as_ref().map(|item| fingerprint(key, item));
        let mark = marks.iter().find(|(other, _)| Some(*other) == print).map(|(_, mark)| *mark);
        line_html(&mut html, number, line, mark);
    }
    html.close("ul").finish()
}

fn line_html(html: &mut Html, number: usize, line: &Line, mark: Option<Mark>) {
    let stored = line.item.is_some();
    if stored {
        html.raw(if line.indented { "<li class=\"item-inside\">" } else { "<li>" });
        html.raw("<button type=\"button\" class=\"item-line\" data-item=\"").number(number as i64).raw("\">");
    } else {
        html.open("li", "item-line item-head");
    }
    html.open("span", "item-mark");
    if let Some(mark) = mark {
        sign(html, mark);
        html.open("span", "vh").raw(mark.word()).raw(", </span>");
    }
    html.raw("</span><span class=\"item-key mono\" dir=\"auto\"").attr("title", &line.full).raw(">");
    html.element("span", tint(&line.prefix), &line.prefix).text(&line.key);
    html.raw(if stored && !line.indented {
        "</span><span class=\"item-note mono\""
    } else {
        "</span><span class=\"item-note\""
    });
    html.raw(if stored { " dir=\"auto\">" } else { ">" }).text(&line.note).close("span");
    let partition = line.partition.map(|id| id.to_string()).unwrap_or_default();
    html.element("span", "item-where", &partition).raw(if stored { "</button></li>" } else { "</li>" });
}

/// Gives the focus back to a line that is drawn anew while it has it.
fn keep_focus() {
    let Some(line) = document().active_element().and_then(|focused| focused.get_attribute("data-item")) else { return };
    request_animation_frame(move || {
        let lost = document().active_element().is_none_or(|focused| focused.tag_name() == "BODY");
        let selector = ["[data-item=\"", &line, "\"]"].concat();
        if let (true, Ok(Some(line))) = (lost, document().query_selector(&selector)) {
            // A line that has just gone has no focus to take.
            let _ = line.unchecked_into::<HtmlElement>().focus();
        }
    });
}

/// The list.
pub fn item_list(playground: Playground) -> AnyView {
    let view = ReadView::of(playground);
    let open = drafts().open;
    let most = RwSignal::new(FIRST_ROWS);
    let look = move || {
        playground.version.track();
        let (name, most) = (playground.table.get(), most.get());
        playground
            .with(|session| session.database().get(&name).map(|table| (listed(table, most), table.schema.key.clone())))
    };
    let list = move || {
        keep_focus();
        look().map(|(listed, key)| told(&listed, &key, &marks(view))).unwrap_or_default()
    };
    let pressed = move |event: Event| {
        let wanted = match data_of(&event, "open").as_deref() {
            Some("new") => Some(Open::New),
            Some("paste") => Some(Open::Paste),
            Some(_) => Some(Open::Generate),
            None => data_of(&event, "item").and_then(|number| {
                let (listed, _) = untrack(look)?;
                listed.lines.get(number.parse::<usize>().ok()?)?.item.clone().map(Open::Item)
            }),
        };
        if let Some(wanted) = wanted {
            open.set(wanted);
        }
    };
    let hidden = move || look().map_or(0, |(listed, _)| listed.hidden);
    let more = move || {
        let said = words(move || count(hidden() as u64) + " more");
        let act = click(move |_| most.update(|most| *most += 400));
        view! { <button type="button" class="say" on:click=act>{said}</button> }.into_any()
    };
    view! { <div class="items-block">{clickable(list, pressed)} {when(move || hidden() > 0, more)}</div> }.into_any()
}
