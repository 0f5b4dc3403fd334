//! The law of the token bucket.

use dynascope_engine::capacity::{HalfUnits, TokenBucket};
use dynascope_engine::time::SimTime;
use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    /// In any window no more is accepted than was there, plus what flowed in, plus what the last request overshot.
    #[test]
    fn no_window_takes_more_than_level_and_inflow_and_one_overshoot(
        rate in 1i64..5000,
        depth in 1u64..400,
        saved in 0u64..400,
        requests in proptest::collection::vec((0u64..200_000, 1i64..900), 1..120),
    ) {
        let mut bucket = TokenBucket::new(HalfUnits(rate), depth, saved, SimTime::ZERO);
        let mut now = SimTime::ZERO;
        // For each accepted request: when, its cost, and the level just before it.
        let mut accepted: Vec<(SimTime, i64, i64)> = Vec::new();
        for (gap, cost) in requests {
            now = now + gap;
            let level = bucket.available(now).0;
            prop_assert!(level <= rate * depth as i64, "never above the cap");
            // `available` rounds down, so a level of zero may still be a fraction above it.
            if bucket.admits(now) {
                prop_assert!(level >= 0);
                bucket.charge(HalfUnits(cost), now);
                accepted.push((now, cost, level));
            } else {
                prop_assert!(level <= 0, "refused with {level} left");
            }
        }
        for first in 0..accepted.len() {
            let (start, _, level) = accepted[first];
            let mut sum = 0;
            for (end, cost, _) in &accepted[first..] {
                sum += cost;
                let inflow = i128::from(rate) * i128::from(end.since(start));
                let most = (i128::from(level) + 1 + i128::from(*cost)) * 1_000_000 + inflow;
                prop_assert!(i128::from(sum) * 1_000_000 <= most);
            }
        }
    }

    /// It is filled by time alone, not by being looked at.
    #[test]
    fn looking_changes_nothing(rate in 1i64..5000, looks in proptest::collection::vec(0u64..100_000, 0..20)) {
        let start = SimTime::from_secs(1);
        let mut bucket = TokenBucket::new(HalfUnits(rate), 300, 0, start);
        let untouched = bucket.clone();
        let mut now = start;
        for gap in looks {
            now = now + gap;
            bucket.charge(HalfUnits::ZERO, now);
        }
        prop_assert_eq!(bucket.available(now), untouched.available(now));
        prop_assert_eq!(bucket.available(now).0, (i128::from(rate) * i128::from(now.since(start)) / 1_000_000) as i64);
    }
}
