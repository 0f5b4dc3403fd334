//! The lines of the list: item collections, and the items inside each.

use crate::pane::read::{clipped, shared_prefix, value_text};
use crate::text::{count, counted};
use crate::ui::order::order;
use dynascope_engine::partition::placement::ring_hash;
use dynascope_engine::partition::{PartitionId, Table};
use dynascope_engine::value::Item;
use std::sync::Arc;

/// Up to so many items the list is in the order of the keys, beyond it in the order of the hash line.
const MOST_SORTED: usize = 4_000;

/// One line of the list.
#[derive(Clone, Debug)]
pub struct Line {
    /// `None` for the head of a collection.
    pub item: Option<Arc<Item>>,
    /// What it shares with others of its kind.
    pub prefix: String,
    /// The rest.
    pub key: String,
    /// The whole key, where the line shows only its end.
    pub full: String,
    /// A word about it.
    pub note: String,
    /// Where it lies.
    pub partition: Option<PartitionId>,
    /// Inside a collection?
    pub indented: bool,
}

/// What the list shows.
#[derive(Clone, Debug, Default)]
pub struct Listed {
    /// In order.
    pub lines: Vec<Line>,
    /// What all keys begin with.
    pub prefix: String,
    /// How many there are, where they are in the order of their keys.
    pub collections: Option<usize>,
    /// Items beyond.
    pub hidden: usize,
}

/// Lines with up to `most` items.
pub fn listed(table: &Table, most: usize) -> Listed {
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
        let by_key = order(collections.len(), &|left, right| collections[left].0 < collections[right].0);
        let mut taken: Vec<_> = collections.into_iter().map(Some).collect();
        collections = by_key.into_iter().filter_map(|at| taken[at].take()).collect();
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
pub fn tint(prefix: &str) -> &'static str {
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
