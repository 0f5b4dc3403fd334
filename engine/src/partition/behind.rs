//! What has not arrived yet: entries on their way to global indexes, changes on their way to the replicas that follow.
//!
//! A global index is filled some time after the table, and a partition's two followers hold what its leader held some
//! time ago. Developer Guide, "Global secondary indexes", *Data synchronization*, and "Read consistency"; how long it
//! takes is not documented beyond "usually within a second", so it is a setting, nothing by default. What a write costs
//! its indexes is taken when it is made: a full index refuses it at once, and nothing queues for capacity.

use super::page::ReadTarget;
use super::{Arm, Table};
use crate::capacity::{Consistency, HalfUnits, Physics, TokenBucket};
use crate::time::SimTime;
use crate::value::{Item, KeyBytes};
use serde::Serialize;
use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

/// When what is written now will have arrived.
#[derive(Clone, Copy, Debug)]
pub struct Arrival {
    /// At the global indexes.
    pub indexes: SimTime,
    /// At the two followers.
    pub followers: SimTime,
}

impl Arrival {
    /// By the lags of the model.
    pub fn of(physics: &Physics, now: SimTime) -> Self {
        Self { indexes: now + physics.index_lag_ms * 1000, followers: now + physics.replica_lag_ms * 1000 }
    }
}

/// One entry that leaves a place, arrives at a place, or both.
#[derive(Clone, Debug)]
pub(super) struct Change {
    pub target: ReadTarget,
    pub removed: Option<KeyBytes>,
    pub stored: Option<(KeyBytes, Arc<Item>)>,
}

impl Change {
    fn carry_out(self, entries: &mut BTreeMap<KeyBytes, Arc<Item>>) {
        if let Some(position) = self.removed {
            entries.remove(&position);
        }
        if let Some((position, item)) = self.stored {
            entries.insert(position, item);
        }
    }
}

/// What a table's followers hold, and what is under way. Each queue is in order of arrival, since its lag is constant.
#[derive(Clone, Debug, Default)]
pub(super) struct Behind {
    indexes: VecDeque<(SimTime, Change)>,
    followers: VecDeque<(SimTime, Change)>,
    /// The followers' items and local entries, if they lag at all.
    held: Option<Box<Held>>,
}

#[derive(Clone, Debug)]
struct Held {
    entries: BTreeMap<KeyBytes, Arc<Item>>,
    locals: Vec<BTreeMap<KeyBytes, Arc<Item>>>,
}

impl Held {
    fn of(&self, target: ReadTarget) -> Option<&BTreeMap<KeyBytes, Arc<Item>>> {
        match target {
            ReadTarget::Base => Some(&self.entries),
            ReadTarget::Local(at) => self.locals.get(at),
            ReadTarget::Global(_) => None,
        }
    }

    fn take(&mut self, change: Change) {
        match change.target {
            ReadTarget::Base => change.carry_out(&mut self.entries),
            ReadTarget::Local(at) => {
                if let Some(entries) = self.locals.get_mut(at) {
                    change.carry_out(entries);
                }
            }
            ReadTarget::Global(_) => {}
        }
    }
}

/// What an index has not got yet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct OnTheWay {
    /// Changes, metered ones included.
    pub changes: u64,
    /// When the first of them arrives.
    pub next: Option<SimTime>,
    /// When the last of them arrives.
    pub last: Option<SimTime>,
}

/// Changes of metered writes, which have no entries: how many arrive in which millisecond.
#[derive(Clone, Debug, Default)]
pub(super) struct Metered(VecDeque<(u64, u64)>);

impl Behind {
    pub(super) fn new(physics: &Physics, locals: usize) -> Self {
        let held = || Box::new(Held { entries: BTreeMap::new(), locals: vec![BTreeMap::new(); locals] });
        Self { held: (physics.replica_lag_ms > 0).then(held), ..Self::default() }
    }

    /// Drops what is on its way to a global index that is gone; those behind it have moved up a place.
    pub(super) fn forget(&mut self, arm: usize) {
        self.indexes.retain(|(_, change)| change.target != ReadTarget::Global(arm));
        for (_, change) in &mut self.indexes {
            if let ReadTarget::Global(other) = &mut change.target
                && *other > arm
            {
                *other -= 1;
            }
        }
    }

    /// What the followers hold of a target, if that may differ from what the leader holds.
    pub(super) fn followers(&self, target: ReadTarget) -> Option<&BTreeMap<KeyBytes, Arc<Item>>> {
        self.held.as_ref()?.of(target)
    }

    fn next(&self) -> Option<SimTime> {
        let first = |queue: &VecDeque<(SimTime, Change)>| queue.front().map(|(due, _)| *due);
        first(&self.indexes).into_iter().chain(first(&self.followers)).min()
    }
}

/// The first of a queue, if it has arrived.
fn arrived(queue: &mut VecDeque<(SimTime, Change)>, now: SimTime) -> Option<Change> {
    let due = queue.front().is_some_and(|(due, _)| *due <= now);
    if due { queue.pop_front().map(|(_, change)| change) } else { None }
}

impl Table {
    /// Carries a change out now or later.
    pub(super) fn change(&mut self, change: Change, now: SimTime, arrival: Arrival) {
        if let ReadTarget::Global(arm) = change.target {
            if arrival.indexes > now {
                self.arms[arm].on_the_way += 1;
                self.behind.indexes.push_back((arrival.indexes, change));
            } else {
                self.carry_out(change);
            }
            return;
        }
        if let Some(held) = &mut self.behind.held {
            if arrival.followers > now {
                self.behind.followers.push_back((arrival.followers, change.clone()));
            } else {
                held.take(change.clone());
            }
        }
        self.carry_out(change);
    }

    fn carry_out(&mut self, change: Change) {
        let arm = match change.target {
            ReadTarget::Base => 0,
            ReadTarget::Global(arm) => arm,
            ReadTarget::Local(at) => return change.carry_out(&mut self.locals[at]),
        };
        if let Some(position) = change.removed {
            self.arms[arm].put_entry(position, None);
        }
        if let Some((position, item)) = change.stored {
            self.arms[arm].put_entry(position, Some(item));
        }
    }

    /// Lets everything arrive that is due at `now`.
    pub fn arrive(&mut self, now: SimTime) {
        while let Some(change) = arrived(&mut self.behind.indexes, now) {
            if let ReadTarget::Global(arm) = change.target {
                self.arms[arm].on_the_way -= 1;
            }
            self.carry_out(change);
        }
        while let Some(change) = arrived(&mut self.behind.followers, now) {
            if let Some(held) = &mut self.behind.held {
                held.take(change);
            }
        }
    }

    /// When the next change arrives somewhere.
    pub fn next_arrival(&self) -> Option<SimTime> {
        self.behind.next()
    }

    /// What a global index has not got yet.
    pub fn on_the_way(&self, arm: usize, now: SimTime) -> OnTheWay {
        let metered = &self.arms[arm].metered.0;
        let metered = metered.range(metered.partition_point(|(due, _)| *due * 1000 <= now.0)..);
        let of_arm = |(due, change): &(SimTime, Change)| (change.target == ReadTarget::Global(arm)).then_some(*due);
        let whole = |at: Option<&(u64, u64)>| at.map(|(ms, _)| SimTime(ms * 1000));
        let next = self.behind.indexes.iter().find_map(of_arm);
        let last = self.behind.indexes.iter().rev().find_map(of_arm);
        OnTheWay {
            changes: self.arms[arm].on_the_way + metered.clone().map(|(_, count)| count).sum::<u64>(),
            next: next.into_iter().chain(whole(metered.clone().next())).min(),
            last: last.max(whole(metered.clone().next_back())),
        }
    }
}

impl Table {
    /// The same by how soon it arrives: the changes in each of `parts` even shares of the longest way, the soonest first.
    pub fn on_the_way_in_parts(&self, arm: usize, now: SimTime, longest: u64, parts: usize) -> Vec<u64> {
        let mut counts = vec![0; parts];
        let mut count = |due: SimTime, changes: u64| {
            let part = due.since(now).saturating_sub(1) as u128 * parts as u128 / u128::from(longest.max(1));
            if let Some(count) = counts.get_mut((part as usize).min(parts.saturating_sub(1))) {
                *count += changes;
            }
        };
        for (due, change) in &self.behind.indexes {
            if change.target == ReadTarget::Global(arm) {
                count(*due, 1);
            }
        }
        for (due, changes) in self.arms[arm].metered.0.iter().filter(|(due, _)| *due * 1000 > now.0) {
            count(SimTime(due * 1000), *changes);
        }
        counts
    }
}

/// Which of a partition's three replicas answers a read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Reader {
    /// 0 is the leader, which takes writes and strongly consistent reads.
    pub replica: u8,
    /// Is the read eventually consistent?
    pub eventual: bool,
}

impl Reader {
    /// The leader, for all that is not eventually consistent.
    pub const LEADER: Self = Self { replica: 0, eventual: false };
}

/// How a partition's eventually consistent reads go round its replicas: both followers, then the leader. Ours; the
/// Region's request routers choose one in a way that is not published.
#[derive(Clone, Debug, Default)]
pub(super) struct Replicas {
    /// Do they go round at all?
    goes_round: bool,
    turn: u8,
    /// The followers' read buckets, if each replica has one of its own.
    buckets: Option<Box<[TokenBucket; 2]>>,
}

impl Replicas {
    pub(super) fn new(physics: &Physics, bucket: impl Fn() -> TokenBucket) -> Self {
        Self {
            goes_round: physics.replica_lag_ms > 0 || physics.eventual_reads_use_replicas,
            turn: 0,
            buckets: physics.eventual_reads_use_replicas.then(|| Box::new([bucket(), bucket()])),
        }
    }

    /// What the followers' buckets hold, if they have some.
    pub(super) fn available(&self, now: SimTime) -> Option<HalfUnits> {
        self.buckets.as_ref().map(|buckets| buckets.iter().map(|bucket| bucket.available(now)).sum())
    }
}

impl Arm {
    /// Who answers the next read of the partition at `at`: for an eventually consistent one the next replica in turn
    /// that has something left.
    pub fn reader(&self, at: usize, consistency: Consistency, now: SimTime) -> Reader {
        let replicas = &self.partitions.get(at).replicas;
        if consistency != Consistency::Eventual || !replicas.goes_round {
            return Reader { eventual: consistency == Consistency::Eventual, ..Reader::LEADER };
        }
        let in_turn = |step: u8| Reader { replica: (replicas.turn + 1 + step) % 3, eventual: true };
        let has_some = |reader: &Reader| self.read_bucket(at, *reader).admits(now);
        (0..3).map(in_turn).find(has_some).unwrap_or_else(|| in_turn(0))
    }

    /// The bucket a reader draws on.
    pub(super) fn read_bucket(&self, at: usize, reader: Reader) -> &TokenBucket {
        let partition = self.partitions.get(at);
        match &partition.replicas.buckets {
            Some(buckets) if reader.replica > 0 => &buckets[usize::from(reader.replica - 1).min(1)],
            _ => &partition.read,
        }
    }

    /// Takes a read's cost from its replica's bucket and passes the turn on. Where each replica has its own 3,000
    /// blocks a second, a block that is billed as half a unit takes a whole one of them.
    pub(super) fn charge_reader(&mut self, at: usize, reader: Reader, cost: HalfUnits, now: SimTime) {
        let partition = self.partitions.get_mut(at);
        if reader.eventual {
            partition.replicas.turn = reader.replica;
        }
        match &mut partition.replicas.buckets {
            None => partition.read.charge(cost, now),
            Some(buckets) => {
                let blocks = if reader.eventual { HalfUnits(cost.0 * 2) } else { cost };
                match reader.replica.checked_sub(1) {
                    None => partition.read.charge(blocks, now),
                    Some(follower) => buckets[usize::from(follower).min(1)].charge(blocks, now),
                }
            }
        }
    }

    /// Notes at `now` that the entries of metered writes arrive at this index at `due`, counted by the millisecond.
    pub fn expect_metered(&mut self, now: SimTime, due: SimTime, changes: u64) {
        while self.metered.0.front().is_some_and(|(due, _)| *due * 1000 <= now.0) {
            self.metered.0.pop_front();
        }
        if due <= now {
            return;
        }
        let due = due.0.div_ceil(1000);
        match self.metered.0.back_mut() {
            Some((last, count)) if *last == due => *count += changes,
            _ => self.metered.0.push_back((due, changes)),
        }
    }
}
