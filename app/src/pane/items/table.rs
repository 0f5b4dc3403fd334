//! The table in a few lines: keys, billing, indexes, count and bytes.

use crate::playground::Playground;
use crate::text::{count, counted};
use crate::ui::html::{Html, contents, inline_contents, when};
use crate::ui::live::{input, words};
use dynascope_engine::partition::Table;
use dynascope_engine::table::{Billing, IndexKind, KeySchema};
use leptos::prelude::*;

fn keys(html: &mut Html, key: &KeySchema) {
    for (at, attribute) in key.attributes().enumerate() {
        html.raw(if at > 0 { " and " } else { "" }).element("code", "", &attribute.name);
    }
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

/// Key and billing of the table, then its indexes.
fn told(table: &Table) -> String {
    let mut html = Html::new();
    html.raw("<p>key ");
    keys(&mut html, &table.schema.key);
    html.raw(", ").text(&billing_text(table.base().settings().billing)).close("p");
    for index in &table.schema.indexes {
        let entries = match index.kind {
            IndexKind::Global => table.arm_of(&index.name).map_or(0, |arm| table.arms[arm].entries.len()),
            IndexKind::Local => {
                table.locals().find(|(local, _)| local.name == index.name).map_or(0, |(_, entries)| entries.len())
            }
        };
        html.open("p", "").element("code", "", &index.name).raw(" by ");
        keys(&mut html, &index.key);
        html.raw(if index.kind == IndexKind::Global { ", global, " } else { ", local, " });
        html.text(&counted(entries as u64, "item", "items")).close("p");
    }
    html.finish()
}

/// Name, unless it is picked, and size.
fn head(table: &Table, picked: bool) -> String {
    let base = table.base();
    let mut html = Html::new();
    if !picked {
        html.element("code", "table-name", &table.schema.name).raw(" ");
    }
    html.element("span", "quiet", &size_text(base.entries.len() as u64, base.bytes)).finish()
}

/// Looks at the table in focus, followed.
fn look(playground: Playground, of: impl FnOnce(&Table, usize) -> String) -> Option<String> {
    playground.version.track();
    let name = playground.table.get();
    playground.with(|session| {
        let database = session.database();
        Some(of(database.get(&name)?, database.iter().count()))
    })
}

fn several(playground: Playground) -> bool {
    look(playground, |_, tables| if tables > 1 { " ".to_owned() } else { String::new() }).as_deref() == Some(" ")
}

fn picker(playground: Playground) -> AnyView {
    let options = words(move || {
        playground.version.track();
        let chosen = playground.table.get();
        let mut html = Html::new();
        playground.with(|session| {
            for table in session.database().iter() {
                html.option(&table.schema.name, &table.schema.name, table.schema.name == chosen);
            }
        });
        html.finish()
    });
    let choose = input(move |event| {
        playground.table.set(event_target_value(&event));
        playground.forget_pages();
        playground.publish();
    });
    view! { <select class="pick" aria-label="Table" inner_html=options on:change=choose></select> }.into_any()
}

/// The table in focus.
pub fn table_summary(playground: Playground) -> AnyView {
    let there = move || look(playground, |_, _| String::new()).is_some();
    let summary = move || {
        view! {
            <div class="table">
                <h2>
                    "Table " {when(move || several(playground), move || picker(playground))} " "
                    {inline_contents(move || look(playground, |table, tables| head(table, tables > 1)).unwrap_or_default())}
                </h2>
                {contents(move || look(playground, |table, _| told(table)).unwrap_or_default())}
            </div>
        }
        .into_any()
    };
    let none = move || view! { <p class="quiet">"There is no table."</p> }.into_any();
    vec![when(there, summary), when(move || !there(), none)].into_any()
}
