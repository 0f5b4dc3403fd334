//! Capacity units, token buckets, the constants of the physical model, and the reasons for a refusal.
//!
//! Everything is counted in integers: a cost in half units (an eventually consistent read of up to 4 KB is
//! one), a bucket's level in millionths of a half unit, time in microseconds. Facts: Developer Guide,
//! "DynamoDB read and write operations", "Burst and adaptive capacity", "Partitions and data distribution".
//!
//! ```
//! use dynascope_engine::capacity::{Consistency, read_cost, write_cost};
//!
//! assert_eq!(read_cost(984, Consistency::Eventual).to_string(), "0.5"); // RCU
//! assert_eq!(read_cost(8_000, Consistency::Strong).to_string(), "2");
//! assert_eq!(write_cost(3_584).to_string(), "4"); // 3.5 KB are 4 WCU
//! ```

mod bucket;
pub mod fidelity;
mod physics;
pub mod price;
mod reason;

pub use bucket::TokenBucket;
pub use physics::{Physics, Preset};
pub use reason::{Cause, Reason, Refusal, Resource, Side, ThrottlingReason};

use serde::{Deserialize, Serialize};
use std::fmt;
use std::ops::{Add, AddAssign, Sub};

/// Capacity in halves of a unit: an RCU or a WCU is two.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct HalfUnits(pub i64);

impl HalfUnits {
    /// Nothing.
    pub const ZERO: Self = Self(0);

    /// `units` whole RCUs or WCUs.
    pub const fn from_units(units: i64) -> Self {
        Self(units * 2)
    }

    /// As a JSON number the way the service writes it: `0.5`, `1.0`.
    pub fn to_json(self) -> serde_json::Value {
        serde_json::Value::from(self.0 as f64 / 2.0)
    }

    /// For drawing only.
    pub fn to_f64(self) -> f64 {
        self.0 as f64 / 2.0
    }
}

impl Add for HalfUnits {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }
}

impl Sub for HalfUnits {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self(self.0 - other.0)
    }
}

impl AddAssign for HalfUnits {
    fn add_assign(&mut self, other: Self) {
        self.0 += other.0;
    }
}

impl std::iter::Sum for HalfUnits {
    fn sum<I: Iterator<Item = Self>>(costs: I) -> Self {
        Self(costs.map(|cost| cost.0).sum())
    }
}

impl fmt::Display for HalfUnits {
    /// In units: `0.5`, `128.5`, `4`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0 < 0 {
            f.write_str("-")?;
        }
        let halves = self.0.unsigned_abs();
        write!(f, "{}", halves / 2)?;
        if halves.is_multiple_of(2) { Ok(()) } else { f.write_str(".5") }
    }
}

/// How fresh a read must be, and so what a 4 KB block of it costs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Consistency {
    /// Half a unit a block.
    #[default]
    Eventual,
    /// One unit a block.
    Strong,
    /// Two units a block.
    Transactional,
}

impl Consistency {
    /// Half units for one block.
    pub const fn half_units_per_block(self) -> i64 {
        match self {
            Self::Eventual => 1,
            Self::Strong => 2,
            Self::Transactional => 4,
        }
    }
}

/// Bytes of one block of a read.
pub const READ_BLOCK_BYTES: u64 = 4096;
/// Bytes of one write unit.
pub const WRITE_BLOCK_BYTES: u64 = 1024;

/// Blocks a read of `bytes` touches: at least one, since looking and finding nothing is paid for too.
pub const fn read_blocks(bytes: u64) -> i64 {
    let blocks = bytes.div_ceil(READ_BLOCK_BYTES);
    if blocks == 0 { 1 } else { blocks as i64 }
}

/// What reading `bytes` costs. Developer Guide, "Read consistency" and "Capacity unit consumption for reads".
pub const fn read_cost(bytes: u64, consistency: Consistency) -> HalfUnits {
    HalfUnits(read_blocks(bytes) * consistency.half_units_per_block())
}

/// What writing `bytes` costs: a unit for each KB begun, at least one. Developer Guide, "Capacity unit
/// consumption for writes".
pub const fn write_cost(bytes: u64) -> HalfUnits {
    let blocks = bytes.div_ceil(WRITE_BLOCK_BYTES);
    HalfUnits(2 * if blocks == 0 { 1 } else { blocks as i64 })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_eventual_page_costs_128_and_a_half() {
        // 1,007 items of 1,042 B: the item that crosses 1 MB is read too.
        assert_eq!(read_cost(1_049_294, Consistency::Eventual).to_string(), "128.5");
    }

    #[test]
    fn nothing_is_free() {
        assert_eq!(read_cost(0, Consistency::Eventual), HalfUnits(1));
        assert_eq!(write_cost(0), HalfUnits::from_units(1));
        assert_eq!(write_cost(1024), HalfUnits::from_units(1));
        assert_eq!(write_cost(1025), HalfUnits::from_units(2));
    }
}
