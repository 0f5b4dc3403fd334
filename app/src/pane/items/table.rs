//! The table in a few lines: keys, billing, indexes, count and bytes.

use crate::playground::Playground;
use crate::text::{count, counted};
use dynascope_engine::partition::Table;
use dynascope_engine::table::{Billing, IndexKind, KeySchema};
use leptos::prelude::*;

/// What is told of a table or index.
#[derive(Clone, Debug, PartialEq)]
struct Line {
    name: String,
    keys: Vec<String>,
    note: String,
}

#[derive(Clone, Debug, PartialEq)]
struct Summary {
    table: Line,
    size: String,
    indexes: Vec<Line>,
    others: Vec<String>,
}

fn keys(key: &KeySchema) -> Vec<String> {
    key.attributes().map(|attribute| attribute.name.to_string()).collect()
}

fn billing_text(billing: Billing) -> String {
    match billing {
        Billing::OnDemand { .. } => "on-demand".to_owned(),
        Billing::Provisioned { read, write } => {
            format!("{} RCU, {} WCU", count(read.max(0) as u64), count(write.max(0) as u64))
        }
    }
}

/// Traffic that is only metered fills a table with bytes, not with items.
fn size_text(items: u64, bytes: u64) -> String {
    let text = counted(bytes, "byte", "bytes");
    if items == 0 && bytes > 0 {
        format!("no items, {text} metered")
    } else {
        format!("{}, {text}", counted(items, "item", "items"))
    }
}

fn summary(table: &Table) -> Summary {
    let base = table.base();
    let index = |index: &dynascope_engine::table::Index| {
        let entries = match index.kind {
            IndexKind::Global => table.arm_of(&index.name).map_or(0, |arm| table.arms[arm].entries.len()),
            IndexKind::Local => {
                table.locals().find(|(local, _)| local.name == index.name).map_or(0, |(_, entries)| entries.len())
            }
        };
        let kind = if index.kind == IndexKind::Global { "global" } else { "local" };
        let entries = counted(entries as u64, "item", "items");
        Line { name: index.name.clone(), keys: keys(&index.key), note: format!("{kind}, {entries}") }
    };
    Summary {
        table: Line {
            name: table.schema.name.clone(),
            keys: keys(&table.schema.key),
            note: billing_text(base.settings().billing),
        },
        size: size_text(base.entries.len() as u64, base.bytes),
        indexes: table.schema.indexes.iter().map(index).collect(),
        others: Vec::new(),
    }
}

fn key_names(keys: Vec<String>) -> impl IntoView {
    keys.into_iter()
        .enumerate()
        .map(|(at, key)| view! { {(at > 0).then_some(" and ")} <code>{key}</code> })
        .collect_view()
}

/// The table in focus.
#[component]
pub fn TableSummary() -> impl IntoView {
    let playground = Playground::expect();
    let told = Memo::new(move |_| {
        playground.version.track();
        let name = playground.table.get();
        playground.with(|session| {
            let mut told = summary(session.database().get(&name)?);
            told.others = session.database().iter().map(|table| table.schema.name.clone()).collect();
            Some(told)
        })
    });
    move || {
        let Some(told) = told.get() else { return view! { <p class="quiet">"There is no table."</p> }.into_any() };
        let name = told.table.name.clone();
        let name = if told.others.len() > 1 {
            let options = told.others.iter().map(|other| {
                let selected = *other == name;
                view! { <option value=other.clone() selected=selected>{other.clone()}</option> }
            });
            let choose = move |event| {
                playground.table.set(event_target_value(&event));
                playground.forget_pages();
                playground.publish();
            };
            view! { <select class="pick" aria-label="Table" on:change=choose>{options.collect_view()}</select> }
                .into_any()
        } else {
            view! { <code class="table-name">{name}</code> }.into_any()
        };
        let indexes = told.indexes.into_iter().map(|index| {
            view! { <p><code>{index.name}</code>" by "{key_names(index.keys)}", "{index.note}</p> }
        });
        view! {
            <div class="table">
                <h2>"Table " {name} <span class="quiet">{told.size}</span></h2>
                <p>"key " {key_names(told.table.keys)} ", " {told.table.note}</p>
                {indexes.collect_view()}
            </div>
        }
        .into_any()
    }
}
