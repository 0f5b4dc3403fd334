//! Counts by second and minute of what was accepted and refused, the hottest keys, and the throttle log.
//!
//! A second belongs to the instant of admission or refusal. Everything is bounded: series forget their oldest
//! seconds and minutes, the log its oldest lines.

mod cloudwatch;
mod hot;
mod insights;
mod log;
mod series;

pub use cloudwatch::{MINUTES_KEPT, Minute, MinuteMetrics, Provisioned};
pub use hot::{HotKey, HotKeys};
pub use insights::{Contributor, MAX_CONTRIBUTORS, TopKeys};
pub use log::{LogEntry, ThrottleLog};
pub use series::{Second, Series};

use crate::capacity::{Cause, HalfUnits, Reason, Side};
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
    minutes: cloudwatch::Minutes,
    partitions: Vec<PartitionMetrics>,
}

impl Default for ArmMetrics {
    fn default() -> Self {
        Self {
            series: Series::new(TABLE_SECONDS),
            total: Second::default(),
            first_refusal: None,
            minutes: cloudwatch::Minutes::default(),
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

    fn all_partitions(&self) -> std::slice::Iter<'_, PartitionMetrics> {
        self.partitions.iter()
    }

    /// The minutes that had anything in them and have ended at `now`, oldest first; 15 days of them.
    pub fn minutes(&self, now: SimTime) -> Vec<Minute> {
        self.minutes.published(now.second(), &self.series)
    }

    /// What was provisioned in a minute; `None` if that was never noted.
    pub fn provisioned_in(&self, minute: u64) -> Option<Provisioned> {
        self.minutes.provisioned_in(minute)
    }

    fn refuse(&mut self, id: PartitionId, now: SimTime, (side, cause): (Side, Cause)) {
        let second = now.second();
        self.first_refusal.get_or_insert(now);
        self.minutes.turn(second, &self.series);
        self.minutes.count_cause(side, cause);
        self.total.refuse(side);
        self.series.at(second).refuse(side);
        self.partition_mut(id).series.at(second).refuse(side);
    }

    /// Counts units at a partition. A request that visits several is one request of the table (`first` is false
    /// for all but one of them), and one of each partition.
    fn accept(&mut self, id: PartitionId, now: SimTime, (side, cost): (Side, HalfUnits), first: bool) {
        let second = now.second();
        self.minutes.turn(second, &self.series);
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

    /// Forgets a table that is gone; its place stays.
    pub fn remove_table(&mut self, slot: usize) {
        if let Some(arms) = self.tables.get_mut(slot) {
            *arms = Vec::new();
        }
    }

    /// Forgets an index that is gone; those behind it have moved up a place.
    pub fn remove_arm(&mut self, slot: usize, arm: usize) {
        if let Some(arms) = self.tables.get_mut(slot)
            && arm < arms.len()
        {
            arms.remove(arm);
        }
        self.log.remove_arm(slot, arm);
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
        arm.partition_mut(place.partition).hot.count(now.second(), hash, Some(throughput(side, cost)), key);
    }

    /// Counts what one partition gave to a page that asks for no key. A page is one request of the table (of its
    /// `first` partition), and one of each partition it visited.
    pub fn visited(&mut self, place: Place, now: SimTime, side: Side, cost: HalfUnits, first: bool) {
        self.arm_mut(place.slot, place.arm).accept(place.partition, now, (side, cost), first);
    }

    /// Counts a refused request, under the first of the limits that were empty.
    pub fn refused(
        &mut self,
        place: Place,
        now: SimTime,
        reason: Reason,
        hash: u64,
        key: impl Fn() -> Option<AttributeValue>,
    ) {
        self.refused_part(place, now, reason, hash, key);
        self.throttled_request(place.slot, now);
    }

    fn refused_part(
        &mut self,
        place: Place,
        now: SimTime,
        reason: Reason,
        hash: u64,
        key: impl Fn() -> Option<AttributeValue>,
    ) {
        let arm = self.arm_mut(place.slot, place.arm);
        arm.refuse(place.partition, now, (reason.side, reason.cause));
        arm.partition_mut(place.partition).hot.count(now.second(), hash, None, &key);
        self.log.record(place, now, reason, hash, key);
    }

    /// Counts a further limit that was empty for the request refused last at this place.
    pub fn also_empty(&mut self, place: Place, side: Side, cause: Cause) {
        self.arm_mut(place.slot, place.arm).minutes.count_cause(side, cause);
    }

    /// Notes what a table or index has provisioned at `now`, so that minutes keep the line they were held against.
    /// May be called as often as one likes; only a change is kept.
    pub fn note_provisioned(&mut self, slot: usize, arm: usize, now: SimTime, units: Provisioned) {
        self.arm_mut(slot, arm).minutes.note_provisioned(now.second(), units);
    }

    fn throttled_request(&mut self, slot: usize, now: SimTime) {
        let table = self.arm_mut(slot, 0);
        table.minutes.turn(now.second(), &table.series);
        table.minutes.count_request();
    }

    /// Counts a typed request from its trace. A Query or Scan is one request, whatever it visited and fetched; of
    /// a batch or a transaction each action is one.
    pub fn record(&mut self, trace: &Trace) {
        if trace.read.is_some() {
            self.record_read(trace);
        } else {
            for charge in &trace.charges {
                let place = Place { slot: charge.slot, arm: charge.arm, partition: charge.partition };
                let Some(route) = charge.route.and_then(|at| trace.routes.get(at)) else { continue };
                self.accepted(place, trace.at, charge.side, charge.cost, route.hash, || Some(route.key.clone()));
            }
        }
        for part in &trace.refusals {
            let Some(reason) = part.refusal.first() else { continue };
            let place = Place { slot: part.slot, arm: part.arm, partition: part.partition };
            let hash = part.key.as_ref().map_or(0, ring_hash);
            self.refused_part(place, trace.at, reason, hash, || part.key.clone());
            // Empty limits of a further index are that index's, which was not asked to do anything.
            let [first, more @ ..] = &*part.refusal.reasons else { continue };
            for also in more.iter().filter(|also| also.resource == first.resource) {
                self.also_empty(place, also.reason.side, also.reason.cause);
            }
        }
        if let (Some(part), true) = (trace.refusals.first(), trace.charges.is_empty()) {
            self.throttled_request(part.slot, trace.at);
        }
    }

    fn record_read(&mut self, trace: &Trace) {
        let mut sums: Vec<Charge> = Vec::new();
        for charge in &trace.charges {
            match sums.iter_mut().find(|sum| sum.partition == charge.partition) {
                Some(sum) => sum.cost += charge.cost,
                None => sums.push(charge.clone()),
            }
        }
        for (nth, sum) in sums.iter().enumerate() {
            let arm = self.arm_mut(sum.slot, sum.arm);
            arm.accept(sum.partition, trace.at, (sum.side, sum.cost), nth == 0);
            // A Scan asks for no key.
            if let Some(route) = sum.route.and_then(|at| trace.routes.get(at)) {
                let hot = &mut arm.partition_mut(sum.partition).hot;
                let taken = Some(throughput(sum.side, sum.cost));
                hot.count(trace.at.second(), route.hash, taken, || Some(route.key.clone()));
            }
        }
    }
}

/// Units as contributor insights count them: a write unit is three read units.
const fn throughput(side: Side, cost: HalfUnits) -> HalfUnits {
    match side {
        Side::Read => cost,
        Side::Write => HalfUnits(3 * cost.0),
    }
}
