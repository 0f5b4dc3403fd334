//! The limits that can refuse, and the one that does.

use crate::pane::partitions::Seen;
use crate::text::{count, percent};
use crate::ui::patch::{fill, truth};
use dynascope_engine::capacity::Cause;

/// A limit, how much of it is used, and whether it refuses.
struct Lamp {
    name: String,
    share: String,
    lit: bool,
}

fn lamps(seen: &Seen) -> [Lamp; 4] {
    let share = |limit: i64, taken: i64| if limit > 0 { percent(taken * 1000 / (limit * 2)) } else { "–".to_owned() };
    let lit = |cause| seen.refused > 0 && seen.cause.is_some_and(|reason| reason.cause == cause);
    let fullest = seen.partitions.iter().map(|partition| partition.taken.0).max().unwrap_or(0);
    let set = |limit: Option<i64>| limit.map_or_else(|| "not set".to_owned(), |limit| share(limit, seen.taken.0));
    [
        Lamp {
            name: format!("account, {}", count(seen.account.max(0) as u64)),
            share: share(seen.account, seen.taken.0),
            lit: lit(Cause::AccountLimit),
        },
        Lamp { name: "on-demand maximum".into(), share: set(seen.maximum), lit: lit(Cause::MaxOnDemandThroughput) },
        Lamp {
            name: "table, provisioned".into(),
            share: set(seen.provisioned),
            lit: lit(Cause::ProvisionedThroughput),
        },
        Lamp {
            name: "partition key range".into(),
            share: share(seen.ceiling, fullest.min(seen.ceiling * 2)),
            lit: lit(Cause::KeyRangeThroughput),
        },
    ]
}

/// The part of the column.
pub fn lamp_list(seen: &Seen) -> String {
    let lamp = |lamp: &Lamp| {
        let said = if lamp.lit { "<span class=\"vh\">, refusing</span>" } else { "" };
        fill(
            "<li data-lit=\"{}\"><i aria-hidden=\"true\"></i><span>{}</span><span class=\"n\">{}</span>{!}</li>",
            &[truth(lamp.lit), &lamp.name, &lamp.share, said],
        )
    };
    let lamps: String = lamps(seen).iter().map(lamp).collect();
    fill(
        "<section class=\"details-part\"><h2>Which limit was hit?</h2><ul class=\"lamps\">{!}</ul></section>",
        &[&lamps],
    )
}
