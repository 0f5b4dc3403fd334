//! What Query and Scan share: parameters, preparation, reading a page, filter, projection, charge.
//!
//! A prepared [`ReadJob`] only needs to look at a table, so the same code answers a request and previews it.

use super::consumed::{ConsumedCapacity, ReturnConsumedCapacity};
use super::expressions::{ExpressionAttributes, check_scalar_keys};
use super::input::{Input, Violations, is_resource_name, table_name, value_failure};
use super::read_checks::{check_filter, check_projection, start_position};
use super::{Context, Response, resource_not_found};
use crate::capacity::{Consistency, HalfUnits, Side, read_cost};
use crate::diagnostic::Failure;
use crate::expression::{
    Condition, ExpressionKind, KeyQuery, Placeholders, Projection, parse_condition, parse_projection,
};
use crate::partition::placement::{collection_prefix, ring_hash};
use crate::partition::{Bounds, Database, Page, PageRequest, ReadTarget, Reader, StopReason, Table};
use crate::table::{Index, IndexKind};
use crate::time::SimTime;
use crate::trace::{Charge, Evaluated, ReadTrace, RefusedPart, Route, Trace};
use crate::value::{AttributeValue, Item, JsonFault, KeyBytes, item_from_json};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Which attributes come back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Select {
    /// The whole item (default on a table).
    AllAttributes,
    /// What the index carries (default on an index).
    AllProjectedAttributes,
    /// What the projection names.
    SpecificAttributes,
    /// None, only the counts.
    Count,
}

/// Members that Query and Scan have in common.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "PascalCase")]
#[allow(missing_docs, reason = "members of the API, documented there")]
pub struct ReadParameters {
    pub table_name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub index_name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub filter_expression: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub projection_expression: Option<String>,
    #[serde(flatten)]
    pub attributes: ExpressionAttributes,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exclusive_start_key: Option<Item>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub select: Option<Select>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub consistent_read: bool,
    #[serde(skip_serializing_if = "ReturnConsumedCapacity::is_none")]
    pub return_consumed_capacity: ReturnConsumedCapacity,
}

impl ReadParameters {
    pub(super) fn read(input: &Input<'_>, violations: &mut Violations) -> Result<Self, Failure> {
        let return_consumed_capacity = ReturnConsumedCapacity::read(input, violations)?;
        let select = input.text("Select")?;
        violations.one_of(
            select.as_ref(),
            "select",
            &["SPECIFIC_ATTRIBUTES", "COUNT", "ALL_ATTRIBUTES", "ALL_PROJECTED_ATTRIBUTES"],
        );
        let index_name = input.text("IndexName")?;
        if let Some(name) = &index_name {
            let quoted = format!("'{name}'");
            if name.len() < 3 {
                violations.add(&quoted, "indexName", "Member must have length greater than or equal to 3");
            } else if name.len() > 255 {
                violations.add(&quoted, "indexName", "Member must have length less than or equal to 255");
            } else if !is_resource_name(name) {
                violations.add(&quoted, "indexName", "Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+");
            }
        }
        Ok(Self {
            table_name: table_name(input)?,
            index_name,
            filter_expression: input.text("FilterExpression")?,
            projection_expression: input.text("ProjectionExpression")?,
            attributes: ExpressionAttributes { names: input.names()?, values: input.values()? },
            limit: input.integer("Limit")?,
            exclusive_start_key: start_key(input)?,
            select: match select.as_deref() {
                Some("ALL_ATTRIBUTES") => Some(Select::AllAttributes),
                Some("ALL_PROJECTED_ATTRIBUTES") => Some(Select::AllProjectedAttributes),
                Some("SPECIFIC_ATTRIBUTES") => Some(Select::SpecificAttributes),
                Some("COUNT") => Some(Select::Count),
                _ => None,
            },
            consistent_read: input.flag("ConsistentRead")?.unwrap_or(false),
            return_consumed_capacity,
        })
    }

    /// Parses projection and filter, in the service's order.
    pub(super) fn parse(
        &self,
        placeholders: &mut Placeholders,
    ) -> Result<(Option<Projection>, Option<Condition>), Failure> {
        let projection =
            self.projection_expression.as_deref().map(|source| parse_projection(source, placeholders)).transpose()?;
        let filter = self
            .filter_expression
            .as_deref()
            .map(|source| parse_condition(ExpressionKind::Filter, source, placeholders))
            .transpose()?;
        Ok((projection, filter))
    }

    /// Checks what `Select` and a projection may say together. `prefix` goes before the last of the texts.
    pub(super) fn check_select(&self, prefix: &str) -> Result<(), Failure> {
        let projects = self.projection_expression.is_some();
        match self.select {
            Some(Select::AllProjectedAttributes) if self.index_name.is_none() => {
                Err(Failure::validation("ALL_PROJECTED_ATTRIBUTES can be used only when Querying using an IndexName"))
            }
            Some(Select::AllAttributes) if projects => {
                Err(Failure::validation("Cannot specify the ProjectionExpression when choosing to get ALL_ATTRIBUTES"))
            }
            Some(Select::AllProjectedAttributes) if projects => Err(Failure::validation(
                "Cannot specify the ProjectionExpression when choosing to get ALL_PROJECTED_ATTRIBUTES",
            )),
            Some(Select::Count) if projects => {
                Err(Failure::validation("Cannot specify the ProjectionExpression when choosing to get only the Count"))
            }
            Some(Select::SpecificAttributes) if !projects => Err(Failure::validation(format!(
                "{prefix}Must specify the AttributesToGet or ProjectionExpression when choosing to get SPECIFIC_ATTRIBUTES"
            ))),
            _ => Ok(()),
        }
    }
}

fn start_key(input: &Input<'_>) -> Result<Option<Item>, Failure> {
    let Some(json) = input.raw("ExclusiveStartKey") else { return Ok(None) };
    match item_from_json(json) {
        Ok(key) => Ok(Some(key)),
        Err(JsonFault::Value(text)) => {
            Err(Failure::validation(format!("The provided starting key is invalid: {text}")))
        }
        Err(fault) => Err(value_failure(fault)),
    }
}

/// A Query or Scan ready to read: everything checked, placeholders resolved.
#[derive(Clone, Debug)]
pub struct ReadJob {
    slot: usize,
    /// What will be read, in which order, from where.
    pub page: PageRequest,
    index: Option<String>,
    /// The one partition key of a Query.
    pub key: Option<AttributeValue>,
    /// The filter, if there is one.
    pub filter: Option<Condition>,
    projection: Option<Projection>,
    select: Option<Select>,
    consistency: Consistency,
    wanted: ReturnConsumedCapacity,
    /// A local index does not carry all that is asked for: the items are fetched from the table.
    fetch: bool,
}

/// How a Query narrows what is read.
pub(super) struct Narrowed<'a> {
    /// The resolved key condition of a Query.
    pub query: Option<&'a KeyQuery>,
    /// Range of positions.
    pub bounds: Bounds,
    /// Ascending?
    pub forward: bool,
}

/// A page with everything that follows from it.
struct Read {
    page: Page,
    kept: Vec<bool>,
    items: Vec<Arc<Item>>,
    charges: Vec<(usize, HalfUnits)>,
    fetched: Vec<(usize, HalfUnits)>,
}

/// The table and index a read speaks of.
pub(super) fn find<'a>(
    database: &'a Database,
    parameters: &ReadParameters,
) -> Result<(usize, &'a Table, Option<&'a Index>, ReadTarget), Failure> {
    let slot = database.slot(&parameters.table_name).ok_or_else(resource_not_found)?;
    let table = database.table(slot);
    let Some(name) = &parameters.index_name else { return Ok((slot, table, None, ReadTarget::Base)) };
    let index = table
        .schema
        .index(name)
        .ok_or_else(|| Failure::validation(format!("The table does not have the specified index: {name}")))?;
    let target = match index.kind {
        IndexKind::Global => {
            if parameters.consistent_read {
                return Err(Failure::validation("Consistent reads are not supported on global secondary indexes"));
            }
            ReadTarget::Global(table.arm_of(name).unwrap_or(0))
        }
        IndexKind::Local => {
            ReadTarget::Local(table.schema.local_indexes().position(|local| local.name == *name).unwrap_or(0))
        }
    };
    Ok((slot, table, Some(index), target))
}

impl ReadJob {
    /// Builds the job once the key condition (of a Query) or the segment (of a Scan) is known.
    pub(super) fn prepare(
        parameters: &ReadParameters,
        (slot, table, index, target): (usize, &Table, Option<&Index>, ReadTarget),
        (projection, filter): (Option<Projection>, Option<Condition>),
        narrowed: Narrowed<'_>,
        page_bytes: u64,
    ) -> Result<Self, Failure> {
        let keyed = narrowed.query.is_some();
        if let Some(filter) = &filter {
            check_scalar_keys(&table.schema, ExpressionKind::Filter, filter.nested_attributes())?;
        }
        if let Some(projection) = &projection {
            check_scalar_keys(&table.schema, ExpressionKind::Projection, projection.nested_attributes())?;
        }
        if let Some(filter) = filter.as_ref().filter(|_| keyed) {
            check_filter(table, index, filter)?;
        }
        let fetch = match index {
            Some(index) => check_projection(table, index, parameters.select, projection.as_ref())?,
            None => false,
        };
        let start_after = match &parameters.exclusive_start_key {
            Some(key) => Some(start_position(table, index, key, &narrowed)?),
            None => None,
        };
        Ok(Self {
            slot,
            page: PageRequest {
                target,
                bounds: narrowed.bounds,
                forward: narrowed.forward,
                start_after,
                limit: parameters.limit.map(|limit| limit.max(1) as usize),
                page_bytes,
            },
            index: parameters.index_name.clone(),
            key: narrowed.query.map(|query| query.partition.clone()),
            filter,
            projection,
            select: parameters.select,
            consistency: if parameters.consistent_read { Consistency::Strong } else { Consistency::Eventual },
            wanted: parameters.return_consumed_capacity,
            fetch,
        })
    }

    /// Every item of the range in reading order, Limit, 1 MB and cursor ignored; at most `most`, with the
    /// count of all. For showing what a page does not reach.
    pub fn window(&self, database: &Database, most: usize) -> (Vec<Arc<Item>>, usize) {
        let mut items = Vec::new();
        let mut count = 0;
        let range = (self.page.target, Reader::LEADER);
        for (_, item) in database.table(self.slot).range(range, &self.page.bounds, self.page.forward, None) {
            if count < most {
                items.push(item.clone());
            }
            count += 1;
        }
        (items, count)
    }

    fn read(&self, table: &Table, reader: Reader) -> Read {
        let page = table.read_page(&self.page, reader);
        let mut kept = Vec::with_capacity(page.entries.len());
        let mut items = Vec::new();
        let mut fetched = Vec::new();
        for entry in &page.entries {
            let passes = self.filter.as_ref().is_none_or(|filter| filter.matches(&entry.item));
            kept.push(passes);
            let mut item = entry.item.clone();
            if self.fetch {
                // Each fetched item is rounded up on its own.
                let whole = table.read_whole(&entry.item, reader).cloned().unwrap_or(item);
                fetched.push((entry.at, read_cost(whole.size_bytes() as u64, self.consistency)));
                item = whole;
            }
            if passes && self.select != Some(Select::Count) {
                items.push(match &self.projection {
                    Some(projection) => Arc::new(projection.apply(&item)),
                    None => item,
                });
            }
        }
        let charges = page.charges(self.consistency);
        Read { page, kept, items, charges, fetched }
    }

    fn consumed(&self, read: &Read) -> ConsumedCapacity {
        let sum = |charges: &[(usize, HalfUnits)]| charges.iter().map(|(_, cost)| *cost).sum();
        let mut consumed = ConsumedCapacity::default();
        let index = self.index.clone().unwrap_or_default();
        match self.page.target {
            ReadTarget::Base => consumed.table = sum(&read.charges),
            ReadTarget::Global(_) => consumed.global.push((index, sum(&read.charges))),
            ReadTarget::Local(_) => {
                consumed.local.push((index, sum(&read.charges)));
                consumed.table = sum(&read.fetched);
            }
        }
        consumed
    }

    fn respond(&self, table: &Table, read: Read, trace: &mut Trace) -> Response {
        let consumed = self.consumed(&read);
        let partitions = &table.arms[self.page.target.arm()].partitions;
        let last_evaluated_key = match read.page.stop {
            StopReason::EndOfData => None,
            StopReason::Limit | StopReason::PageSize => read.page.entries.last().map(|entry| {
                table.schema.cursor_of(self.index.as_deref().and_then(|name| table.schema.index(name)), &entry.item)
            }),
        };
        let counts = (read.kept.iter().filter(|kept| **kept).count(), read.page.entries.len());
        trace.read = Some(ReadTrace {
            bytes: read.page.bytes,
            stop: read.page.stop,
            partitions: read.page.visits.iter().map(|visit| partitions.get(visit.at).id).collect(),
            cost: consumed.total(),
            evaluated: read
                .page
                .entries
                .into_iter()
                .zip(read.kept)
                .map(|(entry, kept)| Evaluated {
                    item: entry.item,
                    bytes: entry.bytes,
                    kept,
                    partition: partitions.get(entry.at).id,
                })
                .collect(),
        });
        Response {
            items: (self.select != Some(Select::Count)).then_some(read.items),
            counts: Some(counts),
            last_evaluated_key,
            consumed: consumed.to_json(&table.schema.name, self.wanted),
            ..Response::default()
        }
    }

    fn route(&self, table: &Table, trace: &mut Trace) {
        trace.table.clone_from(&table.schema.name);
        trace.index.clone_from(&self.index);
        if let Some(key) = &self.key {
            let partitions = &table.arms[self.page.target.arm()].partitions;
            trace.routes.push(Route {
                index: self.index.clone(),
                key: key.clone(),
                hash: ring_hash(key),
                partition: partitions.get(partitions.find(&self.page.bounds.lower)).id,
            });
        }
    }

    /// The replica that answers the next such read: that of the first partition, for the whole page.
    fn reader(&self, table: &Table, now: SimTime) -> Reader {
        table.arms[self.page.target.arm()].reader(table.first_partition(&self.page), self.consistency, now)
    }

    /// Answers without admission and without charge, and changes nothing.
    pub fn preview(&self, database: &Database, now: SimTime) -> (Response, Trace) {
        let table = database.table(self.slot);
        let mut trace = Trace { at: now, ..Trace::default() };
        self.route(table, &mut trace);
        trace.reader = self.reader(table, now);
        let read = self.read(table, trace.reader);
        let response = self.respond(table, read, &mut trace);
        (response, trace)
    }

    /// Admission by the table and the first partition, then the page, then its charge. A page is never cut
    /// short by a throttle: later partitions go into debt.
    pub(super) fn run(&self, context: &mut Context<'_>) -> Result<Response, Failure> {
        let now = context.now;
        let table = context.database.table(self.slot);
        self.route(table, context.trace);
        let arm = self.page.target.arm();
        let first = table.first_partition(&self.page);
        let reader = self.reader(table, now);
        context.trace.reader = reader;
        if let Some(refusal) = table.read_refusal(arm, first, reader, now) {
            let failure = refusal.to_failure();
            let partition = table.arms[arm].partitions.get(first).id;
            context.trace.refusals.push(RefusedPart {
                slot: self.slot,
                arm,
                partition,
                side: Side::Read,
                key: self.key.clone(),
                refusal,
            });
            return Err(failure);
        }
        let read = self.read(table, reader);
        let mut charges = read.charges.clone();
        charges.extend(&read.fetched);
        let response = self.respond(table, read, context.trace);
        let route = context.trace.routes.len().checked_sub(1);
        let arm_state = &mut context.database.table_mut(self.slot).arms[arm];
        for (at, cost) in charges {
            // A Scan asks for no key; a Query for the beginning of its collection.
            let position = || self.key.as_ref().map(|key| KeyBytes::new(collection_prefix(key)));
            let reader = arm_state.reader(at, self.consistency, now);
            arm_state.charge_for((at, Side::Read, cost), reader, now, &position);
            let partition = arm_state.partitions.get(at).id;
            context.trace.charges.push(Charge { slot: self.slot, arm, partition, side: Side::Read, cost, route });
        }
        Ok(response)
    }
}
