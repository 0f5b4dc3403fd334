//! Per-second counts of what was accepted and refused, the hottest keys, and the throttle log.
//!
//! A second belongs to the instant of admission or refusal. Everything is bounded: series forget their oldest
//! seconds, the log its oldest lines.

mod hot;
mod log;
mod series;

pub use hot::{HotKey, HotKeys};
pub use log::{LogEntry, ThrottleLog};
pub use series::{Second, Series};

use crate::capacity::{HalfUnits, Reason, Side};
use crate::partition::PartitionId;
use crate::time::SimTime;
use crate::trace::Trace;
use crate::value::AttributeValue;

/// Seconds that a table's or index's series remembers: an hour.
pub const TABLE_SECONDS: usize = 3600;
/// Seconds that a partition's series remembers: ten minutes.
pub const PARTITION_SECONDS: usize = 600;

/// What one partition took and refused.
#[derive(Clone, Debug)]
pub struct PartitionMetrics {
    /// By second.
    pub series: Series,
    /// This and the last second's hottest keys.
    pub hot: HotKeys,
}

impl Default for PartitionMetrics {
    fn default() -> Self {
        Self { series: Series::new(PARTITION_SECONDS), hot: HotKeys::default() }
    }
}

/// What a table or global index took and refused.
#[derive(Clone, Debug)]
pub struct ArmMetrics {
    /// By second.
    pub series: Series,
    /// Since the beginning.
    pub total: Second,
    /// When the first request was refused.
    pub first_refusal: Option<SimTime>,
    partitions: Vec<PartitionMetrics>,
}

impl Default for ArmMetrics {
    fn default() -> Self {
        Self {
            series: Series::new(TABLE_SECONDS),
            total: Second::default(),
            first_refusal: None,
            partitions: Vec::new(),
        }
    }
}

impl ArmMetrics {
    /// Counts of a partition, if it ever had any.
    pub fn partition(&self, id: PartitionId) -> Option<&PartitionMetrics> {
        self.partitions.get(id.0 as usize)
    }

    fn partition_mut(&mut self, id: PartitionId) -> &mut PartitionMetrics {
        let at = id.0 as usize;
        if at >= self.partitions.len() {
            self.partitions.resize_with(at + 1, PartitionMetrics::default);
        }
        &mut self.partitions[at]
    }

    fn count(&mut self, id: PartitionId, now: SimTime, add: impl Fn(&mut Second)) {
        let second = now.second();
        add(&mut self.total);
        add(self.series.at(second));
        add(self.partition_mut(id).series.at(second));
    }
}

/// Where a request went, for counting.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    /// Place of the table in the database.
    pub slot: usize,
    /// Place of the arm in the table.
    pub arm: usize,
    /// The partition.
    pub partition: PartitionId,
}

/// All counts of a session.
#[derive(Clone, Debug, Default)]
pub struct Metrics {
    tables: Vec<Vec<ArmMetrics>>,
    /// Refusals, newest last.
    pub log: ThrottleLog,
}

impl Metrics {
    /// Counts of a table or index, if it ever had any.
    pub fn arm(&self, slot: usize, arm: usize) -> Option<&ArmMetrics> {
        self.tables.get(slot)?.get(arm)
    }

    fn arm_mut(&mut self, slot: usize, arm: usize) -> &mut ArmMetrics {
        if slot >= self.tables.len() {
            self.tables.resize_with(slot + 1, Vec::new);
        }
        let arms = &mut self.tables[slot];
        if arm >= arms.len() {
            arms.resize_with(arm + 1, ArmMetrics::default);
        }
        &mut arms[arm]
    }

    /// Counts an accepted request. `hash` and `key` tell which key it was.
    pub fn accepted(
        &mut self,
        place: Place,
        now: SimTime,
        side: Side,
        cost: HalfUnits,
        hash: u64,
        key: impl FnOnce() -> Option<AttributeValue>,
    ) {
        let arm = self.arm_mut(place.slot, place.arm);
        arm.count(place.partition, now, |second| second.accept(side, cost));
        arm.partition_mut(place.partition).hot.count(now.second(), hash, false, key);
    }

    /// Counts a refused request.
    pub fn refused(
        &mut self,
        place: Place,
        now: SimTime,
        reason: Reason,
        hash: u64,
        key: impl Fn() -> Option<AttributeValue>,
    ) {
        let arm = self.arm_mut(place.slot, place.arm);
        arm.first_refusal.get_or_insert(now);
        arm.count(place.partition, now, |second| second.refuse(reason.side));
        arm.partition_mut(place.partition).hot.count(now.second(), hash, true, &key);
        self.log.record(place, now, reason, hash, key);
    }

    /// Counts a typed request from its trace.
    pub fn record(&mut self, slot: usize, trace: &Trace) {
        let route = trace.routes.first();
        for charge in &trace.charges {
            let place = Place { slot, arm: charge.arm, partition: charge.partition };
            let own = route.filter(|_| charge.arm == 0 || trace.index.is_some());
            let hash = own.map_or(0, |route| route.hash);
            self.accepted(place, trace.at, charge.side, charge.cost, hash, || own.map(|route| route.key.clone()));
        }
        for part in &trace.refusals {
            let Some(reason) = part.refusal.first() else { continue };
            let place = Place { slot, arm: part.arm, partition: part.partition };
            let hash = route.map_or(0, |route| route.hash);
            self.refused(place, trace.at, reason, hash, || part.key.clone());
        }
    }
}
