//! Contributor insights: the keys most accessed and most throttled in the last minute.
//!
//! Developer Guide, "CloudWatch Contributor Insights for DynamoDB": rules PKC and PKT, at most 25 contributors,
//! access counted as 3 × write units + read units. The window of the last 60 whole seconds is ours; AWS's is a
//! minute of the clock.
//!
//! Exactness: figures are summed from the [`HotKeys`](super::HotKeys) of each partition and second. In a second
//! that asked a partition for at most eight keys they are exact. Otherwise a key with more than an eighth of the
//! partition's requests in a second is never missed there, no figure is ever too high, and it may be too low by
//! what was asked before the key won its place. Many keys asked for equally often may not show at all: there is no
//! hot one among them. Throttles of an index count at the index's keys, none at the table's.
//!
//! Memory: 60 seconds × 8 keys a partition, shared between undo states; nothing is merged before it is asked for.

use super::{ArmMetrics, HotKey};
use crate::capacity::HalfUnits;
use crate::sorted::sorted_places;
use crate::value::AttributeValue;
use serde::Serialize;
use std::ops::Range;

/// Contributors shown of each kind.
pub const MAX_CONTRIBUTORS: usize = 25;

/// A key and what it was asked for within the window.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Contributor {
    /// The partition key, an index's own at an index.
    pub key: AttributeValue,
    /// `ConsumedThroughputUnits`: 3 × write units + read units, in halves.
    pub throughput: HalfUnits,
    /// Requests, accepted and refused.
    pub requests: u64,
    /// `ThrottleCount`: the refused ones.
    pub throttled: u64,
}

/// The keys of a table or global index.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct TopKeys {
    /// First second of the window.
    pub from: u64,
    /// The second after its last.
    pub to: u64,
    /// By throughput, most first (rule PKC).
    pub accessed: Vec<Contributor>,
    /// By refused requests, most first (rule PKT); only those with any.
    pub throttled: Vec<Contributor>,
}

impl ArmMetrics {
    /// The keys of all partitions in some seconds, of the last 60 that were busy.
    pub fn top_keys(&self, seconds: Range<u64>) -> TopKeys {
        let mut seen: Vec<&HotKey> = Vec::new();
        for partition in self.all_partitions() {
            seen.extend(partition.hot.within(&seconds).filter(|hot| hot.key.is_some()));
        }
        let mut sums: Vec<Contributor> = Vec::new();
        let mut hash = None;
        for place in sorted_places(seen.len(), &|a, b| seen[a].hash().cmp(&seen[b].hash())) {
            let hot = seen[place];
            let Some(key) = &hot.key else { continue };
            if hash != Some(hot.hash()) {
                hash = Some(hot.hash());
                sums.push(Contributor { key: key.clone(), throughput: HalfUnits::ZERO, requests: 0, throttled: 0 });
            }
            if let Some(sum) = sums.last_mut() {
                sum.throughput += hot.throughput;
                sum.requests += hot.requests;
                sum.throttled += hot.refused;
            }
        }
        let top = |rank: &dyn Fn(&Contributor) -> u64| -> Vec<Contributor> {
            let places = sorted_places(sums.len(), &|a, b| rank(&sums[b]).cmp(&rank(&sums[a])));
            let ranked = places.into_iter().map(|place| &sums[place]).filter(|sum| rank(sum) > 0);
            ranked.take(MAX_CONTRIBUTORS).cloned().collect()
        };
        TopKeys {
            accessed: top(&|sum| sum.throughput.0 as u64),
            throttled: top(&|sum| sum.throttled),
            from: seconds.start,
            to: seconds.end,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Metrics, Place};
    use super::*;
    use crate::capacity::{Cause, Reason, Resource, Side};
    use crate::partition::PartitionId;
    use crate::time::SimTime;

    fn ask(metrics: &mut Metrics, second: u64, key: i64, cost: Option<(Side, i64)>) {
        let place = Place { slot: 0, arm: 0, partition: PartitionId(key as u32 % 3) };
        let now = SimTime::from_secs(second);
        let value = || Some(AttributeValue::from(key));
        if let Some((side, units)) = cost {
            metrics.accepted(place, now, side, HalfUnits::from_units(units), key as u64, value);
        } else {
            let reason = Reason { resource: Resource::Table, side: Side::Write, cause: Cause::KeyRangeThroughput };
            metrics.refused(place, now, reason, key as u64, value);
        }
    }

    #[test]
    fn seconds_and_partitions_are_summed_and_writes_weigh_three() {
        let mut metrics = Metrics::default();
        for second in 0..70 {
            ask(&mut metrics, second, 1, Some((Side::Write, 1)));
            ask(&mut metrics, second, 2, Some((Side::Read, 4)));
            ask(&mut metrics, second, 4, None);
            ask(&mut metrics, second, 4, None);
        }
        let top = metrics.arm(0, 0).unwrap().top_keys(10..70);
        let shown: Vec<_> = top.accessed.iter().map(|top| (top.key.clone(), top.throughput.0 / 2)).collect();
        assert_eq!(shown, [(AttributeValue::from(2), 240), (AttributeValue::from(1), 180)]);
        assert_eq!(top.throttled.len(), 1);
        assert_eq!((top.throttled[0].throttled, top.throttled[0].requests), (120, 120));
        assert_eq!(metrics.arm(0, 0).unwrap().top_keys(200..260).accessed, []);
    }

    #[test]
    fn at_most_25_are_shown_and_no_more_than_61_seconds_kept() {
        let mut metrics = Metrics::default();
        for second in 0..500 {
            for key in 0..8 {
                ask(&mut metrics, second, second as i64 * 24 + key * 3, Some((Side::Write, 1)));
            }
        }
        let arm = metrics.arm(0, 0).unwrap();
        assert_eq!(arm.top_keys(440..500).accessed.len(), MAX_CONTRIBUTORS);
        assert_eq!(arm.top_keys(0..430).accessed, [], "older seconds are forgotten");
    }
}
