//! The commands `cloudwatch`, `insights`, `scaling` and `price`: what an operator would look at.

use super::command::Options;
use super::print;
use super::runner::{Output, Runner};
use crate::background::{ScalingCause, ScalingNote, ScalingOutcome};
use crate::capacity::price::Prices;
use crate::capacity::{HalfUnits, Side};
use crate::metrics::{Contributor, MinuteMetrics};
use crate::session::ArmPrice;
use std::fmt::Write as _;

const NO_SUCH: &str = "no such table or index";

impl Runner {
    /// The minutes that had anything in them; with `last` only so many of them.
    pub fn cloudwatch(&self, table: &str, index: Option<&str>, mut options: Options) -> Output {
        let last: usize = options.number("last")?.unwrap_or(usize::MAX);
        options.end()?;
        let minutes = self.session.cloudwatch(table, index).ok_or(NO_SUCH)?;
        let lines: Vec<String> = minutes.iter().skip(minutes.len().saturating_sub(last)).map(minute).collect();
        Ok(match lines.len() {
            0 => "nothing published".into(),
            shown if shown < minutes.len() => format!("{} minutes, the last:\n{}", minutes.len(), lines.join("\n")),
            _ => lines.join("\n"),
        })
    }

    /// The keys most accessed and most throttled.
    pub fn insights(&self, table: &str, index: Option<&str>) -> Output {
        let top = self.session.top_keys(table, index).ok_or(NO_SUCH)?;
        let mut text = format!("seconds {} to {}", top.from, top.to - 1);
        for (word, keys) in [("accessed", &top.accessed), ("throttled", &top.throttled)] {
            for key in keys {
                let _ = write!(text, "\n{word} {}", contributor(key));
            }
            if keys.is_empty() {
                let _ = write!(text, "\nnothing {word}");
            }
        }
        Ok(text)
    }

    /// What auto scaling did.
    pub fn scaling(&self, table: &str, index: Option<&str>) -> Output {
        let notes = self.session.scaling(table, index).ok_or("no such table or index, or it is not scaled")?;
        let lines: Vec<String> = notes.iter().map(scaling_note).collect();
        Ok(if lines.is_empty() { "nothing scaled".into() } else { lines.join("\n") })
    }

    /// What a table costs, by the scenario's prices or by those in the JSON.
    pub fn price(&self, table: &str, prices: Option<&str>) -> Output {
        let prices: Prices = match prices {
            None => self.session.prices(),
            Some(json) => serde_json::from_str(json).map_err(|error| format!("no prices: {error}"))?,
        };
        let price = self.session.price(table, &prices).ok_or("no such table")?;
        let mut text = format!("{}, as of {}", prices.region, prices.as_of);
        for arm in &price.arms {
            let _ = write!(text, "\n{}", arm_price(table, arm));
        }
        if price.arms.len() > 1 {
            let (provisioned, storage) = (price.sum(|arm| arm.provisioned_month), price.sum(|arm| arm.storage_month));
            let (consumed, month) = (price.sum(|arm| arm.consumed_on_demand), price.sum(|arm| arm.on_demand_month));
            let _ = write!(
                text,
                "\nin all: provisioned {provisioned} a month, storage {storage} a month; consumed on demand {}, {month} \
                 a month",
                consumed.cents_text()
            );
        }
        Ok(text)
    }
}

/// `minute 0: ConsumedWriteCapacityUnits 60 (÷ 60 = 1.000, 1.7 % of 60), WriteThrottleEvents 3540, …`: what is not
/// zero. Provisioned units stand in the brackets.
fn minute(minute: &MinuteMetrics) -> String {
    let mut parts = Vec::new();
    for (name, value) in minute.metrics() {
        let side = match &*name {
            "ConsumedReadCapacityUnits" => Some(Side::Read),
            "ConsumedWriteCapacityUnits" => Some(Side::Write),
            _ => None,
        };
        if value == HalfUnits::ZERO || name.starts_with("Provisioned") {
            continue;
        }
        let mut part = format!("{name} {value}");
        if let Some(side) = side {
            let mean = minute.mean_thousandths(side);
            let _ = write!(part, " (÷ 60 = {}.{:03}", mean / 1000, mean % 1000);
            if let (Some(used), Some(units)) = (minute.used_per_mille(side), minute.provisioned_units(side)) {
                let _ = write!(part, ", {} of {units}", print::percent(used));
            }
            part.push(')');
        }
        parts.push(part);
    }
    format!("minute {}: {}", minute.sums.minute(), parts.join(", "))
}

/// `180 s writes 100 → 215, two minutes above the target, the last 150 a second: planned for 300 s`
fn scaling_note(note: &ScalingNote) -> String {
    let ScalingNote { at, side, from, to, minute, cause, outcome } = note;
    let word = if *side == Side::Read { "reads" } else { "writes" };
    // Tenths of a unit a second: half units of a minute ÷ 120.
    let tenths = (minute.0 * 10 + 60) / 120;
    let mean = format!("{}.{}", tenths / 10, tenths % 10);
    let cause = match cause {
        ScalingCause::High => format!("two minutes above the target, the last {mean} a second"),
        ScalingCause::Low => format!("fifteen low minutes, the busiest {mean} a second"),
        ScalingCause::OutOfBounds => "out of bounds".to_owned(),
    };
    let outcome = match outcome {
        ScalingOutcome::Planned(at) => format!("planned for {at}"),
        ScalingOutcome::Done => return format!("{at} {word} {from} → {to}: done"),
        ScalingOutcome::Dropped => "not done, on demand now".to_owned(),
        ScalingOutcome::AtMaximum => "not done, at the maximum".to_owned(),
        ScalingOutcome::NoDecreaseLeft => "not done, no decrease left".to_owned(),
    };
    format!("{at} {word} {from} → {to}, {cause}: {outcome}")
}

fn contributor(key: &Contributor) -> String {
    let Contributor { key, throughput, requests, throttled } = key;
    format!("{}: {throughput} units, {requests} requests, {throttled} throttled", print::value(key))
}

fn arm_price(table: &str, arm: &ArmPrice) -> String {
    let name = arm.index.as_deref().map_or_else(|| table.to_owned(), |index| format!("{table}/{index}"));
    let provisioned = match arm.provisioned {
        Some((read, write)) => format!("{read} RCU and {write} WCU {} a month", arm.provisioned_month),
        None => "on demand".to_owned(),
    };
    let (read, write) = arm.consumed;
    format!(
        "{name}: {provisioned}, {} B {} a month; consumed {read} RRU and {write} WRU, on demand {}, {} a month",
        arm.bytes,
        arm.storage_month,
        arm.consumed_on_demand.cents_text(),
        arm.on_demand_month
    )
}
