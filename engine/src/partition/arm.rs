//! An *arm*: a table or a global index seen as something with partitions and a budget.

use super::behind::{Metered, Reader};
use super::split::Splits;
use super::{PartitionId, PartitionMap};
use crate::capacity::{Cause, HalfUnits, Physics, Side, TokenBucket};
use crate::table::{Billing, WarmThroughput};
use crate::time::SimTime;
use crate::value::{Item, KeyBytes};
use std::collections::BTreeMap;
use std::sync::Arc;

/// What an arm pays for and what it started with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Provisioned or on-demand.
    pub billing: Billing,
    /// Warm throughput, if asked for.
    pub warm: WarmThroughput,
    /// Seconds of provisioned capacity in store at the beginning; full burst if `None`.
    pub saved_burst_seconds: Option<u64>,
}

/// A bucket for reads and one for writes.
#[derive(Clone, Debug)]
pub struct Pair {
    read: TokenBucket,
    write: TokenBucket,
}

impl Pair {
    fn new(read: i64, write: i64, depth: u64, saved: u64, now: SimTime) -> Self {
        let bucket = |units| TokenBucket::new(HalfUnits::from_units(units), depth, saved, now);
        Self { read: bucket(read), write: bucket(write) }
    }

    fn side(&self, side: Side) -> &TokenBucket {
        match side {
            Side::Read => &self.read,
            Side::Write => &self.write,
        }
    }

    fn side_mut(&mut self, side: Side) -> &mut TokenBucket {
        match side {
            Side::Read => &mut self.read,
            Side::Write => &mut self.write,
        }
    }
}

/// Entries, partitions and budgets of a table or global index.
#[derive(Clone, Debug)]
pub struct Arm {
    /// Items or index entries by position.
    pub entries: BTreeMap<KeyBytes, Arc<Item>>,
    /// The ranges.
    pub partitions: PartitionMap,
    /// Billed bytes of all entries.
    pub bytes: u64,
    settings: Settings,
    /// When what it pays last changed, and what it paid before.
    paid_before: Option<(SimTime, Billing)>,
    account: Pair,
    maximum: (Option<TokenBucket>, Option<TokenBucket>),
    provisioned: Option<Pair>,
    /// The highest throughput ever asked for: partitions never become fewer.
    peak: WarmThroughput,
    /// Splits planned, done and refused.
    pub splits: Splits,
    /// Changes that this index will get and has not got yet.
    pub(super) on_the_way: u64,
    pub(super) metered: Metered,
}

impl Arm {
    /// An empty arm with the partitions its settings ask for.
    pub fn new(settings: Settings, physics: &Physics, now: SimTime) -> Self {
        let mut arm = Self {
            entries: BTreeMap::new(),
            partitions: PartitionMap::even(1, physics, now),
            bytes: 0,
            account: Pair::new(physics.account_units, physics.account_units, 1, 1, now),
            maximum: (None, None),
            provisioned: None,
            peak: settings.warm,
            splits: Splits::default(),
            on_the_way: 0,
            metered: Metered::default(),
            paid_before: None,
            settings,
        };
        arm.partitions = PartitionMap::even(arm.wanted_partitions(physics), physics, now);
        let saved = arm.saved_seconds(physics);
        arm.set_budgets(physics, now, saved);
        arm
    }

    /// The settings in force.
    pub const fn settings(&self) -> &Settings {
        &self.settings
    }

    /// What it paid in a second that has ended: what it pays now, or what it did before the last change.
    pub fn billing_in(&self, second: u64) -> Billing {
        let end = SimTime::from_secs(second + 1);
        self.paid_before.filter(|(at, _)| *at >= end).map_or(self.settings.billing, |(_, before)| before)
    }

    pub(super) fn wanted_partitions(&mut self, physics: &Physics) -> usize {
        self.peak.read = self.peak.read.max(self.settings.warm.read);
        self.peak.write = self.peak.write.max(self.settings.warm.write);
        match self.settings.billing {
            Billing::Provisioned { read, write } => {
                self.peak.read = self.peak.read.max(read);
                self.peak.write = self.peak.write.max(write);
                let warm = self.settings.warm;
                physics
                    .provisioned_partitions(read, write, self.bytes)
                    .max(physics.provisioned_partitions(warm.read, warm.write, self.bytes))
            }
            Billing::OnDemand { .. } => physics.on_demand_partition_count(self.peak.read, self.peak.write, self.bytes),
        }
    }

    fn set_budgets(&mut self, physics: &Physics, now: SimTime, saved: u64) {
        let depth = physics.burst_seconds;
        match self.settings.billing {
            Billing::Provisioned { read, write } => {
                self.maximum = (None, None);
                match &mut self.provisioned {
                    Some(pair) => {
                        pair.read.change(HalfUnits::from_units(read), depth, now);
                        pair.write.change(HalfUnits::from_units(write), depth, now);
                    }
                    None => self.provisioned = Some(Pair::new(read, write, depth, saved, now)),
                }
            }
            Billing::OnDemand { max_read, max_write } => {
                self.provisioned = None;
                set_maximum(&mut self.maximum.0, max_read, now);
                set_maximum(&mut self.maximum.1, max_write, now);
            }
        }
        self.set_shares(physics, now, saved);
    }

    /// The world before adaptive capacity: the provisioned rate and its burst divided evenly. Levels are kept, clipped
    /// to what a share may hold now; halves of a split have their parent's.
    pub(super) fn set_shares(&mut self, physics: &Physics, now: SimTime, saved: u64) {
        let rates = match self.settings.billing {
            Billing::Provisioned { read, write } if !physics.adaptive_capacity => Some((read, write)),
            _ => None,
        };
        let (count, depth) = (self.partitions.len() as i64, physics.burst_seconds);
        for at in 0..self.partitions.len() {
            let share = &mut self.partitions.get_mut(at).share;
            let Some((read, write)) = rates else {
                *share = None;
                continue;
            };
            let (read, write) = (HalfUnits(read * 2 / count), HalfUnits(write * 2 / count));
            if let Some(pair) = share {
                pair.read.change(read, depth, now);
                pair.write.change(write, depth, now);
            } else {
                let bucket = |rate| TokenBucket::new(rate, depth, saved, now);
                *share = Some(Box::new(Pair { read: bucket(read), write: bucket(write) }));
            }
        }
    }

    /// Seconds of provisioned capacity that are in store when a table begins to pay for it.
    fn saved_seconds(&self, physics: &Physics) -> u64 {
        self.settings.saved_burst_seconds.unwrap_or(physics.burst_seconds)
    }

    /// Changes mode or throughput at `now`: levels are kept, partitions may be added, none goes away.
    pub fn reconfigure(&mut self, settings: Settings, physics: &Physics, now: SimTime) {
        let before = self.settings.billing;
        // Of several changes within one second the first tells what was before it.
        if before != settings.billing && self.paid_before.is_none_or(|(at, _)| at.second() < now.second()) {
            self.paid_before = Some((now, before));
        }
        self.settings = settings;
        self.grow(now, physics);
        let saved = self.saved_seconds(physics);
        self.set_budgets(physics, now, saved);
    }

    /// The limits that are empty at `now` for the partition at `at`, in the order the service is asked.
    ///
    /// Order: account, on-demand maximum, provisioned, key range.
    pub fn empty_limits(&self, at: usize, side: Side, now: SimTime) -> Empties {
        self.empty_for(at, side, Reader::LEADER, now)
    }

    /// The same for a read by one of the partition's replicas.
    pub fn empty_for(&self, at: usize, side: Side, reader: Reader, now: SimTime) -> Empties {
        let mut empties = Empties::default();
        let mut look = |cause, bucket: Option<&TokenBucket>| {
            if bucket.is_some_and(|bucket| !bucket.admits(now)) {
                empties.push(cause);
            }
        };
        look(Cause::AccountLimit, Some(self.account.side(side)));
        let maximum = match side {
            Side::Read => &self.maximum.0,
            Side::Write => &self.maximum.1,
        };
        look(Cause::MaxOnDemandThroughput, maximum.as_ref());
        let partition = self.partitions.get(at);
        let provisioned = match &partition.share {
            Some(share) => Some(share.side(side)),
            None => self.provisioned.as_ref().map(|pair| pair.side(side)),
        };
        look(Cause::ProvisionedThroughput, provisioned);
        look(
            Cause::KeyRangeThroughput,
            Some(match side {
                Side::Read => self.read_bucket(at, reader),
                Side::Write => &partition.write,
            }),
        );
        empties
    }

    /// Takes `cost` from every budget of the arm but the partitions'.
    fn charge_budgets(&mut self, side: Side, cost: HalfUnits, now: SimTime) {
        self.account.side_mut(side).charge(cost, now);
        let maximum = match side {
            Side::Read => &mut self.maximum.0,
            Side::Write => &mut self.maximum.1,
        };
        if let Some(bucket) = maximum {
            bucket.charge(cost, now);
        }
        if let Some(pair) = &mut self.provisioned {
            pair.side_mut(side).charge(cost, now);
        }
    }

    /// Charges `cost` to the arm and to the partition at `at`. `position` is where in it; it is asked for now and then.
    pub fn charge(&mut self, what: (usize, Side, HalfUnits), now: SimTime, position: &dyn Fn() -> Option<KeyBytes>) {
        self.charge_for(what, Reader::LEADER, now, position);
    }

    /// The same for a read by one of the partition's replicas.
    pub fn charge_for(
        &mut self,
        (at, side, cost): (usize, Side, HalfUnits),
        reader: Reader,
        now: SimTime,
        position: &dyn Fn() -> Option<KeyBytes>,
    ) {
        self.charge_budgets(side, cost, now);
        if self.provisioned.is_none() {
            self.splits.count(now, side as usize, cost.0);
        }
        let partition = self.partitions.get_mut(at);
        if let Some(share) = &mut partition.share {
            share.side_mut(side).charge(cost, now);
        }
        match side {
            Side::Read => self.charge_reader(at, reader, cost, now),
            Side::Write => partition.write.charge(cost, now),
        }
        self.partitions.get_mut(at).heat.add(now.second(), side, cost, position);
    }

    /// Throughput that has been used or asked for once is kept ready.
    pub(super) fn remember_peak(&mut self, [read, write]: [i64; 2]) {
        self.peak.read = self.peak.read.max(read);
        self.peak.write = self.peak.write.max(write);
    }

    /// What the provisioned bucket holds at `now` and could hold, if there is one; with even shares their sums.
    pub fn provisioned_available(&self, side: Side, now: SimTime) -> Option<(HalfUnits, HalfUnits)> {
        let held = |pair: &Pair| (pair.side(side).available(now), pair.side(side).cap());
        let whole = held(self.provisioned.as_ref()?);
        let shares = self.partitions.iter().filter_map(|partition| partition.share.as_deref()).map(held);
        Some(shares.reduce(|sum, share| (sum.0 + share.0, sum.1 + share.1)).unwrap_or(whole))
    }

    /// The same of each partition's own share, in ring order; none unless shares are even.
    pub fn shares_available(
        &self,
        side: Side,
        now: SimTime,
    ) -> impl Iterator<Item = (PartitionId, HalfUnits, HalfUnits)> + '_ {
        self.partitions.iter().filter_map(move |partition| {
            let share = partition.share.as_deref()?.side(side);
            Some((partition.id, share.available(now), share.cap()))
        })
    }

    /// Stores or removes an entry and keeps the partition's sums.
    pub fn put_entry(&mut self, position: KeyBytes, entry: Option<Arc<Item>>) -> Option<Arc<Item>> {
        let at = self.partitions.find(&position);
        let added = entry.as_ref().map(|item| item.size_bytes() as u64);
        let old = match entry {
            Some(item) => self.entries.insert(position, item),
            None => self.entries.remove(&position),
        };
        let removed = old.as_ref().map(|item| item.size_bytes() as u64);
        let partition = self.partitions.get_mut(at);
        partition.items = partition.items + u64::from(added.is_some()) - u64::from(removed.is_some());
        partition.bytes = (partition.bytes + added.unwrap_or(0)).saturating_sub(removed.unwrap_or(0));
        self.bytes = (self.bytes + added.unwrap_or(0)).saturating_sub(removed.unwrap_or(0));
        old
    }
}

/// A maximum keeps its level when it changes; a new one starts full.
fn set_maximum(bucket: &mut Option<TokenBucket>, units: Option<i64>, now: SimTime) {
    let Some(rate) = units.map(HalfUnits::from_units) else {
        *bucket = None;
        return;
    };
    match bucket {
        Some(bucket) => bucket.change(rate, 1, now),
        None => *bucket = Some(TokenBucket::new(rate, 1, 1, now)),
    }
}

/// Up to four causes, without an allocation: this is asked for every generated request.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Empties {
    causes: [Option<Cause>; 4],
    count: usize,
}

impl Empties {
    fn push(&mut self, cause: Cause) {
        if let Some(slot) = self.causes.get_mut(self.count) {
            *slot = Some(cause);
            self.count += 1;
        }
    }

    /// Nothing is empty: the request may go on.
    pub const fn is_none(&self) -> bool {
        self.count == 0
    }

    /// The causes in order.
    pub fn iter(&self) -> impl Iterator<Item = Cause> + '_ {
        self.causes.iter().flatten().copied()
    }
}
