//! A table or index seen from outside at one moment: what the page draws, what a script prints.

use super::Session;
use crate::capacity::{HalfUnits, Side};
use crate::metrics::{HotKey, LogEntry, Second};
use crate::partition::placement::ring_fraction;
use crate::partition::{OnTheWay, PartitionId, SplitNote};
use crate::time::SimTime;
use serde::Serialize;

/// One partition.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PartitionTelemetry {
    /// Its number.
    pub id: PartitionId,
    /// Where its range begins, as a fraction of the ring.
    pub start: f64,
    /// Where it ends.
    pub end: f64,
    /// Items or entries stored.
    pub items: u64,
    /// Their bytes, metered traffic included.
    pub bytes: u64,
    /// What it took and refused in the second shown.
    pub second: Second,
    /// Read units left in its bucket now.
    pub read_left: HalfUnits,
    /// Write units left in its bucket now.
    pub write_left: HalfUnits,
    /// The hottest key of the second shown.
    pub hottest: Option<HotKey>,
}

/// A table or global index.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Telemetry {
    /// The table.
    pub table: String,
    /// The index, or `None` for the table itself.
    pub index: Option<String>,
    /// The clock.
    pub now: SimTime,
    /// The second shown: the last whole one, or the first while it is still running.
    pub second: u64,
    /// What was taken and refused in it.
    pub consumed: Second,
    /// Everything since the beginning.
    pub total: Second,
    /// When the first request was refused.
    pub first_refusal: Option<SimTime>,
    /// Provisioned read and write units a second; `None` on demand.
    pub provisioned: Option<(i64, i64)>,
    /// Saved burst, in seconds of the provisioned rate: reads, writes.
    pub burst_seconds: Option<(i64, i64)>,
    /// Read and write units a second of one partition; of reads, where each of three replicas has its own, what
    /// eventually consistent ones may be billed.
    pub ceiling: (i64, i64),
    /// What this index has not got yet; `None` for the table itself.
    pub on_the_way: Option<OnTheWay>,
    /// In ring order.
    pub partitions: Vec<PartitionTelemetry>,
}

impl Telemetry {
    /// Provisioned units of one side.
    pub fn provisioned_units(&self, side: Side) -> Option<i64> {
        self.provisioned.map(|(read, write)| match side {
            Side::Read => read,
            Side::Write => write,
        })
    }

    /// Units a second of one partition on one side.
    pub const fn ceiling_units(&self, side: Side) -> i64 {
        match side {
            Side::Read => self.ceiling.0,
            Side::Write => self.ceiling.1,
        }
    }

    /// Consumed of provisioned in the second shown, in tenths of a percent; `None` on demand.
    pub fn used_per_mille(&self, side: Side) -> Option<i64> {
        let provisioned = self.provisioned_units(side).filter(|units| *units > 0)?;
        Some(self.consumed.units(side).0 * 1000 / (provisioned * 2))
    }

    /// The side with more going on: writes, unless there are only reads.
    pub fn busier_side(&self) -> Side {
        let asked = |side| self.total.accepted(side) + self.total.refused(side);
        if asked(Side::Read) > asked(Side::Write) { Side::Read } else { Side::Write }
    }
}

/// All figures of a session at one moment, for comparing two runs.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Report {
    /// Every table, each followed by its global indexes.
    pub telemetry: Vec<Telemetry>,
    /// The throttle log, newest first.
    pub throttles: Vec<LogEntry>,
    /// Commands in the journal.
    pub journal_length: usize,
}

impl Session {
    /// All figures at this moment.
    pub fn report(&self) -> Report {
        let mut telemetry = Vec::new();
        for table in self.database().iter() {
            let name = &table.schema.name;
            telemetry.extend(self.telemetry(name, None));
            telemetry.extend(table.schema.global_indexes().filter_map(|index| self.telemetry(name, Some(&index.name))));
        }
        let throttles = self.metrics().log.newest().cloned().collect();
        Report { telemetry, throttles, journal_length: self.journal().len() }
    }

    /// The second that a view at this moment shows.
    pub fn shown_second(&self) -> u64 {
        self.now().second().saturating_sub(1)
    }

    /// A table, or one of its global indexes, as it stands now. `None` if there is no such thing.
    pub fn telemetry(&self, table: &str, index: Option<&str>) -> Option<Telemetry> {
        let slot = self.database().slot(table)?;
        let stored = self.database().table(slot);
        let at = stored.arm_at(index)?;
        let arm = &stored.arms[at];
        let (now, second) = (self.now(), self.shown_second());
        let metrics = self.metrics().arm(slot, at);
        let physics = self.physics();
        let partitions = arm
            .partitions
            .iter()
            .enumerate()
            .map(|(place, partition)| {
                let counts = metrics.and_then(|metrics| metrics.partition(partition.id));
                PartitionTelemetry {
                    id: partition.id,
                    start: ring_fraction(partition.start_hash()),
                    end: arm.partitions.iter().nth(place + 1).map_or(1.0, |next| ring_fraction(next.start_hash())),
                    items: partition.items,
                    bytes: partition.bytes,
                    second: counts.map(|counts| counts.series.get(second)).unwrap_or_default(),
                    read_left: partition.read_left(now),
                    write_left: partition.write.available(now),
                    hottest: counts.and_then(|counts| counts.hot.of(second).into_iter().next()),
                }
            })
            .collect();
        let saved = |side| {
            arm.provisioned_available(side, now).map_or(0, |(level, cap)| {
                if cap.0 == 0 { 0 } else { level.0.max(0) * physics.burst_seconds as i64 / cap.0 }
            })
        };
        let provisioned = arm.settings().billing.provisioned();
        Some(Telemetry {
            table: table.to_owned(),
            index: index.map(str::to_owned),
            now,
            second,
            consumed: metrics.map(|metrics| metrics.series.get(second)).unwrap_or_default(),
            total: metrics.map(|metrics| metrics.total).unwrap_or_default(),
            first_refusal: metrics.and_then(|metrics| metrics.first_refusal),
            provisioned,
            burst_seconds: provisioned.map(|_| (saved(Side::Read), saved(Side::Write))),
            ceiling: (physics.read_ceiling(), physics.partition_write_units),
            on_the_way: (at > 0).then(|| stored.on_the_way(at, now)),
            partitions,
        })
    }

    /// What has been split, planned and refused of a table or one of its global indexes, oldest first.
    pub fn splits(&self, table: &str, index: Option<&str>) -> Vec<SplitNote> {
        let Some(table) = self.database().get(table) else { return Vec::new() };
        table.arm_at(index).map_or_else(Vec::new, |at| table.arms[at].splits.notes().copied().collect())
    }

    /// What a global index has not got yet, by how soon it arrives: the changes in each of `parts` even shares of the
    /// lag, the soonest first. All nothing if there is no such index.
    pub fn on_the_way_in_parts(&self, table: &str, index: &str, parts: usize) -> Vec<u64> {
        let table = self.database().get(table);
        let found = table.and_then(|table| Some((table, table.arm_of(index)?)));
        let lag = self.physics().index_lag_ms * 1000;
        found.map_or_else(|| vec![0; parts], |(table, arm)| table.on_the_way_in_parts(arm, self.now(), lag, parts))
    }

    /// Lines of the throttle log of a table (its indexes included), newest first.
    pub fn throttles(&self, table: &str) -> impl Iterator<Item = &LogEntry> {
        let slot = self.database().slot(table);
        self.metrics().log.newest().filter(move |entry| Some(entry.slot) == slot)
    }
}
