//! What CloudWatch would show: a minute's sum ÷ 60, beside which the single seconds tell another story; and the price.

use crate::playground::Playground;
use crate::text::{count, percent};
use crate::ui::patch::fill;
use dynascope_engine::capacity::Side;
use dynascope_engine::metrics::MinuteMetrics;

/// Minutes that are shown.
const MINUTES: usize = 4;

/// The latest minutes that have ended.
pub fn minutes(playground: Playground, side: Side) -> String {
    let table = playground.table.get();
    let minutes = playground.with(|session| session.cloudwatch(&table, None)).unwrap_or_default();
    let rows: String = minutes.iter().rev().take(MINUTES).map(|minute| row(minute, side)).collect();
    if rows.is_empty() {
        return String::new();
    }
    let consumed = if side == Side::Read { "ConsumedReadCapacityUnits" } else { "ConsumedWriteCapacityUnits" };
    fill(
        "<section class=\"details-part\"><h2>CloudWatch <span class=\"quiet\">minute by minute</span></h2>\
         <table class=\"minutes\"><caption class=\"vh\">{}</caption><thead><tr><th scope=\"col\">minute</th>\
         <th scope=\"col\">units a second</th><th scope=\"col\">of table</th><th scope=\"col\">throttled</th></tr></thead>\
         <tbody>{!}</tbody></table><p class=\"note\"><code>{}</code>, the sum ÷ 60: limits are per second, graphs per \
         minute.</p></section>",
        &["Minutes that have ended, the latest first", &rows, consumed],
    )
}

fn row(minute: &MinuteMetrics, side: Side) -> String {
    let mean = minute.mean_thousandths(side);
    let mean = match mean {
        0..10_000 => format!("{}.{:02}", mean / 1000, mean % 1000 / 10),
        _ => count((mean.max(0) as u64 + 500) / 1000),
    };
    let throttled = u64::from(minute.sums.throttle_events(side));
    fill(
        "<tr><th scope=\"row\">{}</th><td>{}</td><td>{}</td><td{!}>{}</td></tr>",
        &[
            &minute.sums.minute().to_string(),
            &mean,
            &minute.used_per_mille(side).map_or_else(|| "–".to_owned(), percent),
            if throttled > 0 { " class=\"r\"" } else { "" },
            &count(throttled),
        ],
    )
}

/// What the table costs a month, and what the same requests would cost paid one by one.
pub fn price(playground: Playground) -> String {
    let table = playground.table.get();
    let Some(price) = playground.with(|session| session.price(&table, &session.prices())) else {
        return String::new();
    };
    let Some(arm) = price.arms.first().filter(|arm| arm.on_demand_month.0 > 0) else { return String::new() };
    let paid = match arm.provisioned {
        Some(_) => format!("Provisioned as it is: {} a month. ", arm.provisioned_month),
        None => String::new(),
    };
    fill(
        "<section class=\"details-part\"><h2>Price</h2><p>{}What was taken, going on like this and paid on demand: {} a \
         month.</p><p class=\"note\">{}, prices of {}, storage apart. Refused requests cost nothing.</p></section>",
        &[&paid, &arm.on_demand_month.to_string(), &price.prices.region, &price.prices.as_of],
    )
}
