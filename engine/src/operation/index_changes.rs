//! `GlobalSecondaryIndexUpdates` of UpdateTable: an index created, deleted, or paid for otherwise. API reference,
//! *GlobalSecondaryIndexUpdate*; Developer Guide, "Managing Global Secondary Indexes".
//!
//! Creating one takes no virtual time, and filling it no units: the model says nothing of how long it takes.

use super::Context;
use super::create_table::{check_indexes, invalid, read_definitions, read_indexes, read_settings};
use super::input::{Input, Violations};
use super::update_table::{after, unchanged};
use crate::diagnostic::{ErrorKind, Failure};
use crate::partition::{Settings, Table};
use crate::table::{Billing, Index, IndexKind, KeyAttribute};
use crate::trace::Reshaped;

/// How the table pays after the update, and whether it did before.
#[derive(Clone, Copy)]
pub struct Mode {
    /// Each request?
    pub on_demand: bool,
    /// As it did?
    pub stays: bool,
}

/// What becomes of a table's global indexes.
#[derive(Default)]
pub struct IndexChanges {
    /// New settings, by place among the arms.
    updates: Vec<(usize, Settings)>,
    created: Option<(Index, Settings)>,
    /// By place among the arms.
    deleted: Option<usize>,
}

impl IndexChanges {
    /// Reads and checks them.
    pub fn read(input: &Input<'_>, table: &Table, mode: Mode) -> Result<Self, Failure> {
        let mut changes = Self::default();
        let list = input.structures("GlobalSecondaryIndexUpdates")?.unwrap_or_default();
        let come_or_go = list.iter().filter(|element| element.has("Create") || element.has("Delete")).count();
        if come_or_go > 1 {
            return Err(Failure::new(
                ErrorKind::LimitExceeded,
                "Subscriber limit exceeded: Only 1 online index can be created or deleted simultaneously per table",
            ));
        }
        for element in list {
            if let Some(update) = element.structure("Update")? {
                changes.read_update(&update, table, mode)?;
            }
            if let Some(delete) = element.structure("Delete")? {
                changes.deleted = Some(arm_of(table, &index_name(&delete, "delete")?)?);
            }
            if element.has("Create") {
                changes.created = Some(read_create(input, &element, table, mode)?);
            }
        }
        Ok(changes)
    }

    /// Where the mode changes too, any throughput is a new one.
    fn read_update(&mut self, update: &Input<'_>, table: &Table, mode: Mode) -> Result<(), Failure> {
        let name = index_name(update, "update")?;
        let arm = arm_of(table, &name)?;
        if self.updates.iter().any(|(other, _)| *other == arm) {
            return Err(invalid(format!(
                "Only one global secondary index update per index is allowed simultaneously. Index: {name}"
            )));
        }
        let current = table.arms[arm].settings();
        let asked = read_settings(update, mode.on_demand, Some(&name))?;
        if let Billing::Provisioned { read, write } = asked.billing
            && mode.stays
            && asked.billing == current.billing
        {
            return Err(unchanged(&format!("index {name}"), read, write));
        }
        self.updates.push((arm, after(current, asked)));
        Ok(())
    }

    /// Carries them out.
    pub fn carry_out(self, context: &mut Context<'_>, slot: usize) {
        let (physics, now, saved) = (context.physics, context.now, context.saved_burst_seconds);
        let table = context.database.table_mut(slot);
        for (arm, settings) in self.updates {
            table.arms[arm].reconfigure(settings, physics, now);
        }
        if let Some((index, settings)) = self.created {
            table.add_index(index, Settings { saved_burst_seconds: saved, ..settings }, physics, now);
            context.trace.reshaped = Some(Reshaped::IndexAdded(slot));
        }
        if let Some(arm) = self.deleted {
            context.database.table_mut(slot).remove_index(arm);
            context.trace.reshaped = Some(Reshaped::IndexRemoved(slot, arm));
        }
    }
}

fn index_name(input: &Input<'_>, action: &str) -> Result<String, Failure> {
    let name = input.text("IndexName")?;
    let mut violations = Violations::default();
    if name.is_none() {
        violations.missing(&format!("globalSecondaryIndexUpdates.1.member.{action}.indexName"));
    }
    violations.check()?;
    Ok(name.unwrap_or_default())
}

fn arm_of(table: &Table, index: &str) -> Result<usize, Failure> {
    table.arm_of(index).ok_or_else(|| {
        Failure::new(
            ErrorKind::ResourceNotFound,
            format!("Requested resource not found: Index: {index} not found for table: {}", table.schema.name),
        )
    })
}

/// A new index. What the request defines is added to what the table has defined already.
fn read_create(
    input: &Input<'_>,
    element: &Input<'_>,
    table: &Table,
    mode: Mode,
) -> Result<(Index, Settings), Failure> {
    let schema = &table.schema;
    let mut definitions: Vec<KeyAttribute> = Vec::new();
    if input.has("AttributeDefinitions") {
        let mut violations = Violations::default();
        definitions = read_definitions(input, &mut violations)?;
        violations.check()?;
    }
    let known = schema.key.attributes().chain(schema.indexes.iter().flat_map(|index| index.key.attributes()));
    for attribute in known {
        if !definitions.iter().any(|definition| definition.name == attribute.name) {
            definitions.push(attribute.clone());
        }
    }
    let list = element.structure("Create")?.map(|create| vec![create]);
    let read = read_indexes(list, IndexKind::Global, &definitions, &schema.key, mode.on_demand)?;
    let Some((index, settings)) = read.into_iter().find_map(|one| Some((one.index, one.settings?))) else {
        return Err(invalid("List of GlobalSecondaryIndexes is empty"));
    };
    if schema.index(&index.name).is_some() {
        return Err(invalid(format!("Duplicate index name: {}", index.name)));
    }
    check_indexes(schema.global_indexes().count() + 1, 0)?;
    Ok((index, settings))
}
