//! The dialog the items pane opens: one item, many items, or generated ones.

use super::drafts;
use super::form::item_form;
use super::generate::generate_form;
use super::paste::paste_form;
use crate::playground::Playground;
use crate::ui::patch::{fill, shown};
use dynascope_engine::value::Item;
use leptos::prelude::*;
use std::sync::Arc;

/// What is open.
#[derive(Clone, Debug, PartialEq)]
pub enum Open {
    /// Nothing.
    Nothing,
    /// A new item.
    New,
    /// A stored item.
    Item(Arc<Item>),
    /// Many items.
    Paste,
    /// Items by template.
    Generate,
}

/// The dialog around a form.
#[derive(Clone, Copy, Default)]
pub struct Frame(NodeRef<leptos::html::Dialog>);

impl Frame {
    /// Closes it, which gives the focus back.
    pub fn close(self) {
        if let Some(dialog) = self.0.get_untracked() {
            dialog.close();
        }
    }
}

/// The dialog. Closing it keeps what was typed.
pub fn dialog(playground: Playground) -> AnyView {
    let drafts = drafts();
    let opened = drafts.open.get_untracked();
    let frame = Frame::default();
    frame.0.on_load(|dialog| {
        // Already open is as good as opened.
        let _ = dialog.show_modal();
    });
    let (title, form) = match opened {
        Open::Nothing => return ().into_any(),
        Open::New => ("Add an item", item_form(playground, drafts, None, frame)),
        Open::Item(item) => ("Change an item", item_form(playground, drafts, Some(&item), frame)),
        Open::Paste => ("Paste items", paste_form(playground, drafts.pasted, frame)),
        Open::Generate => ("Generate items", generate_form(playground, frame)),
    };
    let table = playground.table.get_untracked();
    let heading = shown(move || {
        let template = "<h2 id=\"items-dialog-title\">{}<span class=\"items-dialog-table\">table {}</span></h2>";
        fill(template, &[title, &table])
    });
    // The event of closing does not bubble: no block could hear it.
    let closed = move |_| drafts.open.set(Open::Nothing);
    view! {
        <dialog class="dialog items-dialog" node_ref=frame.0 aria-labelledby="items-dialog-title" on:close=closed>
            {vec![heading, form]}
        </dialog>
    }
    .into_any()
}
