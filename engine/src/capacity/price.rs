//! What capacity costs: dated constants that may be edited, and whole-number arithmetic.
//!
//! Source: AWS prices of DynamoDB's Standard table class in us-east-1 as independent pages give them (the official
//! tables could not be read); hence the date, and hence everything can be replaced. A month is 730 hours, as in
//! AWS's pricing calculator. Not in it: the free units of an account, reserved capacity, backups, streams,
//! replicas.
//!
//! ```
//! use dynascope_engine::capacity::{HalfUnits, price::Prices};
//!
//! let prices = Prices::default();
//! // 3,333 WCU × 730 h × 0.065 cents and 100 RCU × 730 h × 0.013 cents
//! assert_eq!(prices.monthly(100, 3_333, 0).to_string(), "$1591.00");
//! let million = HalfUnits::from_units(1_000_000);
//! assert_eq!(prices.on_demand(HalfUnits::ZERO, million).cents_text(), "62.50 cents");
//! ```

use super::HalfUnits;
use crate::diagnostic::Failure;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as Json};
use std::fmt;
use std::ops::{Add, AddAssign};

/// Seconds of a month of 730 hours.
pub const MONTH_SECONDS: u64 = HOURS * 3600;
const HOURS: u64 = 730;
const MILLION: i128 = 1_000_000;

/// An amount in millionths of a dollar.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct MicroDollars(pub i64);

impl MicroDollars {
    fn from_wide(amount: i128) -> Self {
        Self(i64::try_from(amount).unwrap_or(i64::MAX))
    }

    /// Whole cents, rounded.
    pub const fn cents(self) -> i64 {
        self.hundredths(10_000)
    }

    const fn hundredths(self, micros: i64) -> i64 {
        (self.0.saturating_add(micros / 2)) / micros
    }

    /// Cents with two decimals, for amounts that come to little: `3.81 cents`.
    pub fn cents_text(self) -> String {
        let hundredths = self.hundredths(100);
        format!("{}.{:02} cents", hundredths / 100, hundredths % 100)
    }
}

impl Add for MicroDollars {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }
}

impl AddAssign for MicroDollars {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl fmt::Display for MicroDollars {
    /// Dollars and cents, rounded: `$1591.00`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let cents = self.cents();
        write!(f, "${}.{:02}", cents / 100, cents % 100)
    }
}

/// Prices of one region at one time, in millionths of a dollar. What a JSON leaves out is as in the default.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Prices {
    /// The month since which they hold, `YYYY-MM`.
    pub as_of: String,
    /// The AWS region.
    pub region: String,
    /// A provisioned read unit for an hour.
    pub read_unit_hour: u64,
    /// A provisioned write unit for an hour.
    pub write_unit_hour: u64,
    /// A million read request units on demand.
    pub million_read_requests: u64,
    /// A million write request units on demand.
    pub million_write_requests: u64,
    /// A GB (2³⁰ bytes) stored for a month.
    pub gigabyte_month: u64,
    /// GB that cost nothing. The account's; a table is reckoned here as if it were the only one.
    pub free_gigabytes: u64,
}

impl Default for Prices {
    /// us-east-1 since November 2024, when the on-demand prices were halved.
    fn default() -> Self {
        Self {
            as_of: "2024-11".to_owned(),
            region: "us-east-1".to_owned(),
            read_unit_hour: 130,
            write_unit_hour: 650,
            million_read_requests: 125_000,
            million_write_requests: 625_000,
            gigabyte_month: 250_000,
            free_gigabytes: 25,
        }
    }
}

/// Largest amount of a member: a million dollars, or a million GB.
const MAX_AMOUNT: u64 = 1_000_000_000_000;

impl Prices {
    /// The built-in prices with others in their places, by the names of the members. `as_of` has to be among them:
    /// nobody's prices hold since the built-in ones' month.
    ///
    /// # Errors
    /// In words: what is no price, or no amount, or no month.
    pub fn with(own: &Map<String, Json>) -> Result<Self, Failure> {
        let mut prices = Self::default();
        let wrong = |what: String| Failure::validation(format!("the scenario's `prices`: {what}"));
        let Some(as_of) = own.get("as_of") else {
            return Err(wrong("`as_of` is missing, the month since which they hold, as `2026-01`".to_owned()));
        };
        let month = as_of.as_str().filter(|month| is_month(month));
        month
            .ok_or_else(|| wrong(format!("`as_of` is a month as YYYY-MM, not {as_of}")))?
            .clone_into(&mut prices.as_of);
        for (name, amount) in own {
            let place = match name.as_str() {
                "as_of" => continue,
                "region" => {
                    let region = amount.as_str().filter(|region| !region.is_empty());
                    region
                        .ok_or_else(|| wrong(format!("`region` is a name, not {amount}")))?
                        .clone_into(&mut prices.region);
                    continue;
                }
                "read_unit_hour" => &mut prices.read_unit_hour,
                "write_unit_hour" => &mut prices.write_unit_hour,
                "million_read_requests" => &mut prices.million_read_requests,
                "million_write_requests" => &mut prices.million_write_requests,
                "gigabyte_month" => &mut prices.gigabyte_month,
                "free_gigabytes" => &mut prices.free_gigabytes,
                _ => return Err(wrong(format!("`{name}` is no price"))),
            };
            *place = amount.as_u64().filter(|amount| *amount <= MAX_AMOUNT).ok_or_else(|| {
                let unit = if name == "free_gigabytes" { "GB" } else { "millionths of a dollar" };
                wrong(format!("`{name}` is a whole number of {unit}, at most {MAX_AMOUNT}, not {amount}"))
            })?;
        }
        Ok(prices)
    }

    /// A month of provisioned read and write units and of stored bytes.
    pub fn monthly(&self, read: i64, write: i64, bytes: u64) -> MicroDollars {
        let units = |units: i64, price: u64| i128::from(units.max(0)) * i128::from(price) * i128::from(HOURS);
        let throughput = units(read, self.read_unit_hour) + units(write, self.write_unit_hour);
        MicroDollars::from_wide(throughput) + self.storage(bytes)
    }

    /// A month of stored bytes.
    pub fn storage(&self, bytes: u64) -> MicroDollars {
        let paid = i128::from(bytes) - (i128::from(self.free_gigabytes) << 30);
        MicroDollars::from_wide((paid.max(0) * i128::from(self.gigabyte_month)) >> 30)
    }

    /// Read and write request units on demand, each taken once.
    pub fn on_demand(&self, read: HalfUnits, write: HalfUnits) -> MicroDollars {
        let units = |units: HalfUnits, price: u64| i128::from(units.0.max(0)) * i128::from(price);
        let halves = units(read, self.million_read_requests) + units(write, self.million_write_requests);
        MicroDollars::from_wide((halves + MILLION) / (2 * MILLION))
    }

    /// What was consumed in `seconds`, consumed at the same rate for a whole month.
    pub fn on_demand_month(&self, read: HalfUnits, write: HalfUnits, seconds: u64) -> MicroDollars {
        let month = |units: HalfUnits| {
            let stretched = i128::from(units.0.max(0)) * i128::from(MONTH_SECONDS) / i128::from(seconds.max(1));
            HalfUnits(i64::try_from(stretched).unwrap_or(i64::MAX))
        };
        self.on_demand(month(read), month(write))
    }
}

/// Is it a month, written `YYYY-MM`?
pub fn is_month(text: &str) -> bool {
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    text.split_once('-').is_some_and(|(year, month)| {
        year.len() == 4
            && month.len() == 2
            && digits(year)
            && digits(month)
            && month.parse().is_ok_and(|month: u8| (1..=12).contains(&month))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_job_queue_costs_1591_dollars_and_twice_the_writes_twice_as_much() {
        let prices = Prices::default();
        // 3333 × 730 × 650 = 1,581,508,500; 100 × 730 × 130 = 9,490,000
        assert_eq!(prices.monthly(100, 3_333, 0), MicroDollars(1_590_998_500));
        assert_eq!(prices.monthly(100, 6_666, 0), MicroDollars(3_172_507_000));
    }

    #[test]
    fn the_first_25_gigabytes_cost_nothing() {
        let prices = Prices::default();
        assert_eq!(prices.storage(25 << 30), MicroDollars(0));
        assert_eq!(prices.storage(27 << 30), MicroDollars(500_000));
        assert_eq!(prices.monthly(0, 0, 45 << 30).to_string(), "$5.00");
    }

    #[test]
    fn half_a_read_unit_is_half_the_price_and_sums_are_rounded_once() {
        let prices = Prices::default();
        assert_eq!(prices.on_demand(HalfUnits(2_000_000), HalfUnits::ZERO), MicroDollars(125_000));
        assert_eq!(prices.on_demand(HalfUnits(1_000_000), HalfUnits::ZERO), MicroDollars(62_500));
        assert_eq!(prices.on_demand(HalfUnits(1), HalfUnits::ZERO), MicroDollars(0));
        assert_eq!(prices.on_demand(HalfUnits(2), HalfUnits(2)), MicroDollars(1), "0.125 + 0.625");
    }

    #[test]
    fn a_steady_table_is_cheaper_on_demand_below_29_percent() {
        let prices = Prices::default();
        let provisioned = prices.monthly(0, 100, 0);
        let used = |percent: i64| prices.on_demand_month(HalfUnits::ZERO, HalfUnits::from_units(percent * 60), 60);
        assert!(used(28) < provisioned && provisioned < used(29));
    }

    #[test]
    fn a_scenario_may_change_any_of_them() {
        let prices: Prices = serde_json::from_str(r#"{"region": "eu-west-1", "write_unit_hour": 735}"#).unwrap();
        assert_eq!(prices, Prices { region: "eu-west-1".into(), write_unit_hour: 735, ..Prices::default() });
        assert_eq!(prices.monthly(0, 1, 0), MicroDollars(536_550));
        assert_eq!(MicroDollars(38_125).cents_text(), "3.81 cents");
        assert_eq!(MicroDollars(38_125).cents(), 4);
        assert_eq!(prices.monthly(i64::MAX, i64::MAX, u64::MAX), MicroDollars(i64::MAX));
    }
}
