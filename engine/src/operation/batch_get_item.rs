//! BatchGetItem: up to 100 items by their keys, each admitted, rounded and charged alone. API reference, *BatchGetItem*.
//!
//! What is refused for want of capacity, and what would make the answer larger than 16 MB, comes back as
//! `UnprocessedKeys`; only if everything is refused is the batch itself an error.

use super::consumed::{ConsumedCapacity, ReturnConsumedCapacity};
use super::expressions::ExpressionAttributes;
use super::input::{Input, Violations, check_batch_table, refuse_legacy, without_arn};
use super::read_one::read_one;
use super::{Context, Operation, Response, slot_of};
use crate::capacity::Consistency;
use crate::diagnostic::Failure;
use crate::expression::{Projection, parse_projection};
use crate::value::{Item, item_to_json};
use serde::Serialize;
use serde_json::{Map, Value as Json};
use std::collections::{BTreeMap, BTreeSet};

/// Keys of one batch, at most.
const MAX_KEYS: usize = 100;
/// Bytes of one answer, at most.
const MAX_BYTES: usize = 16 << 20;

/// What is wanted of one table.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "PascalCase")]
#[allow(missing_docs, reason = "members of the API, documented there")]
pub struct KeysAndAttributes {
    pub keys: Vec<Item>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub projection_expression: Option<String>,
    #[serde(flatten)]
    pub attributes: ExpressionAttributes,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub consistent_read: bool,
}

/// A BatchGetItem request.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "PascalCase")]
#[allow(missing_docs, reason = "members of the API, documented there")]
pub struct BatchGetItem {
    pub request_items: BTreeMap<String, KeysAndAttributes>,
    #[serde(skip_serializing_if = "ReturnConsumedCapacity::is_none")]
    pub return_consumed_capacity: ReturnConsumedCapacity,
}

impl BatchGetItem {
    pub(super) fn read(input: &Input<'_>) -> Result<Self, Failure> {
        let mut violations = Violations::default();
        let return_consumed_capacity = ReturnConsumedCapacity::read(input, &mut violations)?;
        let tables = input.required_structure("RequestItems", "requestItems", violations)?;
        let mut request_items = BTreeMap::new();
        for (name, _) in tables.entries() {
            let Some(of_table) = tables.structure(name)? else { continue };
            let table = without_arn(name);
            request_items.insert(table.to_owned(), read_of_table(&of_table, table)?);
        }
        Ok(Self { request_items, return_consumed_capacity })
    }

    fn check(&self) -> Result<(), Failure> {
        if self.request_items.is_empty() {
            return Err(Failure::validation("The requestItems parameter is required for BatchGetItem"));
        }
        for (table, wanted) in &self.request_items {
            check_batch_table(table)?;
            if wanted.keys.len() > MAX_KEYS {
                return Err(Failure::validation(format!(
                    "1 validation error detected: Value at 'RequestItems.{table}.member.Keys' failed to satisfy \
                     constraint: Member must have length less than or equal to 100"
                )));
            }
        }
        if self.request_items.values().map(|wanted| wanted.keys.len()).sum::<usize>() > MAX_KEYS {
            return Err(Failure::validation("Too many items requested for the BatchGetItem call"));
        }
        Ok(())
    }

    /// Checks the keys of all tables, and reads their projections.
    fn prepare(&self, context: &mut Context<'_>) -> Result<Vec<Prepared<'_>>, Failure> {
        let mut prepared = Vec::new();
        for (name, wanted) in &self.request_items {
            let expression = wanted.projection_expression.as_deref();
            let mut placeholders = wanted.attributes.placeholders(&[], expression.is_some())?;
            let projection = expression.map(|source| parse_projection(source, &mut placeholders)).transpose()?;
            placeholders.check_all_used()?;
            prepared.push(Prepared { name, slot: 0, wanted, projection });
        }
        for table in &mut prepared {
            table.slot = slot_of(context, table.name)?;
            let schema = &context.database.table(table.slot).schema;
            let mut keys = BTreeSet::new();
            for key in &table.wanted.keys {
                schema.check_key(key)?;
                if !keys.insert(key.clone()) {
                    return Err(Failure::validation("Provided list of item keys contains duplicates"));
                }
            }
        }
        Ok(prepared)
    }
}

/// What is wanted of a table, understood.
struct Prepared<'a> {
    name: &'a String,
    slot: usize,
    wanted: &'a KeysAndAttributes,
    projection: Option<Projection>,
}

impl Operation for BatchGetItem {
    fn name(&self) -> &'static str {
        "BatchGetItem"
    }

    fn is_write(&self) -> bool {
        false
    }

    fn run(&self, context: &mut Context<'_>) -> Result<Response, Failure> {
        self.check()?;
        let prepared = self.prepare(context)?;
        let (mut responses, mut unprocessed, mut consumed) = (Map::new(), Map::new(), Vec::new());
        let (mut throttle, mut done, mut bytes) = (None, 0, 0);
        for Prepared { name, slot, wanted, projection } in prepared {
            context.trace.table.clone_from(name);
            let consistency = if wanted.consistent_read { Consistency::Strong } else { Consistency::Eventual };
            let (mut items, mut left, mut cost) = (Vec::new(), Vec::new(), ConsumedCapacity::default());
            for key in &wanted.keys {
                if bytes >= MAX_BYTES {
                    left.push(key.clone());
                    continue;
                }
                match read_one(context, slot, key, consistency) {
                    Ok((item, units)) => {
                        done += 1;
                        cost.table += units;
                        let Some(item) = item else { continue };
                        bytes += item.size_bytes();
                        items.push(match &projection {
                            Some(projection) => item_to_json(&projection.apply(&item)),
                            None => item_to_json(&item),
                        });
                    }
                    Err(failure) if failure.kind.is_throttle() => {
                        left.push(key.clone());
                        throttle.get_or_insert(failure);
                    }
                    Err(failure) => return Err(failure),
                }
            }
            responses.insert(name.clone(), items.into());
            if !left.is_empty() {
                let again = KeysAndAttributes { keys: left, ..wanted.clone() };
                unprocessed.insert(name.clone(), serde_json::to_value(again).unwrap_or(Json::Null));
            }
            consumed.extend(cost.to_json(name, self.return_consumed_capacity));
        }
        match throttle {
            Some(failure) if done == 0 => Err(failure),
            _ => {
                let mut response = Response::of("Responses", responses.into());
                response.members.insert("UnprocessedKeys".to_owned(), unprocessed.into());
                response.consumed = (!self.return_consumed_capacity.is_none()).then(|| consumed.into());
                Ok(response)
            }
        }
    }
}

fn read_of_table(input: &Input<'_>, table: &str) -> Result<KeysAndAttributes, Failure> {
    refuse_legacy(input, &["AttributesToGet"], &["ProjectionExpression"])?;
    let mut violations = Violations::default();
    let path = format!("requestItems.{table}.member.keys");
    let keys = input.items("Keys")?;
    match &keys {
        None => violations.missing(&path),
        Some(keys) if keys.is_empty() => {
            violations.add("'[]'", &path, "Member must have length greater than or equal to 1");
        }
        Some(_) => {}
    }
    violations.check()?;
    Ok(KeysAndAttributes {
        keys: keys.unwrap_or_default(),
        projection_expression: input.text("ProjectionExpression")?,
        attributes: ExpressionAttributes { names: input.names()?, values: None },
        consistent_read: input.flag("ConsistentRead")?.unwrap_or(false),
    })
}
