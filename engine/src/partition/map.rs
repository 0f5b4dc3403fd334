//! A ring of hash values cut into partitions. Partitions are split, never merged.

use super::arm::Pair;
use super::behind::Replicas;
use super::heat::Heat;
use crate::capacity::{HalfUnits, Physics, TokenBucket};
use crate::time::SimTime;
use crate::value::key_head;
use serde::{Deserialize, Serialize};

/// A partition's number. Given once, never reused: children of a split get new ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct PartitionId(pub u32);

impl std::fmt::Display for PartitionId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "P{}", self.0)
    }
}

/// One range of a store's order, with its own budgets.
#[derive(Clone, Debug)]
pub struct Partition {
    /// Its number.
    pub id: PartitionId,
    /// First position that belongs to it (inclusive); the next partition's start ends it.
    pub start: Box<[u8]>,
    /// The first eight bytes of `start`, which decide most comparisons.
    head: u64,
    /// Items or index entries it holds.
    pub items: u64,
    /// Their billed bytes, metered traffic included.
    pub bytes: u64,
    /// Read units, one second deep.
    pub read: TokenBucket,
    /// Write units, one second deep.
    pub write: TokenBucket,
    /// With adaptive capacity off: its even share of what is provisioned.
    pub share: Option<Box<Pair>>,
    /// Who answers its eventually consistent reads.
    pub(super) replicas: Replicas,
    /// What it took lately.
    pub heat: Heat,
    /// Its size is not weighed again before this second.
    pub(super) rests_until: u64,
}

impl Partition {
    fn new(id: u32, start: u64, physics: &Physics, now: SimTime) -> Self {
        let depth = physics.partition_depth_seconds;
        let full = |units| TokenBucket::new(HalfUnits::from_units(units), depth, depth, now);
        Self {
            id: PartitionId(id),
            start: Box::new(start.to_be_bytes()),
            head: start,
            items: 0,
            bytes: 0,
            read: full(physics.partition_read_units),
            write: full(physics.partition_write_units),
            share: None,
            replicas: Replicas::new(physics, || full(physics.partition_read_units)),
            heat: Heat::new(physics),
            rests_until: 0,
        }
    }

    /// May its size be weighed?
    pub(super) const fn may_outgrow(&self, second: u64) -> bool {
        second >= self.rests_until
    }

    /// Read units left at `now`: where each replica has a bucket of its own, what eventually consistent reads would be
    /// billed for the rest of all three.
    pub fn read_left(&self, now: SimTime) -> HalfUnits {
        let leader = self.read.available(now);
        self.replicas.available(now).map_or(leader, |followers| HalfUnits((leader + followers).0.div_euclid(2)))
    }

    /// Where its range begins on the ring.
    pub const fn start_hash(&self) -> u64 {
        self.head
    }
}

/// All partitions of a table or global index, in ring order.
#[derive(Clone, Debug)]
pub struct PartitionMap {
    partitions: Vec<Partition>,
    next_id: u32,
}

impl PartitionMap {
    /// `count` even ranges.
    pub fn even(count: usize, physics: &Physics, now: SimTime) -> Self {
        let count = count.max(1);
        let start = |i: usize| ((i as u128) << 64) / count as u128;
        let partitions = (0..count).map(|i| Partition::new(i as u32, start(i) as u64, physics, now)).collect();
        Self { partitions, next_id: count as u32 }
    }

    /// In ring order.
    pub fn iter(&self) -> std::slice::Iter<'_, Partition> {
        self.partitions.iter()
    }

    /// How many; at least one.
    pub fn len(&self) -> usize {
        self.partitions.len()
    }

    /// Never true: a ring has at least one partition.
    pub fn is_empty(&self) -> bool {
        self.partitions.is_empty()
    }

    /// Place in ring order of the partition that holds `position`. Logarithmic in the number of partitions.
    pub fn find(&self, position: &[u8]) -> usize {
        let head = key_head(position);
        let starts_before =
            |partition: &Partition| partition.head < head || (partition.head == head && *partition.start <= *position);
        self.partitions.partition_point(starts_before).saturating_sub(1)
    }

    /// Does the partition at `at` hold `position`? Cheaper than [`Self::find`] for a walk along the ring.
    pub fn holds(&self, at: usize, position: &[u8]) -> bool {
        let head = key_head(position);
        let is_from =
            |partition: &Partition| partition.head < head || (partition.head == head && *partition.start <= *position);
        self.partitions.get(at).is_some_and(is_from) && !self.partitions.get(at + 1).is_some_and(is_from)
    }

    /// The partition at a place in ring order.
    pub fn get(&self, at: usize) -> &Partition {
        &self.partitions[at]
    }

    /// The partition at a place in ring order, to charge it.
    pub fn get_mut(&mut self, at: usize) -> &mut Partition {
        &mut self.partitions[at]
    }

    /// Where the range of the partition at `at` ends: the next start, or `None` for the end of the ring.
    pub fn end_of(&self, at: usize) -> Option<&[u8]> {
        self.partitions.get(at + 1).map(|next| &*next.start)
    }

    fn hash_bounds(&self, at: usize) -> (u128, u128) {
        let end = self.partitions.get(at + 1).map_or(1 << 64, |next| u128::from(next.start_hash()));
        (u128::from(self.partitions[at].start_hash()), end)
    }

    /// Splits the widest range (the lowest of equals) at its middle until there are `count` partitions, and tells of
    /// each. `recount` as for [`Self::split`].
    pub fn grow_to(
        &mut self,
        count: usize,
        recount: impl Fn(&[u8], Option<&[u8]>) -> (u64, u64),
        mut tell: impl FnMut(PartitionId, PartitionId, PartitionId),
    ) {
        while self.partitions.len() < count {
            let width = |at: usize| {
                let (start, end) = self.hash_bounds(at);
                end.saturating_sub(start)
            };
            let widest = (0..self.partitions.len()).fold(0, |best, at| if width(at) > width(best) { at } else { best });
            let (start, end) = self.hash_bounds(widest);
            if end.saturating_sub(start) < 2 {
                return;
            }
            let middle = u128::midpoint(start, end) as u64;
            let parent = self.partitions[widest].id;
            let (low, high) = self.split(widest, &middle.to_be_bytes(), &recount);
            tell(parent, low, high);
        }
    }

    /// Splits the partition at a place in two at `point`, which begins the upper half.
    ///
    /// Both children get new numbers and the parent's bucket levels. `recount` tells items and bytes from a
    /// position up to another.
    pub fn split(
        &mut self,
        at: usize,
        point: &[u8],
        recount: impl Fn(&[u8], Option<&[u8]>) -> (u64, u64),
    ) -> (PartitionId, PartitionId) {
        let parent = self.partitions[at].clone();
        let child = |id: u32, start: Box<[u8]>| Partition {
            id: PartitionId(id),
            head: key_head(&start),
            start,
            heat: parent.heat.anew(),
            rests_until: 0,
            ..parent.clone()
        };
        let (low, high) = (self.next_id, self.next_id + 1);
        self.next_id += 2;
        self.partitions.splice(at..=at, [child(low, parent.start.clone()), child(high, point.into())]);
        // Metered bytes have no items to recount by; they are shared evenly.
        let metered = parent.bytes.saturating_sub(recount(&parent.start, self.end_of(at + 1)).1);
        for (at, share) in [(at, metered / 2), (at + 1, metered - metered / 2)] {
            let (items, bytes) = recount(&self.partitions[at].start, self.end_of(at));
            let partition = &mut self.partitions[at];
            (partition.items, partition.bytes) = (items, bytes + share);
        }
        (PartitionId(low), PartitionId(high))
    }
}

impl<'a> IntoIterator for &'a PartitionMap {
    type Item = &'a Partition;
    type IntoIter = std::slice::Iter<'a, Partition>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn map(count: usize) -> PartitionMap {
        PartitionMap::even(count, &Physics::default(), SimTime::ZERO)
    }

    fn ids(map: &PartitionMap) -> Vec<u32> {
        map.iter().map(|partition| partition.id.0).collect()
    }

    #[test]
    fn every_position_has_exactly_one_partition() {
        let map = map(7);
        for at in 0..7 {
            assert_eq!(map.find(&map.get(at).start), at);
            if let Some(end) = map.end_of(at) {
                let before = u64::from_be_bytes(end.try_into().unwrap()) - 1;
                assert_eq!(map.find(&before.to_be_bytes()), at);
            }
        }
        assert_eq!(map.find(&[0xFF; 40]), 6);
        assert_eq!(map.find(&[]), 0);
    }

    #[test]
    fn growth_splits_the_widest_range_lowest_first_and_never_reuses_a_number() {
        let mut map = map(4);
        map.grow_to(7, |_, _| (0, 0), |_, _, _| {});
        assert_eq!(ids(&map), [4, 5, 6, 7, 8, 9, 3]);
        map.grow_to(5, |_, _| (0, 0), |_, _, _| {});
        assert_eq!(map.len(), 7, "partitions are never merged");
    }
}
