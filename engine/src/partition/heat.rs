//! How hot a partition is, and where in it: what decides whether and where it is split.
//!
//! That partitions are split for heat, and where it is of no use: AWS Database Blog, "Scaling DynamoDB: How
//! partitions, hot keys, and split for heat impact performance", parts 1 to 3. The figures are ours; they stand in
//! [`Physics`](crate::capacity::Physics).

use crate::capacity::{HalfUnits, Physics, Side};
use crate::sorted::sorted_places;
use crate::value::KeyBytes;
use serde::Serialize;
use std::collections::VecDeque;

/// Samples kept of a partition, the latest.
const SAMPLES: usize = 4_096;
/// Share of the samples, in thousandths, beyond which a split would not help.
const HELPLESS_PER_MILLE: usize = 900;

/// Where an accepted unit went.
#[derive(Clone, Debug)]
struct Sample {
    position: KeyBytes,
    write: bool,
}

/// Why a hot or large partition is not split.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Helpless {
    /// More than nine tenths go to one key, which has no middle.
    OneHotItem,
    /// Nine writes in ten go above all that is there: after a split the upper half would be just as hot.
    EverIncreasingSortKey,
    /// With a local index an item collection stays in one partition, and this is one collection.
    LocalIndex,
}

/// What was taken in the last seconds, and samples of where.
#[derive(Clone, Debug)]
pub struct Heat {
    /// Half units between two samples.
    sample_every: i64,
    /// The second being counted, and the half units of it: reads, writes.
    second: u64,
    counting: [i64; 2],
    /// Whole seconds before it that lie in the window, and their sums.
    window: VecDeque<(u64, [i64; 2])>,
    sums: [i64; 2],
    since_sample: i64,
    samples: VecDeque<Sample>,
    /// Not to be weighed again before this second.
    rests_until: u64,
}

impl Heat {
    /// Cold.
    pub fn new(physics: &Physics) -> Self {
        Self::sampled(physics.sample_units.max(1) * 2)
    }

    const fn sampled(sample_every: i64) -> Self {
        Self {
            sample_every,
            second: 0,
            counting: [0; 2],
            window: VecDeque::new(),
            sums: [0; 2],
            since_sample: 0,
            samples: VecDeque::new(),
            rests_until: 0,
        }
    }

    /// As cold as one that has just begun.
    pub(super) const fn anew(&self) -> Self {
        Self::sampled(self.sample_every)
    }

    /// Counts an accepted cost; `position` is asked for when a sample is due.
    pub fn add(&mut self, second: u64, side: Side, cost: HalfUnits, position: &dyn Fn() -> Option<KeyBytes>) {
        if second != self.second {
            self.close();
            self.second = second;
        }
        self.counting[side as usize] += cost.0;
        self.since_sample += cost.0;
        if self.since_sample >= self.sample_every {
            self.since_sample %= self.sample_every;
            if let Some(position) = position() {
                if self.samples.len() == SAMPLES {
                    self.samples.pop_front();
                }
                self.samples.push_back(Sample { position, write: side == Side::Write });
            }
        }
    }

    /// Puts the second that was counted into the window.
    fn close(&mut self) {
        if self.counting != [0, 0] {
            self.window.push_back((self.second, self.counting));
            for (sum, units) in self.sums.iter_mut().zip(self.counting) {
                *sum += units;
            }
            self.counting = [0, 0];
        }
    }

    /// Ends the second being counted if it is over at `now`, and tells when it ended if the partition was too hot in
    /// the window before that.
    pub fn settle(&mut self, now: u64, physics: &Physics) -> Option<u64> {
        if self.second >= now || self.counting == [0, 0] {
            return None;
        }
        self.close();
        let end = self.second + 1;
        while let Some((_, units)) = self.window.front().filter(|(at, _)| at + physics.heat_window_seconds < end) {
            for (sum, units) in self.sums.iter_mut().zip(units) {
                *sum -= units;
            }
            self.window.pop_front();
        }
        let ceilings = [physics.partition_read_units, physics.partition_write_units];
        let is_hot = self.sums.iter().zip(ceilings).any(|(sum, ceiling)| {
            let full = ceiling * 2 * physics.heat_window_seconds as i64;
            sum * 1000 >= full * physics.heat_per_mille
        });
        (is_hot && end >= self.rests_until).then_some(end)
    }

    /// Lets the partition be for a while.
    pub const fn rest_until(&mut self, second: u64) {
        self.rests_until = second;
    }

    /// Where to split: the edge between two distinct keys with the smallest larger side.
    ///
    /// # Errors
    /// Why no edge would help.
    pub fn edge(&self, whole_collections: bool) -> Result<KeyBytes, Helpless> {
        if self.is_rising() {
            return Err(Helpless::EverIncreasingSortKey);
        }
        let places = sorted_places(self.samples.len(), &|a, b| self.samples[a].position.cmp(&self.samples[b].position));
        let mut best: Option<(usize, usize)> = None;
        for at in 1..places.len() {
            let (before, here) = (&self.samples[places[at - 1]].position, &self.samples[places[at]].position);
            let apart = if whole_collections { before.head() != here.head() } else { before != here };
            let larger = at.max(places.len() - at);
            if apart && best.is_none_or(|(least, _)| larger < least) {
                best = Some((larger, places[at]));
            }
        }
        match best {
            Some((larger, sample)) if larger * 1000 <= places.len() * HELPLESS_PER_MILLE => {
                Ok(self.samples[sample].position.clone())
            }
            _ if whole_collections && self.has_many_keys() => Err(Helpless::LocalIndex),
            _ => Err(Helpless::OneHotItem),
        }
    }

    fn has_many_keys(&self) -> bool {
        self.samples.front().is_some_and(|first| self.samples.iter().any(|other| other.position != first.position))
    }

    /// Were nine samples in ten writes above everything sampled of their collection before? (A collection's first
    /// sample is above nothing.)
    fn is_rising(&self) -> bool {
        let mut greatest: Vec<&KeyBytes> = Vec::new();
        let mut rising = 0;
        for sample in &self.samples {
            let place = greatest.binary_search_by_key(&sample.position.head(), |other| other.head());
            match place {
                Ok(place) if sample.position > *greatest[place] => {
                    rising += usize::from(sample.write);
                    greatest[place] = &sample.position;
                }
                Ok(_) => {}
                Err(place) => greatest.insert(place, &sample.position),
            }
        }
        rising > 0 && rising * 1000 >= self.samples.len() * HELPLESS_PER_MILLE
    }

    /// The middle sample, for lack of anything better to find a middle by.
    pub fn middle(&self) -> Option<KeyBytes> {
        let places = sorted_places(self.samples.len(), &|a, b| self.samples[a].position.cmp(&self.samples[b].position));
        places.get(places.len() / 2).map(|place| self.samples[*place].position.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(hash: u64, sort: u32) -> KeyBytes {
        KeyBytes::new([&hash.to_be_bytes()[..], &sort.to_be_bytes()].concat())
    }

    /// One sample for each key: 64 units each.
    fn heated(keys: impl Iterator<Item = KeyBytes>) -> Heat {
        let mut heat = Heat::new(&Physics::default());
        for key in keys {
            heat.add(0, Side::Write, HalfUnits::from_units(64), &|| Some(key.clone()));
        }
        heat
    }

    #[test]
    fn the_edge_lies_in_the_middle_of_the_samples() {
        let heat = heated((0..100).map(|k| key(k * 37 % 100, 0)));
        assert_eq!(heat.edge(false), Ok(key(50, 0)));
        let uneven = heated((0..100).map(|k| key(if k % 10 < 6 { 5 } else { 10 + k % 10 }, 0)));
        assert_eq!(uneven.edge(false), Ok(key(16, 0)), "six tenths at one key: it stays alone below");
    }

    #[test]
    fn three_ways_in_which_a_split_does_not_help() {
        assert_eq!(heated((0..100).map(|_| key(1, 1))).edge(false), Err(Helpless::OneHotItem));
        assert_eq!(heated((0..100).map(|k| key(1, k))).edge(false), Err(Helpless::EverIncreasingSortKey));
        let collection = heated((0..100).map(|k| key(1, k * 37 % 100)));
        assert_eq!(collection.edge(true), Err(Helpless::LocalIndex));
        assert_eq!(collection.edge(false), Ok(key(1, 50)), "without a local index it is cut between sort keys");
        assert_eq!(heated(std::iter::empty()).edge(false), Err(Helpless::OneHotItem));
    }

    /// 900 of 1,000 write units in each of 300 seconds: 270,000 of 300,000 are exactly nine tenths.
    #[test]
    fn hot_is_nine_tenths_for_three_hundred_whole_seconds() {
        let physics = Physics::default();
        let mut heat = Heat::new(&Physics::default());
        for second in 0..300 {
            assert_eq!(heat.settle(second, &physics), None);
            heat.add(second, Side::Write, HalfUnits::from_units(900), &|| None);
        }
        assert_eq!(heat.settle(300, &physics), Some(300));
        assert_eq!(heat.settle(300, &physics), None, "a second is weighed once");
        heat.add(300, Side::Write, HalfUnits::from_units(899), &|| None);
        assert_eq!(heat.settle(301, &physics), None, "269,999 are too few");
        heat.add(301, Side::Write, HalfUnits::from_units(902), &|| None);
        heat.rest_until(303);
        assert_eq!(heat.settle(302, &physics), None, "it rests");
    }
}
