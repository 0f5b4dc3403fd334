//! The one way an item is written: admission, condition, index admission, charges, change.

use super::Context;
use super::consumed::ConsumedCapacity;
use crate::capacity::{Refusal, Side, write_cost};
use crate::diagnostic::{ErrorKind, Failure};
use crate::expression::Condition;
use crate::partition::placement::{ring_hash, table_position};
use crate::partition::{ItemChange, WritePlan};
use crate::trace::{Charge, RefusedPart, Route};
use crate::value::{Item, MAX_ITEM_BYTES, item_to_json};
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
    let at = table.base().partitions.find(&position.0);
    let partition_key = write.key.get(&table.schema.key.partition.name);
    if let Some(key) = partition_key {
        context.trace.routes.push(Route {
            index: None,
            key: key.clone(),
            hash: ring_hash(key),
            partition: table.base().partitions.get(at).id,
        });
    }
    if let Some(refusal) = table.refusal(0, at, Side::Write, now) {
        return Err(refuse(context, write, 0, at, refusal));
    }
    let old = table.base().entries.get(&position).cloned();
    if let Some(condition) = write.condition {
        let holds = match &old {
            Some(item) => condition.matches(item),
            None => condition.matches(&Item::new()),
        };
        context.trace.condition = Some(holds);
        if !holds {
            return Err(fail_condition(context, write, at, old, change));
        }
    }
    let new = change(old.as_deref())?;
    let mut new_item = None;
    if let Some(mut item) = new {
        check_size(context, write, &item)?;
        context.database.table_mut(write.slot).intern(&mut item);
        new_item = Some(Arc::new(item));
    }
    let table = context.database.table(write.slot);
    let plan = table.plan_write(ItemChange { position, old: old.clone(), new: new_item.clone() });
    if let Some(refusal) = table.index_refusal(&plan, now) {
        let (arm, at) = first_empty(context, write.slot, &plan);
        return Err(refuse(context, write, arm, at, refusal));
    }
    let consumed = settle(context, write.slot, plan);
    Ok(Written { old, new: new_item, consumed })
}

fn check_size(context: &Context<'_>, write: &ItemWrite<'_>, item: &Item) -> Result<(), Failure> {
    let schema = &context.database.table(write.slot).schema;
    // With local indexes the limit holds for the item together with its entries.
    let local: usize = schema
        .local_indexes()
        .filter(|index| schema.is_in(index, item))
        .map(|index| item.filtered(|name| schema.projects(index, name)).size_bytes())
        .sum();
    if item.size_bytes() + local > MAX_ITEM_BYTES {
        return Err(Failure::validation(write.oversize));
    }
    Ok(())
}

/// Charges a planned write everywhere and carries it out.
fn settle(context: &mut Context<'_>, slot: usize, plan: WritePlan) -> ConsumedCapacity {
    let table = context.database.table_mut(slot);
    table.charge_write(&plan, context.now);
    let mut consumed = ConsumedCapacity {
        table_name: table.schema.name.clone(),
        table: plan.table_cost,
        ..ConsumedCapacity::default()
    };
    let charge = |arm: usize, at: usize, cost| Charge {
        arm,
        partition: table.arms[arm].partitions.get(at).id,
        side: Side::Write,
        cost,
    };
    context.trace.charges.push(charge(0, plan.base_at, plan.base_cost()));
    for (local, cost) in &plan.local_costs {
        if let Some((index, _)) = table.locals().nth(*local) {
            ConsumedCapacity::add(&mut consumed.local, &index.name, *cost);
        }
    }
    for part in &plan.index_charges {
        if let Some(index) = table.index_of(part.arm) {
            ConsumedCapacity::add(&mut consumed.global, &index.name, part.cost);
        }
        context.trace.charges.push(charge(part.arm, part.at, part.cost));
    }
    table.commit(plan);
    consumed
}

/// A failed condition costs the base table what the larger of the stored and the attempted item would.
fn fail_condition(
    context: &mut Context<'_>,
    write: &ItemWrite<'_>,
    at: usize,
    old: Option<Arc<Item>>,
    change: impl FnOnce(Option<&Item>) -> Result<Option<Item>, Failure>,
) -> Failure {
    let size = |item: Option<&Item>| item.map_or(0, |item| item.size_bytes() as u64);
    let attempted = change(old.as_deref()).ok().flatten();
    let cost = write_cost(size(old.as_deref()).max(size(attempted.as_ref())));
    let base = context.database.table_mut(write.slot).base_mut();
    base.charge(at, Side::Write, cost, context.now);
    let partition = base.partitions.get(at).id;
    context.trace.charges.push(Charge { arm: 0, partition, side: Side::Write, cost });
    let failure = Failure::new(ErrorKind::ConditionalCheckFailed, "The conditional request failed");
    match old.filter(|_| write.return_old_on_failure) {
        Some(item) => failure.with("Item", item_to_json(&item)),
        None => failure,
    }
}

fn first_empty(context: &Context<'_>, slot: usize, plan: &WritePlan) -> (usize, usize) {
    let table = context.database.table(slot);
    plan.index_charges
        .iter()
        .find(|charge| table.refusal(charge.arm, charge.at, Side::Write, context.now).is_some())
        .map_or((0, plan.base_at), |charge| (charge.arm, charge.at))
}

fn refuse(context: &mut Context<'_>, write: &ItemWrite<'_>, arm: usize, at: usize, refusal: Refusal) -> Failure {
    let table = context.database.table(write.slot);
    let failure = refusal.to_failure();
    context.trace.refusals.push(RefusedPart {
        arm,
        partition: table.arms[arm].partitions.get(at).id,
        side: Side::Write,
        key: write.key.get(&table.schema.key.partition.name).cloned(),
        refusal,
    });
    failure
}
