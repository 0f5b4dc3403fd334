//! What is to be scaled, and within which bounds: the `auto_scaling` of a scenario.

use crate::capacity::Side;
use crate::diagnostic::Failure;
use crate::partition::Table;
use crate::table::Billing;
use serde::{Deserialize, Serialize};

/// The target where none is given, in percent. Developer Guide, "DynamoDB auto scaling": the console's default.
pub const DEFAULT_TARGET_PERCENT: i64 = 70;
/// Targets that can be set, in percent. Same page.
const TARGETS: std::ops::RangeInclusive<i64> = 20..=90;
/// The most that a table may have of one side; as in CreateTable.
const MOST_UNITS: i64 = 1_000_000_000_000;

/// Auto scaling of a provisioned table, or of one of its global indexes.
///
/// ```
/// use dynascope_engine::background::AutoScaling;
///
/// let scaling: AutoScaling = serde_json::from_str(r#"{"table": "orders", "write": {"min": 100, "max": 1000}}"#)?;
/// assert_eq!(scaling.write.map(|write| write.target_percent), Some(70));
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AutoScaling {
    /// The table.
    pub table: String,
    /// A global index of it; the table itself if absent. An index is scaled apart from its table.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub index: Option<String>,
    /// Read units; left as they are if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub read: Option<Tracking>,
    /// Write units; left as they are if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub write: Option<Tracking>,
}

/// A target that the used share of the provisioned units is kept at, and the bounds of those.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tracking {
    /// Units a second, at least.
    pub min: i64,
    /// Units a second, at most.
    pub max: i64,
    /// Used of provisioned, in percent, from 20 to 90.
    #[serde(default = "default_target")]
    pub target_percent: i64,
}

const fn default_target() -> i64 {
    DEFAULT_TARGET_PERCENT
}

impl AutoScaling {
    /// The bounds of one side, if it is scaled.
    pub const fn tracking(&self, side: Side) -> Option<&Tracking> {
        match side {
            Side::Read => self.read.as_ref(),
            Side::Write => self.write.as_ref(),
        }
    }

    /// The table's or index's name, as in `orders/byCustomer`.
    pub fn name(&self) -> String {
        self.index.as_ref().map_or_else(|| self.table.clone(), |index| format!("{}/{index}", self.table))
    }

    /// The arm of `table` that is scaled.
    ///
    /// # Errors
    /// In words: an unknown index, a table on demand, bounds or a target that are none.
    pub fn arm(&self, table: &Table) -> Result<usize, Failure> {
        let wrong = |what: String| Failure::validation(format!("`auto_scaling` of {}: {what}", self.name()));
        let arm = match &self.index {
            None => 0,
            Some(index) => {
                table.arm_of(index).ok_or_else(|| wrong(format!("`{index}` is no global index of {}", self.table)))?
            }
        };
        if matches!(table.arms[arm].settings().billing, Billing::OnDemand { .. }) {
            return Err(wrong("it is on demand, and only provisioned throughput is scaled".to_owned()));
        }
        if self.read.is_none() && self.write.is_none() {
            return Err(wrong("there is neither a `read` nor a `write` to scale".to_owned()));
        }
        for (side, word) in [(Side::Read, "read"), (Side::Write, "write")] {
            let Some(Tracking { min, max, target_percent }) = self.tracking(side) else { continue };
            if *min < 1 || *max > MOST_UNITS {
                return Err(wrong(format!("the bounds of `{word}` are whole units from 1 to {MOST_UNITS}")));
            }
            if min > max {
                return Err(wrong(format!("the `min` of `{word}` is {min}, above its `max` of {max}")));
            }
            if !TARGETS.contains(target_percent) {
                let (least, most) = (TARGETS.start(), TARGETS.end());
                return Err(wrong(format!(
                    "the `target_percent` of `{word}` is from {least} to {most}, not {target_percent}"
                )));
            }
        }
        Ok(arm)
    }
}
