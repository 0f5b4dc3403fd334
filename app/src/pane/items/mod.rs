//! Table and items: what exists, where it lies, and what the shown page did to it.

mod dialog;
mod form;
mod generate;
mod import;
mod item_text;
mod list;
mod listing;
mod paste;
mod table;

use crate::chunk::{self, later};
use crate::playground::Playground;
use crate::ui::live::part;
use crate::ui::patch::{Deed, fill, live};
pub use dialog::{Open, dialog};
use dynascope_engine::value::Item;
use leptos::prelude::*;
use list::List;
use std::sync::Arc;

/// What is being typed, kept while the dialogs open and close.
#[derive(Clone, Copy)]
pub struct Drafts {
    /// The dialog that is open.
    open: RwSignal<Open>,
    /// A new item.
    new: RwSignal<String>,
    /// The item being changed: as it is stored, and as it is typed.
    changed: RwSignal<Option<(Arc<Item>, String)>>,
    /// Many items.
    pasted: RwSignal<String>,
}

impl Default for Drafts {
    /// Nothing typed yet.
    fn default() -> Self {
        Self {
            open: RwSignal::new(Open::Nothing),
            new: RwSignal::new(String::new()),
            changed: RwSignal::new(None),
            pasted: RwSignal::new(String::new()),
        }
    }
}

const PANE: &str = "<section class=\"items\" aria-label=\"Items\">{!}{!}<p class=\"items-actions\">\
    <button type=\"button\" class=\"say\" data-do=\"new\">Add item</button>\
    <button type=\"button\" class=\"say\" data-do=\"paste\">Paste</button>\
    <button type=\"button\" class=\"say\" data-do=\"generate\">Generate</button></p></section>";

/// Table and items.
pub fn items_pane(playground: Playground) -> AnyView {
    let drafts = drafts();
    let list = List::new(playground);
    let render = move || fill(PANE, &[&table::table_summary(playground), &list.html()]);
    let pane = live(render, move |deed| act(deed, playground, list, drafts.open));
    let dialog = part(move || match drafts.open.get() {
        Open::Nothing => ().into_any(),
        _ => later(playground, || Box::pin(chunk::item_dialog())),
    });
    vec![pane, dialog.into_any()].into_any()
}

fn act(deed: &Deed, playground: Playground, list: List, open: RwSignal<Open>) {
    match deed.is() {
        ("click", "new") => open.set(Open::New),
        ("click", "paste") => open.set(Open::Paste),
        ("click", "generate") => open.set(Open::Generate),
        ("click", "item") => {
            if let Some(item) = list.item(deed.number("data-at")) {
                open.set(Open::Item(item));
            }
        }
        ("click", "more") => list.more(),
        ("change", "table") => {
            playground.table.set(deed.value());
            playground.forget_pages();
            playground.publish();
        }
        _ => {}
    }
}

/// What is typed: it stays while panes come and go.
fn drafts() -> Drafts {
    use_context::<Drafts>().expect("the shell provides what is typed")
}

/// A page on the Orders scene, for tests.
#[cfg(test)]
fn orders() -> Playground {
    let scene = crate::scene::Scene::find("orders").unwrap();
    let playground = Playground::new(scene);
    playground.load_scene(scene);
    playground
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_control_of_a_line_leads_to_its_item() {
        let owner = Owner::new();
        owner.set();
        let playground = orders();
        let list = List::new(playground);
        let html = untrack(|| fill(PANE, &[&table::table_summary(playground), &list.html()]));
        assert!(html.contains("<div class=\"table\"><h2>Table <code class=\"table-name\">app</code> "), "{html}");
        let numbers: Vec<usize> = html
            .split("data-do=\"item\" data-at=\"")
            .skip(1)
            .filter_map(|rest| rest.split_once('"')?.0.parse().ok())
            .collect();
        assert_eq!(numbers.len(), 34);
        assert!(numbers.into_iter().all(|number| list.item(number).is_some()));
        assert!(list.item(1000).is_none());
    }
}
