//! Stored tables: a base arm, an arm for each global index, and the entries of local indexes.

use super::behind::Behind;
use super::placement::{index_position, table_position};
use super::{Arm, Empties, ReadTarget, Reader, Settings};
use crate::capacity::{Cause, Physics, Reason, Refusal, Resource, Side, ThrottlingReason};
use crate::sorted::{SortedMap, SortedSet};
use crate::table::{Billing, Index, IndexKind, KeySchema, Schema};
use crate::time::SimTime;
use crate::value::{Item, KeyBytes, Name};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A table with everything in it.
#[derive(Clone, Debug)]
pub struct Table {
    /// Its definition.
    pub schema: Schema,
    /// The base table first, then the global indexes, in the schema's order.
    pub arms: Vec<Arm>,
    /// Entries of the local indexes, by name. They lie in the base table's partitions.
    pub locals: Vec<BTreeMap<KeyBytes, Arc<Item>>>,
    /// When it was created.
    pub created: SimTime,
    /// Must protection be lifted before it can be deleted?
    pub is_protected: bool,
    /// Its tags.
    pub tags: SortedMap<String>,
    /// What its indexes and followers have not got yet.
    pub(super) behind: Behind,
    /// The attribute names in use, one copy each.
    names: SortedSet<Name>,
}

/// More distinct attribute names than this are stored as they come rather than remembered.
const MAX_INTERNED_NAMES: usize = 4096;

impl Table {
    /// An empty table. `index_settings` follow the global indexes in the schema's order.
    pub fn new(
        schema: Schema,
        settings: Settings,
        index_settings: Vec<Settings>,
        physics: &Physics,
        now: SimTime,
    ) -> Self {
        let arms = std::iter::once(settings).chain(index_settings).map(|s| Arm::new(s, physics, now)).collect();
        let locals: Vec<_> = schema.local_indexes().map(|_| BTreeMap::new()).collect();
        let behind = Behind::new(physics, locals.len());
        Self {
            schema,
            arms,
            locals,
            created: now,
            is_protected: false,
            tags: SortedMap::new(),
            behind,
            names: SortedSet::default(),
        }
    }

    /// Adds a global index after those there are, with the entries of all items; its place in `arms`. Filling it takes no
    /// time and no units.
    pub fn add_index(&mut self, index: Index, settings: Settings, physics: &Physics, now: SimTime) -> usize {
        let at = self.arms.len();
        let mut arm = Arm::new(settings, physics, now);
        for item in self.base().entries.values() {
            if let (Some(position), Some(entry)) = (self.index_position(&index, item), self.index_entry(&index, item)) {
                arm.put_entry(position, Some(entry));
            }
        }
        // A large one has had its partitions from the beginning.
        arm.grow(now, physics);
        self.arms.push(arm);
        self.schema.indexes.insert(at - 1, index);
        at
    }

    /// Takes a global index away, and what is on its way to it. Those behind it move up a place.
    pub fn remove_index(&mut self, arm: usize) {
        self.arms.remove(arm);
        self.schema.indexes.remove(arm - 1);
        self.behind.forget(arm);
    }

    /// The base table's arm.
    pub fn base(&self) -> &Arm {
        &self.arms[0]
    }

    /// The base table's arm, to change it.
    pub fn base_mut(&mut self) -> &mut Arm {
        &mut self.arms[0]
    }

    /// The place in `arms` of a global index.
    pub fn arm_of(&self, index: &str) -> Option<usize> {
        self.schema.global_indexes().position(|global| global.name == index).map(|at| at + 1)
    }

    /// The place in `arms` of a global index, or of the table itself for `None`.
    pub fn arm_at(&self, index: Option<&str>) -> Option<usize> {
        index.map_or(Some(0), |index| self.arm_of(index))
    }

    /// The key that an arm's entries lie by: the index's own, or the table's.
    pub fn key_of_arm(&self, arm: usize) -> &KeySchema {
        self.index_of(arm).map_or(&self.schema.key, |index| &index.key)
    }

    /// The global index an arm belongs to; `None` for the base table.
    pub fn index_of(&self, arm: usize) -> Option<&Index> {
        self.schema.global_indexes().nth(arm.checked_sub(1)?)
    }

    /// The item stored under a key, if any.
    pub fn get(&self, key: &Item) -> Option<&Arc<Item>> {
        self.read_whole(key, Reader::LEADER)
    }

    /// The stored item that an index entry stands for, as `reader` has it.
    pub fn read_whole(&self, entry: &Item, reader: Reader) -> Option<&Arc<Item>> {
        self.read_item(&table_position(&self.schema.key, entry)?, reader)
    }

    /// Shares the attribute names of an item about to be stored.
    pub fn intern(&mut self, item: &mut Item) {
        let names = &mut self.names;
        item.intern(|name| {
            if let Some(shared) = names.get(&**name) {
                return shared.clone();
            }
            if names.len() < MAX_INTERNED_NAMES {
                names.insert(name.clone());
            }
            name.clone()
        });
    }

    /// The entry `item` has in `index`, if it is in it: all of it, or the projected attributes.
    pub fn index_entry(&self, index: &Index, item: &Arc<Item>) -> Option<Arc<Item>> {
        if !self.schema.is_in(index, item) {
            return None;
        }
        Some(match index.projection {
            crate::table::Projection::All => item.clone(),
            _ => Arc::new(item.filtered(|name| self.schema.projects(index, name))),
        })
    }

    /// The position of an item in an index.
    pub fn index_position(&self, index: &Index, item: &Item) -> Option<KeyBytes> {
        index_position(&self.schema.key, index, item)
    }

    /// Why the arm's partition at `at` takes nothing more at `now`; `None` if it does.
    pub fn refusal(&self, arm: usize, at: usize, side: Side, now: SimTime) -> Option<Refusal> {
        self.refusal_if(arm, side, self.arms[arm].empty_limits(at, side, now))
    }

    /// Why `reader` takes no read at `now`; `None` if it does.
    pub fn read_refusal(&self, arm: usize, at: usize, reader: Reader, now: SimTime) -> Option<Refusal> {
        self.refusal_if(arm, Side::Read, self.arms[arm].empty_for(at, Side::Read, reader, now))
    }

    fn refusal_if(&self, arm: usize, side: Side, empties: Empties) -> Option<Refusal> {
        (!empties.is_none()).then(|| self.refusal_for(arm, side, empties.iter()))
    }

    /// The item stored under a position, as `reader` has it.
    pub fn read_item(&self, position: &KeyBytes, reader: Reader) -> Option<&Arc<Item>> {
        self.entries(ReadTarget::Base, reader).get(position)
    }

    /// A refusal by these causes, with the arm's ARN.
    pub fn refusal_for(&self, arm: usize, side: Side, causes: impl Iterator<Item = Cause>) -> Refusal {
        let index = self.index_of(arm).map(|index| index.name.as_str());
        let resource = if index.is_some() { Resource::Index } else { Resource::Table };
        let arn = self.schema.arn(index);
        Refusal {
            reasons: causes
                .map(|cause| ThrottlingReason { reason: Reason { resource, side, cause }, resource: arn.clone() })
                .collect(),
            provisioned: matches!(self.arms[arm].settings().billing, Billing::Provisioned { .. }),
        }
    }

    /// Local indexes with their entries.
    pub fn locals(&self) -> impl Iterator<Item = (&Index, &BTreeMap<KeyBytes, Arc<Item>>)> {
        self.schema.indexes.iter().filter(|index| index.kind == IndexKind::Local).zip(&self.locals)
    }
}

/// All tables of an account in one Region.
#[derive(Clone, Debug, Default)]
pub struct Database {
    tables: Vec<Table>,
    by_name: SortedMap<usize>,
    /// Tokens of transactions that were carried out: a hash of what was asked, and when.
    pub tokens: SortedMap<(u64, SimTime)>,
}

impl Database {
    /// The place of a table, for repeated access.
    pub fn slot(&self, name: &str) -> Option<usize> {
        self.by_name.get(name).copied()
    }

    /// The table at a place.
    pub fn table(&self, slot: usize) -> &Table {
        &self.tables[slot]
    }

    /// The table at a place, to change it.
    pub fn table_mut(&mut self, slot: usize) -> &mut Table {
        &mut self.tables[slot]
    }

    /// The table called `name`.
    pub fn get(&self, name: &str) -> Option<&Table> {
        self.slot(name).map(|slot| &self.tables[slot])
    }

    /// When the next change arrives at an index or a follower.
    pub fn next_arrival(&self) -> Option<SimTime> {
        self.tables.iter().filter_map(Table::next_arrival).min()
    }

    /// Lets everything arrive that is due at `now`.
    pub fn arrive(&mut self, now: SimTime) {
        for table in &mut self.tables {
            table.arrive(now);
        }
    }

    /// Adds a table under its name; the place it got.
    pub fn insert(&mut self, table: Table) -> usize {
        let slot = self.tables.len();
        self.by_name.insert(table.schema.name.clone(), slot);
        self.tables.push(table);
        slot
    }

    /// Takes a table out. Its place stays, empty, for counts go by places.
    pub fn remove(&mut self, name: &str) {
        if let Some(slot) = self.by_name.remove(name) {
            let table = &mut self.tables[slot];
            table.arms = Vec::new();
            table.locals = Vec::new();
            table.behind = Behind::default();
        }
    }

    /// All tables, by name.
    pub fn iter(&self) -> impl Iterator<Item = &Table> {
        self.by_name.values().map(|&slot| &self.tables[slot])
    }

    /// How many tables.
    pub fn len(&self) -> usize {
        self.tables.len()
    }

    /// Are there no tables?
    pub fn is_empty(&self) -> bool {
        self.tables.is_empty()
    }
}
