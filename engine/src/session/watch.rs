//! What an operator would look at: CloudWatch's minutes, contributor insights, the bill.
//!
//! Per-second truth is [`Session::telemetry`]; this is the view of it that hides a second's burst.

use super::Session;
use crate::capacity::HalfUnits;
use crate::capacity::price::{MicroDollars, Prices};
use crate::metrics::{ArmMetrics, Minute, MinuteMetrics, TopKeys};
use crate::partition::Arm;
use crate::time::SimTime;
use serde::Serialize;

/// Seconds that contributor insights look back.
const INSIGHT_SECONDS: u64 = 60;

/// What a table or global index costs, in millionths of a dollar.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ArmPrice {
    /// The index, or `None` for the table itself.
    pub index: Option<String>,
    /// Provisioned read and write units; `None` on demand.
    pub provisioned: Option<(i64, i64)>,
    /// A month of them; nothing on demand.
    pub provisioned_month: MicroDollars,
    /// Stored bytes, metered traffic included.
    pub bytes: u64,
    /// A month of storing them, beyond the account's free GB.
    pub storage_month: MicroDollars,
    /// Read and write units consumed since the beginning.
    pub consumed: (HalfUnits, HalfUnits),
    /// What they cost, or would have cost, on demand.
    pub consumed_on_demand: MicroDollars,
    /// The same, going on like this for a month of 730 hours. Of the seconds begun since the scenario began.
    pub on_demand_month: MicroDollars,
}

/// What a table with its global indexes costs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TablePrice {
    /// The table.
    pub table: String,
    /// Where and since when these prices hold.
    pub prices: Prices,
    /// The table, then its global indexes by name.
    pub arms: Vec<ArmPrice>,
}

impl TablePrice {
    /// The table and its indexes together, of one of the amounts.
    pub fn sum(&self, amount: impl Fn(&ArmPrice) -> MicroDollars) -> MicroDollars {
        let mut sum = MicroDollars::default();
        for arm in &self.arms {
            sum += amount(arm);
        }
        sum
    }
}

impl Session {
    fn watched(&self, table: &str, index: Option<&str>) -> Option<(&Arm, Option<&ArmMetrics>, usize)> {
        let slot = self.database().slot(table)?;
        let stored = self.database().table(slot);
        let at = stored.arm_at(index)?;
        Some((&stored.arms[at], self.metrics().arm(slot, at), at))
    }

    /// The minutes of a table or global index that have ended and had anything in them, oldest first, at most 15
    /// days of them; a minute that is not there was quiet. `None` if there is no such table or index.
    ///
    /// A minute has the provisioned units that were noted in it ([`crate::metrics::Metrics::note_provisioned`]), or
    /// those in force now if none ever were.
    pub fn cloudwatch(&self, table: &str, index: Option<&str>) -> Option<Vec<MinuteMetrics>> {
        let (arm, metrics, at) = self.watched(table, index)?;
        let minutes = metrics.map(|metrics| metrics.minutes(self.now())).unwrap_or_default();
        let now = arm.settings().billing.provisioned();
        let then = |minute| metrics.and_then(|metrics| metrics.provisioned_in(minute)).unwrap_or(now);
        let shown = |sums: Minute| MinuteMetrics { sums, provisioned: then(sums.minute()), is_index: at > 0 };
        Some(minutes.into_iter().map(shown).collect())
    }

    /// The keys of a table or global index most accessed and most throttled in the last 60 whole seconds, or in the
    /// first second while it is still running. How exact: [`ArmMetrics::top_keys`]. `None` if there is no such
    /// table or index.
    pub fn top_keys(&self, table: &str, index: Option<&str>) -> Option<TopKeys> {
        let (_, metrics, _) = self.watched(table, index)?;
        let end = self.now().second().max(1);
        let seconds = end.saturating_sub(INSIGHT_SECONDS)..end;
        let none = TopKeys { from: seconds.start, to: seconds.end, ..TopKeys::default() };
        Some(metrics.map_or(none, |metrics| metrics.top_keys(seconds)))
    }

    /// The prices of the scenario: the built-in ones, or its own in their places.
    pub fn prices(&self) -> Prices {
        // They were read when the session began.
        self.scenario.own_prices().unwrap_or_default()
    }

    /// What a table and its global indexes cost by some prices, such as [`Self::prices`]. `None` if there is no such
    /// table.
    pub fn price(&self, table: &str, prices: &Prices) -> Option<TablePrice> {
        let stored = self.database().get(table)?;
        let names = std::iter::once(None).chain(stored.schema.global_indexes().map(|index| Some(&*index.name)));
        // A second begun counts whole, as it does in the metrics.
        let seconds = self.now().0.div_ceil(SimTime::SECOND);
        let arms = names.filter_map(|index| {
            let (arm, metrics, _) = self.watched(table, index)?;
            let total = metrics.map(|metrics| metrics.total).unwrap_or_default();
            let (provisioned, (read, write)) = (arm.settings().billing.provisioned(), (total.read, total.write));
            let (read_units, write_units) = provisioned.unwrap_or_default();
            Some(ArmPrice {
                index: index.map(str::to_owned),
                provisioned,
                provisioned_month: prices.monthly(read_units, write_units, 0),
                bytes: arm.bytes,
                storage_month: prices.storage(arm.bytes),
                consumed: (read, write),
                consumed_on_demand: prices.on_demand(read, write),
                on_demand_month: prices.on_demand_month(read, write, seconds),
            })
        });
        Some(TablePrice { table: table.to_owned(), prices: prices.clone(), arms: arms.collect() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::capacity::{Cause, Side};
    use crate::scenario::Scenario;
    use crate::value::AttributeValue;
    use serde_json::json;

    fn session(saved: u64, traffic: serde_json::Value) -> Session {
        let scenario: Scenario = serde_json::from_value(json!({
            "version": 1, "saved_burst_seconds": saved,
            "tables": [{"create": {
                "TableName": "Spike", "ProvisionedThroughput": {"ReadCapacityUnits": 5, "WriteCapacityUnits": 60},
                "AttributeDefinitions": [{"AttributeName": "id", "AttributeType": "S"}],
                "KeySchema": [{"AttributeName": "id", "KeyType": "HASH"}],
            }}],
            "traffic": traffic,
        }))
        .unwrap();
        Session::new(scenario).unwrap()
    }

    #[test]
    fn a_second_full_of_throttles_is_two_percent_of_a_minute() {
        let write = json!([{"table": "Spike", "key": "a", "rate_per_second": 3600, "end": 1_000_000}]);
        let mut session = session(0, write);
        session.advance(SimTime::from_secs(59), u64::MAX);
        assert_eq!(session.cloudwatch("Spike", None), Some(Vec::new()), "the minute has not ended");
        session.advance(SimTime::from_secs(60), u64::MAX);
        let minutes = session.cloudwatch("Spike", None).unwrap();
        let minute = minutes[0];
        assert_eq!((minutes.len(), minute.sums.consumed(Side::Write)), (1, HalfUnits::from_units(60)));
        assert_eq!((minute.mean_thousandths(Side::Write), minute.used_per_mille(Side::Write)), (1000, Some(17)));
        assert_eq!(minute.sums.throttle_events(Side::Write), 3540);
        assert_eq!(minute.sums.cause_events(Side::Write, Cause::ProvisionedThroughput), 3540);
        assert_eq!(minute.sums.throttled_requests(), 3540);
        let top = session.top_keys("Spike", None).unwrap();
        assert_eq!((top.from, top.to), (0, 60));
        assert_eq!((top.accessed[0].requests, top.throttled[0].throttled), (3600, 3540));
        assert_eq!(top.accessed[0].throughput, HalfUnits::from_units(180), "3 × 60 write units");
        assert_eq!(top.accessed[0].key, AttributeValue::from("a"));
        assert_eq!(session.cloudwatch("Spike", Some("none")), None);
    }

    #[test]
    fn how_the_way_is_sliced_changes_no_minute_and_no_key() {
        let write = json!([{"table": "Spike", "key": "u{0..40}", "rate_per_second": 97}]);
        let (mut whole, mut sliced) = (session(300, write.clone()), session(300, write));
        whole.advance(SimTime::from_secs(300), u64::MAX);
        while sliced.now() < SimTime::from_secs(300) {
            sliced.advance(SimTime::from_secs(300).min(sliced.now() + 777_777), 50);
        }
        assert_eq!(whole.cloudwatch("Spike", None), sliced.cloudwatch("Spike", None));
        assert_eq!(whole.top_keys("Spike", None), sliced.top_keys("Spike", None));
        assert_eq!(whole.cloudwatch("Spike", None).unwrap().len(), 5);
    }

    #[test]
    fn the_bill_names_the_table_and_what_it_consumed() {
        let write = json!([{"table": "Spike", "key": "a", "rate_per_second": 30}]);
        let mut session = session(300, write);
        session.advance(SimTime::from_secs(100), u64::MAX);
        let price = session.price("Spike", &Prices::default()).unwrap();
        let arm = &price.arms[0];
        // 5 × 730 × 130 + 60 × 730 × 650; 3,000 writes × 0.625; 30 a second × 2,628,000 s × 0.625
        assert_eq!(arm.provisioned_month, MicroDollars(474_500 + 28_470_000));
        assert_eq!(arm.consumed_on_demand, MicroDollars(1_875));
        assert_eq!(arm.on_demand_month, MicroDollars(49_275_000));
        assert_eq!(price.sum(|arm| arm.provisioned_month).to_string(), "$28.94");
        assert_eq!(session.price("none", &Prices::default()), None);
    }

    #[test]
    fn a_scenario_has_prices_of_its_own_and_wrong_ones_end_it() {
        let read = |prices: serde_json::Value| -> Scenario {
            serde_json::from_value(json!({"version": 1, "prices": prices})).unwrap()
        };
        let session = Session::new(read(json!({"as_of": "2026-01", "read_unit_hour": 147}))).unwrap();
        assert_eq!((session.prices().as_of.as_str(), session.prices().read_unit_hour), ("2026-01", 147));
        assert_eq!(session.prices().write_unit_hour, Prices::default().write_unit_hour);
        let failure = Session::new(read(json!({"as_of": "2026-01", "read_unit_hour": "free"}))).unwrap_err();
        assert!(failure.message.contains("`read_unit_hour` is a whole number"), "{}", failure.message);
    }
}
