//! Items by item collection, with their partition and what the shown page did to them.

use super::listing::{Line, Listed, listed, tint};
use crate::pane::read::{Mark, ReadView, sign};
use crate::playground::Playground;
use crate::text::{count, counted};
use crate::ui::html::Html;
use dynascope_engine::partition::placement::ring_hash;
use dynascope_engine::table::KeySchema;
use dynascope_engine::value::Item;
use leptos::prelude::*;
use std::sync::Arc;

/// Rows shown before asking for more.
const FIRST_ROWS: usize = 80;
/// Rows added at a time.
const MORE_ROWS: usize = 400;
/// Instead of a list.
const EMPTY: &str = "<p class=\"items-empty\">No items yet: <button type=\"button\" class=\"say\" data-do=\"new\">add one\
    </button>, <button type=\"button\" class=\"say\" data-do=\"paste\">paste some</button> or \
    <button type=\"button\" class=\"say\" data-do=\"generate\">generate them</button>.</p>";

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

fn told(html: &mut Html, listed: &Listed, key: &KeySchema, marks: &[([u64; 2], Mark)]) {
    if listed.lines.is_empty() {
        html.raw(EMPTY);
        return;
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
        line_html(html, number, line, mark);
    }
    html.close("ul");
}

fn line_html(html: &mut Html, number: usize, line: &Line, mark: Option<Mark>) {
    let stored = line.item.is_some();
    if stored {
        html.raw(if line.indented { "<li class=\"item-inside\">" } else { "<li>" });
        html.raw("<button type=\"button\" class=\"item-line\" data-do=\"item\"");
        html.raw(" data-at=\"").number(number as i64).raw("\">");
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

/// The list, and how much of it is shown.
#[derive(Clone, Copy)]
pub struct List {
    playground: Playground,
    view: ReadView,
    most: RwSignal<usize>,
}

impl List {
    /// The first rows.
    pub fn new(playground: Playground) -> Self {
        Self { playground, view: ReadView::of(playground), most: RwSignal::new(FIRST_ROWS) }
    }

    fn look(self) -> Option<(Listed, KeySchema)> {
        self.playground.version.track();
        let (name, most) = (self.playground.table.get(), self.most.get());
        self.playground
            .with(|session| session.database().get(&name).map(|table| (listed(table, most), table.schema.key.clone())))
    }

    /// The lines, and an offer of more.
    pub fn html(self) -> String {
        let mut html = Html::new();
        html.open("div", "items-block");
        if let Some((listed, key)) = self.look() {
            told(&mut html, &listed, &key, &marks(self.view));
            if listed.hidden > 0 {
                html.raw("<button type=\"button\" class=\"say\" data-do=\"more\">");
                html.text(&count(listed.hidden as u64)).raw(" more</button>");
            }
        }
        html.close("div").finish()
    }

    /// The item of a line.
    pub fn item(self, line: usize) -> Option<Arc<Item>> {
        let (listed, _) = untrack(|| self.look())?;
        listed.lines.get(line)?.item.clone()
    }

    /// Shows more of it.
    pub fn more(self) {
        self.most.update(|most| *most += MORE_ROWS);
    }
}
