//! Items by item collection, with their partition and what the shown page did to them.

use super::dialog::Open;
use super::drafts;
use crate::pane::read::{Mark, MarkSign, ReadView, clipped, shared_prefix, value_text};
use crate::playground::Playground;
use crate::text::{count, counted};
use crate::ui::live::{click, part};
use dynascope_engine::partition::placement::ring_hash;
use dynascope_engine::partition::{PartitionId, Table};
use dynascope_engine::value::Item;
use leptos::prelude::*;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Rows shown before asking for more.
const FIRST_ROWS: usize = 80;
/// Up to so many items the list is in the order of the keys, beyond it in the order of the hash line.
const MOST_SORTED: usize = 4_000;

/// One line of the list.
#[derive(Clone, Debug)]
struct Line {
    item: Option<Arc<Item>>,
    prefix: String,
    key: String,
    /// The whole key, where the line shows only its end.
    full: String,
    note: String,
    partition: Option<PartitionId>,
    indented: bool,
}

/// What the list shows.
#[derive(Clone, Debug, Default)]
struct Listed {
    lines: Vec<Line>,
    prefix: String,
    collections: Option<usize>,
    hidden: usize,
}

fn listed(table: &Table, most: usize) -> Listed {
    let total = table.base().entries.len();
    let sorted = total <= MOST_SORTED;
    let key = &table.schema.key;
    let mut collections: Vec<(String, PartitionId, Vec<Arc<Item>>)> = Vec::new();
    let mut last = None;
    for item in table.base().entries.values().take(if sorted { total } else { most }) {
        let Some(value) = item.get(&key.partition.name) else { continue };
        if last.as_ref() != Some(value) {
            let at = table.base().partitions.find(&ring_hash(value).to_be_bytes());
            collections.push((value_text(value), table.base().partitions.get(at).id, Vec::new()));
            last = Some(value.clone());
        }
        if let Some((.., members)) = collections.last_mut() {
            members.push(item.clone());
        }
    }
    if sorted {
        collections.sort_by(|left, right| left.0.cmp(&right.0));
    }
    let cut = shared_prefix(collections.iter().map(|(key, ..)| key.as_str()));
    let prefix = collections.first().and_then(|(key, ..)| key.get(..cut)).unwrap_or_default();
    // The last part of what they share names their kind and stays with each key.
    let hidden = prefix.trim_end_matches('#').rfind('#').map_or(0, |at| at + 1);
    let prefix = prefix.get(..hidden).unwrap_or_default().to_owned();
    let mut listed = Listed { prefix, collections: sorted.then_some(collections.len()), ..Listed::default() };
    let mut shown = 0;
    let groups = collections.len();
    for (number, (text, partition, members)) in collections.into_iter().enumerate() {
        if shown >= most {
            break;
        }
        let own =
            |item: &Item| key.sort.as_ref().and_then(|sort| item.get(&sort.name)).map(value_text).unwrap_or_default();
        let kind = text.rfind('#').map_or(0, |at| at + 1).max(hidden.min(text.len()));
        let (prefix, rest) = text.split_at(if text.is_char_boundary(kind) { kind } else { 0 });
        let mut head = Line {
            item: None,
            prefix: prefix.get(hidden..).unwrap_or(prefix).to_owned(),
            key: rest.to_owned(),
            full: text.clone(),
            // In the order of the hash line the last collection is cut off where the list is.
            note: if sorted || number + 1 < groups || total <= most {
                counted(members.len() as u64, "item", "items")
            } else {
                format!("{} items and more", count(members.len() as u64))
            },
            partition: Some(partition),
            indented: false,
        };
        if let [only] = members.as_slice() {
            head.note = own(only);
            head.item = Some(only.clone());
            listed.lines.push(head);
            shown += 1;
            continue;
        }
        listed.lines.push(head);
        for item in members.into_iter().take(most - shown) {
            shown += 1;
            let (kind, rest) = kind_of(&own(&item));
            listed.lines.push(Line {
                prefix: kind,
                key: rest,
                full: String::new(),
                note: about(table, &item),
                item: Some(item),
                partition: None,
                indented: true,
            });
        }
    }
    listed.hidden = total.saturating_sub(shown);
    listed
}

/// A key's first word with its `#`, and the rest.
fn kind_of(key: &str) -> (String, String) {
    let cut = key.find('#').map_or(0, |at| at + 1);
    let (kind, rest) = key.split_at(cut);
    (kind.to_owned(), rest.to_owned())
}

/// One of three tints for a kind of key, the same wherever it stands.
fn tint(prefix: &str) -> &'static str {
    let kind = prefix.trim_end_matches('#').rsplit('#').next().unwrap_or_default();
    match kind.bytes().map(usize::from).sum::<usize>() % 3 {
        _ if kind.is_empty() => "dim",
        0 => "tint-item",
        1 => "tint-cust",
        _ => "tint-order",
    }
}

/// One word about an item that is no key: its type, if it has one.
fn about(table: &Table, item: &Item) -> String {
    let named = ["type", "entity", "kind"].into_iter().find_map(|name| item.get(name));
    let is_key =
        |name: &str| table.schema.key.has(name) || table.schema.indexes.iter().any(|index| index.key.has(name));
    let value = named.or_else(|| item.iter().find(|(name, _)| !is_key(name)).map(|(_, value)| value));
    value.map(|value| clipped(&value_text(value), 18)).unwrap_or_default()
}

/// What the shown pages did, by the table's key.
fn marks(view: ReadView) -> BTreeMap<Item, Mark> {
    let Some(figure) = view.figure() else { return BTreeMap::new() };
    figure.items.iter().zip(figure.marks()).map(|(item, mark)| (figure.schema.key_of(item), mark)).collect()
}

/// The list.
#[component]
pub fn ItemList() -> impl IntoView {
    let playground = Playground::expect();
    let view = ReadView::of(playground);
    let open = drafts().open;
    let most = RwSignal::new(FIRST_ROWS);
    let marks = Memo::new(move |_| marks(view));
    let list = move || {
        playground.version.track();
        let name = playground.table.get();
        let Some(listed) =
            playground.with(|session| session.database().get(&name).map(|table| listed(table, most.get())))
        else {
            return ().into_any();
        };
        if listed.lines.is_empty() {
            let verb = |what: Open, text: &'static str| {
                view! { <button type="button" class="say" on:click=click(move |_| open.set(what.clone()))>{text}</button> }
            };
            return view! {
                <p class="items-empty">
                    "No items yet: " {verb(Open::New, "add one")} ", " {verb(Open::Paste, "paste some")} " or "
                    {verb(Open::Generate, "generate them")} "."
                </p>
            }
            .into_any();
        }
        let under = (!listed.prefix.is_empty()).then(|| format!("under {}", listed.prefix));
        let order = match listed.collections {
            Some(number) => counted(number as u64, "collection", "collections"),
            None => "in the order of the hash line".to_owned(),
        };
        let more = (listed.hidden > 0).then(|| {
            view! {
                <button type="button" class="say" on:click=click(move |_| most.update(|most| *most += 400))>
                    {format!("{} more", count(listed.hidden as u64))}
                </button>
            }
        });
        view! {
            <h2 class="items-head">"Items " <span class="quiet">{order} " " <span class="mono">{under}</span></span></h2>
            <ul class="items-list" aria-label="Items by key">
                {listed.lines.into_iter().map(|line| view! { <ItemLine line=line marks=marks /> }).collect_view()}
            </ul>
            {more}
        }
        .into_any()
    };
    view! { <div class="items-block">{list}</div> }
}

#[component]
fn ItemLine(line: Line, marks: Memo<BTreeMap<Item, Mark>>) -> impl IntoView {
    let drafts = drafts();
    let playground = Playground::expect();
    let partition = line.partition.map(|id| id.to_string());
    let tint = tint(&line.prefix);
    let Some(item) = line.item else {
        return view! {
            <li class="item-line item-head">
                <span class="item-mark"></span>
                <span class="item-key mono" dir="auto" title=line.full><span class=tint>{line.prefix}</span>{line.key}</span>
                <span class="item-note">{line.note}</span>
                <span class="item-where">{partition}</span>
            </li>
        }
        .into_any();
    };
    let key = playground.schema().map(|schema| schema.key_of(&item)).unwrap_or_default();
    let mark = Memo::new(move |_| marks.with(|marks| marks.get(&key).copied()));
    let open = move |_| drafts.open.set(Open::Item(item.clone()));
    view! {
        <li class:item-inside=line.indented>
            <button type="button" class="item-line" on:click=open>
                <span class="item-mark">
                    {part(move || mark.get().map(|mark| view! { <MarkSign mark=mark /><span class="vh">{mark.word()}", "</span> }))}
                </span>
                <span class="item-key mono" dir="auto" title=line.full><span class=tint>{line.prefix}</span>{line.key}</span>
                <span class="item-note" class:mono=!line.indented dir="auto">{line.note}</span>
                <span class="item-where">{partition}</span>
            </button>
        </li>
    }
    .into_any()
}
