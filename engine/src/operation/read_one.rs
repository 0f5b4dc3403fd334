//! The one way an item is read by its key: placement, admission, charge.

use super::Context;
use crate::capacity::{Consistency, HalfUnits, Refusal, Side, read_cost};
use crate::diagnostic::Failure;
use crate::partition::Reader;
use crate::partition::placement::{ring_hash, table_position};
use crate::trace::{Charge, RefusedPart, Route};
use crate::value::{Item, KeyBytes};
use std::sync::Arc;

/// Where a read goes.
pub struct ReadPlace {
    slot: usize,
    position: KeyBytes,
    /// Place of the partition in ring order.
    at: usize,
    reader: Reader,
    route: usize,
    consistency: Consistency,
}

/// Finds where a key's item lies, and who answers. The key has been checked.
pub fn find(
    context: &mut Context<'_>,
    slot: usize,
    key: &Item,
    consistency: Consistency,
) -> Result<ReadPlace, Failure> {
    let table = context.database.table(slot);
    let position = table_position(&table.schema.key, key)
        .ok_or_else(|| Failure::validation("The provided key element does not match the schema"))?;
    let at = table.base().partitions.find(&position);
    let partition = table.base().partitions.get(at).id;
    let route = context.trace.routes.len();
    if let Some(key) = key.get(&table.schema.key.partition.name) {
        context.trace.routes.push(Route { index: None, key: key.clone(), hash: ring_hash(key), partition });
    }
    let reader = table.base().reader(at, consistency, context.now);
    context.trace.reader = reader;
    Ok(ReadPlace { slot, position, at, reader, route, consistency })
}

/// Why it cannot be read now, if it cannot.
pub fn refusal(context: &Context<'_>, place: &ReadPlace) -> Option<Refusal> {
    context.database.table(place.slot).read_refusal(0, place.at, place.reader, context.now)
}

/// Notes a refusal; its failure.
pub fn refuse(context: &mut Context<'_>, place: &ReadPlace, refusal: Refusal) -> Failure {
    let partition = context.database.table(place.slot).base().partitions.get(place.at).id;
    let key = context.trace.routes.get(place.route).map(|route| route.key.clone());
    let failure = refusal.to_failure();
    context.trace.refusals.push(RefusedPart { slot: place.slot, arm: 0, partition, side: Side::Read, key, refusal });
    failure
}

/// Reads and charges it, whatever the buckets say.
pub fn take(context: &mut Context<'_>, place: &ReadPlace) -> (Option<Arc<Item>>, HalfUnits) {
    let table = context.database.table_mut(place.slot);
    let item = table.read_item(&place.position, place.reader).cloned();
    let cost = read_cost(item.as_ref().map_or(0, |item| item.size_bytes() as u64), place.consistency);
    let base = table.base_mut();
    let partition = base.partitions.get(place.at).id;
    let position = &place.position;
    base.charge_for((place.at, Side::Read, cost), place.reader, context.now, &|| Some(position.clone()));
    let route = Some(place.route);
    context.trace.charges.push(Charge { slot: place.slot, arm: 0, partition, side: Side::Read, cost, route });
    (item, cost)
}

/// Reads an item, if there is one, and what that cost. The key has been checked.
///
/// # Errors
/// The throttle.
pub fn read_one(
    context: &mut Context<'_>,
    slot: usize,
    key: &Item,
    consistency: Consistency,
) -> Result<(Option<Arc<Item>>, HalfUnits), Failure> {
    let place = find(context, slot, key, consistency)?;
    match refusal(context, &place) {
        Some(refusal) => Err(refuse(context, &place, refusal)),
        None => Ok(take(context, &place)),
    }
}
