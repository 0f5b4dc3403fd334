//! UpdateTable: throughput and billing mode of a table and its global indexes, in force at once. API reference,
//! *UpdateTable* and *UpdateGlobalSecondaryIndexAction*.
//!
//! Buckets keep their level, clipped to the new cap; partitions may be added, none goes away. Indexes come and go:
//! `index_changes`.

use super::create_table::{read_settings, read_warm};
use super::describe_table::{describe, table_slot};
use super::index_changes::{IndexChanges, Mode};
use super::input::{Input, Violations, table_name};
use super::{Context, Operation, Response};
use crate::diagnostic::Failure;
use crate::partition::Settings;
use crate::table::Billing;
use serde::Serialize;
use serde_json::Value as Json;

/// An UpdateTable request for mode and throughput.
#[derive(Clone, Debug, PartialEq)]
pub struct UpdateTable {
    table_name: String,
    on_demand: Option<bool>,
    source: Json,
}

impl Serialize for UpdateTable {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.source.serialize(serializer)
    }
}

impl UpdateTable {
    pub(super) fn read(input: &Input<'_>) -> Result<Self, Failure> {
        let table_name = table_name(input)?;
        let mode = input.text("BillingMode")?;
        let mut violations = Violations::default();
        violations.one_of(mode.as_ref(), "billingMode", &["PROVISIONED", "PAY_PER_REQUEST"]);
        violations.check()?;
        let known = [
            "ProvisionedThroughput",
            "BillingMode",
            "OnDemandThroughput",
            "WarmThroughput",
            "GlobalSecondaryIndexUpdates",
            "DeletionProtectionEnabled",
        ];
        if !known.iter().any(|member| input.has(member)) {
            return Err(Failure::validation(
                "At least one of ProvisionedThroughput, BillingMode, UpdateStreamEnabled, GlobalSecondaryIndexUpdates or \
                 SSESpecification or ReplicaUpdates is required",
            ));
        }
        let source = input.to_json();
        Ok(Self { table_name, on_demand: mode.map(|mode| mode == "PAY_PER_REQUEST"), source })
    }
}

impl Operation for UpdateTable {
    fn name(&self) -> &'static str {
        "UpdateTable"
    }

    fn run(&self, context: &mut Context<'_>) -> Result<Response, Failure> {
        let asked = self.asked(context)?;
        let input = Input::new(&self.source)?;
        let is_protected = input.flag("DeletionProtectionEnabled")?;
        let changes = IndexChanges::read(&input, context.database.table(asked.slot), asked.mode)?;
        let slot = asked.carry_out(context);
        let table = context.database.table_mut(slot);
        table.is_protected = is_protected.unwrap_or(table.is_protected);
        changes.carry_out(context, slot);
        Ok(Response { table: Some(describe(context.database.table(slot), context)), ..Response::default() })
    }
}

/// An UpdateTable of which only the table's own throughput and mode are taken, and which describes nothing: for those who
/// send no other and would have to carry the rest.
pub struct PayTable(pub UpdateTable);

impl Operation for PayTable {
    fn name(&self) -> &'static str {
        "UpdateTable"
    }

    fn run(&self, context: &mut Context<'_>) -> Result<Response, Failure> {
        self.0.asked(context)?.carry_out(context);
        Ok(Response::default())
    }
}

/// What a table is to pay.
struct Asked {
    slot: usize,
    settings: Settings,
    mode: Mode,
}

impl UpdateTable {
    fn asked(&self, context: &Context<'_>) -> Result<Asked, Failure> {
        let slot = table_slot(context, &self.table_name)?;
        let current = context.database.table(slot).base().settings();
        let was_on_demand = matches!(current.billing, Billing::OnDemand { .. });
        let on_demand = self.on_demand.unwrap_or(was_on_demand);
        let input = Input::new(&self.source)?;
        let says_billing = input.has("ProvisionedThroughput") || input.has("OnDemandThroughput");
        let asked = if says_billing || on_demand != was_on_demand {
            read_settings(&input, on_demand, None)?
        } else {
            Settings { warm: read_warm(&input)?, ..current.clone() }
        };
        if asked.billing == current.billing
            && input.has("ProvisionedThroughput")
            && let Billing::Provisioned { read, write } = asked.billing
        {
            return Err(unchanged("table", read, write));
        }
        let mode = Mode { on_demand, stays: on_demand == was_on_demand };
        Ok(Asked { slot, settings: after(current, asked), mode })
    }
}

impl Asked {
    /// Carries it out; the place of the table.
    fn carry_out(self, context: &mut Context<'_>) -> usize {
        let (physics, now) = (context.physics, context.now);
        let table = context.database.table_mut(self.slot);
        table.base_mut().reconfigure(self.settings, physics, now);
        if !self.mode.stays {
            // Global indexes follow the table's mode; on the way to provisioned they get its throughput.
            let billing = if self.mode.on_demand {
                Billing::OnDemand { max_read: None, max_write: None }
            } else {
                table.base().settings().billing
            };
            for arm in &mut table.arms[1..] {
                let settings = Settings { billing, ..arm.settings().clone() };
                arm.reconfigure(settings, physics, now);
            }
        }
        context.trace.table.clone_from(&table.schema.name);
        self.slot
    }
}

/// What is asked for, in the place of what there is: nothing that is warm grows cold.
pub(super) fn after(current: &Settings, asked: Settings) -> Settings {
    let mut settings = Settings { saved_burst_seconds: current.saved_burst_seconds, ..asked };
    settings.warm.read = settings.warm.read.max(current.warm.read);
    settings.warm.write = settings.warm.write.max(current.warm.write);
    settings
}

/// A change that is none.
pub(super) fn unchanged(of: &str, read: i64, write: i64) -> Failure {
    Failure::validation(format!(
        "The provisioned throughput for the {of} will not change. The requested value equals the current value. Current \
         ReadCapacityUnits provisioned for the {of}: {read}. Requested ReadCapacityUnits: {read}. Current \
         WriteCapacityUnits provisioned for the {of}: {write}. Requested WriteCapacityUnits: {write}. Refer to the Amazon \
         DynamoDB Developer Guide for current limits and how to request higher limits."
    ))
}
