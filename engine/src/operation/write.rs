//! The one way an item is written: admission, condition, index admission, charges, change.

use super::Context;
use super::consumed::ConsumedCapacity;
use crate::capacity::{Refusal, Side, write_cost};
use crate::diagnostic::{ErrorKind, Failure};
use crate::expression::Condition;
use crate::partition::placement::{ring_hash, table_position};
use crate::partition::{Arrival, ItemChange, Table, WritePlan};
use crate::time::SimTime;
use crate::trace::{Charge, RefusedPart, Route};
use crate::value::{AttributeValue, Item, MAX_ITEM_BYTES, item_to_json};
use std::sync::Arc;

/// A write to one item, checked as far as it can be without looking at what is stored.
pub struct ItemWrite<'a> {
    /// Place of the table.
    pub slot: usize,
    /// The primary key.
    pub key: &'a Item,
    /// Must hold for what is stored.
    pub condition: Option<&'a Condition>,
    /// Put the stored item into a failed condition's error?
    pub return_old_on_failure: bool,
    /// The text for an item that grows over 400 KB.
    pub oversize: &'static str,
}

/// An item before and after a write, and what it cost.
pub struct Written {
    /// What was stored.
    pub old: Option<Arc<Item>>,
    /// What is stored now.
    pub new: Option<Arc<Item>>,
    /// Units, by arm.
    pub consumed: ConsumedCapacity,
}

/// Text for a put that is too large.
pub const PUT_OVERSIZE: &str = "Item size has exceeded the maximum allowed size";
/// Text for an update that grows too large.
pub const UPDATE_OVERSIZE: &str = "Item size to update has exceeded the maximum allowed size";

/// Carries a write out. `change` makes the new item of the stored one; `None` removes it.
///
/// Order: base admission → condition → index admission → all charges together. A failed condition charges the
/// base only; a refusal charges nothing anywhere.
pub fn write_item(
    context: &mut Context<'_>,
    write: &ItemWrite<'_>,
    change: impl FnOnce(Option<&Item>) -> Result<Option<Item>, Failure>,
) -> Result<Written, Failure> {
    let now = context.now;
    let table = context.database.table(write.slot);
    let position = table_position(&table.schema.key, write.key)
        .ok_or_else(|| Failure::validation("The provided key element does not match the schema"))?;
    let at = table.base().partitions.find(&position);
    let partition_key = write.key.get(&table.schema.key.partition.name);
    let route = context.trace.routes.len();
    if let Some(key) = partition_key {
        context.trace.routes.push(Route {
            index: None,
            key: key.clone(),
            hash: ring_hash(key),
            partition: table.base().partitions.get(at).id,
        });
    }
    if let Some(refusal) = table.refusal(0, at, Side::Write, now) {
        let key = partition_key.cloned();
        return Err(refuse(context, write.slot, (0, at), key, refusal));
    }
    let old = table.base().entries.get(&position).cloned();
    if let Some(condition) = write.condition {
        let holds = match &old {
            Some(item) => condition.matches(item),
            None => condition.matches(&Item::new()),
        };
        context.trace.condition = Some(holds);
        if !holds {
            return Err(fail_condition(context, write, (at, route), old, change));
        }
    }
    let new = change(old.as_deref())?;
    let mut new_item = None;
    if let Some(mut item) = new {
        check_size(context, (write.slot, write.oversize), &item)?;
        context.database.table_mut(write.slot).intern(&mut item);
        new_item = Some(Arc::new(item));
    }
    let table = context.database.table(write.slot);
    let plan = table.plan_write(ItemChange { position, old: old.clone(), new: new_item.clone() });
    if table.exceeds_collection(&plan, context.physics) {
        return Err(collection_exceeded());
    }
    if let Some(refusal) = table.index_refusal(&plan, now) {
        let (place, key) = first_empty(table, &plan, now);
        return Err(refuse(context, write.slot, place, key, refusal));
    }
    let consumed = settle(context, write.slot, plan, route);
    Ok(Written { old, new: new_item, consumed })
}

pub(super) fn check_size(
    context: &Context<'_>,
    (slot, oversize): (usize, &'static str),
    item: &Item,
) -> Result<(), Failure> {
    let schema = &context.database.table(slot).schema;
    // With local indexes the limit holds for the item together with its entries.
    let local: usize = schema
        .local_indexes()
        .filter(|index| schema.is_in(index, item))
        .map(|index| item.filtered(|name| schema.projects(index, name)).size_bytes())
        .sum();
    if item.size_bytes() + local > MAX_ITEM_BYTES {
        return Err(Failure::validation(oversize));
    }
    Ok(())
}

/// The failure of a write to an item collection that is full.
pub(super) fn collection_exceeded() -> Failure {
    Failure::new(ErrorKind::ItemCollectionSizeLimitExceeded, "Collection size exceeded.")
}

/// Charges a planned write everywhere and carries it out.
pub(super) fn settle(context: &mut Context<'_>, slot: usize, plan: WritePlan, route: usize) -> ConsumedCapacity {
    let table = context.database.table_mut(slot);
    table.charge_write(&plan, context.now);
    let mut consumed = ConsumedCapacity { table: plan.table_cost, ..ConsumedCapacity::default() };
    let charge = |arm: usize, at: usize, cost, route| Charge {
        slot,
        arm,
        partition: table.arms[arm].partitions.get(at).id,
        side: Side::Write,
        cost,
        route,
    };
    let trace = &mut *context.trace;
    trace.charges.push(charge(0, plan.base_at, plan.base_cost(), Some(route)));
    for (local, cost) in &plan.local_costs {
        if let Some((index, _)) = table.locals().nth(*local) {
            ConsumedCapacity::add(&mut consumed.local, &index.name, *cost);
        }
    }
    for part in &plan.index_charges {
        let mut route = None;
        if let Some(index) = table.index_of(part.arm) {
            ConsumedCapacity::add(&mut consumed.global, &index.name, part.cost);
            if let Some(key) = plan.index_key(index, part) {
                route = Some(trace.routes.len());
                let partition = table.arms[part.arm].partitions.get(part.at).id;
                let (index, key, hash) = (Some(index.name.clone()), key.clone(), ring_hash(key));
                trace.routes.push(Route { index, key, hash, partition });
            }
        }
        trace.charges.push(charge(part.arm, part.at, part.cost, route));
    }
    table.commit(plan, context.now, Arrival::of(context.physics, context.now));
    consumed
}

/// A failed condition costs the base table what the larger of the stored and the attempted item would.
fn fail_condition(
    context: &mut Context<'_>,
    write: &ItemWrite<'_>,
    (at, route): (usize, usize),
    old: Option<Arc<Item>>,
    change: impl FnOnce(Option<&Item>) -> Result<Option<Item>, Failure>,
) -> Failure {
    let size = |item: Option<&Item>| item.map_or(0, |item| item.size_bytes() as u64);
    let attempted = change(old.as_deref()).ok().flatten();
    let cost = write_cost(size(old.as_deref()).max(size(attempted.as_ref())));
    let table = context.database.table_mut(write.slot);
    let position = table_position(&table.schema.key, write.key);
    let base = table.base_mut();
    base.charge((at, Side::Write, cost), context.now, &|| position.clone());
    let partition = base.partitions.get(at).id;
    context.trace.charges.push(Charge {
        slot: write.slot,
        arm: 0,
        partition,
        side: Side::Write,
        cost,
        route: Some(route),
    });
    let failure = Failure::new(ErrorKind::ConditionalCheckFailed, "The conditional request failed");
    match old.filter(|_| write.return_old_on_failure) {
        Some(item) => failure.with("Item", item_to_json(&item)),
        None => failure,
    }
}

/// The first index partition that takes nothing more, as (arm, place), and the key that leads there.
pub(super) fn first_empty(table: &Table, plan: &WritePlan, now: SimTime) -> ((usize, usize), Option<AttributeValue>) {
    let empty =
        plan.index_charges.iter().find(|charge| table.refusal(charge.arm, charge.at, Side::Write, now).is_some());
    match empty {
        None => ((0, plan.base_at), None),
        Some(charge) => {
            let key = table.index_of(charge.arm).and_then(|index| plan.index_key(index, charge));
            ((charge.arm, charge.at), key.cloned())
        }
    }
}

pub(super) fn refuse(
    context: &mut Context<'_>,
    slot: usize,
    (arm, at): (usize, usize),
    key: Option<AttributeValue>,
    refusal: Refusal,
) -> Failure {
    let partition = context.database.table(slot).arms[arm].partitions.get(at).id;
    let failure = refusal.to_failure();
    context.trace.refusals.push(RefusedPart { slot, arm, partition, side: Side::Write, key, refusal });
    failure
}
