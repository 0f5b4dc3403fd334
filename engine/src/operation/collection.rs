//! `ReturnItemCollectionMetrics` and the `ItemCollectionMetrics` it asks for. API reference, *ItemCollectionMetrics*.

use super::Context;
use super::input::{Input, Violations};
use crate::diagnostic::Failure;
use crate::value::{Item, item_to_json};
use serde::Serialize;
use serde_json::{Value as Json, json};
use std::collections::BTreeMap;

/// Bytes of a GB.
const GIGABYTE: u64 = 1 << 30;

/// Does the answer tell how large the touched item collections are?
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum ReturnItemCollectionMetrics {
    /// No.
    #[default]
    None,
    /// Yes, where the table has local indexes.
    Size,
}

impl ReturnItemCollectionMetrics {
    /// Is it the default? (For leaving it out of JSON.)
    #[allow(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
    pub fn is_none(&self) -> bool {
        *self == Self::None
    }

    /// Reads the member and notes a value that is none of the two.
    pub fn read(input: &Input<'_>, violations: &mut Violations) -> Result<Self, Failure> {
        let text = input.text("ReturnItemCollectionMetrics")?;
        violations.one_of(text.as_ref(), "returnItemCollectionMetrics", &["SIZE", "NONE"]);
        Ok(if text.as_deref() == Some("SIZE") { Self::Size } else { Self::None })
    }

    /// What is to be told of the collection that `item` is in, if anything.
    pub fn of(self, context: &Context<'_>, slot: usize, item: &Item) -> Option<Json> {
        if self.is_none() {
            return None;
        }
        let table = context.database.table(slot);
        let name = &table.schema.key.partition.name;
        let bytes = table.collection_bytes(item.get(name)?)?;
        let key = item.filtered(|attribute| *attribute == **name);
        // An estimate within a GB.
        let low = bytes / GIGABYTE;
        Some(json!({"ItemCollectionKey": item_to_json(&key), "SizeEstimateRangeGB": [low as f64, (low + 1) as f64]}))
    }
}

/// The metrics of several tables, each collection once.
#[derive(Default)]
pub struct Collections(BTreeMap<String, Vec<Json>>);

impl Collections {
    /// Adds what is told of one.
    pub fn add(&mut self, table: &str, metrics: Option<Json>) {
        let Some(metrics) = metrics else { return };
        let list = self.0.entry(table.to_owned()).or_default();
        match list.iter_mut().find(|other| other["ItemCollectionKey"] == metrics["ItemCollectionKey"]) {
            Some(other) => *other = metrics,
            None => list.push(metrics),
        }
    }

    /// The member, if there is anything in it.
    pub fn told(self) -> Option<Json> {
        (!self.0.is_empty()).then(|| json!(self.0))
    }
}
