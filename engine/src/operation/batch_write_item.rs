//! BatchWriteItem: up to 25 puts and deletes, each admitted and charged alone. API reference, *BatchWriteItem*.
//!
//! What is refused for want of capacity comes back as `UnprocessedItems`; only if everything is refused is the
//! batch itself an error.

use super::collection::{Collections, ReturnItemCollectionMetrics};
use super::consumed::{ConsumedCapacity, ReturnConsumedCapacity};
use super::input::{Input, Violations, check_batch_table, without_arn};
use super::write::{ItemWrite, PUT_OVERSIZE, write_item};
use super::{Context, Operation, Response, slot_of};
use crate::diagnostic::Failure;
use crate::value::{Item, MAX_ITEM_BYTES, item_to_json};
use serde::Serialize;
use serde_json::{Map, Value as Json, json};
use std::collections::{BTreeMap, BTreeSet};

/// One put or delete of a batch.
#[derive(Clone, Debug, PartialEq)]
pub enum BatchWrite {
    /// `PutRequest`
    Put(Item),
    /// `DeleteRequest`
    Delete(Item),
}

impl BatchWrite {
    fn to_json(&self) -> Json {
        match self {
            Self::Put(item) => json!({"PutRequest": {"Item": item_to_json(item)}}),
            Self::Delete(key) => json!({"DeleteRequest": {"Key": item_to_json(key)}}),
        }
    }
}

impl Serialize for BatchWrite {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.to_json().serialize(serializer)
    }
}

/// A BatchWriteItem request.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "PascalCase")]
#[allow(missing_docs, reason = "members of the API, documented there")]
pub struct BatchWriteItem {
    pub request_items: BTreeMap<String, Vec<BatchWrite>>,
    #[serde(skip_serializing_if = "ReturnConsumedCapacity::is_none")]
    pub return_consumed_capacity: ReturnConsumedCapacity,
    #[serde(skip_serializing_if = "ReturnItemCollectionMetrics::is_none")]
    pub return_item_collection_metrics: ReturnItemCollectionMetrics,
}

/// Most writes of one batch.
const MAX_BATCH: usize = 25;

impl BatchWriteItem {
    pub(super) fn read(input: &Input<'_>) -> Result<Self, Failure> {
        let mut violations = Violations::default();
        let return_consumed_capacity = ReturnConsumedCapacity::read(input, &mut violations)?;
        let metrics = ReturnItemCollectionMetrics::read(input, &mut violations)?;
        let tables = input.required_structure("RequestItems", "requestItems", violations)?;
        let mut request_items = BTreeMap::new();
        for (name, _) in tables.entries() {
            let mut writes = Vec::new();
            for write in tables.structures(name)?.unwrap_or_default() {
                writes.push(read_write(&write)?);
            }
            let table = without_arn(name);
            request_items.insert(table.to_owned(), writes);
        }
        Ok(Self { request_items, return_consumed_capacity, return_item_collection_metrics: metrics })
    }

    fn check(&self) -> Result<(), Failure> {
        if self.request_items.is_empty() {
            return Err(Failure::validation("The requestItems parameter is required for BatchWriteItem"));
        }
        for (table, writes) in &self.request_items {
            check_batch_table(table)?;
            // The service echoes the whole request here; that helps nobody.
            if writes.is_empty() || writes.len() > MAX_BATCH {
                return Err(Failure::validation(format!(
                    "1 validation error detected: Value '{{{table}=[…]}}' at 'requestItems' failed to satisfy constraint: \
                     Map value must satisfy constraint: [Member must have length less than or equal to 25, Member must \
                     have length greater than or equal to 1]"
                )));
            }
        }
        if self.request_items.values().map(Vec::len).sum::<usize>() > MAX_BATCH {
            return Err(Failure::validation("Too many items requested for the BatchWriteItem call"));
        }
        Ok(())
    }

    fn write_all(&self, context: &mut Context<'_>) -> Result<Response, Failure> {
        let mut unprocessed = Map::new();
        let mut consumed = Vec::new();
        let mut throttle = None;
        let mut done = 0;
        let mut collections = Collections::default();
        for (name, writes) in &self.request_items {
            let slot = slot_of(context, name)?;
            context.trace.table.clone_from(name);
            let mut cost = ConsumedCapacity::default();
            let mut left = Vec::new();
            for write in writes {
                let (key, new) = match write {
                    BatchWrite::Put(item) => (item, Some(item)),
                    BatchWrite::Delete(key) => (key, None),
                };
                let item_write =
                    ItemWrite { slot, key, condition: None, return_old_on_failure: false, oversize: PUT_OVERSIZE };
                match write_item(context, &item_write, |_| Ok(new.cloned())) {
                    Ok(written) => {
                        cost.merge(&written.consumed);
                        collections.add(name, self.return_item_collection_metrics.of(context, slot, key));
                        done += 1;
                    }
                    Err(failure) if failure.kind.is_throttle() => {
                        left.push(write.to_json());
                        throttle.get_or_insert(failure);
                    }
                    Err(failure) => return Err(failure),
                }
            }
            if !left.is_empty() {
                unprocessed.insert(name.clone(), left.into());
            }
            consumed.extend(cost.to_json(name, self.return_consumed_capacity));
        }
        match throttle {
            Some(failure) if done == 0 => Err(failure),
            _ => Ok(Response {
                unprocessed: Some(unprocessed.into()),
                consumed: (!self.return_consumed_capacity.is_none()).then(|| consumed.into()),
                collections: collections.told(),
                ..Response::default()
            }),
        }
    }
}

impl Operation for BatchWriteItem {
    fn name(&self) -> &'static str {
        "BatchWriteItem"
    }

    fn run(&self, context: &mut Context<'_>) -> Result<Response, Failure> {
        self.check()?;
        for writes in self.request_items.values() {
            for write in writes {
                if matches!(write, BatchWrite::Put(item) if item.size_bytes() > MAX_ITEM_BYTES) {
                    return Err(Failure::validation(PUT_OVERSIZE));
                }
            }
        }
        for (name, writes) in &self.request_items {
            let slot = slot_of(context, name)?;
            let schema = &context.database.table(slot).schema;
            let mut keys = BTreeSet::new();
            for write in writes {
                let key = match write {
                    BatchWrite::Put(item) => {
                        schema.check_item_key(item)?;
                        schema.check_index_keys(item)?;
                        schema.key_of(item)
                    }
                    BatchWrite::Delete(key) => {
                        schema.check_key(key)?;
                        key.clone()
                    }
                };
                if !keys.insert(key) {
                    return Err(Failure::validation("Provided list of item keys contains duplicates"));
                }
            }
        }
        self.write_all(context)
    }
}

fn read_write(write: &Input<'_>) -> Result<BatchWrite, Failure> {
    let (put, delete) = (write.structure("PutRequest")?, write.structure("DeleteRequest")?);
    match (put, delete) {
        (Some(_), Some(_)) => Err(Failure::validation(
            "Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported datatypes",
        )),
        (Some(put), None) => Ok(BatchWrite::Put(put.item("Item")?.ok_or_else(|| missing("item"))?)),
        (None, Some(delete)) => Ok(BatchWrite::Delete(delete.item("Key")?.ok_or_else(|| missing("key"))?)),
        (None, None) => Err(Failure::validation(
            "Supplied AttributeValue is empty, must contain exactly one of the supported datatypes",
        )),
    }
}

fn missing(path: &str) -> Failure {
    let mut violations = Violations::default();
    violations.missing(path);
    violations.check().err().unwrap_or_else(|| Failure::validation(""))
}
