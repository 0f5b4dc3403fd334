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
use crate::ui::live::{click, part};
pub use dialog::{Open, dialog};
use dynascope_engine::value::Item;
use leptos::prelude::*;
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

/// Table and items.
#[component]
pub fn ItemsPane() -> impl IntoView {
    let playground = Playground::expect();
    let drafts = Drafts {
        open: RwSignal::new(Open::Nothing),
        new: RwSignal::new(String::new()),
        changed: RwSignal::new(None),
        pasted: RwSignal::new(String::new()),
    };
    provide_context(drafts);
    let open = move |what: Open| click(move |_| drafts.open.set(what.clone()));
    view! {
        <section class="items" aria-label="Items">
            {table::table_summary(playground)}
            {list::item_list(playground)}
            <p class="items-actions">
                <button type="button" class="say" on:click=open(Open::New)>"Add item"</button>
                <button type="button" class="say" on:click=open(Open::Paste)>"Paste"</button>
                <button type="button" class="say" on:click=open(Open::Generate)>"Generate"</button>
            </p>
            {part(move || {
                let opened = drafts.open.get();
                if opened == Open::Nothing {
                    return ().into_any();
                }
                later(playground, chunk::item_dialog(), move |dialog| dialog(opened.clone(), playground))
            })}
        </section>
    }
}

/// The drafts of the pane.
fn drafts() -> Drafts {
    use_context::<Drafts>().expect("every part of the items pane is mounted inside it")
}
