//! Saved burst: how much unused capacity a provisioned table keeps, and whether it grows or falls.
//!
//! Developer Guide, "Burst and adaptive capacity": up to 300 s of it.

use super::Session;
use crate::capacity::{HalfUnits, Side};
use crate::partition::PartitionId;
use serde::Serialize;

/// What one bucket of saved capacity holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Saved {
    /// Units in it; never below nothing, though a bucket may be in debt by one request.
    pub level: HalfUnits,
    /// Units it can hold.
    pub cap: HalfUnits,
}

impl Saved {
    const fn new(level: HalfUnits, cap: HalfUnits) -> Self {
        Self { level: HalfUnits(if level.0 > 0 { level.0 } else { 0 }), cap }
    }

    /// Thousandths of what it can hold.
    pub const fn per_mille(self) -> i64 {
        if self.cap.0 > 0 { (self.level.0 as i128 * 1000 / self.cap.0 as i128) as i64 } else { 0 }
    }
}

/// The saved burst of a table or global index, one side of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct BurstLevel {
    /// The whole; with even shares their sum.
    pub whole: Saved,
    /// Seconds of the provisioned rate that are in it, rounded down.
    pub seconds: u64,
    /// Seconds that fit.
    pub most_seconds: u64,
    /// Units a second it gains in the second shown, or loses if below zero; nothing before the clock has moved.
    pub gain: HalfUnits,
    /// Each partition's own, if shares are even.
    pub shares: Vec<(PartitionId, Saved)>,
}

impl BurstLevel {
    /// Is nothing more to be saved?
    pub const fn is_full(&self) -> bool {
        self.whole.level.0 >= self.whole.cap.0
    }

    /// Whole seconds until it is empty if this goes on; `None` while it does not fall.
    pub const fn seconds_left(&self) -> Option<u64> {
        if self.gain.0 < 0 { Some(self.whole.level.0.unsigned_abs() / self.gain.0.unsigned_abs()) } else { None }
    }
}

impl Session {
    /// What a table, or one of its global indexes, has saved. `None` if there is no such thing, or on demand.
    pub fn burst(&self, table: &str, index: Option<&str>, side: Side) -> Option<BurstLevel> {
        let stored = self.database().get(table)?;
        let at = stored.arm_at(index)?;
        let arm = stored.arms.get(at)?;
        let (read, write) = arm.settings().billing.provisioned()?;
        let rate = HalfUnits::from_units(if side == Side::Read { read } else { write });
        let (level, cap) = arm.provisioned_available(side, self.now())?;
        let whole = Saved::new(level, cap);
        let most_seconds = self.physics().burst_seconds;
        let gain = self.now().second().checked_sub(1).map_or(HalfUnits::ZERO, |second| {
            let metrics = self.database().slot(table).and_then(|slot| self.metrics().arm(slot, at));
            rate - metrics.map(|metrics| metrics.series.get(second).units(side)).unwrap_or_default()
        });
        let seconds =
            if cap.0 > 0 { i128::from(whole.level.0) * i128::from(most_seconds) / i128::from(cap.0) } else { 0 };
        Some(BurstLevel {
            whole,
            seconds: u64::try_from(seconds).unwrap_or_default(),
            most_seconds,
            gain,
            shares: arm
                .shares_available(side, self.now())
                .map(|(id, level, cap)| (id, Saved::new(level, cap)))
                .collect(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::Scenario;
    use crate::time::SimTime;
    use serde_json::json;

    fn profiles(constants: serde_json::Value) -> Session {
        let scenario: Scenario = serde_json::from_value(json!({
            "version": 1, "constants": constants,
            "tables": [{"create": {
                "TableName": "profiles", "ProvisionedThroughput": {"ReadCapacityUnits": 150, "WriteCapacityUnits": 1},
                "AttributeDefinitions": [{"AttributeName": "id", "AttributeType": "S"}],
                "KeySchema": [{"AttributeName": "id", "KeyType": "HASH"}],
            }}],
            "traffic": [{"table": "profiles", "operation": "GetItem", "consistent": true, "key": "u{0..999}", "rate_per_second": 200}],
        }))
        .unwrap();
        Session::new(scenario).unwrap()
    }

    /// 300 s of 150 are 45,000; 200 a second draw 50 of them: 100 s take 5,000, and 40,000 last 800 s more.
    #[test]
    fn the_tank_falls_by_what_is_taken_beyond_the_rate() {
        let mut session = profiles(json!({}));
        let full = session.burst("profiles", None, Side::Read).unwrap();
        assert!(full.is_full() && full.gain == HalfUnits::ZERO && full.seconds_left().is_none());
        assert_eq!((full.whole.cap, full.seconds), (HalfUnits::from_units(45_000), 300));
        session.advance(SimTime::from_secs(100), u64::MAX);
        let level = session.burst("profiles", None, Side::Read).unwrap();
        assert_eq!((level.whole.level, level.gain), (HalfUnits::from_units(40_000), HalfUnits::from_units(-50)));
        assert_eq!((level.seconds, level.seconds_left(), level.whole.per_mille()), (266, Some(800), 888));
        assert_eq!(level.shares, []);
        let writes = session.burst("profiles", None, Side::Write).unwrap();
        assert!(writes.is_full(), "the sides are apart");
        assert_eq!(session.burst("profiles", Some("none"), Side::Read), None);
    }

    #[test]
    fn even_shares_have_tanks_of_their_own_and_the_cap_is_the_models() {
        let session = profiles(json!({"adaptive_capacity": false, "burst_seconds": 60, "partition_read_units": 100}));
        let level = session.burst("profiles", None, Side::Read).unwrap();
        // 150 / 100 + 1 / 1000 → 2 partitions, each with 75 a second and 60 s of it.
        assert_eq!(level.shares.len(), 2);
        assert!(level.shares.iter().all(|(_, share)| share.cap == HalfUnits::from_units(4_500)));
        assert_eq!((level.whole.cap, level.most_seconds), (HalfUnits::from_units(9_000), 60));
    }
}
