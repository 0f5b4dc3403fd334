//! The token bucket every limit is made of.
//!
//! Debt model: a request is admitted while the level is above zero and then subtracts its whole cost, so a
//! bucket may end up to one request below zero. Token buckets at partitions: Elhemali et al., "Amazon
//! DynamoDB: A Scalable, Predictably Performant, and Fully Managed NoSQL Database Service", USENIX ATC 2022;
//! that they may go into debt is ours, since the size of a read is known only after it.

use super::HalfUnits;
use crate::time::SimTime;
use serde::{Deserialize, Serialize};

/// Millionths in a half unit: a rate of one half unit a second adds one of them each microsecond.
const FINE: i64 = 1_000_000;

/// A level that refills with time and is drained by requests.
///
/// Law: in any window the admitted cost is at most the level at its start, plus rate times window, plus what
/// the last admitted request overshot.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TokenBucket {
    /// Millionths of a half unit; may be negative by one request.
    level: i64,
    cap: i64,
    half_units_per_second: i64,
    updated: SimTime,
}

impl TokenBucket {
    /// A bucket that refills at `rate` a second and holds `depth_seconds` of it, with `saved_seconds` of it
    /// in store (never more than the depth).
    pub fn new(rate: HalfUnits, depth_seconds: u64, saved_seconds: u64, now: SimTime) -> Self {
        let per_second = rate.0.max(0);
        let seconds = |count: u64| per_second.saturating_mul(FINE).saturating_mul(count.min(i64::MAX as u64) as i64);
        Self {
            level: seconds(saved_seconds.min(depth_seconds)),
            cap: seconds(depth_seconds),
            half_units_per_second: per_second,
            updated: now,
        }
    }

    fn level_at(&self, now: SimTime) -> i64 {
        let elapsed = now.since(self.updated).min(i64::MAX as u64) as i64;
        let refill = self.half_units_per_second.saturating_mul(elapsed);
        self.level.saturating_add(refill).min(self.cap)
    }

    /// Is there anything left at `now`?
    pub fn admits(&self, now: SimTime) -> bool {
        self.level_at(now) > 0
    }

    /// Takes `cost` out, into debt if need be.
    pub fn charge(&mut self, cost: HalfUnits, now: SimTime) {
        self.level = self.level_at(now).saturating_sub(cost.0.saturating_mul(FINE));
        self.updated = now;
    }

    /// What is left at `now`, whole half units rounded down (negative in debt).
    pub fn available(&self, now: SimTime) -> HalfUnits {
        HalfUnits(self.level_at(now).div_euclid(FINE))
    }

    /// The refill rate a second.
    pub const fn rate(&self) -> HalfUnits {
        HalfUnits(self.half_units_per_second)
    }

    /// The most it can hold.
    pub const fn cap(&self) -> HalfUnits {
        HalfUnits(self.cap / FINE)
    }

    /// Changes rate and depth at `now`; the level is kept, clipped to the new cap.
    pub fn change(&mut self, rate: HalfUnits, depth_seconds: u64, now: SimTime) {
        let level = self.level_at(now);
        *self = Self { level, ..Self::new(rate, depth_seconds, 0, now) };
        self.level = self.level.min(self.cap);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One-unit writes at 5,000 a second on a full partition bucket: 2,000 in the first second, first refusal
    /// at 0.250 s, then 1,000 a second.
    #[test]
    fn the_worked_example_of_the_model() {
        let one = HalfUnits::from_units(1);
        let mut bucket = TokenBucket::new(HalfUnits::from_units(1000), 1, 1, SimTime::ZERO);
        let mut accepted = [0; 3];
        let mut first_refusal = None;
        for k in 0..15_000u64 {
            let now = SimTime(k * 200);
            if bucket.admits(now) {
                bucket.charge(one, now);
                accepted[now.second() as usize] += 1;
            } else {
                first_refusal.get_or_insert(now);
            }
        }
        assert_eq!(accepted, [2000, 1000, 1000]);
        assert_eq!(first_refusal, Some(SimTime(250_000)));
    }

    #[test]
    fn a_new_rate_keeps_the_level_but_not_above_the_new_cap() {
        let mut bucket = TokenBucket::new(HalfUnits(100), 300, 300, SimTime::ZERO);
        bucket.change(HalfUnits(10), 300, SimTime::ZERO);
        assert_eq!(bucket.available(SimTime::ZERO), HalfUnits(3000));
        bucket.change(HalfUnits(1000), 300, SimTime::ZERO);
        assert_eq!(bucket.available(SimTime::ZERO), HalfUnits(3000));
    }

    #[test]
    fn it_never_overflows() {
        let mut bucket = TokenBucket::new(HalfUnits(i64::MAX), u64::MAX, 0, SimTime::ZERO);
        bucket.charge(HalfUnits(i64::MAX), SimTime::MAX);
        assert!(!bucket.admits(SimTime::ZERO) || bucket.admits(SimTime::MAX));
    }
}
