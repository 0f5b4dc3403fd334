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
use crate::partition::placement::ring_hash;
use crate::time::SimTime;
use crate::trace::{Charge, Trace};
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

    fn refuse(&mut self, id: PartitionId, now: SimTime, side: Side) {
        let second = now.second();
        self.first_refusal.get_or_insert(now);
        self.total.refuse(side);
        self.series.at(second).refuse(side);
        self.partition_mut(id).series.at(second).refuse(side);
    }

    /// Counts units at a partition. A request that visits several is one request of the table (`first` is false
    /// for all but one of them), and one of each partition.
    fn accept(&mut self, id: PartitionId, now: SimTime, (side, cost): (Side, HalfUnits), first: bool) {
        let second = now.second();
        self.total.accept(side, cost, u64::from(first));
        self.series.at(second).accept(side, cost, u64::from(first));
        self.partition_mut(id).series.at(second).accept(side, cost, 1);
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
        arm.accept(place.partition, now, (side, cost), true);
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
        arm.refuse(place.partition, now, reason.side);
        arm.partition_mut(place.partition).hot.count(now.second(), hash, true, &key);
        self.log.record(place, now, reason, hash, key);
    }

    /// Counts a typed request from its trace. A Query or Scan is one request, whatever it visited and fetched; of
    /// a batch each write is one.
    pub fn record(&mut self, slot: usize, trace: &Trace) {
        if trace.read.is_some() {
            self.record_read(slot, trace);
        } else {
            for charge in &trace.charges {
                let place = Place { slot, arm: charge.arm, partition: charge.partition };
                let Some(route) = charge.route.and_then(|at| trace.routes.get(at)) else { continue };
                self.accepted(place, trace.at, charge.side, charge.cost, route.hash, || Some(route.key.clone()));
            }
        }
        for part in &trace.refusals {
            let Some(reason) = part.refusal.first() else { continue };
            let place = Place { slot, arm: part.arm, partition: part.partition };
            let hash = part.key.as_ref().map_or(0, ring_hash);
            self.refused(place, trace.at, reason, hash, || part.key.clone());
        }
    }

    fn record_read(&mut self, slot: usize, trace: &Trace) {
        let mut sums: Vec<Charge> = Vec::new();
        for charge in &trace.charges {
            match sums.iter_mut().find(|sum| sum.partition == charge.partition) {
                Some(sum) => sum.cost += charge.cost,
                None => sums.push(charge.clone()),
            }
        }
        for (nth, sum) in sums.iter().enumerate() {
            let arm = self.arm_mut(slot, sum.arm);
            arm.accept(sum.partition, trace.at, (sum.side, sum.cost), nth == 0);
            // A Scan asks for no key.
            if let Some(route) = sum.route.and_then(|at| trace.routes.get(at)) {
                let hot = &mut arm.partition_mut(sum.partition).hot;
                hot.count(trace.at.second(), route.hash, false, || Some(route.key.clone()));
            }
        }
    }
}
