//! The table in a few lines: keys, billing, indexes, count and bytes.

use crate::playground::Playground;
use crate::text::{count, counted};
use crate::ui::html::Html;
use dynascope_engine::partition::{Database, Table};
use dynascope_engine::table::{Billing, IndexKind, KeySchema};

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

/// Name, or a choice of names, and size; key and billing; the indexes.
fn told(html: &mut Html, table: &Table, database: &Database) {
    let base = table.base();
    html.raw("<div class=\"table\"><h2>Table ");
    if database.iter().count() > 1 {
        html.raw("<select class=\"pick\" aria-label=\"Table\" data-do=\"table\"");
        html.attr("data-value", &table.schema.name).raw(">");
        for other in database.iter() {
            html.option(&other.schema.name, &other.schema.name, false);
        }
        html.close("select");
    } else {
        html.element("code", "table-name", &table.schema.name);
    }
    html.raw(" ").element("span", "quiet", &size_text(base.entries.len() as u64, base.bytes));
    html.raw("</h2><p>key ");
    keys(html, &table.schema.key);
    html.raw(", ").text(&billing_text(base.settings().billing)).close("p");
    for index in &table.schema.indexes {
        let entries = match index.kind {
            IndexKind::Global => table.arm_of(&index.name).map_or(0, |arm| table.arms[arm].entries.len()),
            IndexKind::Local => {
                table.locals().find(|(local, _)| local.name == index.name).map_or(0, |(_, entries)| entries.len())
            }
        };
        html.open("p", "").element("code", "", &index.name).raw(" by ");
        keys(html, &index.key);
        html.raw(if index.kind == IndexKind::Global { ", global, " } else { ", local, " });
        html.text(&counted(entries as u64, "item", "items")).close("p");
    }
    html.close("div");
}

/// The table in focus.
pub fn table_summary(playground: Playground) -> String {
    playground.version.track();
    let name = playground.table.get();
    let mut html = Html::new();
    playground.with(|session| match session.database().get(&name) {
        Some(table) => told(&mut html, table, session.database()),
        None => {
            html.element("p", "quiet", "There is no table.");
        }
    });
    html.finish()
}
