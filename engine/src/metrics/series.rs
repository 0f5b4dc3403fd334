//! Counts by second.

use crate::capacity::{HalfUnits, Side};
use serde::Serialize;
use std::collections::VecDeque;

/// What happened in one second.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Second {
    /// Read units accepted.
    pub read: HalfUnits,
    /// Write units accepted.
    pub write: HalfUnits,
    /// Reads accepted.
    pub reads: u64,
    /// Writes accepted.
    pub writes: u64,
    /// Reads refused.
    pub refused_reads: u64,
    /// Writes refused.
    pub refused_writes: u64,
}

impl Second {
    /// Counts an accepted request, or with `requests` 0 only the units of a further part of one.
    pub(super) fn accept(&mut self, side: Side, cost: HalfUnits, requests: u64) {
        match side {
            Side::Read => {
                self.read += cost;
                self.reads += requests;
            }
            Side::Write => {
                self.write += cost;
                self.writes += requests;
            }
        }
    }

    pub(super) fn refuse(&mut self, side: Side) {
        match side {
            Side::Read => self.refused_reads += 1,
            Side::Write => self.refused_writes += 1,
        }
    }

    /// Units accepted on one side.
    pub const fn units(&self, side: Side) -> HalfUnits {
        match side {
            Side::Read => self.read,
            Side::Write => self.write,
        }
    }

    /// Requests accepted on one side.
    pub const fn accepted(&self, side: Side) -> u64 {
        match side {
            Side::Read => self.reads,
            Side::Write => self.writes,
        }
    }

    /// Requests refused on one side.
    pub const fn refused(&self, side: Side) -> u64 {
        match side {
            Side::Read => self.refused_reads,
            Side::Write => self.refused_writes,
        }
    }

    /// Nothing happened.
    pub fn is_quiet(&self) -> bool {
        *self == Self::default()
    }

    /// Adds another second's counts.
    pub fn add(&mut self, other: &Self) {
        self.read += other.read;
        self.write += other.write;
        self.reads += other.reads;
        self.writes += other.writes;
        self.refused_reads += other.refused_reads;
        self.refused_writes += other.refused_writes;
    }
}

/// The latest seconds, oldest first; quiet seconds between busy ones are kept as zeros.
#[derive(Clone, Debug)]
pub struct Series {
    first: u64,
    seconds: VecDeque<Second>,
    capacity: usize,
}

impl Series {
    /// A series that remembers `capacity` seconds.
    pub const fn new(capacity: usize) -> Self {
        Self { first: 0, seconds: VecDeque::new(), capacity }
    }

    /// The counts of `second`, to add to. Time does not go back: an older second than the newest is counted
    /// there.
    pub fn at(&mut self, second: u64) -> &mut Second {
        let gap = second.saturating_sub(self.first + self.seconds.len() as u64);
        if self.seconds.is_empty() || gap >= self.capacity as u64 {
            self.seconds.clear();
            self.first = second;
        }
        while self.first + self.seconds.len() as u64 <= second {
            self.seconds.push_back(Second::default());
        }
        while self.seconds.len() > self.capacity {
            self.seconds.pop_front();
            self.first += 1;
        }
        let last = self.seconds.len() - 1;
        let at = second.saturating_sub(self.first) as usize;
        &mut self.seconds[at.min(last)]
    }

    /// The counts of `second`; zeros if it is forgotten or quiet.
    pub fn get(&self, second: u64) -> Second {
        second.checked_sub(self.first).and_then(|at| self.seconds.get(at as usize)).copied().unwrap_or_default()
    }

    /// The sum over a range of seconds.
    pub fn sum(&self, seconds: std::ops::Range<u64>) -> Second {
        let end = self.first + self.seconds.len() as u64;
        let mut sum = Second::default();
        for second in seconds.start.max(self.first)..seconds.end.min(end) {
            sum.add(&self.get(second));
        }
        sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_forgets_the_oldest_and_survives_long_silence() {
        let mut series = Series::new(3);
        for second in [0, 1, 2, 3] {
            series.at(second).accept(Side::Write, HalfUnits(2), 1);
        }
        assert_eq!(series.get(0), Second::default());
        assert_eq!(series.get(3).writes, 1);
        assert_eq!(series.sum(0..10).writes, 3);
        series.at(1_000_000_000).refuse(Side::Read);
        assert_eq!(series.get(1_000_000_000).refused_reads, 1);
        assert_eq!(series.get(3), Second::default());
    }
}
