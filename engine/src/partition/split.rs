//! Splitting: what is planned, what came of it, and why something was not split.
//!
//! A split takes time; its point is fixed when it is decided. Both halves get new numbers and inherit the levels of
//! the parent's buckets; items, bytes and history stay what they were. Nothing is ever merged.

use super::arm::Arm;
use super::heat::Helpless;
use super::map::PartitionId;
use crate::capacity::Physics;
use crate::table::Billing;
use crate::time::SimTime;
use crate::value::KeyBytes;
use serde::Serialize;
use std::collections::VecDeque;
use std::ops::Bound;

/// Notes kept, the latest.
const NOTES: usize = 64;

/// Why a partition is split.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum SplitCause {
    /// It took nine tenths of what it may for five minutes.
    Heat,
    /// It holds more than it may.
    Size,
    /// More throughput was asked for, or (on demand) used before.
    Growth,
}

/// What became of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum SplitOutcome {
    /// It will be split at that moment.
    Planned(SimTime),
    /// It was, into these two.
    Done(PartitionId, PartitionId),
    /// It is not, since it would not help.
    Refused(Helpless),
}

/// One line of the history of partitions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct SplitNote {
    /// When.
    pub at: SimTime,
    /// Which partition.
    pub partition: PartitionId,
    /// Why it was thought of.
    pub cause: SplitCause,
    /// What became of it.
    pub outcome: SplitOutcome,
}

#[derive(Clone, Debug)]
struct Plan {
    at: SimTime,
    partition: PartitionId,
    cause: SplitCause,
    point: KeyBytes,
}

/// What is going on behind an arm's partitions.
#[derive(Clone, Debug, Default)]
pub struct Splits {
    plans: VecDeque<Plan>,
    notes: VecDeque<SplitNote>,
    /// Everything before this second has been looked at.
    settled: u64,
    minute: Minute,
    /// Ends and means of whole minutes that will count some time later: read and write units a second.
    maturing: VecDeque<(SimTime, [i64; 2])>,
}

/// The minute that is running: what was taken in it, in half units.
#[derive(Clone, Copy, Debug, Default)]
struct Minute {
    number: u64,
    taken: [i64; 2],
}

impl Splits {
    /// What happened, oldest first.
    pub fn notes(&self) -> impl Iterator<Item = &SplitNote> {
        self.notes.iter()
    }

    /// When the next planned split is done or the next peak comes of age.
    pub fn next(&self, memory: u64) -> Option<SimTime> {
        let plan = self.plans.front().map(|plan| plan.at);
        let growth = self.maturing.front().map(|(end, _)| *end + memory);
        plan.into_iter().chain(growth).min()
    }

    fn note(&mut self, note: SplitNote) {
        if self.notes.len() == NOTES {
            self.notes.pop_front();
        }
        self.notes.push_back(note);
    }

    fn is_planned(&self, partition: PartitionId) -> bool {
        self.plans.iter().any(|plan| plan.partition == partition)
    }

    /// Counts towards the running minute, for on-demand tables.
    pub(super) fn count(&mut self, now: SimTime, side: usize, half_units: i64) {
        self.turn_minute(now);
        self.minute.taken[side] += half_units;
    }

    /// Ends the running minute if it is over.
    fn turn_minute(&mut self, now: SimTime) {
        let number = now.second() / 60;
        if number == self.minute.number {
            return;
        }
        let mean = self.minute.taken.map(|half_units| half_units / 120);
        if mean != [0, 0] {
            self.maturing.push_back((SimTime::from_secs((self.minute.number + 1) * 60), mean));
        }
        self.minute = Minute { number, taken: [0, 0] };
    }
}

impl Arm {
    /// Does everything that was due up to `now`: weighs heat and size, splits what was planned, makes room for what an
    /// on-demand table has used before. However often it is called, the same comes of it.
    ///
    /// `whole_collections`: with a local index an item collection is never cut.
    pub fn settle(&mut self, now: SimTime, physics: &Physics, whole_collections: bool) {
        let second = now.second();
        if second == self.splits.settled {
            return;
        }
        self.splits.settled = second;
        self.splits.turn_minute(now);
        self.weigh(second, physics, whole_collections);
        let memory = physics.on_demand_memory_seconds * SimTime::SECOND;
        loop {
            let plan = self.splits.plans.front().map(|plan| plan.at);
            let growth = self.splits.maturing.front().map(|(end, _)| *end + memory);
            match (plan, growth) {
                (Some(plan), growth) if plan <= now && growth.is_none_or(|growth| plan <= growth) => {
                    self.split_next(physics);
                }
                (_, Some(growth)) if growth <= now => self.grow_next(growth, physics),
                _ => return,
            }
        }
    }

    fn weigh(&mut self, second: u64, physics: &Physics, whole_collections: bool) {
        for at in 0..self.partitions.len() {
            let partition = self.partitions.get_mut(at);
            let (id, hot) = (partition.id, partition.heat.settle(second, physics));
            if let Some(end) = hot.filter(|_| !self.splits.is_planned(id)) {
                let point = self.partitions.get(at).heat.edge(whole_collections);
                self.plan(at, end, SplitCause::Heat, point, physics);
            }
            if self.partitions.get(at).bytes > physics.partition_bytes
                && self.partitions.get(at).may_outgrow(second)
                && !self.splits.is_planned(id)
            {
                let point = self.byte_median(at, whole_collections);
                self.plan(at, second, SplitCause::Size, point, physics);
            }
        }
    }

    fn plan(&mut self, at: usize, end: u64, cause: SplitCause, point: Result<KeyBytes, Helpless>, physics: &Physics) {
        let partition = self.partitions.get_mut(at);
        let (id, decided) = (partition.id, SimTime::from_secs(end));
        let outcome = match point {
            // An edge at the very beginning would leave nothing below.
            Ok(point) if *point > *partition.start => {
                let done = decided + physics.split_seconds * SimTime::SECOND;
                let later = self.splits.plans.iter().take_while(|plan| plan.at <= done).count();
                self.splits.plans.insert(later, Plan { at: done, partition: id, cause, point });
                SplitOutcome::Planned(done)
            }
            helpless => {
                let until = end + physics.heat_window_seconds;
                match cause {
                    SplitCause::Size => partition.rests_until = until,
                    SplitCause::Heat | SplitCause::Growth => partition.heat.rest_until(until),
                }
                SplitOutcome::Refused(helpless.err().unwrap_or(Helpless::OneHotItem))
            }
        };
        self.splits.note(SplitNote { at: decided, partition: id, cause, outcome });
    }

    fn split_next(&mut self, physics: &Physics) {
        let Some(plan) = self.splits.plans.pop_front() else { return };
        let Some(at) = self.partitions.iter().position(|partition| partition.id == plan.partition) else { return };
        let entries = &self.entries;
        let (low, high) = self.partitions.split(at, &plan.point, |from, to| sums(entries, from, to));
        self.set_shares(physics, plan.at, 0);
        let outcome = SplitOutcome::Done(low, high);
        self.splits.note(SplitNote { at: plan.at, partition: plan.partition, cause: plan.cause, outcome });
    }

    /// Where half of a partition's stored bytes lie; by the samples where only metered traffic has filled it.
    fn byte_median(&self, at: usize, whole_collections: bool) -> Result<KeyBytes, Helpless> {
        let partition = self.partitions.get(at);
        let start = Bound::Included(&*partition.start);
        let end = self.partitions.end_of(at).map_or(Bound::Unbounded, Bound::Excluded);
        let stored: u64 = self.entries.range::<[u8], _>((start, end)).map(|(_, item)| item.size_bytes() as u64).sum();
        let mut below = 0;
        let mut first: Option<&KeyBytes> = None;
        for (position, item) in self.entries.range::<[u8], _>((start, end)) {
            let apart = first.is_some_and(|first| !whole_collections || first.head() != position.head());
            if below * 2 >= stored && apart && stored * 2 > partition.bytes {
                return Ok(position.clone());
            }
            below += item.size_bytes() as u64;
            first.get_or_insert(position);
        }
        match partition.heat.middle() {
            Some(point) if stored * 2 <= partition.bytes => Ok(point),
            _ if whole_collections => Err(Helpless::LocalIndex),
            _ => Err(Helpless::OneHotItem),
        }
    }

    /// Makes room for twice a mean that has come of age.
    fn grow_next(&mut self, at: SimTime, physics: &Physics) {
        let Some((_, mean)) = self.splits.maturing.pop_front() else { return };
        if matches!(self.settings().billing, Billing::OnDemand { .. }) {
            self.remember_peak(mean.map(|units| units * 2));
            self.grow(at, physics);
        }
    }

    /// Splits until there are as many partitions as the settings and the history ask for.
    pub(super) fn grow(&mut self, now: SimTime, physics: &Physics) {
        let wanted = self.wanted_partitions(physics);
        let entries = &self.entries;
        let splits = &mut self.splits;
        self.partitions.grow_to(
            wanted,
            |from, to| sums(entries, from, to),
            |partition, low, high| {
                let outcome = SplitOutcome::Done(low, high);
                splits.note(SplitNote { at: now, partition, cause: SplitCause::Growth, outcome });
            },
        );
    }
}

/// Items and bytes from a position up to another.
pub(super) fn sums(
    entries: &std::collections::BTreeMap<KeyBytes, std::sync::Arc<crate::value::Item>>,
    from: &[u8],
    to: Option<&[u8]>,
) -> (u64, u64) {
    let end = to.map_or(Bound::Unbounded, Bound::Excluded);
    let mut sums = (0, 0);
    for (_, item) in entries.range::<[u8], _>((Bound::Included(from), end)) {
        sums = (sums.0 + 1, sums.1 + item.size_bytes() as u64);
    }
    sums
}
