//! The constants of the physical model, each with its source.

use serde::{Deserialize, Serialize};

/// A named set of constants.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Preset {
    /// The figures AWS documents.
    #[default]
    Aws,
    /// The same model at about a hundredth of the size, so that a few clicks show the effect.
    Classroom,
}

/// Every figure the simulation uses. Units a second are whole RCUs or WCUs. Each has a line for people in
/// [`super::fidelity::CONSTANTS`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Physics {
    /// Read units a second of one partition: 3,000. Developer Guide, "Designing partition keys".
    pub partition_read_units: i64,
    /// Write units a second of one partition: 1,000. Same page. Not an adjustable quota.
    pub partition_write_units: i64,
    /// Bytes a partition may hold: 10 GB. Developer Guide, "Partitions and data distribution".
    pub partition_bytes: u64,
    /// Seconds a partition's bucket holds: 1. Ours; the guide names only the rate.
    pub partition_depth_seconds: u64,
    /// Seconds of unused provisioned capacity kept: 300. Developer Guide, "Burst and adaptive capacity".
    pub burst_seconds: u64,
    /// Read and write units a second one table may use: 40,000 each. Developer Guide, "Quotas".
    pub account_units: i64,
    /// Partitions of a new on-demand table: 4, from its documented first 4,000 write units a second.
    pub on_demand_partitions: usize,
    /// Does a partition draw on the whole table's tokens at once (adaptive capacity), or only on its even
    /// share? Developer Guide, "Burst and adaptive capacity": instant since the first version was replaced.
    pub adaptive_capacity: bool,
    /// Whole seconds that a partition's heat is measured over: 300. Ours; AWS says only "sustained".
    pub heat_window_seconds: u64,
    /// Share of its ceiling, in thousandths, that makes a partition hot: 900. Ours.
    pub heat_per_mille: i64,
    /// Accepted units between two samples of where a partition's heat lies: 64. Ours.
    pub sample_units: i64,
    /// Seconds from the decision to split to its end: 300. Ours; "Scaling DynamoDB" tells of minutes.
    pub split_seconds: u64,
    /// Seconds after which a peak of an on-demand table has made room for twice of it: 1,800. Developer Guide,
    /// "On-demand capacity mode": twice the previous peak within 30 minutes.
    pub on_demand_memory_seconds: u64,
    /// Milliseconds until an entry written has arrived at a global index: 0. Developer Guide, "Global secondary indexes":
    /// asynchronously, "within a fraction of a second, under normal conditions"; no figure is published.
    pub index_lag_ms: u64,
    /// Milliseconds that a partition's two followers are behind its leader: 0. Developer Guide, "Read consistency": a
    /// moment, "usually within one second or less"; no figure is published.
    pub replica_lag_ms: u64,
    /// Has each of a partition's three replicas its own read units, which eventually consistent reads use in turn? Off:
    /// the documented ceiling holds for all of them together. AWS has measured 9,000 such queries a second on one key.
    pub eventual_reads_use_replicas: bool,
    /// Seconds from a decision of auto scaling to the new throughput: 120. Ours; the Developer Guide, "DynamoDB auto
    /// scaling", tells of minutes for the alarm and minutes for UpdateTable.
    pub auto_scaling_seconds: u64,
    /// Bytes after which a page ends: 1 MB. Developer Guide, "Paginating table query results".
    pub page_bytes: u64,
}

impl Physics {
    /// The figures of a preset.
    pub const fn preset(preset: Preset) -> Self {
        let aws = Self {
            partition_read_units: 3000,
            partition_write_units: 1000,
            partition_bytes: 10 << 30,
            partition_depth_seconds: 1,
            burst_seconds: 300,
            account_units: 40_000,
            on_demand_partitions: 4,
            adaptive_capacity: true,
            heat_window_seconds: 300,
            heat_per_mille: 900,
            sample_units: 64,
            split_seconds: 300,
            on_demand_memory_seconds: 1_800,
            index_lag_ms: 0,
            replica_lag_ms: 0,
            eventual_reads_use_replicas: false,
            auto_scaling_seconds: 120,
            page_bytes: 1 << 20,
        };
        match preset {
            Preset::Aws => aws,
            Preset::Classroom => Self {
                partition_read_units: 30,
                partition_write_units: 10,
                partition_bytes: 1 << 20,
                burst_seconds: 30,
                account_units: 400,
                heat_window_seconds: 10,
                sample_units: 1,
                split_seconds: 5,
                on_demand_memory_seconds: 60,
                auto_scaling_seconds: 10,
                ..aws
            },
        }
    }

    /// Read units a second that a partition can be billed: where each of its three replicas has
    /// [`Self::partition_read_units`] of its own, three times as many blocks at half a unit.
    pub const fn read_ceiling(&self) -> i64 {
        if self.eventual_reads_use_replicas { self.partition_read_units * 3 / 2 } else { self.partition_read_units }
    }

    /// Partitions that `read` and `write` units a second and `bytes` ask for on a provisioned table or index.
    ///
    /// `max(1, ⌈R/3000 + W/1000⌉, ⌈GB/10⌉)`: formerly in the guide ("Guidelines for working with tables"),
    /// since withdrawn; still the only published rule.
    pub fn provisioned_partitions(&self, read: i64, write: i64, bytes: u64) -> usize {
        let (r, w) = (i128::from(self.partition_read_units), i128::from(self.partition_write_units));
        let weighted = i128::from(read) * w + i128::from(write) * r;
        let by_throughput = (weighted + r * w - 1) / (r * w);
        (by_throughput.max(1) as usize).max(self.partitions_for_bytes(bytes))
    }

    /// Partitions of an on-demand table or index that must be ready for `read` and `write` units a second.
    pub fn on_demand_partition_count(&self, read: i64, write: i64, bytes: u64) -> usize {
        let ceil = |units: i64, cap: i64| ((units.max(0) + cap - 1) / cap) as usize;
        self.on_demand_partitions
            .max(ceil(write, self.partition_write_units))
            .max(ceil(read, self.partition_read_units))
            .max(self.partitions_for_bytes(bytes))
    }

    fn partitions_for_bytes(&self, bytes: u64) -> usize {
        bytes.div_ceil(self.partition_bytes.max(1)).max(1) as usize
    }
}

impl Default for Physics {
    fn default() -> Self {
        Self::preset(Preset::Aws)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_job_queue_has_four_partitions_and_seven_when_doubled() {
        let aws = Physics::default();
        assert_eq!(aws.provisioned_partitions(100, 3_333, 0), 4); // 0.033 + 3.333
        assert_eq!(aws.provisioned_partitions(100, 6_666, 0), 7); // 0.033 + 6.666
        assert_eq!(aws.provisioned_partitions(5_500, 1_500, 0), 4); // the guide's old example, 3.33
        assert_eq!(aws.provisioned_partitions(1, 1, 0), 1);
        assert_eq!(aws.provisioned_partitions(1, 1, (10 << 30) + 1), 2);
        assert_eq!(aws.on_demand_partition_count(0, 8_000, 0), 8);
        assert_eq!(aws.on_demand_partition_count(0, 0, 0), 4);
    }
}
