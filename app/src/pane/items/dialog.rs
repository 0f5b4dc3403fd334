//! The dialog the items pane opens: one item, many items, or generated ones.

use super::drafts;
use super::form::item_form;
use super::generate::generate_form;
use super::paste::paste_form;
use crate::playground::Playground;
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

/// The dialog. Closing it keeps what was typed.
pub fn dialog(opened: Open, playground: Playground) -> AnyView {
    let drafts = drafts();
    let node = NodeRef::<leptos::html::Dialog>::new();
    node.on_load(|dialog| {
        // Already open is as good as opened.
        let _ = dialog.show_modal();
    });
    let close = move || {
        if let Some(dialog) = node.get_untracked() {
            dialog.close();
        }
    };
    let title = match &opened {
        Open::Nothing => "",
        Open::New => "Add an item",
        Open::Item(_) => "Change an item",
        Open::Paste => "Paste items",
        Open::Generate => "Generate items",
    };
    let done = Callback::new(move |()| close());
    let body = match opened {
        Open::Nothing => ().into_any(),
        Open::New => item_form(None, done),
        Open::Item(item) => item_form(Some(item), done),
        Open::Paste => paste_form(done),
        Open::Generate => generate_form(done),
    };
    let table = playground.table.get_untracked();
    view! {
        <dialog class="dialog items-dialog" node_ref=node aria-labelledby="items-dialog-title" on:close=move |_| drafts.open.set(Open::Nothing)>
            <h2 id="items-dialog-title">{title} <span class="items-dialog-table">"table " {table}</span></h2>
            {body}
        </dialog>
    }    .into_any()
}
