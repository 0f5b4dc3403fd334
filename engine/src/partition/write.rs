//! What storing or removing one item changes, what that costs, and doing it.
//!
//! Costs: Developer Guide, "Capacity unit consumption for writes" and "Global secondary indexes", *Write
//! capacity units*.

use super::behind::{Arrival, Change};
use super::placement::{after_prefix, collection_prefix};
use super::split::sums;
use super::{ReadTarget, Table};
use crate::capacity::{HalfUnits, Physics, Refusal, Side, write_cost};
use crate::table::{Index, IndexKind};
use crate::time::SimTime;
use crate::value::{AttributeValue, Item, KeyBytes};
use std::sync::Arc;

/// An item before and after.
#[derive(Clone, Debug)]
pub struct ItemChange {
    /// Its position in the table.
    pub position: KeyBytes,
    /// What is stored now.
    pub old: Option<Arc<Item>>,
    /// What shall be stored; `None` removes.
    pub new: Option<Arc<Item>>,
}

/// Units taken from one partition of one arm.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ArmCharge {
    /// Place in `Table::arms`.
    pub arm: usize,
    /// Place of the partition in ring order.
    pub at: usize,
    /// How much.
    pub cost: HalfUnits,
    /// Is it the stored item's entry (a removal), or the new item's?
    pub old: bool,
}

#[derive(Clone, Debug)]
struct IndexChange {
    /// Place in `Table::arms`, or for a local index in `Table::locals`.
    at: usize,
    kind: IndexKind,
    removed: Option<KeyBytes>,
    stored: Option<(KeyBytes, Arc<Item>)>,
}

/// A write thought through: costs first, so that admission can look at them, then the change itself.
#[derive(Clone, Debug)]
pub struct WritePlan {
    change: ItemChange,
    indexes: Vec<IndexChange>,
    /// Place of the base table's partition.
    pub base_at: usize,
    /// Units of the base table alone, local indexes apart.
    pub table_cost: HalfUnits,
    /// Units of local indexes, by place in `Table::locals`; they fall on the base table's partition.
    pub local_costs: Vec<(usize, HalfUnits)>,
    /// Units of global indexes, in the order of the indexes; delete and put of an entry apart.
    pub index_charges: Vec<ArmCharge>,
}

impl WritePlan {
    /// All units that fall on the base table.
    pub fn base_cost(&self) -> HalfUnits {
        self.table_cost + self.local_costs.iter().map(|(_, cost)| *cost).sum()
    }

    /// The partition key under which `charge` finds its entry in `index`.
    pub fn index_key(&self, index: &Index, charge: &ArmCharge) -> Option<&AttributeValue> {
        let item = if charge.old { &self.change.old } else { &self.change.new };
        item.as_ref()?.get(&index.key.partition.name)
    }
}

impl WritePlan {
    /// Where in its index the entry lies that `charge` pays for.
    fn index_position(&self, charge: &ArmCharge) -> Option<KeyBytes> {
        let is_own = |index: &&IndexChange| index.kind == IndexKind::Global && index.at == charge.arm;
        let index = self.indexes.iter().find(is_own)?;
        if charge.old { index.removed.clone() } else { index.stored.as_ref().map(|(position, _)| position.clone()) }
    }
}

fn bytes_of(item: Option<&Arc<Item>>) -> u64 {
    item.map_or(0, |item| item.size_bytes() as u64)
}

impl Table {
    /// Thinks a change through. Local and global entries that stay the same cost nothing.
    pub fn plan_write(&self, change: ItemChange) -> WritePlan {
        let mut plan = WritePlan {
            base_at: self.base().partitions.find(&change.position),
            table_cost: write_cost(bytes_of(change.old.as_ref()).max(bytes_of(change.new.as_ref()))),
            indexes: Vec::new(),
            local_costs: Vec::new(),
            index_charges: Vec::new(),
            change,
        };
        let (mut globals, mut locals) = (0, 0);
        for index in &self.schema.indexes {
            let at = match index.kind {
                IndexKind::Global => {
                    globals += 1;
                    globals
                }
                IndexKind::Local => {
                    locals += 1;
                    locals - 1
                }
            };
            let entry = |item: Option<&Arc<Item>>| {
                item.and_then(|item| Some((self.index_position(index, item)?, self.index_entry(index, item)?)))
            };
            let (old, new) = (entry(plan.change.old.as_ref()), entry(plan.change.new.as_ref()));
            if old == new {
                continue;
            }
            self.plan_index(&mut plan, index.kind, at, old, new);
        }
        plan
    }

    fn plan_index(
        &self,
        plan: &mut WritePlan,
        kind: IndexKind,
        at: usize,
        old: Option<(KeyBytes, Arc<Item>)>,
        new: Option<(KeyBytes, Arc<Item>)>,
    ) {
        let size = |entry: &Option<(KeyBytes, Arc<Item>)>| entry.as_ref().map(|(_, item)| item.size_bytes() as u64);
        // The same key with other attributes is one write, a new key is a delete and a put.
        let moved = old.as_ref().map(|(position, _)| position) != new.as_ref().map(|(position, _)| position);
        let mut writes: Vec<(&KeyBytes, HalfUnits, bool)> = Vec::with_capacity(2);
        match (&old, &new) {
            (Some((from, _)), Some((to, _))) if moved => {
                writes.push((from, write_cost(size(&old).unwrap_or(0)), true));
                writes.push((to, write_cost(size(&new).unwrap_or(0)), false));
            }
            _ => {
                if let Some((position, _)) = new.as_ref().or(old.as_ref()) {
                    let larger = size(&old).unwrap_or(0).max(size(&new).unwrap_or(0));
                    writes.push((position, write_cost(larger), new.is_none()));
                }
            }
        }
        for (position, cost, old) in writes {
            match kind {
                IndexKind::Global => {
                    let partition = self.arms[at].partitions.find(position);
                    plan.index_charges.push(ArmCharge { arm: at, at: partition, cost, old });
                }
                IndexKind::Local => plan.local_costs.push((at, cost)),
            }
        }
        let removed = old.filter(|_| moved).map(|(position, _)| position);
        plan.indexes.push(IndexChange { at, kind, removed, stored: new });
    }

    /// Why an index cannot take its part of the write at `now`: every empty limit of every index touched.
    pub fn index_refusal(&self, plan: &WritePlan, now: SimTime) -> Option<Refusal> {
        let mut refusal: Option<Refusal> = None;
        for charge in &plan.index_charges {
            if let Some(more) = self.refusal(charge.arm, charge.at, Side::Write, now) {
                match &mut refusal {
                    None => refusal = Some(more),
                    Some(refusal) => {
                        for reason in more.reasons {
                            if !refusal.reasons.contains(&reason) {
                                refusal.reasons.push(reason);
                            }
                        }
                    }
                }
            }
        }
        refusal
    }

    /// Would the write make an item collection larger than one may be where there are local indexes? Developer Guide,
    /// "Local secondary indexes", *Item collection size limit*: 10 GB, what a partition holds.
    pub fn exceeds_collection(&self, plan: &WritePlan, physics: &Physics) -> bool {
        let ItemChange { old, new, .. } = &plan.change;
        let (Some(item), false) = (new.as_ref(), self.locals.is_empty()) else { return false };
        let growth = bytes_of(new.as_ref()).saturating_sub(bytes_of(old.as_ref()));
        let locals = self.locals.len() as u64;
        // A collection lies in one partition: where that is small, so is the collection with all that it may have in
        // local indexes.
        let most = (self.base().partitions.get(plan.base_at).bytes + growth) * (locals + 1);
        if most <= physics.partition_bytes {
            return false;
        }
        let Some(key) = item.get(&self.schema.key.partition.name) else { return false };
        let mut after = self.collection_bytes(key).unwrap_or_default() as i64;
        let before = after;
        after += bytes_of(new.as_ref()) as i64 - bytes_of(old.as_ref()) as i64;
        for index in plan.indexes.iter().filter(|index| index.kind == IndexKind::Local) {
            let place = index.removed.as_ref().or(index.stored.as_ref().map(|(position, _)| position));
            let entry = place.and_then(|place| self.locals.get(index.at)?.get(place));
            after += bytes_of(index.stored.as_ref().map(|(_, item)| item)) as i64 - bytes_of(entry) as i64;
        }
        after > before && after.unsigned_abs() > physics.partition_bytes
    }

    /// Bytes of the item collection of a partition key, entries in local indexes included; `None` on a table without
    /// local indexes.
    pub fn collection_bytes(&self, key: &AttributeValue) -> Option<u64> {
        if self.locals.is_empty() {
            return None;
        }
        let from = collection_prefix(key);
        let to = after_prefix(&from);
        let stored = std::iter::once(&self.base().entries).chain(&self.locals);
        Some(stored.map(|entries| sums(entries, &from, to.as_deref()).1).sum())
    }

    /// Charges all arms of the write.
    pub fn charge_write(&mut self, plan: &WritePlan, now: SimTime) {
        let cost = plan.base_cost();
        self.base_mut().charge((plan.base_at, Side::Write, cost), now, &|| Some(plan.change.position.clone()));
        for charge in &plan.index_charges {
            let position = || plan.index_position(charge);
            self.arms[charge.arm].charge((charge.at, Side::Write, charge.cost), now, &position);
        }
    }

    /// Carries the change out at the leader; it arrives at indexes and followers later, if they lag.
    pub fn commit(&mut self, plan: WritePlan, now: SimTime, arrival: Arrival) {
        let ItemChange { position, new, .. } = plan.change;
        let (removed, stored) = match new {
            Some(item) => (None, Some((position, item))),
            None => (Some(position), None),
        };
        self.change(Change { target: ReadTarget::Base, removed, stored }, now, arrival);
        for IndexChange { at, kind, removed, stored } in plan.indexes {
            let target = match kind {
                IndexKind::Global => ReadTarget::Global(at),
                IndexKind::Local => ReadTarget::Local(at),
            };
            self.change(Change { target, removed, stored }, now, arrival);
        }
    }
}
